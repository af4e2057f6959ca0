//! Depth-first proof-number search.
//!
//! Nagai, Df-pn Algorithm for Searching AND/OR Trees and its Applications, 2002: a node is searched
//! until its numbers reach thresholds that say when another node would be easier. A node's numbers
//! are told from the view of the side to move, so that attacker and defender are treated alike.
//! Instead of the sum over the children, which counts leaves that many moves lead to many times, the
//! greatest number counts, and one for each further open child (weak proof-number search: Ueda,
//! Hashimoto, Hashimoto and Iida 2008). The threshold of a child leaves room for a quarter more than
//! the second best, so that the search does not jump to and fro (Pawlewicz and Lew 2007).
//!
//! A proof holds for every hand that has the pieces it needs, a disproof for every hand that has no
//! more than it allows ([`dominance`](super::dominance)). A check that repeats a position of the line
//! has failed, but only on this line: a disproof that rests on that is remembered for the line, not
//! for the position (the graph-history problem: Kishimoto and Mueller 2004).

use super::node_proof::{Basis, NodeProof, ProofNumbers, SOLVED};
use super::table::{ProofKey, ProofState, ProofTable};
use crate::search::depth::MAX_PLY;
use crate::shogi::{Bitboard, Color, Hand, Move, MoveList, Position, Repetition, Scope, movegen};

/// Odd, with its bits well mixed.
const LINE_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
/// How often `stop` is asked, nodes.
const STOP_INTERVAL: u64 = 64;

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
    /// The positions of the present line, the latest last.
    line: Vec<LinePlace>,
}

/// A position of the present line.
#[derive(Clone, Copy)]
struct LinePlace {
    board_key: u64,
    /// Of the attacker.
    hand: Hand,
    /// Key of the line up to here, this position included.
    line_key: u64,
}

impl ProofMemory {
    /// Room for `least` positions at first, for `most` as it fills.
    pub fn new(least: usize, most: usize) -> ProofMemory {
        ProofMemory { table: ProofTable::new(least, most), children: Vec::new(), line: Vec::new() }
    }
}

/// One question to the solver.
pub(super) struct ProofSearch<'a> {
    memory: &'a mut ProofMemory,
    pub pos: &'a mut Position,
    pub attacker: Color,
    limit: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
    pub nodes: u64,
    /// No line is longer, plies.
    longest: usize,
    /// Whether the question is one for a mate within `longest` plies: then what is remembered of a
    /// position is remembered for the plies that are left there.
    is_bounded: bool,
}

impl<'a> ProofSearch<'a> {
    pub fn new(
        memory: &'a mut ProofMemory,
        pos: &'a mut Position,
        limit: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> ProofSearch<'a> {
        let (attacker, longest, is_bounded) = (pos.side_to_move(), MAX_PLY, false);
        memory.line.clear();
        let mut search = ProofSearch {
            memory,
            pos,
            attacker,
            limit,
            stop,
            stopped: false,
            nodes: 0,
            longest,
            is_bounded,
        };
        search.enter();
        search
    }

    /// From now on only mates within so many plies count.
    pub fn within(&mut self, plies: usize) {
        self.longest = plies.min(MAX_PLY);
        self.is_bounded = true;
    }

    /// The position has come to the end of the line.
    fn enter(&mut self) {
        let (board_key, hand) = (self.pos.board_key(), self.pos.hand(self.attacker));
        let before = self.memory.line.last().map_or(0, |last| last.line_key);
        let line_key = (before.rotate_left(7) ^ self.pos.key()).wrapping_mul(LINE_MULTIPLIER);
        self.memory.line.push(LinePlace { board_key, hand, line_key });
    }

    /// Plies of the line.
    fn ply(&self) -> usize {
        self.memory.line.len() - 1
    }

    fn line_key(&self) -> u64 {
        self.memory.line.last().map_or(0, |last| last.line_key)
    }

    pub fn is_attacking(&self) -> bool {
        self.pos.side_to_move() == self.attacker
    }

