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
//!
//! Problems have long lines, on which most replies are useless interpositions. Their search
//! ([`ProofRules::PROBLEM`]) looks at these replies after the others, one at a time.

use super::interposition::is_mate_in_effect;
use super::node_proof::{Basis, NodeProof, ProofNumbers, SOLVED};
use super::path::ProofPath;
use super::proof_state::{ANY_LENGTH, ProofKey, ProofState};
use super::table::ProofTable;
use crate::search::depth::MAX_PLY;
use crate::shogi::{
    Bitboard, Color, Hand, Move, MoveList, Origin, Position, Repetition, Scope, movegen,
};

/// Odd, with well-mixed bits.
const LIMIT_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
/// Interval of calls of `stop`, in nodes.
const STOP_INTERVAL: u64 = 64;

/// How lines are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofRules {
    /// Maximum length of a line in plies.
    pub longest: usize,
    /// Whether the search is for the solution of a problem. Interpositions by drops are then
    /// searched after all other replies, one at a time, and do not count if they only delay a mate.
    pub is_problem: bool,
}

impl ProofRules {
    /// Inside a search of a game.
    pub const GAME: ProofRules = ProofRules { longest: MAX_PLY, is_problem: false };
    /// Alone. The longest problem known, Microcosmos, has 1,525 plies.
    pub const PROBLEM: ProofRules = ProofRules { longest: 2_000, is_problem: true };
}

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
    /// Number of open children beyond the first; all deferred interpositions count as one.
    others: u32,
}

impl MateChild {
    fn is_drop(&self) -> bool {
        matches!(self.mv.origin(), Origin::Hand(_))
    }
}

/// Data that persists between queries.
pub(super) struct ProofMemory {
    pub table: ProofTable,
    /// Children of all nodes of the current line, as one stack for the whole recursion.
    children: Vec<MateChild>,
    path: ProofPath,
}

impl ProofMemory {
    pub fn new(table: ProofTable) -> ProofMemory {
        ProofMemory { table, children: Vec::new(), path: ProofPath::new() }
    }
}

/// One query of the solver.
pub(super) struct ProofSearch<'a> {
    memory: &'a mut ProofMemory,
    pub pos: &'a mut Position,
    pub attacker: Color,
    pub rules: ProofRules,
    limit: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
    pub nodes: u64,
    /// Maximum length of a line in plies.
    longest: usize,
    /// Whether the query is for a mate within `longest` plies. Table entries are then valid only
    /// for the remaining plies of their position.
    is_bounded: bool,
    /// Length of the line at the position of the query.
    root: usize,
    /// Moves that must not be played in the position of the query.
    except: Vec<Move>,
}

impl<'a> ProofSearch<'a> {
    pub fn new(
        memory: &'a mut ProofMemory,
        pos: &'a mut Position,
        rules: ProofRules,
        limit: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> ProofSearch<'a> {
        let attacker = pos.side_to_move();
        memory.path.clear();
        let mut search = ProofSearch {
            memory,
            pos,
            attacker,
            rules,
            limit,
            stop,
            stopped: false,
            nodes: 0,
            longest: rules.longest,
            is_bounded: false,
            root: 0,
            except: Vec::new(),
        };
        search.enter();
        search
    }

    /// Restricts the search to mates within this many plies from the current node.
    pub fn within(&mut self, plies: usize) {
        self.longest = (self.ply() + plies).min(self.rules.longest);
        self.is_bounded = true;
    }

    /// Calls `search` after the moves `line`, with a query for the mates by other moves than
    /// `except`. Positions of the line count as repeated.
    pub fn after_line<T>(
        &mut self,
        line: &[Move],
        except: &[Move],
        search: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let [mv, rest @ ..] = line else {
            self.root = self.ply();
            self.except = except.to_vec();
            return search(self);
        };
        self.after(*mv, |this| this.after_line(rest, except, search))
    }

    /// Whether some moves of the current node are excluded.
    pub fn is_restricted(&self) -> bool {
        !self.except.is_empty() && self.ply() == self.root
    }

    /// Appends the current position to the path.
    fn enter(&mut self) {
        self.memory.path.push(self.pos, self.attacker);
    }

    /// Length of the path in plies.
    fn ply(&self) -> usize {
        self.memory.path.plies()
    }

    pub fn is_attacking(&self) -> bool {
        self.pos.side_to_move() == self.attacker
    }

    /// Searches the current node until its numbers reach `limits`.
    pub fn prove(&mut self, limits: ProofNumbers) -> NodeProof {
        let before = self.nodes;
        self.nodes += 1;
        if self.is_attacking()
            && !self.is_restricted()
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
        let only_drops = self.memory.children[start..].iter().all(MateChild::is_drop);
        if only_drops && self.is_mated_in_effect() {
            self.memory.children.truncate(start);
            let known = self.mated();
            self.remember(known, 1);
            return known;
        }
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
        if !self.is_restricted() {
            self.remember(known, self.nodes - before);
        }
        known
    }

