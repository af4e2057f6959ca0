//! The analysis as a text table.

use std::fmt::Display;

use super::review::{Mark, MoveReview, Review};
use crate::cli::reading::Decided;
use crate::command::language::{Language, Text};
use crate::command::notation::{Notation, Wording, at_right, padded};
use crate::command::texts::{self, ending_name, side_name};
use crate::quote::count;
use crate::record::{Ending, Game, MoveScore};
use crate::shogi::{Color, Move, Position};

/// Largest number of printed moves of a line.
pub(super) const LINE_MOVES: usize = 6;

/// One line per move: number, move, score after it from Black's and from the mover's view, Black's
/// winning probability, loss, and mark. If the search would have played another move, its line
/// follows. Then a summary of both sides, and the turning points. The reviewed variations follow.
pub(super) fn table(review: &Review<'_>, wording: Wording) -> String {
    let language = wording.language;
    let mut text = format!("{}\n", title(review.game, language));
    let columns = Columns::of(wording);
    text += &columns.head(language);
    text += &rows(review, wording);
    for line in Color::ALL.into_iter().filter_map(|color| side(review, color, language)) {
        text += &line;
        text.push('\n');
    }
    text += &turning_points(review, wording);
    text.push('\n');
    let variations = review.game.variations().iter().zip(&review.variations);
    for (number, (variation, review)) in (1..).zip(variations) {
        let ply = variation.ply() + 1;
        let parent = match variation.parent() {
            None => texts::MAIN_LINE.get(language).to_owned(),
            Some(parent) => texts::VARIATION_NAME.with(language, [&(parent + 1)]),
        };
        text += &texts::VARIATION.with(language, [&number, &ply, &parent]);
        text.push('\n');
        text += &rows(review, wording);
    }
    text
}

/// Widths of the columns that depend on the wording.
struct Columns {
    name: usize,
    mark: usize,
}

impl Columns {
    fn of(wording: Wording) -> Columns {
        let name = if wording.notation == Notation::Usi { 7 } else { 14 };
        Columns { name, mark: wording.language.choose(2, 6) }
    }

    fn head(&self, language: Language) -> String {
        let right = |text: Text<0>, width| at_right(text.get(language), width);
        format!(
            "{}  {} {} {}  {}  {}  {}  {}\n",
            right(texts::NUMBER, 4),
            padded(texts::MOVE.get(language), self.name),
            right(texts::BLACKS_SCORE, 6),
            right(texts::MOVERS_SCORE, 6),
            right(texts::CHANCE, 6),
            right(texts::LOSS, 4),
            padded("", self.mark),
            texts::CHOICE.get(language),
        )
    }

    /// The columns of a move.
    fn row(&self, mv: &MoveReview, number: usize, name: &str, language: Language) -> String {
        let black = if mv.mover == Color::Black { mv.score } else { -mv.score };
        format!(
            "{number:4}  {} {:>6} {:>6}  {:>4.0} %  {:>4.1}  {}",
            padded(name, self.name),
            signed(black),
            signed(mv.score),
            100.0 * mv.black_chance(),
            // Truncated, so that a loss with a mark is at least the limit of the mark.
            (1000.0 * mv.loss()).floor() / 10.0,
            padded(mv.mark.map_or("", |mark| mark_text(mark, language)), self.mark),
        )
    }
}

/// A mark in a table: a sign in English, a word in Japanese.
fn mark_text(mark: Mark, language: Language) -> &'static str {
    language.choose(mark.sign(), mark.name(language))
}

