//! Depth-first proof-number search.
//!
//! Nagai, Df-pn Algorithm for Searching AND/OR Trees and its Applications, 2002: a node is searched
//! until its numbers reach thresholds that say when another node would be easier. A node's numbers
//! are told from the view of the side to move, so that attacker and defender are treated alike.
//! Instead of the sum over the children, which counts leaves that many moves lead to many times, the
//! greatest number counts, and one for each further open child (weak proof-number search: Ueda,
//! Hashimoto, Hashimoto and Iida 2008). The threshold of a child leaves room for a quarter more than
//! the second best, so that the search does not jump to and fro (Pawlewicz and Lew 2007).

use super::table::{ProofKey, ProofState, ProofTable};
use crate::search::depth::MAX_PLY;
use crate::shogi::{Bitboard, Color, Move, MoveList, Position, Scope, movegen};

/// Above every number of leaves.
const SOLVED: u32 = 1 << 30;
/// How often `stop` is asked, nodes.
const STOP_INTERVAL: u64 = 64;

/// Proof numbers of a node for its side to move, or the thresholds of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// Least number of leaves that must turn out well for the side to move to reach its aim (to
    /// mate, or to escape); 0 = it does.
    pub phi: u32,
    /// The same for its opponent; 0 = the side to move has failed.
    pub delta: u32,
}

impl ProofNumbers {
    /// As thresholds: no end but a proof.
    pub const OPEN: ProofNumbers = ProofNumbers { phi: SOLVED, delta: SOLVED };
    const WON: ProofNumbers = ProofNumbers { phi: 0, delta: SOLVED };
    const LOST: ProofNumbers = ProofNumbers { phi: SOLVED, delta: 0 };

    pub fn is_won(self) -> bool {
        self.phi == 0
    }

    pub fn is_lost(self) -> bool {
        self.delta == 0
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeProof {
    pub numbers: ProofNumbers,
    /// Plies to the mate by the proof found; 0 without one.
    pub plies: u16,
}

/// A move of a node and what is known of the node behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MateChild {
    pub mv: Move,
    pub known: NodeProof,
}

/// How many moves of a node are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enough {
    /// Those up to the first that is known to win.
    OneWins,
    All,
}

/// What the children of a node say of it.
struct ChildrenSummary {
    known: NodeProof,
    /// The child to search next: the easiest way for the side to move.
    best: usize,
    /// What the second best child would take.
    second: u32,
    /// Open children beside one.
    others: u32,
}

/// What stays from question to question.
pub(super) struct ProofMemory {
    pub table: ProofTable,
    /// Children of all nodes of the present line: one room for the whole recursion.
    children: Vec<MateChild>,
}

impl ProofMemory {
    /// `entries`: positions remembered.
    pub fn new(entries: usize) -> ProofMemory {
        ProofMemory { table: ProofTable::new(entries), children: Vec::new() }
    }
}

/// One question to the solver.
pub(super) struct ProofSearch<'a> {
    memory: &'a mut ProofMemory,
    pub pos: &'a mut Position,
    attacker: Color,
    limit: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
    pub nodes: u64,
    ply: usize,
}

impl<'a> ProofSearch<'a> {
    pub fn new(
        memory: &'a mut ProofMemory,
        pos: &'a mut Position,
        limit: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> ProofSearch<'a> {
        let attacker = pos.side_to_move();
        ProofSearch { memory, pos, attacker, limit, stop, stopped: false, nodes: 0, ply: 0 }
    }

    pub fn is_attacking(&self) -> bool {
        self.pos.side_to_move() == self.attacker
    }

    /// Searches the present node until its numbers reach `limits`.
    pub fn prove(&mut self, limits: ProofNumbers) -> NodeProof {
        let before = self.nodes;
        self.nodes += 1;
        if self.is_attacking() && self.pos.mate_in_one().is_some() {
            let known = NodeProof { numbers: ProofNumbers::WON, plies: 1 };
            self.remember(known, 1);
            return known;
        }
        let start = self.memory.children.len();
        self.expand(Enough::OneWins);
        let known = loop {
            let now = self.summary(start);
            let ProofNumbers { phi, delta } = now.known.numbers;
            if phi >= limits.phi || delta >= limits.delta || self.must_stop() {
                break now.known;
            }
            let room = now.second.saturating_add(now.second / 4 + 1);
            let below = ProofNumbers {
                phi: limits.delta.saturating_sub(now.others),
                delta: limits.phi.min(room),
            };
            let mv = self.memory.children[now.best].mv;
            self.memory.children[now.best].known = self.after(mv, |search| search.prove(below));
        };
        self.memory.children.truncate(start);
        self.remember(known, self.nodes - before);
        known
    }

