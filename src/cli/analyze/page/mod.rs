//! The analysis as a page for a browser, in one file: board, curve, mistakes and a quiz. The page
//! needs no network. [`mod@index`] lists the pages of several games.

mod index;

pub(super) use self::index::index;

use serde_json::{Value, json};

use super::review::{Mark, MoveReview, Review, chance};
use super::table::{LINE_MOVES, choice, ending, player, title};
use crate::cli::html::{self, embedded, escaped, fill};
use crate::cli::reading::Reading;
use crate::command::language::Language;
use crate::command::notation::{Notation, Wording, json_moves, json_score};
use crate::command::texts::analysis::page_texts;
use crate::shogi::{Color, Position, Scope, movegen};

/// The page without its content, its style and its scripts.
const PAGE: &str = include_str!("../../../web/analysis/page.html");
const STYLE: &str = include_str!("../../../web/analysis/style.css");
const SCRIPTS: [&str; 4] = [
    include_str!("../../../web/analysis/data.js"),
    include_str!("../../../web/analysis/curve.js"),
    include_str!("../../../web/analysis/quiz.js"),
    include_str!("../../../web/analysis/page.js"),
];
/// The attributes of a board that only shows positions and the quiz.
const BOARD: &str = r#"role="img" data-label="board""#;

/// Smallest loss of winning probability of a move in the quiz.
const QUIZ_LOSS: f64 = 0.15;

/// The page of a game. It has the main line only. `has_index`: whether `index.html` is next to it.
pub(super) fn page(review: &Review<'_>, wording: Wording, has_index: bool) -> String {
    let language = wording.language;
    let data = embedded(&data(review, wording, has_index));
    let title = escaped(&title(review.game, language));
    let values = [
        ("language", language.code()),
        ("head", html::HEAD),
        ("title", &title),
        ("style", &[html::STYLE, STYLE].concat()),
        ("board", &html::board(BOARD)),
        ("controls", html::CONTROLS),
        ("data", &data),
        ("script", &scripts()),
    ];
    fill(PAGE, &values)
}

fn scripts() -> String {
    [&html::SCRIPTS[..], &SCRIPTS].concat().concat()
}

/// Everything that the script shows.
fn data(review: &Review<'_>, wording: Wording, has_index: bool) -> Value {
    let Wording { notation, language } = wording;
    let (mut moves, mut positions, mut quiz) = (Vec::new(), Vec::new(), Vec::new());
    let chances = review.black_chances();
    let mut position = |pos: &Position| {
        let at = positions.len();
        let reading = &review.readings[at];
        positions.push(json!({
            "sfen": pos.to_sfen(),
            "black_chance": chances[at],
            "score": json_score(reading.score),
            "best": json_moves(&reading.line[..reading.line.len().min(1)]),
            "best_line": best_line(reading, pos, notation),
            "others": others(reading, pos, notation),
        }));
    };
    let last = review.game.replay(|pos, _| {
        position(pos);
        let ply = moves.len();
        let (mv, reading) = (&review.moves[ply], &review.readings[ply]);
        moves.push(json!({
            "ply": ply + 1,
            "usi": mv.mv.to_string(),
            "name": notation.name(pos, mv.mv),
            "side": mv.mover.index(),
            "black_score": json_score(if mv.mover == Color::Black { mv.score } else { -mv.score }),
            "loss": mv.loss(),
            "mark": mv.mark.map(|mark| mark.name(Language::English)),
            "mate": mv.mate.map(|mate| mate.text(language)),
            "is_best": mv.is_best,
            "best_line": best_line(reading, pos, notation),
        }));
        quiz.extend(problem(ply + 1, mv, reading, pos));
    });
    position(&last);
    json!({
        "notation": if notation == Notation::Usi { "usi" } else { "japanese" },
        "players": Color::ALL.map(|color| player(review.game, color, language)),
        "ending": ending(review.game, language),
        "has_index": has_index,
        "sides": Color::ALL.map(|color| side(review, color)),
        "moves": moves,
        "positions": positions,
        "quiz": quiz,
        "text": page_texts(language),
    })
}

/// A problem of the quiz, if the move lost enough: its right answers and all legal moves. Right are
/// the best move and the candidates that lose less than an inaccuracy.
fn problem(ply: usize, mv: &MoveReview, reading: &Reading, pos: &Position) -> Option<Value> {
    if mv.loss() < QUIZ_LOSS || reading.line.is_empty() {
        return None;
    }
    let (best, (_, limit)) = (chance(reading.score), Mark::ALL[0]);
    let right = reading.candidates().filter(|(score, _)| best - chance(*score) < limit);
    let right = right.filter_map(|(_, line)| line.first()).filter(|answer| **answer != mv.mv);
    let answers: Vec<String> = right.map(ToString::to_string).collect();
    let legal = movegen::legal_moves(pos, Scope::LEGAL);
    let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
    Some(json!({ "ply": ply, "answers": answers, "legal": legal }))
}

/// Accuracy, losses and marks of a side.
fn side(review: &Review<'_>, color: Color) -> Value {
    let side = review.side(color);
    let mark = |(mark, _): (Mark, f64)| {
        (mark.name(Language::English).to_owned(), side.marks[mark as usize].into())
    };
    let marks: serde_json::Map<String, Value> = Mark::ALL.into_iter().map(mark).collect();
    json!({
        "accuracy": side.accuracy,
        "loss": side.loss,
        "moves": side.moves,
        "best": side.best,
        "marks": marks,
        "losses": side.losses,
    })
}

/// The lines of a search after the best, with their scores from the mover's view.
fn others(reading: &Reading, pos: &Position, notation: Notation) -> Vec<String> {
    reading.others.iter().map(|(score, line)| choice(notation, pos, *score, line)).collect()
}

/// The first moves of the line that the search prefers.
fn best_line(reading: &Reading, pos: &Position, notation: Notation) -> String {
    let line = &reading.line;
    notation.line(pos, &line[..line.len().min(LINE_MOVES)])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::command::texts::pages::used_texts;

    #[test]
    fn the_page_uses_every_text_and_no_other() {
        for language in [Language::English, Language::Japanese] {
            let texts = page_texts(language);
            let names = texts.as_object().expect("an object").keys().cloned();
            let parts = [PAGE, html::CONTROLS, BOARD].concat();
            assert_eq!(names.collect::<BTreeSet<_>>(), used_texts(&parts, &scripts()));
        }
    }
}
