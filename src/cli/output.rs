//! Output files of records, written atomically.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::command::output::{ForceArg, not_written};
use crate::command::{CliError, count};
use crate::file::AtomicFile;
use crate::record::{Format, Game, GameWriter, TextEncoding};

/// Compression level of zstd, 1 to 22. Higher levels take much longer for little gain.
const ZSTD_LEVEL: i32 = 12;

#[derive(Clone, Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// File to write; compressed if its name ends in .zst
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Format; the default is that of the file name's extension
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,
    /// Encoding of KIF, KI2 and CSA; the default is Shift_JIS for .kif and .ki2, UTF-8 for other files
    #[arg(long, value_name = "ENCODING", value_parser = encoding_parser(), ignore_case = true)]
    encoding: Option<TextEncoding>,
    #[command(flatten)]
    force: ForceArg,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| Format::from_name(&name).expect("only names of formats are possible"))
}

fn encoding_parser() -> impl TypedValueParser<Value = TextEncoding> {
    PossibleValuesParser::new(TextEncoding::ALL.map(TextEncoding::name)).map(|name| {
        let mut all = TextEncoding::ALL.into_iter();
        let known = all.find(|encoding| encoding.name().eq_ignore_ascii_case(&name));
        known.expect("only names of encodings are possible")
    })
}

impl OutputArgs {
    /// A file whose name defines the format.
    pub fn new(out: PathBuf, force: ForceArg) -> OutputArgs {
        OutputArgs { out, to: None, encoding: None, force }
    }

    /// The encoding of the file.
    fn encoding(&self, format: Format) -> Result<TextEncoding, CliError> {
        let promised = Some(TextEncoding::from_file_name(&self.out));
        let encoding = self.encoding.or(promised.filter(|encoding| encoding.fits(format)));
        let encoding = encoding.unwrap_or(TextEncoding::Utf8);
        if encoding.fits(format) {
            Ok(encoding)
        } else {
            Err(CliError::OutputEncoding(format.name(), encoding.name()))
        }
    }

    /// The format of the file.
    pub fn format(&self) -> Result<Format, CliError> {
        let format = self.to.or(Format::from_file_name(&self.out));
        format.ok_or_else(|| CliError::OutputFormat(self.out.clone()))
    }

    /// The same options for another file.
    pub fn for_file(&self, path: &Path) -> OutputArgs {
        let to = self.format().ok();
        OutputArgs { out: path.to_owned(), to, ..*self }
    }
}

/// A file of records that appears when it is complete.
pub(super) struct OutputFile {
    path: PathBuf,
    writer: GameWriter<Box<dyn Sink>>,
}

/// A writer that must be finished to be complete.
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
    /// Creates the file, which must not be one of `inputs` (files or folders).
    pub fn create(args: &OutputArgs, inputs: &[PathBuf]) -> Result<OutputFile, CliError> {
        let (path, format) = (args.out.clone(), args.format()?);
        let encoding = args.encoding(format)?;
        args.force.check(&[&path], inputs)?;
        let failed = |source| not_written(&path, source);
        let file = args.force.create(&path).map_err(failed)?;
        let sink: Box<dyn Sink> = if path.extension().is_some_and(|extension| extension == "zst") {
            Box::new(zstd::Encoder::new(file, ZSTD_LEVEL).map_err(failed)?)
        } else {
            Box::new(file)
        };
        Ok(OutputFile { writer: GameWriter::new(sink, format).encoded(encoding), path })
    }

    pub fn write(&mut self, game: &Game) -> Result<(), CliError> {
        self.writer.write(game).map_err(|source| not_written(&self.path, source))
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.writer.positions().unwrap_or(self.writer.written()) == 0
    }

    /// Checks that the file has something of the games that were written to it.
    pub fn check(&self) -> Result<(), CliError> {
        if self.writer.written() > 0 && self.is_empty() {
            let reason = "no position has a score, in a game with a result and 40 pieces";
            return Err(CliError::NothingToWrite(self.path.clone(), reason));
        }
        Ok(())
    }

    /// The error that there are no games to write.
    pub fn empty(&self) -> CliError {
        CliError::NothingToWrite(self.path.clone(), "no game passes the filter")
    }

    /// Moves the file to its place and returns a summary. Reports on standard error what the format
    /// cannot store. A file that cannot store anything of its games is an error.
    pub fn finish(self) -> Result<String, CliError> {
        self.check()?;
        let losses = self.writer.losses();
        let mut content = count(self.writer.written(), "game");
        if let Some(positions) = self.writer.positions() {
            content = format!("{} of {content}", count(positions, "position"));
        }
        let summary = format!("{content} written to {}", self.path.display());
        let sink = self.writer.into_inner();
        sink.finish().map_err(|source| not_written(&self.path, source))?;
        if !losses.is_empty() {
            eprintln!("{}: the format cannot store {losses}", self.path.display());
        }
        Ok(summary)
    }
}
