//! A position of a book and its moves.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::engine::{BestMove, Info, Outcome, Pv};
use crate::eval::Score;
use crate::shogi::{Move, Position};

/// Largest score of a book move, centipawns. Mate scores are above the scores of play.
const MOST_SCORE: i64 = 99_999;

/// Words that books write for what they do not know. The field then has its default.
const UNKNOWN: [&str; 3] = ["none", "-", "resign"];

/// A move that a book knows for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The expected reply.
    pub reply: Option<Move>,
    /// Centipawns, the view of the side to move, within +-99,999.
    pub score: i32,
    /// Depth of the search that gave the score, plies; 0 = not searched.
    pub depth: u32,
    /// How often the move was played, or its relative weight.
    pub count: u64,
}

impl BookMove {
    /// The move as the outcome of a search that took `time`.
    pub fn to_outcome(self, time: Duration) -> Outcome {
        let info = Some(self.to_info(time));
        Outcome { best: BestMove::Play(self.mv, self.reply), info, nodes: 0 }
    }

    /// The move as the line of a search that took `time`.
    pub fn to_info(self, time: Duration) -> Info {
        let line: Pv = [self.mv].into_iter().chain(self.reply).collect();
        Info::exact(self.depth.max(1), Score::cp(self.score), line, 0, time)
    }

    /// Relative frequency with which the move is chosen. Moves with count 0 can be chosen, too.
    pub fn weight(&self) -> u64 {
        self.count.max(1)
    }

    /// The move with the best score; of equal scores, the one with the highest count; else the
    /// first.
    pub(super) fn best<'a>(moves: impl IntoIterator<Item = &'a BookMove>) -> Option<BookMove> {
        let is_better = |a: &BookMove, b: &BookMove| (a.score, a.count) > (b.score, b.count);
        let better = |best, other| if is_better(other, best) { other } else { best };
        moves.into_iter().reduce(better).copied()
    }

    /// The same move on the board turned by 180 degrees.
    pub(super) fn flip(self) -> BookMove {
        BookMove { mv: self.mv.flip(), reply: self.reply.map(Move::flip), ..self }
    }
}

impl fmt::Display for BookMove {
    /// The format of books: `7g7f 3c3d 35 16 12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookMove { mv, reply, score, depth, count } = self;
        let reply = reply.map_or_else(|| "none".to_owned(), |reply| reply.to_string());
        write!(f, "{mv} {reply} {score} {depth} {count}")
    }
}

impl FromStr for BookMove {
    type Err = ();

    /// Reads a move and as much of what follows it as there is: answer, score, depth, count. A
    /// field that is missing, `none`, `-` or `resign` has its default: no answer, 0, 0, 1. More
    /// fields are ignored.
    fn from_str(text: &str) -> Result<BookMove, ()> {
        let is_known = |word: &&str| !UNKNOWN.iter().any(|name| word.eq_ignore_ascii_case(name));
        let mut words = text.split_ascii_whitespace();
        let mv = words.next().ok_or(())?.parse()?;
        let reply = words.next().filter(is_known).map(str::parse).transpose()?;
        let mut number = |default: i64| {
            let word = words.next().filter(is_known);
            word.map_or(Ok(default), |word| word.parse::<i64>().map_err(drop))
        };
        let score = number(0)?.clamp(-MOST_SCORE, MOST_SCORE) as i32;
        let depth = number(0)?.clamp(0, i64::from(u16::MAX)) as u32;
        let count = number(1)?.clamp(0, i64::from(u32::MAX)) as u64;
        Ok(BookMove { mv, reply, score, depth, count })
    }
}

/// A position of a book and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// SFEN, without the number of the next move if the book does not say it.
    pub sfen: String,
    /// Its moves.
    pub moves: Vec<BookMove>,
}

