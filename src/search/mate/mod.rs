//! The mate solver: whether the side to move can mate by checks alone, however long it takes.
//!
//! Depth-first proof-number search (Nagai 2002) over the attacker's checks and all of the
//! defender's answers ([`proof`]), with a table of its own ([`table`]); the line that is shown of a
//! mate is read from the table ([`mod@line`]). An alpha-beta search of the same size sees mates of a few
//! plies only; this one finds those of twenty where the defender has little choice.

mod line;
mod proof;
mod table;

use proof::{Numbers, Search};
use table::ProofTable;

use crate::engine::Pv;
use crate::shogi::Position;

/// What the solver found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move mates. The line is one of a proof: the attacker's moves mate against every
    /// defence, of which the line shows one that holds out long.
    Mate(Pv),
    /// There is no mate by checks; a line that repeats a position counts as none.
    NoMate,
    /// The nodes did not suffice.
    Unknown,
}

/// A verdict and its price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// What was found out.
    pub verdict: Verdict,
    /// Positions looked at.
    pub nodes: u64,
}

/// A solver with what it remembers of earlier positions.
pub struct MateSolver {
    table: ProofTable,
    /// Children of all nodes of the present line: one room for the whole recursion.
    children: Vec<proof::Child>,
}

/// Table size of a solver inside a search: it fits the cache of its core.
const DEFAULT_ENTRIES: usize = 1 << 16;

impl Default for MateSolver {
    fn default() -> MateSolver {
        MateSolver::new(DEFAULT_ENTRIES)
    }
}

impl MateSolver {
    /// A solver that remembers about so many positions (32 bytes each).
    pub fn new(entries: usize) -> MateSolver {
        MateSolver { table: ProofTable::new(entries), children: Vec::new() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Looks for a mate by the side to move until it is proved or disproved, `nodes` positions were
    /// looked at, or `stop` says so. What was found out stays: asked again, it goes on from there.
    /// The position is the same afterwards.
    pub fn solve(&mut self, pos: &mut Position, nodes: u64, stop: &dyn Fn() -> bool) -> Solved {
        self.table.begin();
        let mut search = Search::new(self, pos, nodes, stop);
        let found = search.prove(Numbers::OPEN).numbers;
        let verdict = if found.is_won() {
            search.line().map_or(Verdict::Unknown, Verdict::Mate)
        } else if found.is_lost() {
            Verdict::NoMate
        } else {
            Verdict::Unknown
        };
        Solved { verdict, nodes: search.nodes() }
    }
}
