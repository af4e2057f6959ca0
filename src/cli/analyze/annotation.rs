//! The annotated game record.

use super::review::Review;
use super::table::signed;
use crate::command::color_name;
use crate::record::{Format, Game, csa_move_text, japanese_move_text};
use crate::shogi::{Color, Move, Position};

/// The game with scores, principal variations, and comments after inaccuracies, mistakes and
/// blunders, in the reviewed variations as well. If a search has several lines, all are comments of
/// its position. Existing comments are kept. `summary` is added before the first move.
///
/// In CSA, KIF, KI2 and JKF, the score after a move is that of the position after it, as GUIs
/// expect. In labelled games and USI lines, a score is that of the position before the move,
/// because learning uses these scores.
pub(super) fn annotated(review: &Review<'_>, summary: &str, format: Format) -> Game {
    let mut game = review.game.clone();
    game.notes.add_comment(0, summary);
    for color in Color::ALL {
        let side = review.side(color);
        let text = format!("{}: accuracy {:.1} of 100", color_name(color), side.accuracy);
        game.notes.add_comment(0, &text);
    }
    annotate(&mut game, review, 0, format);
    for (variation, review) in game.variations_mut().iter_mut().zip(&review.variations) {
        // The first position is one of the parent.
        annotate(variation.line_mut(), review, 1, format);
    }
    game
}

/// Adds scores and comments to the moves of a line, and candidates to its positions from `from` on.
fn annotate(game: &mut Game, review: &Review<'_>, from: usize, format: Format) {
    let is_label = !matches!(format, Format::Csa | Format::Kif | Format::Ki2 | Format::Jkf);
    for (ply, mv) in review.moves.iter().enumerate() {
        game.set_score(ply, if is_label { review.readings[ply].score } else { mv.score });
        game.notes.set_line(ply, &review.readings[ply + 1].line);
    }
    let mut ply = 0;
    let last = review.game.replay(|pos, _| {
        if ply >= from {
            add_candidates(game, review, ply, pos, format);
        }
        if let Some(text) = remark(review, ply, pos, format) {
            game.notes.add_comment(ply + 1, &text);
        }
        ply += 1;
    });
    add_candidates(game, review, ply, &last, format);
}

/// Adds the lines of a search that has several, with their scores from Black's view.
fn add_candidates(
    game: &mut Game,
    review: &Review<'_>,
    ply: usize,
    pos: &Position,
    format: Format,
) {
    if review.readings[ply].others.is_empty() {
        return;
    }
    for (number, (score, line)) in (1..).zip(review.readings[ply].candidates()) {
        let black = signed(if pos.side_to_move() == Color::Black { score } else { -score });
        let line = line_text(pos, line, format);
        game.notes.add_comment(ply, &format!("candidate {number}: {black} {line}"));
    }
}

/// Formats as `?? blunder: 71 to 12 %; better ▲２四歩 △同　歩`.
fn remark(review: &Review<'_>, ply: usize, pos: &Position, format: Format) -> Option<String> {
    let mv = &review.moves[ply];
    let mark = mv.mark?;
    let turning = if mv.is_turning_point() { ", a turning point" } else { "" };
    let mate = mv.mate.map_or_else(String::new, |mate| format!("; {mate}"));
    let (before, after) = (100.0 * mv.before, 100.0 * mv.after);
    let better = match line_text(pos, &review.readings[ply].line, format).as_str() {
        "" => String::new(),
        line => format!("; better {line}"),
    };
    let (sign, name) = (mark.sign(), mark.name());
    Some(format!("{sign} {name}{turning}: {before:.0} to {after:.0} %{mate}{better}"))
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
