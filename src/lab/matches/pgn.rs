//! Games as PGN, for programs that compute ratings.

use std::fmt::Write;

use super::program::position_line;
use crate::record::{Game, GameResult};
use crate::shogi::Color;

/// Longest line of the export format of PGN, characters.
const LONGEST_LINE: usize = 79;

/// A game as PGN. PGN calls the side that moves first White, so `White` names Black's player.
/// `round`: number of the game, from 1. Names come from the header of the game. PGN has no notation
/// for moves of shogi, so a comment has them, as a `position` line of USI.
///
/// Source: "Standard: Portable Game Notation Specification and Implementation Guide" (1994), 8.1
/// and 8.2.
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
    let moves = position_line(&game.replay(|_, _| ()));
    text + &format!("\n{}\n\n", wrapped(&format!("{{{moves}}} {result}")))
}

/// The words of a text in lines of at most [`LONGEST_LINE`] characters.
fn wrapped(text: &str) -> String {
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split(' ') {
        if length > 0 {
            let fits = length + 1 + word.len() <= LONGEST_LINE;
            lines.push(if fits { ' ' } else { '\n' });
            length = if fits { length + 1 } else { 0 };
        }
        lines += word;
        length += word.len();
    }
    lines
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
            let end = format!("\n\n{{position startpos}} {text}\n\n");
            assert!(pgn.contains("[Round \"3\"]") && pgn.ends_with(&end), "{pgn}");
        }
    }

    #[test]
    fn moves_are_in_a_comment_of_short_lines() {
        let mut game = GameBuilder::new();
        for mv in ["2h3h", "8b7b", "3h2h", "7b8b"].iter().cycle().take(40) {
            game.push(mv.parse().expect("a move")).expect("legal");
        }
        let text = pgn(&game.finish(), 1);
        assert!(text.lines().all(|line| line.len() <= LONGEST_LINE), "{text}");
        let (_, moves) = text.split_once("\n\n{").expect("a comment");
        let (moves, end) = moves.split_once('}').expect("it ends");
        let words: Vec<&str> = moves.split_whitespace().collect();
        assert_eq!(words[..5], ["position", "startpos", "moves", "2h3h", "8b7b"]);
        assert_eq!((words.len(), end), (43, " *\n\n"));
    }
}
