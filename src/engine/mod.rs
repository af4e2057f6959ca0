//! The interface of all searchers: the trait [`Engine`] and its types, independent of text and
//! search method.
//!
//! A caller creates a [`Control`], sets its deadlines ([`clock`]), and calls [`Engine::search`]
//! with a [`Query`]: a position, [`Limits`] and the control. Reports arrive through a callback
//! during the search, and the [`Outcome`] at its end. Another thread may stop the search or change
//! its deadlines through the same [`Control`]. A search that ends late is answered without it
//! ([`overdue_at`], [`answer_move()`]), and the lateness is measured ([`AnswerTimes`]).
//! [`Leeway`] limits the strength of a search or varies its openings. USI and CSA search on a
//! [`Worker`], a thread that owns a [`ConfiguredEngine`].

mod answer_move;
pub mod clock;
mod configured;
mod control;
mod lateness;
mod leeway;
mod overdue;
mod worker;

pub use answer_move::answer_move;
pub use configured::{BuildEngine, ConfiguredEngine};
pub use control::Control;
pub use lateness::AnswerTimes;
pub use leeway::{Leeway, SkillLevel};
pub use overdue::overdue_at;
pub use worker::{WaitingJobs, Worker, guarded};

pub use crate::record::{Bound, PackedPosition};

use std::num::NonZeroU32;
use std::time::Duration;

use smallvec::SmallVec;

use crate::eval::Score;
use crate::record::{MoveScore, SearchedScore};
use crate::shogi::movegen::has_legal_move;
use crate::shogi::{Color, DeclarationRule, Move, Position};

/// A principal variation: legal moves from the root.
pub type Pv = SmallVec<[Move; 24]>;

/// A searcher that can be queried for a move.
///
/// ```
/// use std::time::Instant;
///
/// use kankei::engine::{BestMove, Control, Engine, Limits, Query, Settings};
/// use kankei::eval::Evaluation;
/// use kankei::search::{AlphaBeta, SearchParams};
/// use kankei::shogi::Position;
///
/// // The gold mates on 5b, supported by the pawn.
/// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").expect("a position");
/// let mut engine = AlphaBeta::new(SearchParams::DEFAULT, Evaluation::HandMade);
/// engine.configure(&Settings { hash_mib: 1, ..Settings::default() });
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// let control = Control::new(Instant::now());
/// let outcome = engine.search(Query::new(&pos, &limits, &control), &mut |_| ());
/// assert!(matches!(outcome.best, BestMove::Play(mv, _) if mv.to_string() == "G*5b"));
/// ```
pub trait Engine: Send {
    /// Applies settings and allocates memory. Returns messages for the user, for example about a
    /// smaller table than requested.
    fn configure(&mut self, _settings: &Settings) -> Vec<String> {
        Vec::new()
    }

    /// Clears data of the previous game.
    fn new_game(&mut self) {}

    /// Searches a position until a limit is reached or a stop is requested, and reports progress.
    /// Must return a legal move if one exists, however short the time.
    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome;
}

/// What to search, and what ends the search.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The root.
    pub pos: &'a Position,
    /// Limits that do not change during the search.
    pub limits: &'a Limits,
    /// The deadlines and the stop flag.
    pub control: &'a Control,
}

impl<'a> Query<'a> {
    /// A search of `pos`.
    pub fn new(pos: &'a Position, limits: &'a Limits, control: &'a Control) -> Query<'a> {
        Query { pos, limits, control }
    }
}

/// Stack size of a search thread in bytes. Searches are deeply recursive; the system allocates the
/// memory on first use.
pub const SEARCH_STACK: usize = 64 << 20;

/// Settings that apply to all following searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Transposition table size in MiB, at least 1.
    pub hash_mib: usize,
    /// Search threads, at least 1. Single-threaded searchers ignore this.
    pub threads: usize,
    /// Number of lines to report, at least 1.
    pub multi_pv: usize,
    /// The position before move N + 1 is a draw; 0: no such rule.
    pub max_moves_to_draw: u32,
    /// Score of a draw for each side in centipawns, indexed by [`Color`].
    pub draw_value: [i32; 2],
    /// Entering-king rule.
    pub declaration: DeclarationRule,
    /// Analysis mode: lines are completed from the transposition table, and a repetition counts
    /// only at the fourth occurrence.
    pub consideration: bool,
    /// Also search useless non-promotions.
    pub all_legal_moves: bool,
    /// Samples one in this many evaluated positions of the search tree, for learning. Searchers
    /// without sampling ignore this.
    pub sample_interval: Option<NonZeroU32>,
}

/// A sampled position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampledPosition {
    /// The position.
    pub position: PackedPosition,
    /// Its static evaluation, from its side to move's view.
    pub static_eval: Score,
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
            sample_interval: None,
        }
    }
}

impl Settings {
    /// The draw score from `side`'s view.
    pub fn draw_score(&self, side: Color) -> Score {
        Score::cp(self.draw_value[side.index()])
    }
}

