//! The text file of a resumable run: a comment that names everything that determines the run, then
//! a line for each step. It is complete after every step, even if the program is killed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};

use crate::command::CliError;
use crate::command::interrupt::resume_command;
use crate::command::output::ForceArg;
use crate::file;
use crate::quote::quoted;
use crate::record::{Format, Game, GameWriter};

/// What a run does with the file of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Earlier {
    Refuse,
    Resume,
    Discard,
}

impl Earlier {
    /// The answer of `--resume` and `--force`. With both, the run is resumed.
    pub fn of(resume: bool, force: ForceArg) -> Earlier {
        match (resume, force) {
            (true, _) => Earlier::Resume,
            (false, ForceArg { force: true }) => Earlier::Discard,
            (false, ForceArg { force: false }) => Earlier::Refuse,
        }
    }
}

/// A file that grows step by step.
pub(crate) struct RunLog {
    path: PathBuf,
    file: File,
}

impl RunLog {
    /// Creates a file with this comment, or opens one that has it if the `earlier` run is resumed.
    /// Calls `read` with the content of that run (comment and complete lines) if the run has any
    /// step. Removes a line that was truncated when that run was killed. Locks the file until it is
    /// dropped.
    pub fn open<T: Default>(
        path: &Path,
        header: &str,
        earlier: Earlier,
        read: impl FnOnce(Take<File>) -> Result<T, CliError>,
    ) -> Result<(RunLog, T), CliError> {
        let failed = |source| CliError::Write { path: path.to_owned(), source };
        if file::not_a_file(path).is_some() {
            return Err(CliError::OutputNotFile(path.to_owned()));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let options = match earlier {
            Earlier::Refuse => options.create_new(true),
            Earlier::Resume | Earlier::Discard => options.create(true),
        };
        let mut file = options.open(path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => {
                CliError::RunExists { path: path.to_owned(), command: resume_command() }
            }
            _ => failed(source),
        })?;
        // Systems without file locks continue without one.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(CliError::GamesInUse(path.to_owned()));
        }
        if earlier == Earlier::Discard {
            file.set_len(0).map_err(failed)?;
        }
        let (first_line, whole) = whole_lines(&file).map_err(failed)?;
        // A killed run may leave a part of its comment.
        let is_ours = match whole {
            0 => header.as_bytes().starts_with(&first_line),
            _ => header.as_bytes() == first_line,
        };
        if !is_ours {
            let [found, wanted] = differences(&String::from_utf8_lossy(&first_line), header);
            return Err(CliError::OtherRun { path: path.to_owned(), found, wanted });
        }
        let mut steps = T::default();
        if whole > header.len() as u64 + 1 {
            file.rewind().map_err(failed)?;
            steps = read(file.try_clone().map_err(failed)?.take(whole))?;
        }
        file.set_len(whole).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if whole == 0 {
            writeln!(file, "{header}").map_err(|source| {
                // An empty file helps nobody, and the next run would have to resume it.
                let _ = fs::remove_file(path);
                failed(source)
            })?;
        }
        Ok((RunLog { path: path.to_owned(), file }, steps))
    }

    /// Like [`open`](RunLog::open), for files with one step per line: `parse` reads a line, `kind`
    /// names it in errors.
    pub fn open_steps<T>(
        path: &Path,
        header: &str,
        earlier: Earlier,
        kind: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<(RunLog, Vec<T>), CliError> {
        RunLog::open(path, header, earlier, |input| {
            let text = io::read_to_string(input);
            let text = text.map_err(|source| CliError::Read { path: path.to_owned(), source })?;
            let step = |(number, line): (usize, &str)| {
                parse(line).ok_or_else(|| CliError::SuiteLine {
                    path: path.to_owned(),
                    line: number + 1,
                    reason: format!("{} is not a {kind}", quoted(line)),
                })
            };
            text.lines().enumerate().skip(1).map(step).collect()
        })
    }

    /// Appends a step: its line with the newline, in one write.
    pub fn add(&mut self, line: &[u8]) -> Result<(), CliError> {
        let path = &self.path;
        self.file.write_all(line).map_err(|source| CliError::Write { path: path.clone(), source })
    }

    /// Appends a game in a format of one line per game.
    pub fn add_game(&mut self, game: &Game, format: Format) -> Result<(), CliError> {
        let mut line = Vec::new();
        GameWriter::new(&mut line, format).write(game).map_err(CliError::Print)?;
        self.add(&line)
    }
}

/// Two headers without the start that both have, except for some characters before the difference.
fn differences(found: &str, wanted: &str) -> [String; 2] {
    let same = found.chars().zip(wanted.chars()).take_while(|(one, other)| one == other);
    let skipped = same.count().saturating_sub(40);
    [found, wanted].map(|text| text.chars().skip(skipped).collect())
}

/// The first line, complete or not, without its newline, and the length in bytes of all complete
/// lines.
fn whole_lines(file: &File) -> io::Result<(Vec<u8>, u64)> {
    let mut reader = BufReader::new(file);
    let (mut first_line, mut line) = (Vec::new(), Vec::new());
    reader.read_until(b'\n', &mut first_line)?;
    if first_line.pop_if(|end| *end == b'\n').is_none() {
        return Ok((first_line, 0));
    }
    let mut whole = first_line.len() as u64 + 1;
    while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        whole += line.len() as u64;
        line.clear();
    }
    Ok((first_line, whole))
}

/// Writes a complete text file or none.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), CliError> {
    file::write(path, text.as_bytes())
        .map_err(|source| CliError::Write { path: path.to_owned(), source })
}
