//! A searching thread for the tests of single nodes.

use std::time::Instant;

use super::params::SearchParams;
use super::reduction::Reductions;
use super::thread::{AlphaBetaState, AlphaBetaThread, ThreadHistory};
use crate::engine::{Bound, Control, Limits, Settings};
use crate::eval::{Evaluation, Score};
use crate::search::depth::Depth;
use crate::search::thread::SearchSetup;
use crate::search::tt::{TranspositionTable, TtEntry};
use crate::shogi::Position;

/// A quiet middle game, about even.
pub const QUIET: &str =
    "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1";
/// Black, to move, is a rook and a bishop ahead.
pub const AHEAD: &str =
    "ln1g1g1nl/1ks6/1pppp2pp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b RB 1";

/// Runs `test` with a thread at a position, with a table and the hand-made evaluation.
pub fn with_thread(params: &SearchParams, sfen: &str, test: impl FnOnce(&mut AlphaBetaThread)) {
    let pos = Position::from_sfen(sfen).expect("valid");
    let (settings, limits) = (Settings::default(), Limits::default());
    let control = Control::new(Instant::now());
    let setup = SearchSetup { settings: &settings, limits: &limits, control: &control };
    let tt = TranspositionTable::new(1);
    let reductions = Reductions::new(params);
    let mut history = ThreadHistory::new();
    let state = AlphaBetaState::new(params, &reductions, &mut history);
    test(&mut AlphaBetaThread::new(&pos, &Evaluation::HandMade, &tt, setup, state));
}

/// A table entry with a move.
pub fn entry(mv: &str, score: i32, depth: i32, bound: Bound) -> TtEntry {
    let (score, depth) = (Score::cp(score), Depth::plies(depth));
    TtEntry { mv: mv.parse().ok(), score, depth, bound, raw_eval: None, pv: false }
}
