//! What the protocol is spoken for: the caller's engines and tools.

use std::sync::Arc;

use crate::engine::{Control, Engine, MateOutcome};
use crate::eval::EvaluationSource;
use crate::shogi::Position;

/// What stands behind the protocol: the caller's engines and tools.
#[derive(Clone)]
pub struct Backend {
    /// Name and version, as `id name` tells them.
    pub name: String,
    /// As `id author` tells.
    pub author: String,
    /// Values of the option `Search`; the first is the default. Not empty.
    pub searches: &'static [&'static str],
    /// What moves of a book are chosen by.
    pub seed: u64,
    /// What `SearchChanges` is in the beginning.
    pub changes: String,
    /// Builds an engine. Called on the engine thread, not before `isready` or `go`.
    pub build: Arc<BuildEngine>,
    /// What answers `go mate`. Called on the engine thread.
    pub solve_mate: Arc<SolveMate>,
    /// The console's `eval`: the score of a position by its parts, in lines.
    pub evaluate: Arc<Evaluate>,
    /// The console's `bench`: takes its arguments and a place for lines of output.
    pub bench: Arc<Bench>,
}

/// Builds an engine. The second parameter takes what the user should know.
pub type BuildEngine = dyn Fn(&EngineChoice, &mut dyn FnMut(&str)) -> Box<dyn Engine> + Send + Sync;
/// Looks for a mate by checks until it is decided or the control says stop; the number is the memory
/// it may take, MiB.
pub type SolveMate = dyn Fn(&Position, usize, &Control) -> MateOutcome + Send + Sync;
/// Explains a position's score by the evaluation of this choice.
pub type Evaluate = dyn Fn(&EngineChoice, &Position) -> String + Send + Sync;
/// Runs a benchmark with these arguments; the second parameter takes its lines.
pub type Bench = dyn Fn(&[String], &mut dyn FnMut(&str)) + Send + Sync;

/// Which engine to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineChoice {
    /// One of [`Backend::searches`].
    pub search: String,
    /// How it differs from the searcher that ships, as users wrote it; perhaps wrong.
    pub changes: String,
    /// What values positions.
    pub evaluation: EvaluationSource,
}
