//! The analysis as a page for a browser, in one file: board, curve and mistakes.

use serde_json::{Value, json};

use super::json::moves;
use super::review::Review;
use super::table::{LINE_MOVES, choice, side, title};
use crate::cli::reading::Reading;
use crate::command::notation::{Notation, Wording, json_moves, json_score};
use crate::shogi::{Color, Position};

/// The page without its data. It needs nothing from a network.
const PAGE: &str = include_str!("page.html");

/// The page of a game. It has the main line only.
pub(super) fn page(review: &Review<'_>, wording: Wording) -> String {
    let Wording { notation, language } = wording;
    let mut moves = moves(review, 1, None);
    let mut positions = Vec::new();
    let chances = review.black_chances();
    let mut position = |pos: &Position| {
        let at = positions.len();
        let (reading, line) = (&review.readings[at], best_line(review, at, pos, notation));
        positions.push(json!({
            "sfen": pos.to_sfen(),
            "black_chance": chances[at],
            "score": json_score(reading.score),
            "best": json_moves(&reading.line),
            "best_line": line,
            "others": others(reading, pos, notation),
        }));
    };
    let mut ply = 0;
    let last = review.game.replay(|pos, mv| {
        let object: &mut Value = &mut moves[ply];
        object["name"] = notation.name(pos, mv).into();
        object["is_best"] = review.moves[ply].is_best.into();
        object["best_line"] = best_line(review, ply, pos, notation).into();
        position(pos);
        ply += 1;
    });
    position(&last);
    let sides: Vec<String> = Color::ALL.map(|color| side(review, color, language)).into();
    let data = json!({
        "title": title(review.game, language),
        "moves": moves,
        "positions": positions,
        "sides": sides,
    });
    // `</script>` in a name must not end the data.
    PAGE.replace("DATA", &data.to_string().replace("</", "<\\/"))
}

/// The lines of a search after the best, with their scores from the mover's view.
fn others(reading: &Reading, pos: &Position, notation: Notation) -> Vec<String> {
    reading.others.iter().map(|(score, line)| choice(notation, pos, *score, line)).collect()
}

/// The first moves of the line that the search prefers before move `ply`.
fn best_line(review: &Review<'_>, ply: usize, pos: &Position, notation: Notation) -> String {
    let line = &review.readings[ply].line;
    notation.line(pos, &line[..line.len().min(LINE_MOVES)])
}