impl BookEntry {
    /// Adds moves. For equal moves, the deeper search is kept and counts are added.
    pub fn merge(&mut self, moves: impl IntoIterator<Item = BookMove>) {
        merge(&mut self.moves, moves);
    }
}

/// A position of a file, before its moves are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawEntry {
    /// Number of the next move.
    pub number: Option<u32>,
    /// The moves; an error is the text of one that cannot be read.
    pub moves: Vec<Result<BookMove, String>>,
}

/// Merges moves of the same position. For equal moves, the deeper search is kept and counts are
/// added.
pub(super) fn merge(moves: &mut Vec<BookMove>, others: impl IntoIterator<Item = BookMove>) {
    for other in others {
        match moves.iter_mut().find(|known| known.mv == other.mv) {
            Some(known) => {
                let count = known.count + other.count;
                let deeper = if other.depth > known.depth { other } else { *known };
                *known = BookMove { count, ..deeper };
            }
            None => moves.push(other),
        }
    }
}

/// Removes illegal moves and illegal replies. Returns the removed moves.
pub(super) fn keep_legal(pos: &Position, moves: &mut Vec<BookMove>) -> Vec<Move> {
    let mut illegal = Vec::new();
    moves.retain_mut(|known| {
        if !pos.is_legal(known.mv) {
            illegal.push(known.mv);
            return false;
        }
        if let Some(reply) = known.reply {
            let mut after = pos.clone();
            after.do_move(known.mv);
            known.reply = Some(reply).filter(|&reply| after.is_legal(reply));
        }
        true
    });
    illegal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_round_trip() {
        for text in ["7g7f 3c3d 35 16 12", "P*5e none -99999 0 0", "8h2b+ 3a2b 0 32 4294967295"] {
            assert_eq!(text.parse::<BookMove>().map(|mv| mv.to_string()), Ok(text.to_owned()));
        }
        for (text, whole) in [
            ("7g7f", "7g7f none 0 0 1"),
            ("7g7f None 31", "7g7f none 31 0 1"),
            ("7g7f\t3c3d  0 32", "7g7f 3c3d 0 32 1"),
            ("7g7f none none none 400", "7g7f none 0 0 400"),
            ("7g7f 3c3d None - none", "7g7f 3c3d 0 0 1"),
            ("7g7f resign 10 20 4", "7g7f none 10 20 4"),
            ("7g7f - +25 none", "7g7f none 25 0 1"),
            ("7g7f none 1000000 -1 -1 more", "7g7f none 99999 0 0"),
        ] {
            assert_eq!(text.parse::<BookMove>().map(|mv| mv.to_string()), Ok(whole.to_owned()));
        }
        for bad in ["", "7g7", "7g7f 3c3", "7g7f none x", "7g7f none 0 0.5", "７六歩"] {
            assert_eq!(bad.parse::<BookMove>(), Err(()), "{bad}");
        }
    }

    #[test]
    fn entries_of_one_position_are_one() {
        let read = |text: &str| text.parse::<BookMove>().expect(text);
        let mut moves = vec![read("7g7f 3c3d 10 8 3")];
        merge(&mut moves, [read("7g7f none 20 9 4"), read("2g2f none 0 0 1")]);
        let text: Vec<String> = moves.iter().map(BookMove::to_string).collect();
        assert_eq!(text, ["7g7f none 20 9 7", "2g2f none 0 0 1"]);
    }

    #[test]
    fn what_cannot_be_played_is_left_out() {
        let mut moves = ["7g7e none 0 0", "7g7f 7g7f 0 0", "2g2f 8c8d 0 0"]
            .map(|text| text.parse::<BookMove>().expect(text))
            .to_vec();
        let illegal = keep_legal(&Position::startpos(), &mut moves);
        assert_eq!(illegal, ["7g7e".parse().expect("a move")]);
        let replies: Vec<_> = moves.iter().map(|mv| mv.reply.is_some()).collect();
        assert_eq!(replies, [false, true]);
    }
}
