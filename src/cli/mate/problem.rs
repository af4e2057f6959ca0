//! Reading problems and their expected solutions.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use crate::command::games::{each_game, each_game_in};
use crate::command::language::{Language, Text};
use crate::command::notation::Wording;
use crate::command::{CliError, parse_position, texts};
use crate::engine::is_mate_by_checks;
use crate::file;
use crate::quote::quoted;
use crate::record::{Format, Game, GameReader, str_lines};
use crate::search::essential_plies;
use crate::shogi::{Move, Position};

/// A problem and its expected solution.
pub(super) struct Problem {
    pub pos: Position,
    /// The expected line, which ends in mate; empty if none is given.
    pub line: Vec<Move>,
    /// The expected length in plies, without useless interpositions.
    pub plies: Option<usize>,
    /// What was given as a solution and is none.
    ignored: Vec<Ignored>,
}

/// A part of the given solution that is ignored.
enum Ignored {
    /// Moves that do not mate.
    Moves(Vec<Move>),
    /// A field that is neither a length nor moves.
    Field(String),
}

/// The place of a problem in its file: a line or a game, with its number from 1.
#[derive(Clone, Copy)]
pub(super) struct Place {
    name: Text<1>,
    pub number: usize,
}

impl Place {
    /// Formats as `line 3` or `game 3`.
    pub fn text(self, language: Language) -> String {
        self.name.with(language, [&self.number])
    }
}

/// A problem of a file with its place, or why it cannot be read.
pub(super) type Placed = (Place, Result<Problem, CliError>);

impl Problem {
    /// A problem with moves that should be its solution.
    fn new(pos: Position, moves: Vec<Move>) -> Problem {
        let (mut line, mut plies, mut ignored) = (Vec::new(), None, Vec::new());
        if is_mate_by_checks(&pos, &moves) {
            plies = Some(essential_plies(&pos, &moves));
            line = moves;
        } else if !moves.is_empty() {
            ignored.push(Ignored::Moves(moves));
        }
        Problem { pos, line, plies, ignored }
    }

    /// The problem of a record: its start position, or the last position of a game from the usual
    /// start.
    fn of_game(game: &Game) -> Problem {
        if game.is_from_usual_start() {
            Problem::new(game.replay(|_, _| ()), Vec::new())
        } else {
            Problem::new(game.start_position(), game.moves().to_vec())
        }
    }

    /// The problem of a line: a position, and after semicolons optionally the expected length
    /// (`mate 5`) and the moves of the solution. Text after `#` and other fields are comments.
    pub fn of_line(line: &str) -> Result<Problem, CliError> {
        let line = line.split('#').next().unwrap_or_default();
        let mut fields = line.split(';');
        let pos = parse_position(fields.next().unwrap_or_default())?;
        let (mut plies, mut moves, mut unread) = (None, Vec::new(), Vec::new());
        for field in fields.map(str::trim) {
            let mut words = field.split_ascii_whitespace();
            let read: Result<Vec<Move>, ()> = words.clone().map(str::parse).collect();
            let has_moves = words.clone().any(|word| word.parse::<Move>().is_ok());
            let length = field.strip_prefix("mate ").and_then(|text| text.trim().parse().ok());
            match read {
                Ok(line) if !line.is_empty() => moves = line,
                _ if length.is_some() => plies = plies.or(length),
                _ if has_moves || words.next() == Some("mate") => {
                    unread.push(Ignored::Field(field.to_owned()));
                }
                _ => {}
            }
        }
        let mut problem = Problem::new(pos, moves);
        problem.plies = problem.plies.or(plies);
        problem.ignored.extend(unread);
        Ok(problem)
    }

    /// Sentences that name the ignored parts of the given solution.
    pub fn remarks(&self, wording: Wording) -> impl Iterator<Item = String> {
        self.ignored.iter().map(move |ignored| ignored.text(wording, &self.pos))
    }
}

