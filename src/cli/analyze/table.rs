//! The analysis as a text table.

use std::fmt::Write;

use super::review::{Mark, MoveReview, Review};
use crate::cli::reading::Decided;
use crate::command::color_name;
use crate::command::notation::{Notation, padded};
use crate::record::{Ending, Game, MoveScore};
use crate::shogi::{Color, Move, Position};

/// Largest number of printed moves of a line.
pub(super) const LINE_MOVES: usize = 6;

/// One line per move: number, move, score after it from Black's and from the mover's view, Black's
/// winning probability, loss, and mark. If the search would have played another move, its line
/// follows. Then a summary of both sides, and the turning points. The reviewed variations follow.
pub(super) fn table(review: &Review<'_>, notation: Notation) -> String {
    let width = if notation == Notation::Usi { 7 } else { 14 };
    let mut text = format!("{}\n", title(review.game));
    let move_title = padded("move", width);
    let _ =
        writeln!(text, "  no  {move_title}  Black  mover  chance  loss      the search's choice");
    text += &rows(review, notation, width);
    for color in Color::ALL {
        text += &side(review, color);
    }
    text += &turning_points(review, notation);
    let variations = review.game.variations().iter().zip(&review.variations);
    for (number, (variation, review)) in (1..).zip(variations) {
        let ply = variation.ply() + 1;
        let parent = match variation.parent() {
            None => "the main line".to_owned(),
            Some(parent) => format!("variation {}", parent + 1),
        };
        let _ = writeln!(text, "variation {number}, for move {ply} of {parent}:");
        text += &rows(review, notation, width);
    }
    text
}

/// The moves of a game or a variation, and its end.
fn rows(review: &Review<'_>, notation: Notation, width: usize) -> String {
    let (mut text, mut ply) = (String::new(), 0);
    let last = review.game.replay(|pos, _| {
        let (mv, reading) = (&review.moves[ply], &review.readings[ply]);
        let choice = match mv.is_best {
            true => String::new(),
            false => choice(notation, pos, reading.score, &reading.line),
        };
        let mate = mv.mate.map_or_else(String::new, |mate| format!("; {mate}"));
        ply += 1;
        let name = padded(&notation.name(pos, mv.mv), width);
        let line = format!("{:4}  {name} {}  {choice}{mate}", review.first + ply, columns(mv));
        text += line.trim_end();
        text.push('\n');
    });
    text + &end(review, notation, &last)
}

fn columns(mv: &MoveReview) -> String {
    let black = if mv.mover == Color::Black { mv.score } else { -mv.score };
    format!(
        "{:>6} {:>6}  {:>4.0} %  {:>4.1}  {:2}",
        signed(black),
        signed(mv.score),
        100.0 * mv.black_chance(),
        // Truncated, so that a loss with a mark is at least the limit of the mark.
        (1000.0 * mv.loss()).floor() / 10.0,
        mv.mark.map_or("", Mark::sign),
    )
}

/// Formats as `+35`, `m5`, `-m4`.
pub(super) fn signed(score: MoveScore) -> String {
    match score {
        MoveScore::Centipawns(value) => format!("{value:+}"),
        mate => mate.to_string(),
    }
}

/// The first moves of a line of the search, with its score from the mover's view.
pub(super) fn choice(
    notation: Notation,
    pos: &Position,
    score: MoveScore,
    line: &[Move],
) -> String {
    let line = &line[..line.len().min(LINE_MOVES)];
    if line.is_empty() {
        String::new()
    } else {
        format!("{} {}", signed(score), notation.line(pos, line))
    }
}

/// The state of the last position.
fn end(review: &Review<'_>, notation: Notation, last: &Position) -> String {
    let side = color_name(last.side_to_move());
    let Some(reading) = review.readings.last() else { return String::new() };
    match Decided::of(last) {
        Some(decided) => format!(" end  {side} to move: {decided}\n"),
        None => format!(
            " end  {side} to move: {}\n",
            choice(notation, last, reading.score, &reading.line)
        ),
    }
}

