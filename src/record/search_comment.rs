//! Comments by which programs tell what they thought of a move: `* 30 -3334FU +2726FU`.
//!
//! Behind a move stand the score of the search that chose it, in centipawns from Black's view
//! (positive: Black is better, whoever moved), and the line expected behind it in CSA's moves. The
//! server of floodgate writes them into its records (`'** 30 -3334FU`); in KIF and KI2 they are
//! comments as well (`** 30 -3334FU`), and GUIs read them there.
//!
//! Mates have no form of their own. As most engines do inside, this library writes 32,000 less the
//! plies to the mate, and takes a value so near to 32,000 for a mate.
//!
//! Source: the records and the programmers' page of floodgate (shogi-server).

use super::csa_move::{csa_move_text, read_csa_move};
use super::{Game, MoveScore};
use crate::shogi::{Color, Move, Position};

/// The value of a mate on the board.
const MATE: i32 = 32_000;
/// The longest mate told from a mere large value, plies.
const LONGEST_MATE: u32 = 512;

/// Reads a comment behind the move that led to `pos`: the score from the mover's view, the moves
/// expected, and what else it says. `None` if it tells no score.
pub(super) fn read<'a>(text: &'a str, pos: &Position) -> Option<(MoveScore, Vec<Move>, &'a str)> {
    let (value, mut rest) = split_word(text.strip_prefix('*')?);
    let score = from_black_view(value.parse().ok()?, !pos.side_to_move());
    let mut pos = pos.clone();
    let mut line = Vec::new();
    loop {
        let (word, behind) = split_word(rest);
        match read_csa_move(&pos, word).ok().filter(|&mv| pos.is_legal(mv)) {
            Some(mv) => {
                pos.do_move(mv);
                line.push(mv);
                rest = behind;
            }
            None => return Some((score, line, rest)),
        }
    }
}

/// The first word and what follows it, without blanks around.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// The comments behind each move, before the first (index 0) too: score and expected line, then the
/// lines of what the record says. Shape [moves + 1].
pub(super) fn comments(game: &Game) -> Vec<Vec<String>> {
    let mut comments = vec![Vec::new(); game.moves().len() + 1];
    let mut pos = game.start_position();
    for (ply, &mv) in game.moves().iter().enumerate() {
        pos.do_move(mv);
        if let Some(score) = game.score(ply) {
            comments[ply + 1].push(score_comment(&pos, score, game.notes.line(ply)));
        }
    }
    for (moves, text) in game.notes.comments() {
        if let Some(place) = comments.get_mut(moves) {
            place.extend(text.split('\n').map(super::text::one_line));
        }
    }
    comments
}

/// The comment behind the move that led to `pos`: its score, which is from the mover's view, and the
/// moves expected as far as they can be played.
pub fn score_comment(pos: &Position, score: MoveScore, line: &[Move]) -> String {
    let mut text = format!("* {}", to_black_view(score, !pos.side_to_move()));
    if line.is_empty() {
        return text;
    }
    let mut pos = pos.clone();
    for &mv in line {
        if !pos.is_legal(mv) {
            break;
        }
        text.push(' ');
        text += &csa_move_text(&pos, mv);
        pos.do_move(mv);
    }
    text
}

fn to_black_view(score: MoveScore, mover: Color) -> i32 {
    let mate = |plies: u32| MATE - plies.min(LONGEST_MATE) as i32;
    let score = if mover == Color::Black { score } else { -score };
    match score {
        MoveScore::Centipawns(value) => value,
        MoveScore::MatesIn(plies) => mate(plies),
        MoveScore::MatedIn(plies) => -mate(plies),
    }
}

fn from_black_view(value: i32, mover: Color) -> MoveScore {
    let plies = MATE.unsigned_abs().checked_sub(value.unsigned_abs());
    let score = match plies.filter(|&plies| plies <= LONGEST_MATE) {
        Some(plies) if value > 0 => MoveScore::MatesIn(plies),
        Some(plies) => MoveScore::MatedIn(plies),
        None => MoveScore::Centipawns(value),
    };
    if mover == Color::Black { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_of_blacks_view() {
        use MoveScore::{Centipawns, MatedIn, MatesIn};
        let scores =
            [Centipawns(0), Centipawns(-43), MatesIn(1), MatesIn(17), MatedIn(0), MatedIn(8)];
        for score in scores {
            for mover in Color::ALL {
                assert_eq!(from_black_view(to_black_view(score, mover), mover), score);
            }
        }
        assert_eq!(to_black_view(MatesIn(7), Color::White), -31_993);
        assert_eq!(from_black_view(30, Color::White), Centipawns(-30));
        // What others write for a large advantage is no mate.
        for value in [30_000, 31_111, 32_001, 100_000, i32::MAX, i32::MIN] {
            assert!(matches!(from_black_view(value, Color::Black), Centipawns(_)), "{value}");
        }
        // Longer mates are told as the longest.
        assert_eq!(to_black_view(MatesIn(900), Color::Black), MATE - 512);
    }

    #[test]
    fn lines_end_with_their_last_move() {
        let mut pos = Position::startpos();
        pos.do_move("7g7f".parse().expect("a move"));
        let parts = |text| {
            let (score, line, rest) = read(text, &pos)?;
            let line: Vec<String> = line.iter().map(Move::to_string).collect();
            Some((score, line.join(" "), rest.to_owned()))
        };
        let found = |value, line: &str, rest: &str| {
            Some((MoveScore::Centipawns(value), line.to_owned(), rest.to_owned()))
        };
        assert_eq!(parts("* 30 -3334FU +2726FU"), found(30, "3c3d 2g2f", ""));
        assert_eq!(parts("*-5"), found(-5, "", ""));
        assert_eq!(parts("* +12 -3334FU and so on"), found(12, "3c3d", "and so on"));
        assert_eq!(parts("* 12 +2726FU"), found(12, "", "+2726FU"));
        for text in ["30", "* thirty", "", "*"] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
