//! The analysis as a page for a browser, in one file: board, curve, mistakes and a quiz, and with an
//! option the engine. The page needs no network. [`mod@index`] lists the pages of several games.

mod index;

pub(super) use self::index::index;

use serde_json::{Value, json};

use super::review::{Mark, MoveReview, Review, chance};
use super::table::{LINE_MOVES, choice, ending, player, title};
use crate::cli::html::{self, embedded, escaped, fill};
use crate::cli::reading::Reading;
use crate::cli::web_engine;
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
/// The part of the page for the engine, its script and its style.
const PANEL: &str = include_str!("../../../web/analysis/engine.html");
const EXPLORE: &str = include_str!("../../../web/analysis/explore.js");
const ENGINE_STYLE: &str = include_str!("../../../web/analysis/engine.css");

/// Smallest loss of winning probability of a move in the quiz.
const QUIZ_LOSS: f64 = 0.15;

/// Where a page is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place<'a> {
    /// Whether `index.html` is next to it.
    pub has_index: bool,
    /// The elements that give the engine to the page, if it has one.
    pub engine: Option<&'a str>,
}

/// The page of a game. It has the main line only.
pub(super) fn page(review: &Review<'_>, wording: Wording, place: Place<'_>) -> String {
    let language = wording.language;
    let data = embedded(&data(review, wording, place));
    let title = escaped(&title(review.game, language));
    let has_engine = place.engine.is_some();
    let values = [
        ("language", language.code()),
        ("head", html::HEAD),
        ("title", &title),
        ("style", &style(has_engine)),
        ("board", html::BOARD),
        ("controls", html::CONTROLS),
        (
            "panel",
            &if has_engine { fill(PANEL, &[("lines", web_engine::LINES)]) } else { String::new() },
        ),
        ("data", &data),
        ("script", &scripts(has_engine)),
        ("engine", place.engine.unwrap_or_default()),
    ];
    fill(PAGE, &values)
}

/// The element that loads the engine from a file next to the page.
pub(super) fn script_element(name: &str) -> String {
    format!("<script src=\"{name}\" onerror=\"missEngine('{name}')\"></script>\n")
}

fn style(has_engine: bool) -> String {
    let mut parts = vec![html::STYLE, STYLE];
    if has_engine {
        parts.extend([web_engine::STYLE, ENGINE_STYLE]);
    }
    parts.concat()
}

fn scripts(has_engine: bool) -> String {
    let mut parts = [&html::SCRIPTS[..], &SCRIPTS].concat();
    if has_engine {
        parts.extend(web_engine::SCRIPTS);
        parts.push(EXPLORE);
    }
    parts.concat()
}

/// Everything that the script shows.
fn data(review: &Review<'_>, wording: Wording, place: Place<'_>) -> Value {
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
        "notation": notation.code(),
        "players": Color::ALL.map(|color| player(review.game, color, language)),
        "ending": ending(review.game, language),
        "has_index": place.has_index,
        "sides": Color::ALL.map(|color| side(review, color)),
        "moves": moves,
        "positions": positions,
        "quiz": quiz,
        "text": page_texts(language, place.engine.is_some()),
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
            for has_engine in [false, true] {
                let texts = page_texts(language, has_engine);
                let names = texts.as_object().expect("an object").keys().cloned();
                let mut parts = vec![PAGE, html::CONTROLS, html::BOARD];
                if has_engine {
                    parts.extend([PANEL, web_engine::LINES]);
                }
                let used = used_texts(&parts.concat(), &scripts(has_engine));
                assert_eq!(names.collect::<BTreeSet<_>>(), used);
            }
        }
    }
}
