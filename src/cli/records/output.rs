//! Files of records that appear when they are complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use tempfile::NamedTempFile;

use crate::cli::CliError;
use crate::record::{Format, Game, GameWriter};

/// How hard zstd tries, 1 to 22: beyond this a file shrinks little and takes long.
const ZSTD_LEVEL: i32 = 12;

#[derive(Clone, Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// File to write; compressed if its name ends in .zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Format; without it the file name tells
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| Format::from_name(&name).expect("only names of formats are possible"))
}

impl OutputArgs {
    pub fn path(&self) -> &Path {
        &self.out
    }

    /// The same for another file.
    pub fn beside(&self, path: &Path) -> OutputArgs {
        OutputArgs { out: path.to_owned(), to: self.to.or(Format::from_file_name(&self.out)) }
    }
}

/// A file that is written under a passing name in its folder and takes its own at the end: an
/// interrupted command leaves the old file as it was.
pub(super) struct OutputFile {
    path: PathBuf,
    writer: GameWriter<Sink>,
}

enum Sink {
    Plain(BufWriter<NamedTempFile>),
    Compressed(zstd::Encoder<'static, BufWriter<NamedTempFile>>),
}

impl OutputFile {
    pub fn create(args: &OutputArgs) -> Result<OutputFile, CliError> {
        let path = args.out.clone();
        let format = args.to.or(Format::from_file_name(&path));
        let format = format.ok_or_else(|| CliError::OutputFormat(path.clone()))?;
        let failed = |source| CliError::Write { path: path.clone(), source };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
        let file = BufWriter::new(file);
        let sink = if path.extension().is_some_and(|extension| extension == "zst") {
            Sink::Compressed(zstd::Encoder::new(file, ZSTD_LEVEL).map_err(failed)?)
        } else {
            Sink::Plain(file)
        };
        Ok(OutputFile { writer: GameWriter::new(sink, format), path })
    }

    pub fn write(&mut self, game: &Game) -> Result<(), CliError> {
        let failed = |source| CliError::Write { path: self.path.clone(), source };
        self.writer.write(game).map_err(failed)
    }

    pub fn written(&self) -> usize {
        self.writer.written()
    }

    /// Puts the file in its place and returns its path.
    pub fn finish(self) -> Result<PathBuf, CliError> {
        let failed = |source| CliError::Write { path: self.path.clone(), source };
        let file = self.writer.into_inner().finish().map_err(failed)?;
        file.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(self.path)
    }
}

impl Sink {
    fn finish(self) -> io::Result<NamedTempFile> {
        let file = match self {
            Sink::Plain(file) => file,
            Sink::Compressed(encoder) => encoder.finish()?,
        };
        file.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Plain(file) => file.write(bytes),
            Sink::Compressed(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Plain(file) => file.flush(),
            Sink::Compressed(encoder) => encoder.flush(),
        }
    }
}
