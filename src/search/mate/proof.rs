//! Depth-first proof-number search.
//!
//! Nagai, Df-pn Algorithm for Searching AND/OR Trees and its Applications, 2002. A node is searched
//! until its numbers reach thresholds at which another node becomes more promising. The numbers of
//! a node are from the view of the side to move, so that attacker and defender share the code.
//!
//! A sum over the children counts transpositions many times. Instead, delta is the maximum over the
//! children plus one for each further open child (weak proof-number search: Ueda, Hashimoto,
//! Hashimoto and Iida 2008). The threshold of a child is a quarter above the second best. The
//! search then switches between children less often (Pawlewicz and Lew 2007).
//!
//! A proof holds for every hand with the required pieces, a disproof for every hand within the
//! allowed pieces ([`dominance`](super::dominance)). A check that repeats a position of the line
//! fails, but only on this line. A disproof that depends on such a repetition is stored for the
//! line, not for the position (the graph-history problem: Kishimoto and Mueller 2004).

use super::node_proof::{Basis, NodeProof, ProofNumbers, SOLVED};
use super::table::{ProofKey, ProofState, ProofTable};
use crate::search::depth::MAX_PLY;
use crate::shogi::{Bitboard, Color, Hand, Move, MoveList, Position, Repetition, Scope, movegen};

/// Odd, with well-mixed bits.
const LINE_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
/// Interval of calls of `stop`, in nodes.
const STOP_INTERVAL: u64 = 64;

/// A move of a node and the state of its child.
#[derive(Clone, Copy, Debug)]
pub(super) struct MateChild {
    pub mv: Move,
    pub known: NodeProof,
}

/// How many moves of a node to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enough {
    /// Stop after the first move known to win.
    OneWins,
    All,
}

/// A node's state computed from its children.
struct ChildrenSummary {
    known: NodeProof,
    /// The child to search next: the most promising for the side to move.
    best: usize,
    /// Proof number of the second best child.
    second: u32,
    /// Number of open children beyond the first.
    others: u32,
}

/// Data that persists between queries.
pub(super) struct ProofMemory {
    pub table: ProofTable,
    /// Children of all nodes of the current line, as one stack for the whole recursion.
    children: Vec<MateChild>,
    /// The positions of the current line, the latest last.
    line: Vec<LinePlace>,
}

/// A position of the current line.
#[derive(Clone, Copy)]
struct LinePlace {
    board_key: u64,
    /// The attacker's hand.
    hand: Hand,
    /// Key of the line up to and including this position.
    line_key: u64,
}

impl ProofMemory {
    /// Memory for `least` positions initially, and for up to `most` as it fills.
    pub fn new(least: usize, most: usize) -> ProofMemory {
        ProofMemory { table: ProofTable::new(least, most), children: Vec::new(), line: Vec::new() }
    }
}

/// One query of the solver.
pub(super) struct ProofSearch<'a> {
    memory: &'a mut ProofMemory,
    pub pos: &'a mut Position,
    pub attacker: Color,
    limit: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
    pub nodes: u64,
    /// Maximum length of a line in plies.
    longest: usize,
    /// Whether the query is for a mate within `longest` plies. Table entries are then valid only
    /// for the remaining plies of their position.
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

    /// Restricts the search to mates within this many plies.
    pub fn within(&mut self, plies: usize) {
        self.longest = plies.min(MAX_PLY);
        self.is_bounded = true;
    }

    /// Appends the current position to the line.
    fn enter(&mut self) {
        let (board_key, hand) = (self.pos.board_key(), self.pos.hand(self.attacker));
        let before = self.memory.line.last().map_or(0, |last| last.line_key);
        let line_key = (before.rotate_left(7) ^ self.pos.key()).wrapping_mul(LINE_MULTIPLIER);
        self.memory.line.push(LinePlace { board_key, hand, line_key });
    }

    /// Length of the line in plies.
    fn ply(&self) -> usize {
        self.memory.line.len() - 1
    }

    fn line_key(&self) -> u64 {
        self.memory.line.last().map_or(0, |last| last.line_key)
    }

    pub fn is_attacking(&self) -> bool {
        self.pos.side_to_move() == self.attacker
    }

    /// Searches the current node until its numbers reach `limits`.
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

    /// Appends moves of the current node with the state of each child.
    fn expand(&mut self, enough: Enough) {
        let mut moves = MoveList::new();
        if self.is_attacking() {
            let checks = self.pos.check_squares();
            // Include useless non-promotions: such a piece may leave a reply that makes a pawn drop
            // legal instead of a pawn-drop mate.
            movegen::generate_checks(self.pos, Scope::LEGAL, &checks, &mut moves);
        } else {
            // Include useless non-promotions: such a piece can turn the last pawn drop into an
            // illegal pawn-drop mate.
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

    /// The state of the current node without a search.
    fn known(&self) -> NodeProof {
        let place = self.place();
        if let Some(basis) = self.end_of_line(place) {
            // The attacker does not benefit from a repetition, and perpetual check loses.
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

    /// A disproof that is valid on this line only.
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

    /// The basis of a disproof at the end of the line. The line is too long, or it repeats a
    /// position in which the attacker's hand was at least as large.
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

    /// Initial numbers of a new node. More replies to a check, as king flights and captures of the
    /// checking piece, make the mate harder.
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

    /// The state of the current node, from its children from index `start` on.
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

    /// Adds the hand and basis of a proof or disproof.
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

    /// Makes `mv`, calls `then`, and takes the move back.
    pub fn after<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.pos.do_move(mv);
        self.enter();
        let result = then(self);
        self.memory.line.pop();
        self.pos.undo_move();
        result
    }

    /// Applies `choice` to all children of the current node with their states.
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

    /// Clears the table and doubles it. Returns `false` if it cannot grow.
    pub fn begin_anew_with_more_room(&mut self) -> bool {
        self.memory.table.clear_and_grow()
    }

    /// Whether the node limit is reached or `stop` returns true.
    pub fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped
            || self.nodes >= self.limit
            || self.nodes.is_multiple_of(STOP_INTERVAL) && (self.stop)();
        self.stopped
    }
}
