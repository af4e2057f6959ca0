//! The engines of a match.

use crate::command::CliError;
use crate::engines::EngineSpec;
use crate::engines::bench::{BenchLimit, bench};
use crate::eval::Evaluation;
use crate::lab::matches::{Contestant, Program, ProgramSpec};
use crate::quote;

/// One of the engines, from which each thread makes its own instance.
pub(super) enum MatchEngine {
    Searcher(Box<EngineSpec>, Evaluation),
    Program(ProgramSpec),
}

impl MatchEngine {
    /// Reads `self` with changes, or the command line of a USI program, which is started once.
    /// Words may be [in quotation marks](quote::split).
    pub fn parse(text: &str, program: ProgramSpec) -> Result<MatchEngine, CliError> {
        let refuse = |reason: String| CliError::MatchEngine { text: text.to_owned(), reason };
        let unclosed = || refuse("a quotation mark is not closed".to_owned());
        let command = quote::split(text).ok_or_else(unclosed)?;
        if let Some((first, parts)) = command.split_first()
            && first == "self"
        {
            if program != ProgramSpec::default() {
                return Err(refuse("words after `self` configure it, not options".to_owned()));
            }
            let spec = EngineSpec::from_parts(parts)?;
            let evaluation = spec.evaluation.load().map_err(|error| refuse(error.to_string()))?;
            return Ok(MatchEngine::Searcher(Box::new(spec), evaluation));
        }
        let spec = ProgramSpec { command, ..program };
        // A program that cannot start is reported now, not by a hundred lost games.
        Program::new(spec.clone()).start().map_err(|error| refuse(error.to_string()))?;
        Ok(MatchEngine::Program(spec))
    }

    pub fn contestant(&self) -> Contestant {
        match self {
            MatchEngine::Searcher(spec, evaluation) => Contestant::Searcher(spec.build(evaluation)),
            MatchEngine::Program(spec) => Contestant::Program(Program::new(spec.clone())),
        }
    }

    /// Nodes of a small bench, which change with this program or its weights.
    pub fn signature(&self) -> Option<u64> {
        match self {
            MatchEngine::Searcher(spec, evaluation) => {
                let mut engine = spec.build(evaluation);
                Some(bench(engine.as_mut(), BenchLimit::Depth(3), &mut |_| ()).nodes)
            }
            MatchEngine::Program(_) => None,
        }
    }
}