impl Ignored {
    fn text(&self, Wording { notation, language }: Wording, pos: &Position) -> String {
        match self {
            Ignored::Moves(moves) => {
                let mut at = pos.clone();
                let plays = |&mv: &Move| at.is_legal(mv).then(|| at.do_move(mv)).is_some();
                // Only legal moves have Japanese names.
                let line = match moves.iter().all(plays) {
                    true => notation.line(pos, moves),
                    false => moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "),
                };
                texts::GIVEN_MOVES.with(language, [&line])
            }
            Ignored::Field(text) => texts::GIVEN_FIELD.with(language, [&quoted(text)]),
        }
    }
}

/// The problems of a file or folder with their places, and the number of records that cannot be
/// read.
pub(super) fn problems(path: &Path) -> Result<(Vec<Placed>, usize), CliError> {
    let mut problems = Vec::new();
    let take = |game: Game| {
        let place = Place { name: texts::GAME_NUMBER, number: problems.len() + 1 };
        problems.push((place, Ok(Problem::of_game(&game))));
        Ok(())
    };
    if path.is_dir() {
        let tally = each_game(&[path.to_owned()], take)?;
        return Ok((problems, tally.skipped));
    }
    let unreadable = |source| CliError::Read { path: path.to_owned(), source };
    // A pipe can be read only once.
    let bytes: Arc<[u8]> = file::read(path).map_err(unreadable)?.into();
    let format = GameReader::new(path, Cursor::new(bytes.clone())).map(|reader| reader.format());
    if format.is_ok_and(|format| !matches!(format, Format::Usi | Format::Labelled)) {
        let tally = each_game_in(path, Cursor::new(bytes), take)?;
        return Ok((problems, tally.skipped));
    }
    let text = file::decode(path, &bytes).map_err(unreadable)?;
    for (number, line) in str_lines(&text).enumerate().filter(|line| is_position(line.1)) {
        let place = Place { name: texts::LINE_NUMBER, number: number + 1 };
        problems.push((place, Problem::of_line(line)));
    }
    Ok((problems, 0))
}

fn is_position(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::notation::Notation;

    const MATE: &str = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";

    #[test]
    fn the_expected_solution_follows_the_position() {
        let read = |rest: &str| {
            let problem = Problem::of_line(&format!("{MATE}{rest}")).expect("a position");
            (problem.plies, problem.line.len())
        };
        assert_eq!(read(""), (None, 0));
        assert_eq!(read(" ; mate 3"), (Some(3), 0));
        assert_eq!(read(" ; mate 1 ; G*5b"), (Some(1), 1));
        assert_eq!(read(" ; G*5b ; by me # mate 9"), (Some(1), 1));
        // Not a mate, not legal, comments.
        for rest in [" ; G*4b", " ; 5c5b 5a5b", " ; by me", " # G*5b"] {
            assert_eq!(read(rest), (None, 0), "{rest}");
        }
    }

    #[test]
    fn what_is_no_solution_is_named() {
        let wording = Wording { notation: Notation::Usi, language: Language::English };
        for (rest, named) in [
            ("", ""),
            (" ; mate 1 ; G*5b ; mated by me", ""),
            (" ; G*4b", "the given moves G*4b do not mate and are ignored"),
            (" ; 5c5b 5a5b", "the given moves 5c5b 5a5b do not mate and are ignored"),
            (" ; G*5b 5a", "the given \"G*5b 5a\" cannot be read and is ignored"),
            (" ; G5b 5a4a", "the given \"G5b 5a4a\" cannot be read and is ignored"),
            (" ; mate three", "the given \"mate three\" cannot be read and is ignored"),
            (" ; mate -3", "the given \"mate -3\" cannot be read and is ignored"),
            (" ; mate", "the given \"mate\" cannot be read and is ignored"),
        ] {
            let problem = Problem::of_line(&format!("{MATE}{rest}")).expect("a position");
            let remarks: Vec<String> = problem.remarks(wording).collect();
            assert_eq!(remarks.join("; "), named, "{rest}");
        }
    }
}
