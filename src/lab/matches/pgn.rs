//! Results as PGN, for programs that compute ratings.

use std::fmt::Write;

use crate::record::{Game, GameResult};
use crate::shogi::Color;

/// A game as PGN without moves. PGN calls the side that moves first White, so `White` names Black's
/// player. `round`: number of the game, from 1. Names come from the header of the game.
///
/// Source: "Standard: Portable Game Notation Specification and Implementation Guide" (1994), 8.1.
pub fn pgn(game: &Game, round: u64) -> String {
    let name = |field: &str| {
        let name = game.header.get(field).unwrap_or("?");
        name.replace('\\', "\\\\").replace('"', "\\\"")
    };
    let result = match game.result.map(GameResult::winner) {
        Some(Some(Color::Black)) => "1-0",
        Some(Some(Color::White)) => "0-1",
        Some(None) => "1/2-1/2",
        None => "*",
    };
    let mut text = String::new();
    for (tag, value) in [
        ("Event", "kankei match"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &round.to_string()),
        ("White", &name("black")),
        ("Black", &name("white")),
        ("Result", result),
        ("Variant", "shogi"),
        ("PlyCount", &game.moves().len().to_string()),
    ] {
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    text + &format!("\n{result}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameBuilder;

    #[test]
    fn tags_have_names_and_result() {
        let mut game = GameBuilder::new().finish();
        game.header.set("black", "self \"a\"");
        game.header.set("white", "other");
        for (result, text) in [
            (Some(GameResult::win_of(Color::Black)), "1-0"),
            (Some(GameResult::win_of(Color::White)), "0-1"),
            (Some(GameResult::Draw), "1/2-1/2"),
            (None, "*"),
        ] {
            game.result = result;
            let pgn = pgn(&game, 3);
            assert!(pgn.contains("[White \"self \\\"a\\\"\"]\n[Black \"other\"]\n"), "{pgn}");
            assert!(pgn.contains("[Round \"3\"]") && pgn.ends_with(&format!("\n\n{text}\n\n")));
        }
    }
}
