//! Search threads for tests of single nodes.

use std::time::Instant;

use super::node_info::{AlphaBetaNode, NodeFacts};
use super::params::SearchParams;
use super::reduction::Reductions;
use super::thread::{AlphaBetaState, AlphaBetaThread, SharedHistories, ThreadHistory};
use crate::engine::{Bound, Control, Limits, Query, Settings};
use crate::eval::{Evaluation, Score};
use crate::search::depth::Depth;
use crate::search::tt::{TranspositionTable, TtEntry};
use crate::search::window::Window;
use crate::shogi::Position;

/// A quiet, balanced middlegame position.
pub const QUIET: &str =
    "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1";
/// Black, to move, is a rook and a bishop ahead.
pub const AHEAD: &str =
    "ln1g1g1nl/1ks6/1pppp2pp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b RB 1";

/// A gold can capture an undefended rook.
pub const HANGING: &str = "4k4/9/9/9/4r4/4G4/9/9/4K4 b 2b3g4s4n4l18pr 1";

/// Runs `test` with a thread at a position, with a 1 MiB table and the hand-made evaluation.
pub fn with_thread(params: &SearchParams, sfen: &str, test: impl FnOnce(&mut AlphaBetaThread)) {
    with_thread_at(params, &Position::from_sfen(sfen).expect("valid"), test);
}

/// The same for a position that is not in SFEN.
pub fn with_thread_at<T>(
    params: &SearchParams,
    pos: &Position,
    test: impl FnOnce(&mut AlphaBetaThread) -> T,
) -> T {
    let (settings, limits) = (Settings::default(), Limits::default());
    let control = Control::new(Instant::now());
    let query = Query::new(pos, &limits, &control);
    let tt = TranspositionTable::new(1);
    let reductions = Reductions::new(params);
    let (shared, mut history) = (SharedHistories::new(1), ThreadHistory::new());
    let state = AlphaBetaState::new(params, &reductions, &shared, &mut history);
    test(&mut AlphaBetaThread::new(query, &settings, &Evaluation::HandMade, &tt, state))
}

/// A TT entry with a move.
pub fn entry(mv: &str, score: i32, depth: i32, bound: Bound) -> TtEntry {
    let (score, depth) = (Score::cp(score), Depth::plies(depth));
    TtEntry { mv: mv.parse().ok(), score, depth, bound, raw_eval: None, pv: false }
}

/// A cut node of this depth, not in check, with a null window around 0 and an evaluation of 0.
pub fn node(depth: i32) -> AlphaBetaNode {
    AlphaBetaNode {
        facts: NodeFacts { static_eval: Some(Score::ZERO), ..NodeFacts::default() },
        depth,
        window: Window::null(Score::ZERO),
        pv: false,
        cut_node: true,
        tt_entry: None,
        tt_move: None,
        tt_capture: false,
        raw_eval: Some(Score::ZERO),
        improving: false,
    }
}