    /// Searches the present node until its numbers reach `limits`.
    pub fn prove(&mut self, limits: ProofNumbers) -> NodeProof {
        let before = self.nodes;
        self.nodes += 1;
        if self.is_attacking()
            && let Some(mv) = self.pos.mate_in_one()
        {
            let mated = self.after(mv, |search| search.kept_from_drops());
            let hand = self.before(mv, mated);
            let known = NodeProof { plies: 1, hand, ..NodeProof::open(ProofNumbers::WON) };
            self.remember(known, 1);
            return known;
        }
        let start = self.memory.children.len();
        self.expand(Enough::OneWins);
        let known = loop {
            let now = self.summary(start);
            let ProofNumbers { phi, delta } = now.known.numbers;
            if phi >= limits.phi || delta >= limits.delta || self.must_stop() {
                break self.settled(start, &now);
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
            // One that does not promote may leave an answer to a pawn drop that must not mate.
            movegen::generate_checks(self.pos, Scope::LEGAL, &checks, &mut moves);
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
        let place = self.place();
        if let Some(basis) = self.end_of_line(place) {
            // Who attacks gets nowhere by repeating, and perpetual check loses.
            let numbers = if self.is_attacking() { ProofNumbers::LOST } else { ProofNumbers::WON };
            return NodeProof { hand: place.hand, basis, ..NodeProof::open(numbers) };
        }
        let Some((state, hand)) = self.memory.table.get(place) else {
            return NodeProof::open(self.first_guess());
        };
        let on_this_line = if state.has_lines { self.on_this_line(place) } else { None };
        on_this_line.unwrap_or(NodeProof {
            numbers: self.numbers(state.proof, state.disproof),
            plies: state.plies,
            hand,
            basis: Basis::POSITION,
        })
    }

    /// A disproof that holds on this line only.
    fn on_this_line(&self, place: ProofKey) -> Option<NodeProof> {
        let (state, hand) = self.memory.table.get(place.on_line(self.line_key()))?;
        (state.disproof == 0).then(|| NodeProof {
            numbers: self.numbers(state.proof, state.disproof),
            plies: 0,
            hand,
            basis: Basis(state.plies),
        })
    }

    fn numbers(&self, proof: u32, disproof: u32) -> ProofNumbers {
        let (phi, delta) = if self.is_attacking() { (proof, disproof) } else { (disproof, proof) };
        ProofNumbers { phi, delta }
    }

    /// Why the attack ends here: the line is too long, or it repeats a position with no more in the
    /// attacker's hand.
    fn end_of_line(&self, place: ProofKey) -> Option<Basis> {
        if self.ply() >= self.longest {
            return Some(if self.is_bounded { Basis::POSITION } else { Basis::LIMIT });
        }
        let repeats = |&ply: &usize| {
            let LinePlace { board_key, hand, .. } = self.memory.line[ply];
            board_key == self.pos.board_key() && hand.is_superior_or_equal(place.hand)
        };
        let ply = (0..self.ply()).rev().skip(1).step_by(2).find(repeats);
        let in_game = || {
            use Repetition::{Draw, Loss, Win};
            matches!(self.pos.repetition(), Some(Draw | Loss | Win)).then_some(Basis::LIMIT)
        };
        ply.map(Basis::repetition).or_else(in_game)
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
            let NodeProof { numbers, plies, .. } = child.known;
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
            known: NodeProof { plies, ..NodeProof::open(ProofNumbers { phi, delta }) },
            best,
            second,
            others,
        }
    }

    /// The same with the hand and the basis of a proof or disproof.
    fn settled(&self, start: usize, summary: &ChildrenSummary) -> NodeProof {
        let known = summary.known;
        let children = &self.memory.children[start..];
        let best = || self.memory.children[summary.best];
        let (hand, basis) = match (known.numbers.is_won(), known.numbers.is_lost()) {
            (true, _) if self.is_attacking() => {
                let MateChild { mv, known } = best();
                (self.before(mv, known.hand), Basis::POSITION)
            }
            (true, _) => (best().known.hand.least(self.all_in_hand()), best().known.basis),
            (_, true) if self.is_attacking() => self.disproved_by_all(children),
            (_, true) => {
                let hands = children.iter().map(|child| child.known.hand);
                (hands.fold(self.kept_from_drops(), Hand::most), Basis::POSITION)
            }
            _ => (known.hand, known.basis),
        };
        NodeProof { hand, basis: basis.at(self.ply()), ..known }
    }

    /// Makes `mv`, does `then`, takes the move back.
    pub fn after<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.pos.do_move(mv);
        self.enter();
        let result = then(self);
        self.memory.line.pop();
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
        let NodeProof { numbers: ProofNumbers { phi, delta }, plies, hand, basis } = known;
        let (proof, disproof) = if self.is_attacking() { (phi, delta) } else { (delta, phi) };
        let place = self.place();
        let state = ProofState { proof, disproof, plies, has_lines: false };
        if disproof == 0 && basis != Basis::POSITION {
            let on_line = place.on_line(self.line_key());
            self.memory.table.put(on_line, hand, ProofState { plies: basis.0, ..state }, work);
            let ProofNumbers { phi, delta } = self.first_guess();
            let (proof, disproof) = if self.is_attacking() { (phi, delta) } else { (delta, phi) };
            let open = ProofState { proof, disproof, plies: 0, has_lines: true };
            self.memory.table.put(place, place.hand, open, work);
            return;
        }
        let hand = if proof == 0 || disproof == 0 { hand } else { place.hand };
        self.memory.table.put(place, hand, state, work);
    }

    pub(super) fn place(&self) -> ProofKey {
        let left = if self.is_bounded { self.longest - self.ply() } else { 0 };
        ProofKey {
            board_key: self.pos.board_key() ^ (left as u64).wrapping_mul(LINE_MULTIPLIER),
            attacker: self.attacker,
            hand: self.pos.hand(self.attacker),
        }
    }

    /// Forgets every proof, and has more room for the next ones; `false` if there is none.
    pub fn begin_anew_with_more_room(&mut self) -> bool {
        self.memory.table.clear_and_grow()
    }

    /// Whether the nodes are used up, or `stop` says so.
    pub fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped
            || self.nodes >= self.limit
            || self.nodes.is_multiple_of(STOP_INTERVAL) && (self.stop)();
        self.stopped
    }
}
