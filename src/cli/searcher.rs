//! Which searcher and evaluation a command uses.

use clap::ValueEnum;

use super::EngineFactory;
use crate::engine::{Engine, Settings};
use crate::search::FullWidth;

/// The searchers that can be chosen, by the name that USI's option `Search` uses too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Searcher {
    /// Full-width alpha-beta (Hoki 2006)
    #[value(name = "FullWidth", alias = "fullwidth")]
    FullWidth,
}

/// The evaluations that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Evaluation {
    /// Material and hand-made king relations
    Material,
}

/// Arguments of every command that searches.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct SearcherArgs {
    /// Searcher
    #[arg(long, value_enum, default_value = "FullWidth")]
    pub search: Searcher,
    /// Evaluation
    #[arg(long, value_enum, default_value = "material")]
    pub eval: Evaluation,
}

impl SearcherArgs {
    /// Makes searchers of this kind.
    pub fn factory(self) -> EngineFactory {
        match (self.search, self.eval) {
            (Searcher::FullWidth, Evaluation::Material) => full_width,
        }
    }
}

/// Transposition table of searchers made here, MiB: suites clear it for every line.
const HASH_MIB: usize = 64;

fn full_width() -> Box<dyn Engine> {
    let mut engine = FullWidth::default();
    engine.configure(&Settings { hash_mib: HASH_MIB, ..Settings::default() });
    Box::new(engine)
}