    /// Searches for a mate within `plies` plies from the current node until solved or stopped.
    pub fn prove_within(&mut self, plies: usize) -> NodeProof {
        let before = (self.longest, self.is_bounded);
        self.within(plies);
        let known = self.known();
        let is_solved = known.numbers.is_won() || known.numbers.is_lost();
        let known = if is_solved { known } else { self.prove(ProofNumbers::OPEN) };
        (self.longest, self.is_bounded) = before;
        known
    }

    /// Whether all replies are interpositions that only delay the mate of a problem.
    fn is_mated_in_effect(&mut self) -> bool {
        self.rules.is_problem && !self.is_attacking() && is_mate_in_effect(self.pos)
    }

    /// The state of a node of the defender that is mated.
    fn mated(&self) -> NodeProof {
        NodeProof { hand: self.kept_from_drops(), ..NodeProof::open(ProofNumbers::LOST) }
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
        if self.is_restricted() {
            moves.retain(|mv| !self.except.contains(mv));
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
    fn known(&mut self) -> NodeProof {
        // The last check of a bounded line may leave useless interpositions, which do not count.
        if self.ply() >= self.longest && self.is_mated_in_effect() {
            return self.mated();
        }
        let place = self.place();
        if let Some(basis) = self.end_of_line() {
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
        let (state, hand) = self.memory.table.get(place.on_line(self.memory.path.key()))?;
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
    fn end_of_line(&self) -> Option<Basis> {
        if self.ply() >= self.longest {
            return Some(if self.is_bounded { Basis::POSITION } else { Basis::LIMIT });
        }
        let in_game = || {
            use Repetition::{Draw, Loss, Win};
            matches!(self.pos.repetition(), Some(Draw | Loss | Win)).then_some(Basis::LIMIT)
        };
        self.memory.path.repeated().map(Basis::repetition).or_else(in_game)
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
        let (mut best, mut open, mut deferred, mut longest) = (start, 0u32, 0u32, None);
        let defers = self.rules.is_problem && !self.is_attacking();
        for (at, child) in self.memory.children.iter().enumerate().skip(start) {
            let NodeProof { numbers, plies, .. } = child.known;
            longest = longest.max(Some(plies));
            // Drops come last, and pawns first among them.
            if defers && open > 0 && child.is_drop() && numbers.delta > 0 {
                deferred = deferred.max(u32::from(numbers.phi > 0));
                continue;
            }
            if numbers.delta < phi {
                (second, phi, best) = (phi, numbers.delta, at);
            } else {
                second = second.min(numbers.delta);
            }
            delta = delta.max(numbers.phi);
            open += u32::from(numbers.phi > 0);
        }
        let others = open.saturating_sub(1) + deferred;
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
        self.memory.path.pop();
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
            let on_line = place.on_line(self.memory.path.key());
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
        let left = if self.is_bounded { (self.longest - self.ply()) as u16 } else { ANY_LENGTH };
        // In a game, each limit has its own entries: the share of the solver is tuned to its costs.
        let (limit, left) = match left {
            ANY_LENGTH => (0, ANY_LENGTH),
            left if self.rules.is_problem => (0, left),
            left => (u64::from(left), ANY_LENGTH),
        };
        ProofKey {
            board_key: self.pos.board_key() ^ limit.wrapping_mul(LIMIT_MULTIPLIER),
            attacker: self.attacker,
            hand: self.pos.hand(self.attacker),
            left,
        }
    }

    /// Clears the table and doubles it. Returns `false` if it cannot grow.
    pub fn begin_anew_with_more_room(&mut self) -> bool {
        self.memory.table.clear_and_grow()
    }

    /// Limits the search to this many further nodes, until [`end_limit`](Self::end_limit) gets the
    /// returned limit back.
    pub fn limit_further(&mut self, nodes: u64) -> u64 {
        let before = self.limit;
        self.limit = self.limit.min(self.nodes + nodes);
        before
    }

    /// Restores a limit. A search that stopped at its own limit continues.
    pub fn end_limit(&mut self, before: u64) {
        let was_limited = self.limit < before && self.nodes >= self.limit;
        self.stopped &= !was_limited || self.nodes >= before;
        self.limit = before;
    }

    /// Whether the current position has the board of an earlier one of the line, with no fewer
    /// pieces in the attacker's hand.
    pub fn repeats_board(&self) -> bool {
        self.memory.path.improved().is_some()
    }

    /// Whether the node limit is reached or `stop` returns true.
    pub fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped
            || self.nodes >= self.limit
            || self.nodes.is_multiple_of(STOP_INTERVAL) && (self.stop)();
        self.stopped
    }
}
