//! Records of finished games on disk.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::event::FinishedGame;
use crate::file::AtomicFile;
use crate::record::{Format, GameWriter};

/// Maximum length of a file name in bytes. It leaves room for a number and the extension.
const LONGEST_NAME: usize = 200;

/// Writes a game that ended at `now` to a new file named after the game, and returns its path. If
/// the file exists, a number is added to the name.
///
/// # Errors
/// The I/O error.
pub(super) fn save(finished: &FinishedGame, folder: &Path, now: SystemTime) -> io::Result<PathBuf> {
    let mut game = finished.game.clone();
    game.header.set("date", &date(now - finished.lasted));
    let name = file_name(&finished.id);
    for number in 1.. {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{name}{suffix}.csa"));
        let placed = AtomicFile::create_new(&path).and_then(|mut file| {
            GameWriter::new(&mut file, Format::Csa).write(&game)?;
            file.finish()
        });
        match placed {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|()| path),
        }
    }
    unreachable!("the loop is endless")
}

/// A file name that is valid in every file system.
fn file_name(id: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-_.".contains(c);
    let name: String = id.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let name = name.trim_start_matches('.');
    let name = &name[..name.len().min(LONGEST_NAME)];
    if name.is_empty() { "game".to_owned() } else { name.to_owned() }
}

/// `2026/11/24 04:30:00` in UTC.
fn date(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    format!("{year}/{month:02}/{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// Year, month and day of the Gregorian calendar for a number of days since 1970-01-01. Years are
/// counted from March, so that the leap day comes last; 400 years have 146,097 days.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameBuilder, GameReader};
    use std::time::Duration;

    #[test]
    fn dates_are_converted_to_the_calendar() {
        for (seconds, expected) in [
            (0, "1970/01/01 00:00:00"),
            (951_782_399, "2000/02/28 23:59:59"),
            (951_782_400, "2000/02/29 00:00:00"),
            (1_795_494_645, "2026/11/24 04:30:45"),
            (4_107_542_400, "2100/03/01 00:00:00"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn records_never_overwrite_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let game = GameBuilder::new().finish();
        let lasted = Duration::from_secs(45);
        let mut finished = FinishedGame { id: "../a b+c".to_owned(), game, lasted };
        let now = UNIX_EPOCH + Duration::from_secs(1_795_494_645);
        let mut save = |id: &str| {
            finished.id = id.to_owned();
            let path = save(&finished, folder.path(), now).expect("space");
            assert_eq!(path.parent(), Some(folder.path()));
            path.file_name().expect("a name").to_string_lossy().into_owned()
        };
        assert_eq!(save("../a b+c"), "_a_b+c.csa");
        assert_eq!(save("/.a b+c"), "_.a_b+c.csa");
        assert_eq!(save("../a b+c"), "_a_b+c-2.csa");
        assert_eq!(save(""), "game.csa");
        assert_eq!(save(&"x".repeat(1_000)).len(), LONGEST_NAME + 4);
        let path = folder.path().join("_a_b+c-2.csa");
        let mut games = GameReader::open(&path).expect("a record");
        let game = games.next().expect("a game").expect("a sound one");
        assert_eq!(game.header.get("date"), Some("2026/11/24 04:30:00"));
    }
}
