//! The command line: one subcommand per file, USI without any.
//!
//! Comes in: arguments ([`Cli`]). Goes out: text on standard output, at most one line of error on
//! standard error, and the exit code: 0 fine, 1 a rule suite has wrong lines, 2 bad input, 130
//! interrupted.

mod bench;
mod bench_positions;
mod chart;
mod check;
mod duels;
mod eval;
mod interrupt;
mod learn;
mod perft;
mod records;
mod reproduce;
mod run_log;
mod screen;
mod searcher;
mod selfplay;
mod show;
mod suite;
mod tune;
mod tuning;
mod usi;

pub use bench::{BenchLimit, BenchTotal, bench, print_total};

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use thiserror::Error;

use crate::engine::Engine;
use crate::eval::learned::file::WeightsError;
use crate::learn::LearnError;
use crate::learn::selfplay::SelfplayError;
use crate::record::RecordError;
use crate::shogi::Position;
use crate::usi::{PositionError, PositionText};

/// Makes a fresh searcher.
type EngineFactory = Box<dyn Fn() -> Box<dyn Engine> + Send + Sync>;

/// Kankei, a shogi engine. Without a command it speaks USI on standard input and output.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search fixed positions: the signature and the speed of the searcher
    Bench(bench::Args),
    /// Check that the program works on this machine
    Check(check::Args),
    /// Look into an evaluation
    Eval(eval::Args),
    /// Learn the evaluation from games
    Learn(learn::Args),
    /// Convert, filter, split and count game records
    Records(records::Args),
    /// Make a paper's experiment again
    Reproduce(reproduce::Args),
    /// Count move sequences, the classic check of a move generator
    Perft(perft::Args),
    /// Make labelled games of the engine against itself
    Selfplay(selfplay::Args),
    /// Tell what many numbers and techniques of the searcher are worth by games against itself
    Screen(screen::Args),
    /// Draw a position and say what the rules say about it
    Show(show::Args),
    /// Run a file of test positions
    Suite(suite::Args),
    /// Tune the searcher's numbers by games against itself
    Tune(tune::Args),
    /// Speak USI, as without any command
    Usi(usi::Args),
}

/// What can be wrong with a command.
#[derive(Debug, Error)]
enum CliError {
    #[error("bad position {text:?}: {source}")]
    Position { text: String, source: PositionError },
    #[error("cannot read {path:?}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("weights file {path:?} {source}")]
    Weights { path: PathBuf, source: WeightsError },
    #[error("cannot write {path:?}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    #[error("cannot print: {0}")]
    Print(std::io::Error),
    #[error(transparent)]
    Usi(#[from] crate::usi::UsiError),
    #[error("the check failed: {0}")]
    Check(String),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Learn(#[from] LearnError),
    #[error("{0:?} does not tell a record format, --to does")]
    OutputFormat(PathBuf),
    #[error("{0:?} cannot take both parts")]
    OutputTwice(PathBuf),
    #[error("{0:?} is there already; --resume goes on with it")]
    RunExists(PathBuf),
    #[error("{0:?} is being written by another run")]
    GamesInUse(PathBuf),
    #[error("{path:?} holds another run: it begins with {found:?}, not with {wanted:?}")]
    OtherRun { path: PathBuf, found: String, wanted: String },
    #[error("the engine is at fault in {0}")]
    Selfplay(#[from] SelfplayError),
    #[error("{path:?} line {line}: {reason}")]
    SuiteLine { path: PathBuf, line: usize, reason: String },
    #[error("{0}")]
    Tuning(String),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
}

impl Cli {
    /// Whether the command talks USI, and not just prints what it finds.
    pub fn talks(&self) -> bool {
        matches!(self.command, None | Some(Command::Usi(_)))
    }

    /// Runs the command; prints the error if there is one.
    pub fn run(self) -> ExitCode {
        let result = match self.command {
            None => usi::run(&usi::Args::default()),
            Some(Command::Bench(args)) => bench::run(&args),
            Some(Command::Check(args)) => check::run(&args),
            Some(Command::Eval(args)) => eval::run(&args),
            Some(Command::Learn(args)) => learn::run(&args),
            Some(Command::Records(args)) => records::run(&args),
            Some(Command::Reproduce(args)) => reproduce::run(&args),
            Some(Command::Perft(args)) => perft::run(&args),
            Some(Command::Selfplay(args)) => selfplay::run(&args),
            Some(Command::Screen(args)) => screen::run(&args),
            Some(Command::Show(args)) => show::run(&args),
            Some(Command::Suite(args)) => suite::run(&args),
            Some(Command::Tune(args)) => tune::run(&args),
            Some(Command::Usi(args)) => usi::run(&args),
        };
        result.unwrap_or_else(|error| {
            eprintln!("error: {error}");
            ExitCode::from(2)
        })
    }
}

/// Reads what USI says after `position`: `startpos`, or an SFEN with or without the word `sfen`
/// before it, and perhaps `moves` and a list.
fn parse_position(text: &str) -> Result<Position, CliError> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    PositionText::parse(&words)
        .to_position()
        .map_err(|source| CliError::Position { text: text.trim().to_owned(), source })
}

/// Reads a percentage, 0 to 100.
fn percent(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("{text:?} is not a number"))?;
    if (0.0..=100.0).contains(&value) { Ok(value) } else { Err(format!("{text} is not in 0..100")) }
}

/// A progress bar with rate and time left on standard error; draws nothing unless that is a
/// terminal.
fn progress_bar(len: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {per_sec} {eta} left")
        .expect("the template is well formed");
    ProgressBar::new(len as u64).with_style(style)
}

/// Searches go deep; the system hands out the memory only as it is used.
const WORKER_STACK: usize = 64 << 20;

/// A pool of `threads` threads, all cores if 0.
fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, CliError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(WORKER_STACK)
        .build()
        .map_err(|source| CliError::Threads { threads, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn positions_as_text() {
        let start = Position::startpos().to_sfen();
        for text in ["startpos", " startpos\n", &start, &format!("sfen {start}")] {
            assert_eq!(parse_position(text).expect(text).to_sfen(), start);
        }
        let played = parse_position(&format!("{start} moves 7g7f")).expect("a legal move");
        assert_eq!(played.moves_made(), 1);
        let error = parse_position("9/9 b -").expect_err("not a board").to_string();
        assert!(error.contains("9/9 b -"), "{error}");
    }
}
