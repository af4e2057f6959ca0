//! `kankei records score`: the result of a match whose games are in several files.

use std::path::{Path, PathBuf};

use crate::command::CliError;
use crate::command::games::{all_files, each_game_strictly};
use crate::lab::matches::MatchReport;
use crate::quote::count;
use crate::record::Game;

/// Prints the report of `kankei match` for all games of its files. The last game of a file counts
/// only with its partner, the game with the same opening and the other colours.
///
/// # Errors
/// [`CliError::OtherMatch`] for a game of other players, or of the same in another order.
pub(super) fn score(paths: &[PathBuf], is_strict: bool) -> Result<(), CliError> {
    let mut joined: Option<([String; 2], MatchReport)> = None;
    let (mut files, mut unpaired) = (0, 0);
    for path in all_files(paths)? {
        let games = match games(&path, is_strict) {
            Err(error) if !paths.contains(&path) => {
                eprintln!("{error}");
                continue;
            }
            games => games?,
        };
        let Some(first) = games.first() else { continue };
        let (names, report) = joined.get_or_insert_with(|| {
            let names = players(first);
            (names.clone(), MatchReport::new(names))
        });
        for (number, game) in games.iter().enumerate() {
            let mut turned = players(game);
            if number % 2 == 1 {
                turned.reverse();
            }
            if turned != *names {
                let [found, wanted] = [&players(game), names].map(|names| names.join(" against "));
                return Err(CliError::OtherMatch { path, number: number + 1, found, wanted });
            }
        }
        files += 1;
        unpaired += games.len() % 2;
        games.chunks_exact(2).flatten().for_each(|game| report.add(game));
    }
    let (_, report) = joined.ok_or_else(|| CliError::NoGames(paths.to_owned()))?;
    print!("{report}");
    let [files, unpaired] = [count(files, "file"), count(unpaired, "game")];
    println!("{files}, {unpaired} without a partner left out");
    Ok(())
}

fn games(path: &Path, is_strict: bool) -> Result<Vec<Game>, CliError> {
    let mut games = Vec::new();
    each_game_strictly(&[PathBuf::from(path)], is_strict, |game| {
        games.push(game);
        Ok(())
    })?;
    Ok(games)
}

/// Black's and White's names.
fn players(game: &Game) -> [String; 2] {
    ["black", "white"].map(|field| game.header.get(field).unwrap_or("?").to_owned())
}
