//! The mate solver: whether the side to move can mate by checks alone, however long it takes.
//!
//! Depth-first proof-number search (Nagai 2002) over the attacker's checks and all of the
//! defender's answers ([`proof`]; [`node_proof`], [`dominance`]), with a table of its own ([`table`]); the line that is shown of a
//! mate is read from the table ([`mod@line`]). An alpha-beta search of the same size sees mates of
//! a few plies only; this one finds those of twenty where the defender has little choice. A problem's
//! length leaves out the interpositions that change nothing ([`interposition`]).

mod dominance;
mod interposition;
mod line;
mod node_proof;
mod proof;
mod solver;
mod table;

pub use interposition::essential_plies;
pub use solver::MateSolver;
