//! The analysis as one picture: the board before the largest mistake with the best and the played
//! move, and the curve of Black's winning probability with the mistakes and blunders.

mod board;
mod curve;

use std::fmt::Write;

use self::board::{Arrow, Board};
use self::curve::{BLUNDER, Curve, Label, MISTAKE};
use super::review::{Mark, Review};
use super::table::{player, title};
use crate::cli::html::escaped;
use crate::command::notation::Wording;
use crate::command::texts;
use crate::shogi::{Color, Move, Position};

/// Width and height of the picture.
const SIZE: (u32, u32) = (980, 500);
/// Largest number of labelled moves.
const LABELS: usize = 5;
/// Largest number of characters of the title and of the name of a player.
const TITLE: usize = 90;
const NAME: usize = 20;

/// Colors of the best and of the played move.
const BEST: &str = "#1667d0";
const PLAYED: &str = "#c62828";

/// Draws a game as SVG.
pub(super) fn draw(review: &Review<'_>, wording: Wording) -> String {
    let Wording { notation, language } = wording;
    let mut names = Vec::new();
    let mut positions = Vec::new();
    let last = review.game.replay(|pos, mv| {
        names.push(notation.name(pos, mv));
        positions.push(pos.clone());
    });
    positions.push(last);
    let shown = shown(review);
    let pos = &positions[shown];
    let (best, played) = (review.readings[shown].line.first(), review.moves.get(shown));
    let arrow = |mv: Move, color| Arrow { mv, color };
    let played_arrow =
        played.filter(|played| !played.is_best).map(|played| arrow(played.mv, PLAYED));
    let arrows: Vec<Arrow> =
        played_arrow.into_iter().chain(best.map(|&mv| arrow(mv, BEST))).collect();
    let names_of_players = Color::ALL.map(|color| cut(player(review.game, color, language), NAME));
    let board = Board { pos, last: shown.checked_sub(1).map(|ply| review.moves[ply].mv), arrows };
    let labels = labels(review, &names);
    let chances = review.black_chances();
    let curve = Curve { chances: &chances, labels: &labels, shown, language };

    let (width, height) = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let heading = escaped(&cut(&title(review.game, language), TITLE));
    let _ = writeln!(svg, "<text x=\"24\" y=\"30\" font-size=\"17\">{heading}</text>");
    board.draw(&mut svg, (24.0, 48.0), &names_of_players);
    let caption = caption(review, shown, pos, &names, wording);
    for (line, (text, color)) in (0..).zip(&caption) {
        let (y, text) = (462 + 20 * line, escaped(text));
        let _ = writeln!(
            svg,
            "<text x=\"24\" y=\"{y}\" font-size=\"14\" fill=\"{color}\">{text}</text>"
        );
    }
    curve.draw(&mut svg, [452.0, 88.0, 952.0, 412.0]);
    for (x, mark, color) in [(458, Mark::Mistake, MISTAKE), (570, Mark::Blunder, BLUNDER)] {
        let (name, text) = (mark.name(language), x + 11);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"477\" r=\"4.5\" fill=\"{color}\"/>\
             <text x=\"{text}\" y=\"482\" font-size=\"13\" fill=\"#555\">{name}</text>"
        );
    }
    svg += "</svg>\n";
    svg
}

/// The position to show: before the move with the largest loss, or the last one of a game without
/// any marked move.
fn shown(review: &Review<'_>) -> usize {
    let marked = review.moves.iter().enumerate().filter(|(_, mv)| mv.mark.is_some());
    let worst = marked.max_by(|a, b| a.1.loss().total_cmp(&b.1.loss()));
    worst.map_or(review.moves.len(), |(ply, _)| ply)
}

/// The mistakes and blunders, the one with the largest loss first. The first ones have a text.
fn labels(review: &Review<'_>, names: &[String]) -> Vec<Label> {
    let is_marked = |&ply: &usize| review.moves[ply].mark >= Some(Mark::Mistake);
    let mut plies: Vec<usize> = (0..review.moves.len()).filter(is_marked).collect();
    plies.sort_by(|&a, &b| review.moves[b].loss().total_cmp(&review.moves[a].loss()));
    let label = |(rank, &ply): (usize, &usize)| {
        let mark = review.moves[ply].mark;
        let sign = mark.map_or("", Mark::sign);
        let text = (rank < LABELS).then(|| format!("{} {}{sign}", ply + 1, names[ply]));
        Label { at: ply + 1, is_blunder: mark == Some(Mark::Blunder), text }
    };
    plies.iter().enumerate().map(label).collect()
}

/// The best and the played move of the shown position, each with its color.
fn caption(
    review: &Review<'_>,
    shown: usize,
    pos: &Position,
    names: &[String],
    wording: Wording,
) -> Vec<(String, &'static str)> {
    let Wording { notation, language } = wording;
    let mut lines = Vec::new();
    let (best, played) = (review.readings[shown].line.first(), review.moves.get(shown));
    let percent = |chance: f64| format!("{:.0}", 100.0 * chance);
    if let Some(&best) = best {
        let name = notation.name(pos, best);
        let chance = percent(super::review::chance(review.readings[shown].score));
        lines.push((texts::PICTURE_BEST.with(language, [&name, &chance]), BEST));
    }
    if let Some(played) = played.filter(|played| !played.is_best) {
        let sign = played.mark.map_or("", Mark::sign);
        let name = format!("{}{sign}", names[shown]);
        let values: [&dyn std::fmt::Display; 3] = [&(shown + 1), &name, &percent(played.after)];
        lines.push((texts::PICTURE_PLAYED.with(language, values), PLAYED));
    }
    lines
}

/// A text of at most this many characters.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
