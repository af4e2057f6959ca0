//! What every searcher offers and what its callers say to it: the trait [`Engine`] and its
//! vocabulary, free of text and of any one search method.
//!
//! A caller makes a [`Control`], gives it deadlines ([`clock`]), and calls [`Engine::search`] with
//! a position and [`Limits`]; reports come through a callback while it runs and the [`Outcome`] at
//! its end. Another thread may stop it or change its deadlines through the same [`Control`].
//! [`Choosing`] makes any engine weaker, or its openings various ([`Leeway`]).

mod choosing;
pub mod clock;
mod control;

pub use choosing::{Choosing, Leeway, SkillLevel};
pub use control::Control;

use std::num::NonZeroU32;
use std::time::Duration;

use smallvec::SmallVec;

use crate::eval::Score;
use crate::shogi::{Color, DeclarationRule, Move, PackedPosition, Position};

/// A principal variation: legal moves from the root on.
pub type Pv = SmallVec<[Move; 24]>;

/// A searcher that can be asked for a move.
pub trait Engine: Send {
    /// Takes over settings; does what is heavy (memory). Returns remarks for the user, such as a
    /// smaller table than wished for.
    fn configure(&mut self, _settings: &Settings) -> Vec<String> {
        Vec::new()
    }

    /// Forgets what was learned about the game before.
    fn new_game(&mut self) {}

    /// Searches `pos` until a limit is reached or `control` says stop, and reports on the way.
    /// Must answer with a legal move whenever there is one, however short the time.
    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome;
}

/// Stack of a thread that searches, bytes. Searches go deep; the system hands out the memory only
/// as it is used.
pub const SEARCH_STACK: usize = 64 << 20;

/// Settings that hold from one search to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Transposition table, MiB, at least 1.
    pub hash_mib: usize,
    /// Threads of a search, at least 1; searchers that know one only take no notice.
    pub threads: usize,
    /// Lines to report, at least 1.
    pub multi_pv: usize,
    /// The position before move N + 1 is a draw; 0 = no such rule.
    pub max_moves_to_draw: u32,
    /// Score of a draw for each side, centipawns, indexed by [`Color`].
    pub draw_value: [i32; 2],
    /// Entering-king rule.
    pub declaration: DeclarationRule,
    /// Analysis: lines are completed from the table, and a repetition counts only at the fourth
    /// occurrence.
    pub consideration: bool,
    /// Also search pointless non-promotions.
    pub all_legal_moves: bool,
    /// Keep positions of the search tree; searchers that keep none take no notice.
    pub sampling: Option<Sampling>,
}

/// Which positions of the search tree are kept for learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// One position in so many is kept.
    pub interval: NonZeroU32,
    /// 0: of those that are evaluated, quiescence included. Else of the quiet ones (out of check, the
    /// best move takes nothing) whose exact value was found by a search at least so deep, plies.
    pub min_depth: u32,
}

/// A position of the search tree. Values are from its side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampledPosition {
    /// What stands where.
    pub position: PackedPosition,
    /// Its evaluation.
    pub static_eval: Score,
    /// The same after a search: its score, or the bound where the evaluation is beyond it.
    pub value: Score,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mib: 256,
            threads: 1,
            multi_pv: 1,
            max_moves_to_draw: 0,
            draw_value: [-2; 2],
            declaration: DeclarationRule::default(),
            consideration: false,
            all_legal_moves: false,
            sampling: None,
        }
    }
}

impl Settings {
    /// The draw score from `side`'s view when it is to move.
    pub fn draw_score(&self, side: Color) -> Score {
        Score::cp(self.draw_value[side.index()])
    }
}

/// What ends one search, besides [`Control`], and what it may answer. The first limit reached counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations.
    pub depth: Option<u32>,
    /// Nodes of the whole search, exact.
    pub nodes: Option<u64>,
    /// Only these root moves; empty = all. Illegal ones are ignored.
    pub search_moves: Vec<Move>,
    /// Stop as soon as a mate is found that no deeper iteration can shorten.
    pub mate: bool,
    /// Whether it must be the best move; heeded by [`Choosing`].
    pub leeway: Leeway,
}

/// Whether a score is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Iteration, plies. 0 if the root itself is decided.
    pub depth: u32,
    /// Deepest ply reached, quiescence included.
    pub seldepth: u32,
    /// Rank of the line, 1 = best.
    pub multi_pv: usize,
    /// Side to move's view.
    pub score: Score,
    /// Kind of score.
    pub bound: Bound,
    /// Nodes so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Filled part of the transposition table, per mille.
    pub hashfull: u32,
    /// The line, best move first; empty only if there is no legal move.
    pub pv: Pv,
}

impl Info {
    /// Whether the line mates the opponent.
    pub fn is_mate(&self) -> bool {
        self.score.mate_plies().is_some_and(|plies| plies > 0)
    }

    /// What is to be said of a mate, found by its line alone.
    pub fn of_mate(line: Pv, nodes: u64, time: Duration) -> Info {
        let plies = line.len() as u32;
        Info {
            depth: plies,
            seldepth: plies,
            multi_pv: 1,
            score: Score::mate_in(plies),
            bound: Bound::Exact,
            nodes,
            time,
            hashfull: 0,
            pv: line,
        }
    }
}

/// What a search says while it runs.
#[derive(Clone, Copy, Debug)]
pub enum Report<'a> {
    /// A finished or bounded line.
    Line(&'a Info),
    /// A better line than the last, of an iteration that has not ended: not to be shown, but what the
    /// search would answer now.
    Better(&'a Info),
    /// The root move now being searched and its number, 1 = first. Sent only after 3 s.
    CurrentMove(Move, usize),
    /// The positions kept ([`Settings::sampling`]), once at the end.
    Samples(&'a [SampledPosition]),
    /// What the user should know of the search, such as threads that cannot be had.
    Remark(&'a str),
}

/// What to do at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play this move; the second is the answer expected.
    Play(Move, Option<Move>),
    /// There is no legal move.
    Resign,
    /// Declare a win by entering king.
    Declare,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The decision.
    pub best: BestMove,
    /// The best line, its first move that of `best`: of the last completed iteration, exact, or of
    /// a better move found since, whose score may be a lower bound. `None` if no iteration was
    /// completed.
    pub info: Option<Info>,
    /// Nodes searched.
    pub nodes: u64,
}

/// What a mate search found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateVerdict {
    /// The side to move mates. The line is one of a proof: the attacker's moves mate against every
    /// defence, of which the line shows one that holds out long.
    Mate(Pv),
    /// There is no mate by checks; a line that repeats a position counts as none.
    NoMate,
    /// The nodes or the time did not suffice.
    Unknown,
}

/// How a mate search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateOutcome {
    /// What was found out.
    pub verdict: MateVerdict,
    /// Positions looked at.
    pub nodes: u64,
    /// Plies after which a proved mate is over at the latest; 0 without one.
    pub plies: usize,
}
