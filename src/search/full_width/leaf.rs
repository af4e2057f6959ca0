//! Quiescence search as a separate tool: the value of a position after its exchanges, and the moves
//! to that leaf.

use super::params::{FullWidthParams, Rules};
use super::quiescence;
use super::thread::{FullWidthState, FullWidthThread};
use crate::engine::{Control, Limits, Pv, Settings};
use crate::eval::{Evaluation, Score};
use crate::search::thread::SearchSetup;
use crate::search::tt::TranspositionTable;
use crate::search::window::Window;
use crate::shogi::{Move, Position};

/// Quiescence search does not use the transposition table, but a thread requires one.
const TABLE_MIB: usize = 1;

/// Data shared by quiescence searches. One instance serves any number of threads.
pub struct LeafResources {
    evaluation: Evaluation,
    table: TranspositionTable,
    params: FullWidthParams,
    settings: Settings,
    limits: Limits,
    control: Control,
}

impl LeafResources {
    /// Resources with the default parameters, but without futility pruning. The bounds of that
    /// pruning grow during a search, and the value of a leaf must depend on its position only.
    pub fn new(evaluation: Evaluation) -> LeafResources {
        LeafResources {
            evaluation,
            table: TranspositionTable::new(TABLE_MIB),
            params: FullWidthParams::DEFAULT.without(Rules::QSEARCH_FUTILITY),
            settings: Settings::default(),
            limits: Limits::default(),
            control: Control::new(std::time::Instant::now()),
        }
    }
}

/// Searches positions by quiescence with an open window.
///
/// ```
/// use kankei::eval::Evaluation;
/// use kankei::search::{LeafResources, QuiescenceLeaf};
/// use kankei::shogi::Position;
/// // The pawn captures the silver in front of it.
/// let pos = Position::from_sfen("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1").expect("a position");
/// let resources = LeafResources::new(Evaluation::HandMade);
/// let mut leaf = QuiescenceLeaf::new(&resources);
/// let (_, line) = leaf.search(&pos);
/// assert_eq!(line.first().map(ToString::to_string).as_deref(), Some("5e5d"));
/// ```
pub struct QuiescenceLeaf<'a> {
    evaluation: &'a Evaluation,
    thread: FullWidthThread<'a>,
}

impl<'a> QuiescenceLeaf<'a> {
    /// A searcher. Between positions it keeps only the move ordering statistics.
    pub fn new(resources: &'a LeafResources) -> QuiescenceLeaf<'a> {
        let LeafResources { evaluation, table, params, settings, limits, control } = resources;
        let setup = SearchSetup { settings, limits, control };
        let state = FullWidthState::new(params);
        let thread = FullWidthThread::new(&Position::startpos(), evaluation, table, setup, state);
        QuiescenceLeaf { evaluation, thread }
    }

    /// The value of `pos` for the side to move, and the line to the leaf with this value. The line
    /// is empty if `pos` is quiet. For a mate score, the line ends with the mating move.
    pub fn search(&mut self, pos: &Position) -> (Score, Pv) {
        self.go_to(pos);
        search_here(&mut self.thread)
    }

    /// The evaluation of `pos` from the side to move's view.
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        self.go_to(pos);
        self.thread.evaluate()
    }

    /// Sets the position whose moves are searched next.
    pub fn go_to(&mut self, pos: &Position) {
        self.thread.restart(pos, self.evaluation);
    }

    /// Like [`search`](QuiescenceLeaf::search), for the position after a legal move of the position
    /// set by [`go_to`](QuiescenceLeaf::go_to).
    pub fn search_after(&mut self, mv: Move) -> (Score, Pv) {
        self.thread.descend(mv, search_here)
    }

    /// The evaluation after a legal move of the current position, from the mover's side.
    pub fn evaluate_after(&mut self, mv: Move) -> Score {
        self.thread.descend(mv, |thread| -thread.evaluate())
    }
}

/// Quiescence search with an open window.
fn search_here(thread: &mut FullWidthThread) -> (Score, Pv) {
    let score = quiescence::search(thread, Window::open(), 0);
    (score, thread.pv().clone())
}
