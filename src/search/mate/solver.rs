//! The mate solver: answers one query at a time.

use super::cluster_table::ClusterTable;
use super::growing_table::GrowingTable;
use super::interposition::essential_plies;
use super::line::LineChoice;
use super::node_proof::{Basis, NodeProof, ProofNumbers};
use super::proof::{ProofMemory, ProofRules, ProofSearch};
use super::table::ProofTable;
use crate::engine::{MateOutcome, MateVerdict};
use crate::search::memory;
use crate::shogi::{Color, HandPiece, Move, Position};

/// Number of pieces of each kind, in the order of `HandPiece::ALL`.
type PieceCounts = [u32; 7];

/// A mate solver with a table of results of earlier positions.
pub struct MateSolver {
    memory: ProofMemory,
    rules: ProofRules,
    /// Piece counts of the last queried position.
    pieces: PieceCounts,
}

/// Table size of a solver inside a search: it fits in the cache of one core.
const DEFAULT_ENTRIES: usize = 1 << 16;

impl Default for MateSolver {
    fn default() -> MateSolver {
        MateSolver::new(DEFAULT_ENTRIES)
    }
}

/// Initial table size of a growing solver: fast to allocate and clear.
const FIRST_ENTRIES: usize = 1 << 14;

/// Node limit of the search for a shorter form of another solution, in multiples of the nodes that
/// found it.
const SHORTENING_SHARE: u64 = 4;
/// The least such limit.
const LEAST_SHORTENING: u64 = 20_000;

impl MateSolver {
    /// Bytes per stored position.
    pub const ENTRY_BYTES: usize = ProofTable::ENTRY_BYTES;
    /// Bytes of the table of a solver inside a search.
    pub const DEFAULT_BYTES: usize = DEFAULT_ENTRIES * ProofTable::ENTRY_BYTES;

    /// A solver inside a search, with a table for about `entries` positions
    /// ([`MateSolver::ENTRY_BYTES`] each).
    pub fn new(entries: usize) -> MateSolver {
        MateSolver::with(ProofTable::Cluster(ClusterTable::new(entries)), ProofRules::GAME)
    }

    /// A solver of problems: it follows lines of up to 2,000 plies, searches interpositions last,
    /// and does not count those that only delay a mate ([`essential_plies`]). Its table grows as
    /// needed, up to `most_mib` MiB or two thirds of free memory: while a table doubles, the old
    /// one exists as well. A search of long lines needs a stack of
    /// [`SEARCH_STACK`](crate::engine::SEARCH_STACK) bytes.
    pub fn growing(most_mib: usize) -> MateSolver {
        let free = memory::available() / 3 * 2;
        let most = most_mib.saturating_mul(1 << 20).min(free) / MateSolver::ENTRY_BYTES;
        let table = GrowingTable::new(FIRST_ENTRIES.min(most), most);
        MateSolver::with(ProofTable::Growing(table), ProofRules::PROBLEM)
    }

    fn with(table: ProofTable, rules: ProofRules) -> MateSolver {
        let memory = ProofMemory::new(table);
        MateSolver { memory, rules, pieces: PieceCounts::default() }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.memory.table.clear();
    }

    /// Current size of the table in bytes.
    pub fn memory(&self) -> usize {
        self.memory.table.len() * MateSolver::ENTRY_BYTES
    }

    /// Searches for a mate by the side to move until it is proved or disproved, `nodes` positions
    /// were searched, or `stop` returns true. Results stay in the table, so that a repeated query
    /// continues from there. `pos` is unchanged on return.
    pub fn solve(
        &mut self,
        pos: &mut Position,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> MateOutcome {
        self.prepare(pos);
        ask(&mut ProofSearch::new(&mut self.memory, pos, self.rules, nodes, stop))
    }

    /// Nodes to spend on shorter mates if nothing limits the time: ten times the nodes of the first
    /// proof, and at least 5,000,000 (some ten seconds).
    pub fn improvement_nodes(first: u64) -> u64 {
        first.saturating_mul(10).max(5_000_000)
    }

    /// Searches for a mate shorter than `found` in `pos` by reducing the length by two plies until
    /// that fails, with at most `nodes` further nodes. The nodes of the result include those of
    /// `found`. The second value is whether it is proved that no mate is shorter.
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
            if left == 0 {
                // Every query searches at least its first position.
                break;
            }
            let mut search = ProofSearch::new(&mut self.memory, pos, self.rules, left, stop);
            search.within(found.plies - 2);
            let shorter = ask(&mut search);
            found.nodes += shorter.nodes;
            match shorter.verdict {
                MateVerdict::Mate(_) => found = MateOutcome { nodes: found.nodes, ..shorter },
                MateVerdict::NoMate => {
                    self.straighten(pos, &mut found, most, stop);
                    let is_exact =
                        !self.rules.is_problem || shown_plies(pos, &found) == found.plies;
                    return (found, is_exact);
                }
                MateVerdict::Unknown => break,
            }
        }
        (found, false)
    }

    /// Replaces the line of a problem's shortest mate by one without mistakes of either side.
    fn straighten(
        &mut self,
        pos: &mut Position,
        found: &mut MateOutcome,
        most: u64,
        stop: &dyn Fn() -> bool,
    ) {
        let left = most.saturating_sub(found.nodes);
        if !self.rules.is_problem || left == 0 {
            return;
        }
        let mut search = ProofSearch::new(&mut self.memory, pos, self.rules, left, stop);
        search.within(found.plies);
        if let Some(line) = search.line(LineChoice::Exact) {
            found.verdict = MateVerdict::Mate(line);
        }
        found.nodes += search.nodes;
    }

    /// Another mate after the legal line `line` of the [prepared](MateSolver::prepare) position
    /// `pos`: not by the moves `except`, and in the shortest form that a limited search finds. The
    /// second value is the number of nodes searched, at most `nodes`.
    pub fn another(
        &mut self,
        pos: &mut Position,
        line: &[Move],
        except: &[Move],
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> (MateVerdict, u64) {
        let mut search = ProofSearch::new(&mut self.memory, pos, self.rules, nodes, stop);
        let verdict = search.after_line(line, except, |search| {
            let found = ask(search);
            shortened(search, found)
        });
        (verdict, search.nodes)
    }

    /// Starts queries about this position.
    ///
    /// The table assumes that the pieces missing from the attacker's hand are in the defender's
    /// hand. This holds only for a fixed set of pieces.
    pub fn prepare(&mut self, pos: &Position) {
        let pieces = piece_counts(pos);
        if self.pieces != pieces {
            self.clear();
            self.pieces = pieces;
        }
        self.memory.table.begin();
    }
}

