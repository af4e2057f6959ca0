//! Errors of commands.

use std::ffi::OsString;
use std::path::PathBuf;

use thiserror::Error;

use crate::book::BookError;
use crate::engines::SpecError;
use crate::eval::learned::file::WeightsError;
use crate::quote::quoted;
use crate::record::RecordError;
use crate::usi::PositionError;

/// An error of a command.
#[derive(Debug, Error)]
pub(crate) enum CliError {
    #[error("bad position {}: {source}", quoted(.text))]
    Position { text: String, source: PositionError },
    #[error("cannot read {path:?}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path:?}: {source}")]
    Weights { path: PathBuf, source: WeightsError },
    #[error("{0:?}: only a network learned with --form standalone can be exported")]
    NotStandalone(PathBuf),
    #[error("cannot write {path:?}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    #[error("cannot print: {0}")]
    Print(std::io::Error),
    #[error(
        "the engine for web pages, {path:?}: {reason}; `.ci/web build` makes it, and --wasm names it"
    )]
    Wasm { path: PathBuf, reason: String },
    #[error(transparent)]
    Usi(#[from] crate::usi::UsiError),
    #[error(transparent)]
    Csa(#[from] crate::csa::CsaError),
    #[error("no password: use --password-file, --password or the variable {0}")]
    NoPassword(&'static str),
    #[error("no password in {0}; expected one word")]
    Password(String),
    #[error("check failed: {0}")]
    Check(String),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Lab(Box<dyn std::error::Error + Send + Sync>),
    #[error(
        "{0:?} does not name a record format; end the name in .kif, .ki2, .csa, .jkf or .usi, or add --to"
    )]
    OutputFormat(PathBuf),
    #[error("records of format {0} cannot be written in {1}")]
    OutputEncoding(&'static str, &'static str),
    #[error("{0:?} already exists; use --force to overwrite it")]
    OutputExists(PathBuf),
    #[error("{0:?} is an input file; it cannot be an output file as well")]
    OutputIsInput(PathBuf),
    #[error("{0:?} is a folder or a device; it cannot be an output file")]
    OutputNotFile(PathBuf),
    #[error("{0:?} is a file, not a folder")]
    NotAFolder(PathBuf),
    #[error("{0:?} already exists; use another file")]
    NotNew(PathBuf),
    #[error("{0:?} is not empty; use --force to write to it, or choose another folder")]
    FolderUsed(PathBuf),
    #[error("{path:?} can have one game; for several, name a folder: --out {}/ --to {format}", .folder.display())]
    OneGame { path: PathBuf, folder: PathBuf, format: &'static str },
    #[error("{0:?} cannot be the file of two outputs")]
    OutputTwice(PathBuf),
    #[error("{path:?} already exists; use another file, or continue it with: {command}")]
    RunExists { path: PathBuf, command: String },
    #[error("{path:?} has an unfinished run, which --force discards; continue it with: {command}")]
    Unfinished { path: PathBuf, command: String },
    #[error("{0:?}: books are written as text; end the name in .db")]
    BookName(PathBuf),
    #[error("{} is varied twice", quoted(.0))]
    VariedTwice(String),
    #[error("nothing to write to {0:?}: {1}")]
    NothingToWrite(PathBuf, &'static str),
    #[error("{0:?} is being written by another run")]
    GamesInUse(PathBuf),
    #[error("{path:?} belongs to another run: it has {}, this run has {}; use another file, or delete this one", quoted(.found), quoted(.wanted))]
    OtherRun { path: PathBuf, found: String, wanted: String },
    #[error("engine fault in {0}")]
    Fault(Box<dyn std::error::Error + Send + Sync>),
    #[error("{path:?} line {line}: {reason}")]
    SuiteLine { path: PathBuf, line: usize, reason: String },
    #[error("engine {}: {reason}", quoted(.text))]
    MatchEngine { text: String, reason: String },
    #[error("option {} is for engine {engine}, but the number of engines is {count}", quoted(.option))]
    NoEngine { option: String, engine: usize, count: usize },
    #[error("--sprt {0} {1}: the first Elo difference must be below the second")]
    Sprt(f64, f64),
    #[error("--sprt compares two engines, not {0}")]
    SprtEngines(usize),
    #[error("{path:?} has no position from number {from} on; the number of positions is {count}")]
    NoProblem { path: PathBuf, count: usize, from: u32 },
    #[error("{0:?}: solve one file, or a folder of records, at a time")]
    SeveralFiles(Vec<OsString>),
    #[error("no line of {0:?} was judged")]
    NothingJudged(PathBuf),
    #[error("no games in {0:?}")]
    NoGames(Vec<PathBuf>),
    #[error("no opening in {0:?}")]
    NoOpenings(PathBuf),
    #[error("{path:?}: game {number} is {found}, not of the match {wanted}")]
    OtherMatch { path: PathBuf, number: usize, found: String, wanted: String },
    #[error(transparent)]
    Engine(#[from] SpecError),
    #[error("cannot start {threads} threads; the maximum is {most}")]
    TooManyThreads { threads: usize, most: usize },
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
}
