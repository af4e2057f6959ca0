//! Selection of the engine of a command.

use std::fmt;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{CliError, EngineFactory};
use crate::engine::Settings;
use crate::engines::bench::BenchLimit;
use crate::engines::{Changes, EngineSpec, Searcher};
use crate::eval::{Evaluation, EvaluationSource};

/// Argument of every command that evaluates positions.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EvalArgs {
    /// Evaluation: `internal`, `material`, a weights file, or an NNUE file (nn.bin)
    #[arg(long, value_name = "EVAL", default_value_t)]
    eval: EvaluationSource,
}

impl EvalArgs {
    /// Selects the evaluation with this name or file.
    pub fn named(eval: &str) -> EvalArgs {
        EvalArgs { eval: eval.into() }
    }

    /// Loads the selected evaluation.
    pub fn load(&self) -> Result<Evaluation, CliError> {
        let failed = |source| CliError::Weights { path: self.eval.to_string().into(), source };
        self.eval.load().map_err(failed)
    }
}

impl fmt::Display for EvalArgs {
    /// Formats as on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.eval.fmt(f)
    }
}

/// Changes of the searcher; the default searcher without any.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct TuningArgs {
    /// Search without a technique, such as `null-move`; can be repeated
    #[arg(long, value_name = "TECHNIQUE")]
    without: Vec<String>,
    /// Set a parameter of the search, such as `aspiration=80`; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl TuningArgs {
    /// The changes in the form of [`EngineSpec`].
    pub fn changes(&self) -> Changes {
        let TuningArgs { without, set } = self.clone();
        Changes { without, set }
    }
}

impl fmt::Display for TuningArgs {
    /// Formats as on the command line, with a leading blank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.without.iter().try_for_each(|name| write!(f, " --without {name}"))?;
        self.set.iter().try_for_each(|change| write!(f, " --set {change}"))
    }
}

/// Arguments of every command that searches.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SearcherArgs {
    #[arg(
        long,
        help = searcher_help(),
        default_value = Searcher::names()[0],
        ignore_case = true,
        value_parser = searcher_parser()
    )]
    search: &'static Searcher,
    #[command(flatten)]
    tuning: TuningArgs,
    #[command(flatten)]
    eval: EvalArgs,
}

fn searcher_help() -> String {
    let kinds: Vec<&str> = Searcher::all().iter().map(|searcher| searcher.description).collect();
    match kinds.as_slice() {
        [kinds @ .., last] if !kinds.is_empty() => {
            format!("Searcher: {}, or {last}", kinds.join(", "))
        }
        kinds => format!("Searcher: {}", kinds.concat()),
    }
}

fn searcher_parser() -> impl TypedValueParser<Value = &'static Searcher> {
    PossibleValuesParser::new(Searcher::names()).try_map(|name| Searcher::find(&name))
}

impl fmt::Display for SearcherArgs {
    /// Formats as on the command line: `--search FullWidth --eval internal`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--search {}{} --eval {}", self.search.name, self.tuning, self.eval)
    }
}

impl SearcherArgs {
    /// The default bench limit of this searcher.
    pub fn bench_limit(&self) -> BenchLimit {
        BenchLimit::of(self.search)
    }

    /// Loads the evaluation of these searchers.
    pub fn evaluation(&self) -> Result<Evaluation, CliError> {
        self.eval.load()
    }

    /// Returns a factory of configured searchers of this kind.
    pub fn factory(&self) -> Result<EngineFactory, CliError> {
        self.factory_with(self.evaluation()?)
    }

    /// Like [`factory`](SearcherArgs::factory), with an evaluation that was already loaded.
    pub fn factory_with(&self, evaluation: Evaluation) -> Result<EngineFactory, CliError> {
        let spec = EngineSpec::new(self.search, &self.tuning.changes(), self.eval.eval.clone())?;
        Ok(Box::new(move || {
            let mut engine = spec.build(&evaluation);
            engine.configure(&Settings { hash_mib: HASH_MIB, ..Settings::default() });
            engine
        }))
    }
}

/// Transposition table size of these searchers in MiB. Suites clear the table for every line.
const HASH_MIB: usize = 64;
