//! Floodgate's comment with the result of a CSA record: `summary:toryo:A lose:B win`. The record of
//! a win without an ending has only this comment, because any closing word would be a guess.
//!
//! The comment is the server's verdict if it names both players as the record does. A closing word
//! is what a program sent: the server refuses a declaration (`%KACHI`) by `summary:illegal
//! kachi:...`.

use std::io::{self, Write};

use crate::record::claims::Claim;
use crate::record::text::one_line;
use crate::record::transcript::Transcript;
use crate::record::{Ending, Game, GameResult, Header};
use crate::shogi::Color;

const SUMMARY: &str = "summary:";
/// The start of a summary that Kankei writes.
const BARE: &str = "summary:unknown:";

/// The words for Black and White, and the result.
const WORDS: [(&str, &str, GameResult); 3] = [
    ("win", "lose", GameResult::BlackWins),
    ("lose", "win", GameResult::WhiteWins),
    ("draw", "draw", GameResult::Draw),
];

/// The causes that shogi-server names.
const CAUSES: [(&str, Ending); 13] = [
    ("toryo", Ending::Resignation),
    ("time up", Ending::Time),
    ("kachi", Ending::Declaration),
    ("illegal kachi", Ending::IllegalMove),
    ("illegal move", Ending::IllegalMove),
    ("uchifuzume", Ending::IllegalMove),
    ("oute kaihimore", Ending::IllegalMove),
    ("outori", Ending::IllegalMove),
    ("oute sennichite", Ending::IllegalMove),
    ("sennichite", Ending::Repetition),
    ("jishogi", Ending::Impasse),
    ("max moves", Ending::MaxMoves),
    ("abnormal", Ending::Interruption),
];

/// The result in a comment, if it is a summary.
pub fn read(text: &str) -> Option<GameResult> {
    let text = text.trim().strip_prefix(SUMMARY)?;
    let is_stated = |(black, white, _): &(&str, &str, _)| {
        text.contains(&format!(" {black}:")) && text.ends_with(&format!(" {white}"))
    };
    WORDS.into_iter().find(is_stated).map(|(.., result)| result)
}

/// Whether the comment contains the result only, so that it need not be kept.
pub fn is_bare_winner(text: &str) -> bool {
    text.starts_with(BARE) && read(text).is_some()
}

/// The cause in a summary that names both players.
fn cause<'a>(text: &'a str, header: &Header) -> Option<&'a str> {
    let [black, white] = [0, 1].map(|side| header.players[side].as_deref().unwrap_or_default());
    let text = text.strip_prefix(SUMMARY)?;
    let end = |(first, second, _)| format!(":{black} {first}:{white} {second}");
    WORDS.into_iter().find_map(|words| text.strip_suffix(&end(words)))
}

/// Adds the claim of a summary. One that names other players counts only if nothing else says how
/// the game ended.
pub fn judge(transcript: &mut Transcript, line: usize, text: &str, header: &Header) {
    let Some(result) = read(text) else { return };
    let Some(cause) = cause(text, header) else {
        return transcript.close_with_result(line, text, result);
    };
    let cause = cause.replace(['_', '-'], " ");
    let ending = CAUSES.into_iter().find(|(name, _)| *name == cause).map(|(_, ending)| ending);
    transcript.claim(Claim {
        line,
        text: text.to_owned(),
        result: Some(result),
        // Without a closing word, the summary is kept as a comment only.
        ending: ending.filter(|_| transcript.is_closed()),
        is_verdict: true,
    });
}

/// Writes the winner of a game without an ending. Other games have a closing word.
pub fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let Some(winner) = game.bare_winner() else { return Ok(()) };
    let side = |color: Color| {
        let name = game.header.players[color.index()].as_deref().map(one_line);
        let word = if color == winner { "win" } else { "lose" };
        format!("{} {word}", name.unwrap_or_default())
    };
    let [black, white] = Color::ALL.map(side);
    writeln!(out, "'{BARE}{black}:{white}")
}