/// A side's accuracy and marks, as a line.
pub(super) fn side(review: &Review<'_>, color: Color) -> String {
    let side = review.side(color);
    let share = 100.0 * side.best as f64 / side.moves.max(1) as f64;
    let mut text = format!(
        "{}: accuracy {:.1} of 100, mean loss {:.1} points, \
         the search's choice in {share:.0} % of {} moves",
        color_name(color),
        side.accuracy,
        100.0 * side.loss,
        side.moves,
    );
    for (mark, _) in Mark::ALL {
        let _ = write!(text, ", {} {}", mark.sign(), side.marks[mark as usize]);
    }
    text + "\n"
}

fn turning_points(review: &Review<'_>, notation: Notation) -> String {
    let mut names = Vec::new();
    review.game.replay(|pos, mv| names.push(notation.name(pos, mv)));
    let point = |ply: usize| {
        let mv = &review.moves[ply];
        let sign = mv.mark.map_or("", Mark::sign);
        let (before, after) = (100.0 * mv.before, 100.0 * mv.after);
        format!("{} {}{sign} ({before:.0} to {after:.0} %)", ply + 1, names[ply])
    };
    let points: Vec<String> = review.turning_points().map(point).collect();
    if points.is_empty() {
        return "turning points: none\n".to_owned();
    }
    format!("turning points, the mover's chance: {}\n", points.join(", "))
}

/// The players and the result.
pub(super) fn title(game: &Game) -> String {
    let player =
        |color: Color| game.header.players[color.index()].as_deref().unwrap_or(color_name(color));
    let date = game.header.date.as_ref().map_or_else(String::new, |date| format!(", {date}"));
    let [black, white] = Color::ALL.map(player);
    format!("{black} - {white}{date}: {} moves, {}", game.moves().len(), ending(game))
}

/// The end of the game in words.
fn ending(game: &Game) -> String {
    let Some(result) = game.result else {
        return match game.ending {
            Some(Ending::Interruption) => "interrupted".to_owned(),
            Some(ending) => format!("ended by {}, result unknown", ending.name().replace('_', " ")),
            None => "result unknown".to_owned(),
        };
    };
    let Some(winner) = result.winner() else {
        return match game.ending {
            Some(Ending::Repetition) => "drawn by repetition".to_owned(),
            Some(Ending::Impasse) => "drawn by impasse".to_owned(),
            Some(Ending::MaxMoves) => "drawn by the move limit".to_owned(),
            _ => "drawn".to_owned(),
        };
    };
    let (winner, loser) = (color_name(winner), color_name(!winner));
    match game.ending {
        Some(Ending::Resignation) => format!("{winner} won: {loser} resigned"),
        Some(Ending::Mate) => format!("{winner} won by mate"),
        Some(Ending::Time) => format!("{winner} won: {loser}'s time ran out"),
        Some(Ending::IllegalMove) => format!("{winner} won: {loser} made an illegal move"),
        Some(Ending::Declaration) => format!("{winner} won by declaration"),
        Some(Ending::Repetition) => format!("{winner} won: {loser} gave perpetual check"),
        _ => format!("{winner} won"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameReader, GameResult};

    #[test]
    fn endings_are_described() {
        let line = "startpos moves 7g7f | winner=w | black=A | date=2020/01/02\n";
        let mut games = GameReader::new("x.usi".as_ref(), line.as_bytes()).expect("a format");
        let mut game = games.next().expect("a line").expect("a game");
        assert_eq!(title(&game), "A - White, 2020/01/02: 1 moves, White won");
        for (name, words) in [
            ("resignation", "White won: Black resigned"),
            ("mate", "White won by mate"),
            ("time", "White won: Black's time ran out"),
            ("illegal_move", "White won: Black made an illegal move"),
            ("declaration", "White won by declaration"),
            ("repetition", "White won: Black gave perpetual check"),
        ] {
            game.ending = Ending::from_name(name);
            assert_eq!(ending(&game), words);
        }
        game.result = Some(GameResult::Draw);
        assert_eq!(ending(&game), "drawn by repetition");
        (game.result, game.ending) = (None, Some(Ending::Interruption));
        assert_eq!(ending(&game), "interrupted");
        game.ending = Some(Ending::Mate);
        assert_eq!(ending(&game), "ended by mate, result unknown");
    }
}