    /// Appends moves of the present node with what is known of each.
    fn expand(&mut self, enough: Enough) {
        let mut moves = MoveList::new();
        if self.is_attacking() {
            let checks = self.pos.check_squares();
            movegen::generate_checks(self.pos, Scope::USEFUL, &checks, &mut moves);
        } else {
            // A piece that does not promote can make the last pawn drop an illegal mate.
            movegen::generate(self.pos, Scope::LEGAL, &mut moves);
        }
        for mv in moves {
            let known = self.after(mv, |search| search.known());
            self.memory.children.push(MateChild { mv, known });
            if enough == Enough::OneWins && known.numbers.is_lost() {
                break;
            }
        }
    }

    /// What is known of the present node without a search.
    fn known(&self) -> NodeProof {
        // Who attacks gets nowhere by repeating, and perpetual check loses.
        if self.pos.repetition().is_some() || self.ply >= MAX_PLY {
            let numbers = if self.is_attacking() { ProofNumbers::LOST } else { ProofNumbers::WON };
            return NodeProof { numbers, plies: 0 };
        }
        let Some(ProofState { proof, disproof, plies }) = self.memory.table.get(self.place())
        else {
            return NodeProof { numbers: self.first_guess(), plies: 0 };
        };
        let (phi, delta) = if self.is_attacking() { (proof, disproof) } else { (disproof, proof) };
        NodeProof { numbers: ProofNumbers { phi, delta }, plies }
    }

    /// The numbers of a node not yet looked at: the more answers a check leaves, flights and
    /// captures of the checking piece, the harder the mate.
    fn first_guess(&self) -> ProofNumbers {
        let us = self.pos.side_to_move();
        match (self.pos.king(us), self.pos.checkers().first()) {
            (Some(king), Some(checker)) if !self.is_attacking() => {
                let occupied = self.pos.occupied();
                let flights = self.pos.flights(us, king, occupied);
                let takers = self.pos.attackers(checker, us, occupied) & !Bitboard::square(king);
                ProofNumbers { phi: 1, delta: 1 + flights.len() + takers.len() }
            }
            _ => ProofNumbers { phi: 1, delta: 1 },
        }
    }

    /// What is known of the present node from its children, those from `start` on.
    fn summary(&self, start: usize) -> ChildrenSummary {
        let (mut phi, mut delta, mut second) = (SOLVED, 0, SOLVED);
        let (mut best, mut open, mut longest) = (start, 0u32, None);
        for (at, child) in self.memory.children.iter().enumerate().skip(start) {
            let NodeProof { numbers, plies } = child.known;
            if numbers.delta < phi {
                (second, phi, best) = (phi, numbers.delta, at);
            } else {
                second = second.min(numbers.delta);
            }
            delta = delta.max(numbers.phi);
            open += u32::from(numbers.phi > 0);
            longest = longest.max(Some(plies));
        }
        let others = open.saturating_sub(1);
        if phi == 0 {
            delta = SOLVED;
        } else if delta < SOLVED {
            delta = (delta + others).min(SOLVED - 1);
        }
        let plies = match (phi == 0, delta == 0, self.is_attacking()) {
            (true, _, true) => self.memory.children[best].known.plies + 1,
            (_, true, false) => longest.map_or(0, |plies| plies + 1),
            _ => 0,
        };
        ChildrenSummary {
            known: NodeProof { numbers: ProofNumbers { phi, delta }, plies },
            best,
            second,
            others,
        }
    }

    /// Makes `mv`, does `then`, takes the move back.
    pub fn after<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.pos.do_move(mv);
        self.ply += 1;
        let result = then(self);
        self.ply -= 1;
        self.pos.undo_move();
        result
    }

    /// Chooses among the children of the present node, as they are known.
    pub fn choose<T>(&mut self, choice: impl FnOnce(&[MateChild]) -> T) -> T {
        let start = self.memory.children.len();
        self.expand(Enough::All);
        let chosen = choice(&self.memory.children[start..]);
        self.memory.children.truncate(start);
        chosen
    }

    fn remember(&mut self, known: NodeProof, work: u64) {
        let NodeProof { numbers: ProofNumbers { phi, delta }, plies } = known;
        let (proof, disproof) = if self.is_attacking() { (phi, delta) } else { (delta, phi) };
        let place = self.place();
        self.memory.table.put(place, ProofState { proof, disproof, plies }, work);
    }

    fn place(&self) -> ProofKey {
        ProofKey {
            board_key: self.pos.board_key(),
            attacker: self.attacker,
            hand: self.pos.hand(self.attacker),
        }
    }

    /// Whether the nodes are used up, or `stop` says so.
    pub fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped
            || self.nodes >= self.limit
            || self.nodes.is_multiple_of(STOP_INTERVAL) && (self.stop)();
        self.stopped
    }
}
