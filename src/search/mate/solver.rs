//! The solver: one question after the other.

use super::node_proof::{Basis, NodeProof, ProofNumbers};
use super::proof::{ProofMemory, ProofSearch};
use crate::engine::{MateOutcome, MateVerdict};
use crate::shogi::{Color, HandPiece, Position};

/// One number for each kind, in the order of `HandPiece::ALL`.
type PieceCounts = [u32; 7];

/// A solver with what it remembers of earlier positions.
pub struct MateSolver {
    memory: ProofMemory,
    /// The pieces of the position last asked about.
    pieces: PieceCounts,
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
        MateSolver { memory: ProofMemory::new(entries), pieces: PieceCounts::default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.memory.table.clear();
    }

    /// Looks for a mate by the side to move until it is proved or disproved, `nodes` positions were
    /// looked at, or `stop` says so. What was found out stays: asked again, it goes on from there.
    /// The position is the same afterwards.
    pub fn solve(
        &mut self,
        pos: &mut Position,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> MateOutcome {
        // The table takes it that what the attacker lacks the defender has.
        let pieces = piece_counts(pos);
        if self.pieces != pieces {
            self.clear();
            self.pieces = pieces;
        }
        self.memory.table.begin();
        let mut search = ProofSearch::new(&mut self.memory, pos, nodes, stop);
        let NodeProof { numbers, plies, basis, .. } = search.prove(ProofNumbers::OPEN);
        let line = if numbers.is_won() { search.line() } else { None };
        let nodes = search.nodes;
        let (verdict, plies) = match line {
            Some(line) => {
                let plies = line.len().max(plies.into());
                (MateVerdict::Mate(line), plies)
            }
            None if numbers.is_lost() && basis == Basis::POSITION => (MateVerdict::NoMate, 0),
            None => (MateVerdict::Unknown, 0),
        };
        MateOutcome { verdict, nodes, plies }
    }
}

/// How many there are of each kind that can be held, on the board and in hand.
fn piece_counts(pos: &Position) -> PieceCounts {
    HandPiece::ALL.map(|piece| {
        let kind = piece.kind();
        let promoted = kind.promoted().map_or(0, |kind| pos.kind(kind).len());
        let held = [Color::Black, Color::White].map(|color| pos.hand(color).count(piece));
        pos.kind(kind).len() + promoted + held[0] + held[1]
    })
}
