//! Which searcher and evaluation a command uses.

use clap::ValueEnum;

use super::EngineFactory;
use crate::engine::{Engine, Settings};
use crate::search::FullWidth;

/// Values of USI's option `Search`, in the order of [`Searcher`]; the default first.
pub(super) const NAMES: &[&str] = &["FullWidth"];

/// The searchers that can be chosen, by the names of USI's option `Search`.
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

impl Searcher {
    /// A new searcher, not configured yet. There is one evaluation so far.
    pub fn build(self) -> Box<dyn Engine> {
        match self {
            Searcher::FullWidth => Box::new(FullWidth::default()),
        }
    }

    /// The searcher with this name in [`NAMES`].
    pub fn from_name(name: &str) -> Option<Searcher> {
        Searcher::from_str(name, true).ok()
    }
}

fn full_width() -> Box<dyn Engine> {
    let mut engine = Searcher::FullWidth.build();
    engine.configure(&Settings { hash_mib: HASH_MIB, ..Settings::default() });
    engine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_searchers_agree() {
        let named: Vec<_> = NAMES.iter().map(|name| Searcher::from_name(name)).collect();
        let all: Vec<_> = Searcher::value_variants().iter().map(|&s| Some(s)).collect();
        assert_eq!(named, all);
    }
}
