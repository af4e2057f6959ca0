//! Files of records that appear when they are complete.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::command::CliError;
use crate::file::AtomicFile;
use crate::record::{Format, Game, GameWriter};

/// How hard zstd tries, 1 to 22: beyond this a file shrinks little and takes long.
const ZSTD_LEVEL: i32 = 12;

#[derive(Clone, Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// File to write; compressed if its name ends in .zst
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Format; without it that of the file name's ending
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| Format::from_name(&name).expect("only names of formats are possible"))
}

impl OutputArgs {
    /// The same for another file.
    pub fn beside(&self, path: &Path) -> OutputArgs {
        OutputArgs { out: path.to_owned(), to: self.to.or(Format::from_file_name(&self.out)) }
    }
}

/// A file of records that appears when it is complete.
pub(super) struct OutputFile {
    path: PathBuf,
    writer: GameWriter<Box<dyn Sink>>,
}

/// What has to be closed to be whole.
trait Sink: Write {
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Sink for AtomicFile {
    fn finish(self: Box<Self>) -> io::Result<()> {
        AtomicFile::finish(*self)
    }
}

impl Sink for zstd::Encoder<'static, AtomicFile> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        zstd::Encoder::finish(*self)?.finish()
    }
}

impl OutputFile {
    pub fn create(args: &OutputArgs) -> Result<OutputFile, CliError> {
        let path = args.out.clone();
        let format = args.to.or(Format::from_file_name(&path));
        let format = format.ok_or_else(|| CliError::OutputFormat(path.clone()))?;
        let failed = |source| CliError::Write { path: path.clone(), source };
        let file = AtomicFile::create(&path).map_err(failed)?;
        let sink: Box<dyn Sink> = if path.extension().is_some_and(|extension| extension == "zst") {
            Box::new(zstd::Encoder::new(file, ZSTD_LEVEL).map_err(failed)?)
        } else {
            Box::new(file)
        };
        Ok(OutputFile { writer: GameWriter::new(sink, format), path })
    }

    pub fn write(&mut self, game: &Game) -> Result<(), CliError> {
        let failed = |source| CliError::Write { path: self.path.clone(), source };
        self.writer.write(game).map_err(failed)
    }

    /// Puts the file in its place and says what it holds.
    pub fn finish(self) -> Result<String, CliError> {
        let told = format!("{} games written to {}", self.writer.written(), self.path.display());
        let sink = self.writer.into_inner();
        sink.finish().map_err(|source| CliError::Write { path: self.path, source })?;
        Ok(told)
    }
}
