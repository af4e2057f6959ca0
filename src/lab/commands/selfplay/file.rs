//! A file of labelled games that grows and can be taken up again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::command::CliError;
use crate::record::{Format, Game, GameReader, GameWriter, Statistics};

/// A file of whole games below a comment that names its settings.
pub(super) struct GameFile {
    path: PathBuf,
    file: File,
    statistics: Statistics,
}

impl GameFile {
    /// Begins a file with this comment; with `resume` goes on with one that has it. A line that was
    /// cut off when an earlier run was killed is taken away. Nobody else can open it until it is
    /// dropped.
    pub fn open(path: &Path, header: &str, resume: bool) -> Result<GameFile, CliError> {
        let failed = |source| CliError::Write { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let options = if resume { options.create(true) } else { options.create_new(true) };
        let mut file = options.open(path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => CliError::RunExists(path.to_owned()),
            _ => failed(source),
        })?;
        // Systems that know no locks do without.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(CliError::GamesInUse(path.to_owned()));
        }
        let (first_line, whole) = whole_lines(&file).map_err(failed)?;
        if whole > 0 && first_line != header {
            let (path, wanted) = (path.to_owned(), header.to_owned());
            return Err(CliError::OtherRun { path, found: first_line, wanted });
        }
        let mut statistics = Statistics::default();
        if whole > header.len() as u64 + 1 {
            file.rewind().map_err(failed)?;
            let games = file.try_clone().map_err(failed)?.take(whole);
            for game in GameReader::new(path, games)? {
                statistics.add(&game?);
            }
        }
        file.set_len(whole).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if whole == 0 {
            writeln!(file, "{header}").map_err(failed)?;
        }
        Ok(GameFile { path: path.to_owned(), file, statistics })
    }

    /// Adds a game, in one piece.
    pub fn write(&mut self, game: &Game) -> Result<(), CliError> {
        let mut line = Vec::new();
        GameWriter::new(&mut line, Format::Labelled)
            .write(game)
            .and_then(|()| self.file.write_all(&line))
            .map_err(|source| CliError::Write { path: self.path.clone(), source })?;
        self.statistics.add(game);
        Ok(())
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.statistics.games() as u64
    }

    /// Counts over all games in the file.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The first line without its end, and the bytes of all lines that have an end.
fn whole_lines(file: &File) -> io::Result<(String, u64)> {
    let mut reader = BufReader::new(file);
    let (mut first_line, mut whole) = (None, 0);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        whole += line.len() as u64;
        first_line.get_or_insert_with(|| {
            String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned()
        });
        line.clear();
    }
    Ok((first_line.unwrap_or_default(), whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "# settings";

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).expect("readable")
    }

    #[test]
    fn a_file_is_taken_up_behind_its_last_whole_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let file = GameFile::open(&path, HEADER, true).expect("a new file");
        assert_eq!((file.games(), text(&path).as_str()), (0, "# settings\n"));
        assert!(GameFile::open(&path, HEADER, true).is_err(), "in use");
        drop(file);

        let games = "# settings\n7g7f | 12 | b\n7g7f 3c3d | . 5 | d\n";
        for cut_off in ["", "7g7f 3c", "7g7f | . | b"] {
            std::fs::write(&path, format!("{games}{cut_off}")).expect("written");
            let mut file = GameFile::open(&path, HEADER, true).expect("whole games");
            assert_eq!((file.games(), text(&path).as_str()), (2, games));
            let game = crate::record::GameBuilder::new().finish();
            file.write(&game).expect("written");
            assert_eq!((file.games(), text(&path)), (3, format!("{games}startpos |  | ?\n")));
        }
        std::fs::write(&path, "# sett").expect("written");
        drop(GameFile::open(&path, HEADER, true).expect("nothing in it"));
        assert_eq!(text(&path), "# settings\n");
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        for (content, resume, reason) in [
            ("# settings\n", false, "--resume"),
            ("# other settings\n7g7f | 12 | b\n", true, "\"# other settings\""),
            ("7g7f | 12 | b\n", true, "\"7g7f | 12 | b\""),
            ("# settings\n7g7e | 12 | b\nrest", true, "games:2: move 1: 7g7e"),
        ] {
            std::fs::write(&path, content).expect("written");
            let error = GameFile::open(&path, HEADER, resume).err().expect(content).to_string();
            assert!(error.contains(reason), "{error}");
            assert_eq!(text(&path), content);
        }
    }
}
