//! The solver: one question after the other.

use super::node_proof::{Basis, NodeProof, ProofNumbers};
use super::proof::{ProofMemory, ProofSearch};
use super::table::ProofTable;
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

/// Of a solver that grows: quickly made and cleared.
const FIRST_ENTRIES: usize = 1 << 14;

impl MateSolver {
    /// Bytes a position remembered takes.
    pub const ENTRY_BYTES: usize = ProofTable::ENTRY_BYTES;
    /// Bytes of the table of a solver inside a search.
    pub const DEFAULT_BYTES: usize = DEFAULT_ENTRIES * ProofTable::ENTRY_BYTES;

    /// A solver that remembers about so many positions ([`MateSolver::ENTRY_BYTES`] each).
    pub fn new(entries: usize) -> MateSolver {
        MateSolver::with(entries, entries)
    }

    /// A solver that begins small and takes more memory as it needs it, at most so many MiB.
    pub fn growing(most_mib: usize) -> MateSolver {
        let most = (most_mib << 20) / MateSolver::ENTRY_BYTES;
        MateSolver::with(FIRST_ENTRIES.min(most), most)
    }

    fn with(least: usize, most: usize) -> MateSolver {
        MateSolver { memory: ProofMemory::new(least, most), pieces: PieceCounts::default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.memory.table.clear();
    }

    /// Memory that its table takes now, bytes.
    pub fn memory(&self) -> usize {
        self.memory.table.len() * MateSolver::ENTRY_BYTES
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
        self.prepare(pos);
        ask(&mut ProofSearch::new(&mut self.memory, pos, nodes, stop))
    }

    /// The same, and if there is a mate, the shortest: it is looked for within two plies less as
    /// long as that succeeds. The second value tells whether it was proved that no mate is shorter.
    pub fn solve_shortest(
        &mut self,
        pos: &mut Position,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> (MateOutcome, bool) {
        let found = self.solve(pos, nodes, stop);
        let left = nodes.saturating_sub(found.nodes);
        self.shorten(pos, found, left, stop)
    }

    /// Looks for a shorter mate than the one `found` in `pos`, with at most `nodes` more. The nodes
    /// of the result include those of `found`; the second value is that of
    /// [`solve_shortest`](MateSolver::solve_shortest).
    pub fn shorten(
        &mut self,
        pos: &mut Position,
        mut found: MateOutcome,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> (MateOutcome, bool) {
        let most = found.nodes.saturating_add(nodes);
        while matches!(found.verdict, MateVerdict::Mate(_)) {
            if found.plies <= 1 {
                return (found, true);
            }
            let left = most.saturating_sub(found.nodes);
            let mut search = ProofSearch::new(&mut self.memory, pos, left, stop);
            search.within(found.plies - 2);
            let shorter = ask(&mut search);
            found.nodes += shorter.nodes;
            match shorter.verdict {
                MateVerdict::Mate(_) => found = MateOutcome { nodes: found.nodes, ..shorter },
                MateVerdict::NoMate => return (found, true),
                MateVerdict::Unknown => break,
            }
        }
        (found, false)
    }

    /// The table takes it that what the attacker lacks the defender has.
    fn prepare(&mut self, pos: &Position) {
        let pieces = piece_counts(pos);
        if self.pieces != pieces {
            self.clear();
            self.pieces = pieces;
        }
        self.memory.table.begin();
    }
}

fn ask(search: &mut ProofSearch<'_>) -> MateOutcome {
    let (NodeProof { numbers, plies, basis, .. }, line) = loop {
        let known = search.prove(ProofNumbers::OPEN);
        let line = if known.numbers.is_won() { search.line() } else { None };
        // Without a line the table has forgotten too much of the proof.
        let is_forgotten = known.numbers.is_won() && line.is_none() && !search.must_stop();
        if !is_forgotten || !search.begin_anew_with_more_room() {
            break (known, line);
        }
    };
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

/// How many there are of each kind that can be held, on the board and in hand.
fn piece_counts(pos: &Position) -> PieceCounts {
    HandPiece::ALL.map(|piece| {
        let kind = piece.kind();
        let promoted = kind.promoted().map_or(0, |kind| pos.kind(kind).len());
        let held = [Color::Black, Color::White].map(|color| pos.hand(color).count(piece));
        pos.kind(kind).len() + promoted + held[0] + held[1]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Among these sizes are some at which a table holds the proof, and too little of what it rests on.
    #[test]
    fn a_line_forgotten_is_looked_for_with_more_memory() {
        let sfens = [
            "k8/1p7/1+PN6/8R/9/9/9/9/9 b Br1b4g4s3n4l16p 1",
            "k8/9/1G7/8R/9/9/9/9/9 b Pr2b3g4s4n4l17p 1",
        ];
        for (sfen, least) in
            sfens.iter().flat_map(|sfen| (4..500).step_by(8).map(move |n| (sfen, n)))
        {
            let pos = Position::from_sfen(sfen).expect("a position");
            let mut solver = MateSolver::with(least, 1 << 14);
            let found = solver.solve(&mut pos.clone(), 20_000, &|| false);
            assert!(matches!(found.verdict, MateVerdict::Mate(_)), "{least}: {found:?}");
        }
    }
}
