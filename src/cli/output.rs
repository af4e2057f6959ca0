//! Output files of records, written atomically. Other programs read one game from a file of KIF,
//! KI2 or JKF, so several games are written to a folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::command::CliError;
use crate::command::games::all_files;
use crate::command::output::{ForceArg, not_written};
use crate::file::AtomicFile;
use crate::quote::count;
use crate::record::{Format, Game, GameWriter, Losses, TextEncoding};

/// Compression level of zstd, 1 to 22. Higher levels take much longer for little gain.
const ZSTD_LEVEL: i32 = 12;

#[derive(Clone, Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// File to write; compressed if its name ends in .zst. KIF, KI2 and JKF have one game a file:
    /// for several, name a folder, as in --out games/ --to kif
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    to: FormatArg,
    /// Encoding of KIF, KI2 and CSA; the default is Shift_JIS for .kif and .ki2, UTF-8 for other
    /// files
    #[arg(long, value_name = "ENCODING", value_parser = encoding_parser(), ignore_case = true)]
    encoding: Option<TextEncoding>,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(super) struct FormatArg {
    /// Format; the default is that of the file name's extension
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,
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
    pub fn new(out: PathBuf, to: FormatArg, force: ForceArg) -> OutputArgs {
        OutputArgs { out, to, encoding: None, force }
    }

    /// The encoding of a file.
    fn encoding(&self, file: &Path, format: Format) -> Result<TextEncoding, CliError> {
        let promised = Some(TextEncoding::from_file_name(file));
        let encoding = self.encoding.or(promised.filter(|encoding| encoding.fits(format)));
        let encoding = encoding.unwrap_or(TextEncoding::Utf8);
        if encoding.fits(format) {
            Ok(encoding)
        } else {
            Err(CliError::OutputEncoding(format.name(), encoding.name()))
        }
    }

    /// The format of the file or of the files in the folder.
    pub fn format(&self) -> Result<Format, CliError> {
        let format = self.to.to.or(Format::from_file_name(&self.out));
        format.ok_or_else(|| CliError::OutputFormat(self.out.clone()))
    }

    /// Whether each game has a file of its own in a folder: one that exists, or a name that ends
    /// like one.
    fn is_folder(&self) -> Result<bool, CliError> {
        let ends_so = self.out.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
        if !ends_so && !self.out.is_dir() {
            return Ok(false);
        }
        match self.format()?.has_variations() {
            true => Ok(true),
            false => Err(CliError::OutputNotFile(self.out.clone())),
        }
    }

    /// Checks whether this number of games can be written. Without `--force`, a folder must be
    /// empty; it never has an input file.
    pub fn check(&self, games: usize, inputs: &[PathBuf]) -> Result<(), CliError> {
        if !self.is_folder()? {
            self.check_number(games)?;
            return self.force.check(&[&self.out], inputs);
        }
        let Ok(folder) = self.out.canonicalize() else { return Ok(()) };
        let is_inside =
            |file: &PathBuf| file.canonicalize().is_ok_and(|file| file.starts_with(&folder));
        if let Some(input) = all_files(inputs)?.into_iter().find(is_inside) {
            return Err(CliError::OutputIsInput(input));
        }
        let is_empty = folder.read_dir().is_ok_and(|mut files| files.next().is_none());
        match is_empty || self.force.force {
            true => Ok(()),
            false => Err(CliError::FolderUsed(self.out.clone())),
        }
    }

    /// Checks whether a file can have this number of games.
    fn check_number(&self, games: usize) -> Result<(), CliError> {
        let format = self.format()?;
        if games <= 1 || format.has_several_games(&self.out) {
            return Ok(());
        }
        let folder = self.out.with_extension("");
        Err(CliError::OneGame { path: self.out.clone(), folder, format: format.name() })
    }

    /// The same options for another file, whose name may have a format of its own.
    pub fn for_file(&self, path: &Path) -> OutputArgs {
        let to = self.to.to.or(Format::from_file_name(path)).or(self.format().ok());
        let to = FormatArg { to };
        OutputArgs { out: path.to_owned(), to, ..*self }
    }
}

/// A file of records that appears when it is complete, or a folder of such files.
pub(super) struct OutputFile {
    args: OutputArgs,
    /// The file; `None` in a folder, where each game has its own.
    writer: Option<Writer>,
    written: usize,
    /// Of the files of a folder that are complete.
    losses: Losses,
}

type Writer = GameWriter<Box<dyn Sink>>;

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
        args.check(0, inputs)?;
        let losses = Losses::default();
        let mut out = OutputFile { args: args.clone(), writer: None, written: 0, losses };
        if !args.is_folder()? {
            out.writer = Some(out.writer(&args.out)?);
        }
        Ok(out)
    }

    /// The writer of a file.
    fn writer(&self, path: &Path) -> Result<Writer, CliError> {
        let format = self.args.format()?;
        let encoding = self.args.encoding(path, format)?;
        let failed = |source| not_written(path, source);
        let file = self.args.force.create(path).map_err(failed)?;
        let sink: Box<dyn Sink> = if path.extension().is_some_and(|extension| extension == "zst") {
            Box::new(zstd::Encoder::new(file, ZSTD_LEVEL).map_err(failed)?)
        } else {
            Box::new(file)
        };
        Ok(GameWriter::new(sink, format).encoded(encoding))
    }

    pub fn write(&mut self, game: &Game) -> Result<(), CliError> {
        self.written += 1;
        if let Some(writer) = &mut self.writer {
            self.args.check_number(self.written)?;
            return writer.write(game).map_err(|source| not_written(&self.args.out, source));
        }
        let folder = &self.args.out;
        fs::create_dir_all(folder).map_err(|source| not_written(folder, source))?;
        // Six digits keep the order of up to a million names.
        let name = format!("{:06}.{}", self.written, self.args.format()?.name());
        let path = folder.join(name);
        let mut writer = self.writer(&path)?;
        let failed = |source| not_written(&path, source);
        writer.write(game).map_err(failed)?;
        self.losses += writer.losses();
        writer.into_inner().finish().map_err(failed)
    }

    /// Number of positions; `None` unless the format stores positions.
    fn positions(&self) -> Option<usize> {
        self.writer.as_ref().and_then(GameWriter::positions)
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.positions().unwrap_or(self.written) == 0
    }

    /// Checks that the file has something of the games that were written to it.
    pub fn check(&self) -> Result<(), CliError> {
        if self.written > 0 && self.is_empty() {
            let reason = "no position has a score, in a game with a result and 40 pieces";
            return Err(CliError::NothingToWrite(self.args.out.clone(), reason));
        }
        Ok(())
    }

    /// The error that there are no games to write.
    pub fn empty(&self) -> CliError {
        CliError::NothingToWrite(self.args.out.clone(), "no game passes the filter")
    }

    /// Moves the file to its place and returns a summary. Reports on standard error what the format
    /// cannot store. A file that cannot store anything of its games is an error.
    pub fn finish(self) -> Result<String, CliError> {
        self.check()?;
        let mut content = count(self.written, "game");
        if let Some(positions) = self.positions() {
            content = format!("{} of {content}", count(positions, "position"));
        }
        let (path, mut losses) = (&self.args.out, self.losses);
        let summary = format!("{content} written to {}", path.display());
        if let Some(writer) = self.writer {
            losses += writer.losses();
            writer.into_inner().finish().map_err(|source| not_written(path, source))?;
        }
        if !losses.is_empty() {
            eprintln!("{}: the format cannot store {losses}", path.display());
        }
        Ok(summary)
    }
}
