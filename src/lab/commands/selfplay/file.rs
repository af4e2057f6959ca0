//! A file of labelled games that grows and can be taken up again.

use std::path::Path;

use crate::command::CliError;
use crate::lab::run_log::RunLog;
use crate::record::{Format, Game, GameReader, Statistics};

/// A file of whole games below a comment that names its settings.
pub(super) struct GameFile {
    log: RunLog,
    statistics: Statistics,
}

impl GameFile {
    /// Begins a file with this comment; with `resume` goes on with one that has it.
    pub fn open(path: &Path, header: &str, resume: bool) -> Result<GameFile, CliError> {
        let (log, statistics) = RunLog::open(path, header, resume, |input| {
            let mut statistics = Statistics::default();
            for game in GameReader::new(path, input)? {
                statistics.add(&game?);
            }
            Ok(statistics)
        })?;
        Ok(GameFile { log, statistics })
    }

    /// Adds a game.
    pub fn write(&mut self, game: &Game) -> Result<(), CliError> {
        self.log.add_game(game, Format::Labelled)?;
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
