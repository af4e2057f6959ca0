//! The engines and tools that the caller provides to the protocol.

use std::sync::Arc;

use crate::engine::{BuildEngine, Control, MateOutcome, Settings};
use crate::eval::EvaluationSource;
use crate::eval::nnue::FvScale;
use crate::shogi::Position;

/// The engines and tools that the caller provides.
#[derive(Clone)]
pub struct Backend {
    /// Name and version for `id name`.
    pub name: String,
    /// Author for `id author`.
    pub author: String,
    /// Values of the option `Search`; the first is the default. Not empty.
    pub searches: &'static [&'static str],
    /// Random seed for the choice of book moves.
    pub seed: u64,
    /// Whether a person at a terminal uses the session. Unknown commands, which the protocol
    /// ignores, then get an answer, and each line is read after the session has handled the one
    /// before it.
    pub interactive: bool,
    /// Builds an engine. Called on the engine thread, not before `isready` or `go`.
    pub build: Arc<BuildEngine<EngineChoice>>,
    /// Solves `go mate`. Called on the engine thread.
    pub solve_mate: Arc<SolveMate>,
    /// The console command `eval`: the score of a position by its terms, as lines of text.
    pub evaluate: Arc<Evaluate>,
    /// Version, system and kernels of the program, as lines of text, for the console command
    /// `compiler`.
    pub build_info: String,
    /// The console command `bench`: the engine that is set, its settings, the arguments, and a
    /// callback for output lines.
    pub bench: Arc<Bench>,
}

/// Searches for a mate by checks until it is decided or the control requests a stop.
pub type SolveMate = dyn Fn(&Position, MateLimits, &Control) -> MateOutcome + Send + Sync;
/// Explains the score of a position by the evaluation of this choice.
pub type Evaluate = dyn Fn(&EngineChoice, &Position) -> String + Send + Sync;
/// Runs a benchmark with these arguments; the last parameter receives its output lines.
pub type Bench = dyn Fn(&EngineChoice, &Settings, &[String], &mut dyn FnMut(&str)) + Send + Sync;

/// The limits of a mate search, in addition to those of its control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateLimits {
    /// Maximum memory, MiB.
    pub memory: usize,
    /// Whether to end with the first mate found. Otherwise it is improved until no shorter one
    /// exists or the search must stop.
    pub first: bool,
}

/// The engine to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineChoice {
    /// Index in [`Backend::searches`].
    pub search: usize,
    /// Changes of the searcher as the user wrote them; empty for those of the command line. They
    /// depend on the searcher, so only [`Backend::build`] parses them.
    pub changes: String,
    /// The evaluation.
    pub evaluation: EvaluationSource,
    /// The unit in which an NNUE file is reported; `None` is the file's own.
    pub fv_scale: Option<FvScale>,
}