/// Limits of one search in addition to [`Control`], and what it may answer. The first limit reached
/// applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum iteration.
    pub depth: Option<u32>,
    /// Maximum nodes of the whole search, exact.
    pub nodes: Option<u64>,
    /// Nodes of all threads after which no further iteration starts. The iteration that reaches
    /// them is completed. For a searcher without iterations, the same as `nodes`.
    pub soft_nodes: Option<u64>,
    /// Search only these root moves; empty: all. Illegal moves are ignored.
    pub search_moves: Vec<Move>,
    /// Stop when a mate is found that no deeper iteration can shorten.
    pub mate: bool,
    /// Allowed deviation from the best move; the searchers themselves ignore it.
    pub leeway: Leeway,
}

/// A line of analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Iteration in plies; 0 if the root itself is decided.
    pub depth: u32,
    /// Maximum ply reached, including quiescence search.
    pub seldepth: u32,
    /// Rank of the line; 1 is the best.
    pub multi_pv: usize,
    /// Score from the side to move's view.
    pub score: Score,
    /// Kind of score.
    pub bound: Bound,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the start of the search.
    pub time: Duration,
    /// Used share of the transposition table, per mille.
    pub hashfull: u32,
    /// The moves of the line; empty only if no move is legal.
    pub pv: Pv,
}

impl Info {
    /// Whether the line mates the opponent.
    pub fn is_mate(&self) -> bool {
        self.score.mate_plies().is_some_and(|plies| plies > 0)
    }

    /// The info of a single exact line, without quiescence search and transposition table.
    pub fn exact(depth: u32, score: Score, line: Pv, nodes: u64, time: Duration) -> Info {
        Info {
            depth,
            seldepth: depth,
            multi_pv: 1,
            score,
            bound: Bound::Exact,
            nodes,
            time,
            hashfull: 0,
            pv: line,
        }
    }

    /// The info of a mate, from its line alone.
    pub fn of_mate(line: Pv, nodes: u64, time: Duration) -> Info {
        let plies = line.len() as u32;
        Info::exact(plies, Score::mate_in(plies), line, nodes, time)
    }
}

impl From<Score> for MoveScore {
    fn from(score: Score) -> MoveScore {
        match score.mate_plies() {
            Some(plies) if plies > 0 => MoveScore::MatesIn(plies.unsigned_abs()),
            Some(plies) => MoveScore::MatedIn(plies.unsigned_abs()),
            None => MoveScore::Centipawns(score.to_cp()),
        }
    }
}

impl From<&Info> for SearchedScore {
    fn from(info: &Info) -> SearchedScore {
        let depth = u8::try_from(info.depth).unwrap_or(u8::MAX);
        SearchedScore { score: info.score.into(), bound: info.bound, depth }
    }
}

/// A report of a running search.
#[derive(Clone, Debug)]
pub enum Report {
    /// A completed line, or a line with a bound.
    Line(Info),
    /// A better line than the last one, from an unfinished iteration. Not shown. It is the
    /// current answer of the search.
    Better(Info),
    /// The line that a search with [`Leeway`] would play now, which may be worse than
    /// the best. Not shown. It is the current answer of the search.
    Choice(Info),
    /// The root move being searched and its number (1 is the first). Sent only after 3 s.
    CurrentMove(Move, usize),
    /// The sampled positions ([`Settings::sample_interval`]), sent once at the end.
    Samples(Vec<SampledPosition>),
    /// A message for the user, for example that fewer threads run than requested.
    Remark(String),
}

impl Report {
    /// The line that answers a search which has just sent this report, if the report changes it.
    pub fn into_answer(self) -> Option<Info> {
        match self {
            Report::Line(info) if info.bound == Bound::Exact && info.multi_pv == 1 => Some(info),
            Report::Better(info) | Report::Choice(info) => Some(info),
            _ => None,
        }
    }
}

/// The decision at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play this move; the second is the predicted reply.
    Play(Move, Option<Move>),
    /// No move is legal.
    Resign,
    /// Declare a win by entering king.
    Declare,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The decision.
    pub best: BestMove,
    /// The best line, which starts with the move of `best`. It comes from the last completed
    /// iteration (exact), or it is a better move found since, whose score may be a lower bound.
    /// `None` if no iteration was completed.
    pub info: Option<Info>,
    /// Nodes searched.
    pub nodes: u64,
}

/// The result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateVerdict {
    /// The side to move mates. The line shows one long defense; the proof covers all of them.
    Mate(Pv),
    /// No mate by consecutive checks exists. A line that repeats a position is not a mate.
    NoMate,
    /// The node or time limit was reached.
    Unknown,
}

/// Whether the line is a mate by checks: all moves are legal, each move of the attacker gives check,
/// and no reply is left at the end.
pub fn is_mate_by_checks(root: &Position, line: &[Move]) -> bool {
    let mut pos = root.clone();
    for (ply, &mv) in line.iter().enumerate() {
        if !pos.is_legal(mv) {
            return false;
        }
        pos.do_move(mv);
        if ply % 2 == 0 && !pos.in_check() {
            return false;
        }
    }
    line.len() % 2 == 1 && !has_legal_move(&pos)
}

/// The outcome of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateOutcome {
    /// The result.
    pub verdict: MateVerdict,
    /// Positions searched.
    pub nodes: u64,
    /// Upper bound of the length of a proved mate in plies; 0 without a proof.
    pub plies: usize,
}
