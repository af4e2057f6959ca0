//! Reading of record files, game by game.

use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use crate::command::language::Language;
use crate::command::{CliError, progress_bar, texts};
use crate::file;
use crate::record::{Game, GameReader, RecordError};

/// Errors and warnings of a file that are printed. A file of training positions can have millions.
const PRINTED: usize = 100;

/// Counts of the read games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub files: usize,
    pub games: usize,
    /// Corrupt games, files that are not records, and unreadable files of folders.
    pub skipped: usize,
    /// Parts of games that were not understood.
    pub warnings: usize,
    /// Variations of the games.
    pub variations: usize,
}

impl Tally {
    /// Formats as `12 games read from 2 files, 1 skipped, 3 warnings`.
    pub fn text(&self, language: Language) -> String {
        let Tally { files, games, skipped, warnings, variations } = self;
        let read = texts::GAMES_READ.count(language, *games);
        let files = texts::FILES_READ.count(language, *files);
        let mut parts = vec![texts::READ_FROM.with(language, [&read, &files, skipped])];
        for (text, number) in [(texts::WARNINGS, *warnings), (texts::VARIATIONS, *variations)] {
            if number > 0 {
                parts.push(text.count(language, number));
            }
        }
        parts.join(texts::SEPARATOR.get(language))
    }
}

impl fmt::Display for Tally {
    /// In English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

/// Reads all games of all files in order. Corrupt games, parts of games that were not understood,
/// and unreadable files of a folder are reported on standard error. A named file that cannot be
/// read, or an error of `take`, ends the reading.
pub(crate) fn each_game(
    paths: &[PathBuf],
    mut take: impl FnMut(Game) -> Result<(), CliError>,
) -> Result<Tally, CliError> {
    read_files(paths, false, |game| take(game).map(|()| true))
}

/// Like [`each_game`], of a file that is open.
pub(crate) fn each_game_in(
    path: &Path,
    input: impl Read + Send + 'static,
    mut take: impl FnMut(Game) -> Result<(), CliError>,
) -> Result<Tally, CliError> {
    let named = [path.to_owned()];
    let mut reading = RecordFiles::new(&named, &named, false);
    reading.read_file(path, Ok(input), &mut |game| take(game).map(|()| true))?;
    Ok(reading.finish())
}

/// Like [`each_game`]. With `is_strict`, a game that was not understood to its end counts as
/// corrupt.
pub(crate) fn each_game_strictly(
    paths: &[PathBuf],
    is_strict: bool,
    mut take: impl FnMut(Game) -> Result<(), CliError>,
) -> Result<Tally, CliError> {
    read_files(paths, is_strict, |game| take(game).map(|()| true))
}

/// Like [`each_game`], until `take` returns false. Nothing after the last taken game is read or
/// counted.
pub(crate) fn each_game_while(
    paths: &[PathBuf],
    take: impl FnMut(Game) -> Result<bool, CliError>,
) -> Result<Tally, CliError> {
    read_files(paths, false, take)
}

fn read_files(
    paths: &[PathBuf],
    is_strict: bool,
    mut take: impl FnMut(Game) -> Result<bool, CliError>,
) -> Result<Tally, CliError> {
    let files = all_files(paths)?;
    let mut reading = RecordFiles::new(paths, &files, is_strict);
    for path in &files {
        if !reading.read_file(path, open(path), &mut take)? {
            break;
        }
    }
    Ok(reading.finish())
}

/// Opens a listed file. A folder in the list cannot be read.
fn open(path: &Path) -> io::Result<File> {
    if path.is_dir() {
        path.read_dir()?;
    }
    file::open(path)
}

/// Files of records, and what was read from them.
struct RecordFiles<'a> {
    /// The files and folders that the user named.
    named: &'a [PathBuf],
    is_strict: bool,
    bar: ProgressBar,
    tally: Tally,
}

impl<'a> RecordFiles<'a> {
    fn new(named: &'a [PathBuf], files: &[PathBuf], is_strict: bool) -> RecordFiles<'a> {
        let bytes = files.iter().map(|path| path.metadata().map_or(0, |data| data.len())).sum();
        RecordFiles { named, is_strict, bar: byte_bar(bytes), tally: Tally::default() }
    }

    fn finish(self) -> Tally {
        self.bar.finish_and_clear();
        self.tally
    }

    /// Reads a file. Returns whether to continue with the next file.
    fn read_file(
        &mut self,
        path: &Path,
        file: io::Result<impl Read + Send + 'static>,
        take: &mut impl FnMut(Game) -> Result<bool, CliError>,
    ) -> Result<bool, CliError> {
        let RecordFiles { named, is_strict, bar, tally } = self;
        let messages = Cell::new(0);
        let print = |message: &dyn fmt::Display| {
            messages.update(|count| count + 1);
            if messages.get() <= PRINTED {
                bar.suspend(|| eprintln!("{message}"));
            }
        };
        let report = |error: RecordError, tally: &mut Tally| match error {
            RecordError::Read { path, source } if named.contains(&path) => {
                Err(CliError::Read { path, source })
            }
            error => {
                tally.skipped += 1;
                print(&error);
                Ok(true)
            }
        };
        tally.files += 1;
        let file = file.map_err(|source| RecordError::Read { path: path.to_owned(), source });
        let mut reader = match file.and_then(|file| GameReader::new(path, bar.wrap_read(file))) {
            Ok(reader) => reader.strict(*is_strict),
            Err(error) => return report(error, tally),
        };
        let mut wants_more = true;
        while wants_more && let Some(game) = reader.next() {
            for warning in reader.take_warnings() {
                tally.warnings += 1;
                print(&warning);
            }
            wants_more = match game {
                Ok(game) => {
                    tally.games += 1;
                    tally.variations += game.variations().len();
                    if tally.games.is_multiple_of(100) {
                        bar.set_message(format!("{} games", tally.games));
                    }
                    take(game)?
                }
                Err(error) => report(error, tally)?,
            };
        }
        let unprinted = messages.get().saturating_sub(PRINTED);
        if unprinted > 0 {
            bar.suspend(|| eprintln!("{}: {unprinted} more messages", path.display()));
        }
        Ok(wants_more)
    }
}

/// The files of the given paths. A folder means all files in and below it, sorted by name, and the
/// folders below it that cannot be read. Links to a folder above are not followed.
pub(crate) fn all_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for path in paths {
        let failed = |source| CliError::Read { path: path.to_owned(), source };
        list_files(path, &mut Vec::new(), &mut files).map_err(failed)?;
    }
    Ok(files)
}

/// Adds the file, or all files in and below the folder, sorted by name. `above`: the folders that
/// contain it, without links.
fn list_files(path: &Path, above: &mut Vec<PathBuf>, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let folder = path.canonicalize()?;
    if above.contains(&folder) {
        return Ok(());
    }
    let entries = path.read_dir()?.map(|entry| entry.map(|entry| entry.path()));
    let mut inside = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    inside.sort();
    above.push(folder);
    for path in inside {
        if list_files(&path, above, files).is_err() {
            files.push(path);
        }
    }
    above.pop();
    Ok(())
}

/// Like [`progress_bar`], in bytes.
fn byte_bar(len: u64) -> ProgressBar {
    let template = "{bar:40} {bytes}/{total_bytes} {msg} {bytes_per_sec} {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    progress_bar(len as usize).with_style(style)
}
