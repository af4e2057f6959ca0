//! The annotated game record.

use std::fmt::Display;

use super::review::Review;
use super::table::signed;
use crate::command::language::Language;
use crate::command::texts::{self, side_name};
use crate::record::{Format, Game, csa_move_text, japanese_move_text};
use crate::shogi::{Color, Move, Position};

/// The game with scores, principal variations, and comments after inaccuracies, mistakes and
/// blunders, in the reviewed variations as well. If a search has several lines, all are comments of
/// its position. Existing comments are kept. `summary` is added before the first move.
///
/// In CSA, KIF, KI2 and JKF, the score after a move is that of the position after it, as GUIs
/// expect. In labelled games and USI lines, a score is that of the position before the move,
/// because learning uses these scores.
pub(super) fn annotated(
    review: &Review<'_>,
    summary: &str,
    format: Format,
    language: Language,
) -> Game {
    let style = Style { format, language };
    let mut game = review.game.clone();
    game.notes.add_comment(0, summary);
    for color in Color::ALL {
        let Some(accuracy) = review.side(color).accuracy else { continue };
        let accuracy = format!("{accuracy:.1}");
        let text = texts::ACCURACY.with(language, [&side_name(language, color), &accuracy]);
        game.notes.add_comment(0, &text);
    }
    annotate(&mut game, review, 0, style);
    for (variation, review) in game.variations_mut().iter_mut().zip(&review.variations) {
        // The first position is one of the parent.
        annotate(variation.line_mut(), review, 1, style);
    }
    game
}

/// The format of the moves in comments, and the language around them.
#[derive(Clone, Copy)]
struct Style {
    format: Format,
    language: Language,
}

/// Adds scores and comments to the moves of a line, and candidates to its positions from `from` on.
fn annotate(game: &mut Game, review: &Review<'_>, from: usize, style: Style) {
    let is_label = !matches!(style.format, Format::Csa | Format::Kif | Format::Ki2 | Format::Jkf);
    for (ply, mv) in review.moves.iter().enumerate() {
        game.set_score(ply, if is_label { review.readings[ply].score } else { mv.score });
        game.notes.set_line(ply, &review.readings[ply + 1].line);
    }
    let mut ply = 0;
    let last = review.game.replay(|pos, _| {
        if ply >= from {
            add_candidates(game, review, ply, pos, style);
        }
        if let Some(text) = remark(review, ply, pos, style) {
            game.notes.add_comment(ply + 1, &text);
        }
        ply += 1;
    });
    add_candidates(game, review, ply, &last, style);
}

/// Adds the lines of a search that has several, with their scores from Black's view.
fn add_candidates(game: &mut Game, review: &Review<'_>, ply: usize, pos: &Position, style: Style) {
    if review.readings[ply].others.is_empty() {
        return;
    }
    for (number, (score, line)) in (1..).zip(review.readings[ply].candidates()) {
        let black = signed(if pos.side_to_move() == Color::Black { score } else { -score });
        let line = line_text(pos, line, style.format);
        let text = texts::CANDIDATE.with(style.language, [&number, &black, &line]);
        game.notes.add_comment(ply, &text);
    }
}

/// Formats as `?? blunder: 71 to 12 %; better ▲２四歩 △同　歩`.
fn remark(review: &Review<'_>, ply: usize, pos: &Position, style: Style) -> Option<String> {
    let Style { format, language } = style;
    let mv = &review.moves[ply];
    let mark = mv.mark?;
    let turning = if mv.is_turning_point() { texts::TURNING.get(language) } else { "" };
    let mate = mv.mate.map(|mate| texts::ADDED.with(language, [&mate.text(language)]));
    let mate = mate.unwrap_or_default();
    let [before, after] = [mv.before, mv.after].map(|chance| format!("{:.0}", 100.0 * chance));
    let better = match line_text(pos, &review.readings[ply].line, format) {
        line if line.is_empty() => line,
        line => texts::BETTER.with(language, [&line]),
    };
    let (sign, name) = (mark.sign(), mark.name(language));
    let values: [&dyn Display; 7] = [&sign, &name, &turning, &before, &after, &mate, &better];
    Some(texts::REMARK.with(language, values))
}

/// The moves in the notation of the format.
fn line_text(pos: &Position, line: &[Move], format: Format) -> String {
    let mut pos = pos.clone();
    let mut words = Vec::new();
    for &mv in line {
        words.push(match format {
            Format::Csa => csa_move_text(&pos, mv),
            Format::Kif | Format::Ki2 | Format::Jkf => japanese_move_text(&pos, mv),
            _ => mv.to_string(),
        });
        pos.do_move(mv);
    }
    words.join(" ")
}
