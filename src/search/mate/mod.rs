//! The mate solver: proves whether the side to move can mate by consecutive checks, at any length.
//!
//! Depth-first proof-number search (Nagai 2002) over the attacker's checks and all replies of the
//! defender ([`proof`], [`node_proof`], [`dominance`]), with its own table ([`table`]). The line of
//! a mate is read from the table ([`mod@line`]). An alpha-beta search of the same size finds mates
//! of a few plies only. This search finds mates of twenty plies if the defender has few replies.
//! The length of a problem excludes useless interpositions ([`interposition`]).

mod cluster_table;
mod dominance;
mod growing_table;
mod interposition;
mod line;
mod node_proof;
mod path;
mod proof;
mod proof_state;
mod solver;
mod table;

pub use interposition::essential_plies;
pub use solver::MateSolver;