/// The moves of a game or a variation, and its end.
fn rows(review: &Review<'_>, wording: Wording) -> String {
    let Wording { notation, language } = wording;
    let columns = Columns::of(wording);
    let (mut text, mut ply) = (String::new(), 0);
    let last = review.game.replay(|pos, _| {
        let (mv, reading) = (&review.moves[ply], &review.readings[ply]);
        let choice = match mv.is_best {
            true => String::new(),
            false => choice(notation, pos, reading.score, &reading.line),
        };
        let mate = mv.mate.map(|mate| texts::ADDED.with(language, [&mate.text(language)]));
        ply += 1;
        let name = notation.name(pos, mv.mv);
        let row = columns.row(mv, review.first + ply, &name, language);
        let line = format!("{row}  {choice}{}", mate.unwrap_or_default());
        text += line.trim_end();
        text.push('\n');
    });
    text + &end(review, wording, &last)
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
fn end(review: &Review<'_>, wording: Wording, last: &Position) -> String {
    let Wording { notation, language } = wording;
    let side = side_name(language, last.side_to_move());
    let Some(reading) = review.readings.last() else { return String::new() };
    let state = match Decided::of(last) {
        Some(decided) => decided.text(language).to_owned(),
        None => choice(notation, last, reading.score, &reading.line),
    };
    texts::TO_MOVE.with(language, [&side, &state]) + "\n"
}

/// A side's accuracy and marks, as a line; `None` without moves.
pub(super) fn side(review: &Review<'_>, color: Color, language: Language) -> Option<String> {
    let side = review.side(color);
    let share = format!("{:.0}", 100.0 * side.best as f64 / side.moves.max(1) as f64);
    let accuracy = format!("{:.1}", side.accuracy?);
    let loss = format!("{:.1}", 100.0 * side.loss);
    let name = side_name(language, color);
    let moves = moves_text(side.moves, language);
    let values: [&dyn Display; 5] = [&name, &accuracy, &loss, &share, &moves];
    let mut text = texts::SIDE.with(language, values);
    for (mark, _) in Mark::ALL {
        let marked = side.marks[mark as usize];
        text += &texts::MARK_COUNT.with(language, [&mark_text(mark, language), &marked]);
    }
    Some(text)
}

fn turning_points(review: &Review<'_>, wording: Wording) -> String {
    let Wording { notation, language } = wording;
    let mut names = Vec::new();
    review.game.replay(|pos, mv| names.push(notation.name(pos, mv)));
    let point = |ply: usize| {
        let mv = &review.moves[ply];
        let sign = mv.mark.map_or("", Mark::sign);
        let [before, after] = [mv.before, mv.after].map(|chance| format!("{:.0}", 100.0 * chance));
        let values: [&dyn Display; 5] = [&(ply + 1), &names[ply], &sign, &before, &after];
        texts::TURNING_POINT.with(language, values)
    };
    let points: Vec<String> = review.turning_points().map(point).collect();
    if points.is_empty() {
        return texts::NO_TURNING_POINTS.get(language).to_owned();
    }
    let points = points.join(texts::SEPARATOR.get(language));
    texts::TURNING_POINTS.with(language, [&points])
}

/// A number of moves.
fn moves_text(moves: usize, language: Language) -> String {
    language.choose(count(moves, "move"), format!("{moves}手"))
}

/// The players and the result.
pub(super) fn title(game: &Game, language: Language) -> String {
    let [black, white] = Color::ALL.map(|color| player(game, color, language));
    let date = game.header.date.as_ref().map(|date| texts::DATE.with(language, [date]));
    let moves = moves_text(game.moves().len(), language);
    let (date, ending) = (date.unwrap_or_default(), ending(game, language));
    texts::TITLE.with(language, [&black, &white, &date, &moves, &ending])
}

/// The name of a player, or of the side if the record has no name.
pub(super) fn player(game: &Game, color: Color, language: Language) -> &str {
    let name = game.header.players[color.index()].as_deref();
    name.unwrap_or(side_name(language, color))
}

/// The end of the game in words.
pub(super) fn ending(game: &Game, language: Language) -> String {
    let Some(result) = game.result else {
        return match game.ending {
            Some(Ending::Interruption) => texts::INTERRUPTED.get(language).to_owned(),
            Some(ending) => texts::ENDED_BY.with(language, [&ending_name(language, ending)]),
            None => texts::RESULT_UNKNOWN.get(language).to_owned(),
        };
    };
    let Some(winner) = result.winner() else {
        let text = match game.ending {
            Some(Ending::Repetition) => texts::DRAWN_BY_REPETITION,
            Some(Ending::Impasse) => texts::DRAWN_BY_IMPASSE,
            Some(Ending::MaxMoves) => texts::DRAWN_BY_LENGTH,
            _ => texts::DRAWN,
        };
        return text.get(language).to_owned();
    };
    let (winner, loser) = (side_name(language, winner), side_name(language, !winner));
    match game.ending {
        Some(Ending::Resignation) => texts::RESIGNED.with(language, [&winner, &loser]),
        Some(Ending::Mate) => texts::WON_BY_MATE.with(language, [&winner]),
        Some(Ending::Time) => texts::TIME_RAN_OUT.with(language, [&winner, &loser]),
        Some(Ending::IllegalMove) => texts::ILLEGAL_MOVE.with(language, [&winner, &loser]),
        Some(Ending::Declaration) => texts::WON_BY_DECLARATION.with(language, [&winner]),
        Some(Ending::Repetition) => texts::PERPETUAL_CHECK.with(language, [&winner, &loser]),
        _ => texts::WON.with(language, [&winner]),
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
        assert_eq!(title(&game, Language::English), "A - White, 2020/01/02: 1 move, White won");
        for (name, words) in [
            ("resignation", "White won: Black resigned"),
            ("mate", "White won by mate"),
            ("time", "White won: Black's time ran out"),
            ("illegal_move", "White won: Black made an illegal move"),
            ("declaration", "White won by declaration"),
            ("repetition", "White won: Black gave perpetual check"),
        ] {
            game.ending = Ending::from_name(name);
            assert_eq!(ending(&game, Language::English), words);
        }
        game.result = Some(GameResult::Draw);
        assert_eq!(ending(&game, Language::English), "drawn by repetition");
        (game.result, game.ending) = (None, Some(Ending::Interruption));
        assert_eq!(ending(&game, Language::English), "interrupted");
        game.ending = Some(Ending::Mate);
        assert_eq!(ending(&game, Language::English), "ended by mate, result unknown");
        assert_eq!(ending(&game, Language::Japanese), "詰みで終局、勝敗不明");
        assert_eq!(
            title(&game, Language::Japanese),
            "A 対 後手、2020/01/02:1手、詰みで終局、勝敗不明"
        );
    }
}