/// The length of the line, which may be less than that of the mate if it avoids interpositions that
/// lead back.
fn shown_plies(pos: &Position, found: &MateOutcome) -> usize {
    if let MateVerdict::Mate(line) = &found.verdict { essential_plies(pos, line) } else { 0 }
}

/// The shortest form of a mate that a limited search finds.
fn shortened(search: &mut ProofSearch<'_>, mut found: MateOutcome) -> MateVerdict {
    let more = found.nodes.saturating_mul(SHORTENING_SHARE).max(LEAST_SHORTENING);
    let limit = search.limit_further(more);
    while matches!(found.verdict, MateVerdict::Mate(_)) && found.plies > 2 {
        search.within(found.plies - 2);
        let shorter = ask(search);
        if !matches!(shorter.verdict, MateVerdict::Mate(_)) {
            break;
        }
        found = shorter;
    }
    search.end_limit(limit);
    found.verdict
}

/// Runs a query from the current node of the search.
fn ask(search: &mut ProofSearch<'_>) -> MateOutcome {
    let (NodeProof { numbers, plies, basis, .. }, line) = loop {
        let known = search.prove(ProofNumbers::OPEN);
        let line = if known.numbers.is_won() { search.line(LineChoice::Known) } else { None };
        // A proved mate without a line means that the table has lost too much of the proof.
        let is_forgotten = known.numbers.is_won() && line.is_none() && !search.must_stop();
        if !is_forgotten || !search.begin_anew_with_more_room() {
            break (known, line);
        }
    };
    let nodes = search.nodes;
    let (verdict, plies) = match line {
        Some(line) => {
            let length = if search.rules.is_problem {
                essential_plies(search.pos, &line)
            } else {
                line.len()
            };
            (MateVerdict::Mate(line), length.max(plies.into()))
        }
        // A mate that repeats a position before the query is no mate, either.
        None if numbers.is_lost() && basis > Basis::LIMIT => (MateVerdict::NoMate, 0),
        None => (MateVerdict::Unknown, 0),
    };
    MateOutcome { verdict, nodes, plies }
}

/// Number of pieces of each hand piece kind, on the board and in hand.
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

    /// Some of these table sizes hold the proof of the root but too few of the proofs below it.
    #[test]
    fn a_lost_line_is_searched_again_with_more_memory() {
        let sfens = [
            "k8/1p7/1+PN6/8R/9/9/9/9/9 b Br1b4g4s3n4l16p 1",
            "k8/9/1G7/8R/9/9/9/9/9 b Pr2b3g4s4n4l17p 1",
        ];
        for (sfen, least) in
            sfens.iter().flat_map(|sfen| (4..500).step_by(8).map(move |n| (sfen, n)))
        {
            let pos = Position::from_sfen(sfen).expect("a position");
            let mut solver = MateSolver::with(
                ProofTable::Growing(GrowingTable::new(least, 1 << 14)),
                ProofRules::PROBLEM,
            );
            let found = solver.solve(&mut pos.clone(), 20_000, &|| false);
            assert!(matches!(found.verdict, MateVerdict::Mate(_)), "{least}: {found:?}");
        }
    }

    /// Every reply to the only check of the line is a useless interposition.
    #[test]
    fn a_bounded_line_may_end_with_useless_interpositions() {
        let pos = Position::from_sfen("7lk/9/7G1/9/9/9/9/7R1/9 b r2b3g4s4n3l18p 1");
        let mut pos = pos.expect("a position");
        let mut solver = MateSolver::growing(1);
        solver.prepare(&pos);
        let never = || false;
        let mut search =
            ProofSearch::new(&mut solver.memory, &mut pos, solver.rules, 1_000, &never);
        search.within(1);
        let found = ask(&mut search);
        assert!(matches!(found.verdict, MateVerdict::Mate(_)) && found.plies == 1, "{found:?}");
    }

    #[test]
    fn a_shorter_mate_is_not_sought_without_nodes() {
        let pos = Position::from_sfen("k8/9/1G7/8R/9/9/9/9/9 b Pr2b3g4s4n4l17p 1").expect("valid");
        let new = || MateSolver::new(1 << 14);
        let found = new().solve(&mut pos.clone(), 20_000, &|| false);
        assert!(matches!(found.verdict, MateVerdict::Mate(_)) && found.plies > 1, "{found:?}");
        let shortened = new().shorten(&mut pos.clone(), found.clone(), 0, &|| false);
        assert_eq!(shortened, (found, false));
    }
}
