//! Floodgate's comment with the result of a CSA record: `summary:toryo:A lose:B win`. The record of a
//! win without an ending has only this comment, because any closing word would be a guess.

use std::io::{self, Write};

use super::text::one_line;
use super::{Game, GameResult};
use crate::shogi::Color;

const SUMMARY: &str = "summary:";
/// The start of a summary that Kankei writes.
const BARE: &str = "summary:unknown:";

/// The result in a comment, if it is a summary. Its last word is about White.
pub(super) fn read(text: &str) -> Option<GameResult> {
    match text.trim().strip_prefix(SUMMARY)?.rsplit([' ', ':']).next()? {
        "win" => Some(GameResult::WhiteWins),
        "lose" => Some(GameResult::BlackWins),
        "draw" => Some(GameResult::Draw),
        _ => None,
    }
}

/// Whether the comment contains the result only, so that it need not be kept.
pub(super) fn is_bare_winner(text: &str) -> bool {
    text.starts_with(BARE) && read(text).is_some()
}

/// Writes the winner of a game without an ending. Other games have a closing word.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let Some(winner) = game.bare_winner() else { return Ok(()) };
    let side = |color: Color| {
        let name = game.header.players[color.index()].as_deref().map(one_line);
        let word = if color == winner { "win" } else { "lose" };
        format!("{} {word}", name.unwrap_or_default())
    };
    let [black, white] = Color::ALL.map(side);
    writeln!(out, "'{BARE}{black}:{white}")
}
