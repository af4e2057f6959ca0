//! Which searcher and evaluation a command uses.

use std::fmt;
use std::path::Path;

use clap::ValueEnum;

use super::bench::BenchLimit;
use super::tuning::TuningArgs;
use super::{CliError, EngineFactory};
use crate::engine::{Engine, Settings};
use crate::eval::Evaluation;
use crate::search::{AlphaBeta, FullWidth, FullWidthParams, SearchParams};

/// Values of USI's option `Search`, in the order of [`Searcher`]; the default first.
pub(crate) const NAMES: &[&str] = &["AlphaBeta", "FullWidth"];

/// The searchers that can be chosen, by the names of USI's option `Search`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Searcher {
    /// Selective alpha-beta, the strongest
    #[value(name = "AlphaBeta", alias = "alphabeta")]
    AlphaBeta,
    /// Full-width alpha-beta (Hoki 2006)
    #[value(name = "FullWidth", alias = "fullwidth")]
    FullWidth,
}

/// Argument of every command that evaluates.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EvalArgs {
    /// Evaluation: `internal`, `material`, or a weights file
    #[arg(long, value_name = "EVAL", default_value = "internal")]
    eval: String,
}

impl EvalArgs {
    /// The evaluation of this name or file.
    pub fn named(eval: &str) -> EvalArgs {
        EvalArgs { eval: eval.to_owned() }
    }

    /// The evaluation that is wanted, as USI's option `EvalFile` names it, with or without brackets.
    pub fn load(&self) -> Result<Evaluation, CliError> {
        match self.eval.as_str() {
            "<internal>" | "internal" => Ok(Evaluation::embedded()),
            "<material>" | "material" => Ok(Evaluation::HandMade),
            path => Evaluation::from_file(Path::new(path))
                .map_err(|source| CliError::Weights { path: path.into(), source }),
        }
    }
}

impl fmt::Display for EvalArgs {
    /// As on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.eval)
    }
}

/// Arguments of every command that searches.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SearcherArgs {
    /// Searcher
    #[arg(long, value_enum, default_value = "AlphaBeta")]
    search: Searcher,
    #[command(flatten)]
    tuning: TuningArgs,
    #[command(flatten)]
    eval: EvalArgs,
}

impl fmt::Display for SearcherArgs {
    /// As on the command line: `--search FullWidth --eval internal`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let search = self.search.to_possible_value();
        let search = search.as_ref().map_or("", |value| value.get_name());
        write!(f, "--search {search}{} --eval {}", self.tuning, self.eval.eval)
    }
}

impl SearcherArgs {
    /// How deep this searcher's bench goes.
    pub fn bench_limit(&self) -> BenchLimit {
        match self.search {
            Searcher::AlphaBeta => BenchLimit::ALPHA_BETA,
            Searcher::FullWidth => BenchLimit::FULL_WIDTH,
        }
    }

    /// Makes searchers of this kind, configured.
    pub fn factory(&self) -> Result<EngineFactory, CliError> {
        let (search, params) = (self.search, self.tuning.params()?);
        if search != Searcher::AlphaBeta && params != SearchParams::DEFAULT {
            let text = format!("AlphaBeta alone is changed by{}", self.tuning);
            return Err(CliError::Tuning(text));
        }
        let evaluation = self.eval.load()?;
        Ok(Box::new(move || {
            let mut engine = search.build(params, &evaluation);
            engine.configure(&Settings { hash_mib: HASH_MIB, ..Settings::default() });
            engine
        }))
    }
}

/// Transposition table of searchers made here, MiB: suites clear it for every line.
const HASH_MIB: usize = 64;

impl Searcher {
    /// A new searcher, not configured yet. `params` are those of [`AlphaBeta`].
    pub fn build(self, params: SearchParams, evaluation: &Evaluation) -> Box<dyn Engine> {
        match self {
            Searcher::AlphaBeta => Box::new(AlphaBeta::new(params, evaluation.clone())),
            Searcher::FullWidth => {
                Box::new(FullWidth::new(FullWidthParams::DEFAULT, evaluation.clone()))
            }
        }
    }

    /// The searcher with this name in [`NAMES`].
    pub fn from_name(name: &str) -> Option<Searcher> {
        Searcher::from_str(name, true).ok()
    }
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
