//! Shared code of the targets for game records.

use std::io::Cursor;
use std::path::Path;

use kankei::record::{Format, Game, GameReader, GameWriter};

/// Reads games and writes them in every format. In the labelled format, reading them again gives
/// the same moves.
pub fn games(bytes: &[u8], name: &str) {
    let read = |bytes: &[u8], name: &str| -> Vec<Game> {
        let reader = GameReader::new(Path::new(name), Cursor::new(bytes.to_vec()));
        reader.into_iter().flatten().flatten().collect()
    };
    let games = read(bytes, name);
    for format in Format::ALL {
        let mut writer = GameWriter::new(Vec::new(), format);
        for game in &games {
            writer.write(game).expect("writing to a Vec cannot fail");
        }
        if format == Format::Usi {
            let again = read(&writer.into_inner(), "games.usi");
            let moves = |games: &[Game]| games.iter().map(|game| game.moves().len()).sum::<usize>();
            assert_eq!(moves(&again), moves(&games));
        }
    }
}
