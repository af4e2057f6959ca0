//! Tables 7 and 8: whether moves that make bad shapes get lower values than usual moves.
//!
//! The paper's diagrams are lost. Problem 3' is the start position. Problem 2 is reconstructed from
//! its text and table 8: the position after the usual exchange of bishops. Problems 1 and 4 are
//! Kankei's own positions with the moves of the table: the rook in front of its own pawns, and a
//! king that leaves its castle.

use crate::papers::pairs::form::{PairPiece, PairWeights, full};
use crate::shogi::{Move, Position};

/// A problem.
pub(super) struct Problem {
    pub name: &'static str,
    /// Moves from the start position.
    moves: &'static str,
    pub tries: &'static [Try],
}

/// A move to evaluate.
pub(super) struct Try {
    /// In USI. A second move is made by the same side after the first; its change of value counts.
    pub moves: &'static str,
    pub is_bad: bool,
    /// The paper's values of the parent and the sibling model.
    pub paper: [i32; 2],
}

const fn bad(moves: &'static str, parent: i32, sibling: i32) -> Try {
    Try { moves, is_bad: true, paper: [parent, sibling] }
}

const fn usual(moves: &'static str, parent: i32, sibling: i32) -> Try {
    Try { moves, is_bad: false, paper: [parent, sibling] }
}

pub(super) const PROBLEMS: [Problem; 4] = [
    Problem {
        name: "1 (our position)",
        moves: "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 7a7b",
        tries: &[
            bad("2f3f", 9, -15),
            bad("2f4f", 61, -13),
            bad("2f2g", 21, -17),
            bad("P*2e", 30, -41),
            usual("1g1f", 55, 38),
            usual("4g4f", 41, -5),
        ],
    },
    Problem {
        name: "2",
        moves: "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 4a3b 6i7h 2b7g+",
        tries: &[bad("8i7g", 5, -25), bad("7h7g", -8, -42), usual("8h7g", -22, 9)],
    },
    Problem {
        name: "3'",
        moves: "",
        tries: &[bad("2h1h", 88, -38), bad("2h1h 3i2h", 115, -38), usual("2g2f", 121, 59)],
    },
    Problem {
        name: "4 (our position)",
        moves: "7g7f 3c3d 6g6f 8c8d 2h6h 5a4b 5i4h 4b3b 4h3h 7a6b 3h2h 5c5d 3i3h 5d5e 7i7h 6a5b",
        tries: &[
            bad("2h3i", -41, -25),
            bad("2g2f", -3, -40),
            usual("5g5f", 19, 2),
            usual("4g4f", 26, 9),
        ],
    },
];

/// Weights of the paper for two pieces of problem 2, after each move.
pub(super) const RELATIONS_OF_2: [([&str; 2], [i32; 2]); 4] = [
    (["S8h", "G7h"], [8, 7]),
    (["S7g", "G7h"], [3, 7]),
    (["G7g", "S8h"], [9, -7]),
    (["G7g", "N8i"], [23, 2]),
];

impl Problem {
    /// Change of the value by each move, Black's view, without material.
    pub fn values(&self, weights: &PairWeights) -> Vec<i32> {
        self.tries.iter().map(|tried| self.value(tried, weights)).collect()
    }

    fn value(&self, tried: &Try, weights: &PairWeights) -> i32 {
        let mut pos = Position::startpos();
        for mv in self.moves.split_ascii_whitespace() {
            pos.do_move(mv.parse::<Move>().expect("a move"));
        }
        let mut rise = 0;
        for (n, mv) in tried.moves.split_ascii_whitespace().enumerate() {
            if n > 0 {
                pos.do_null_move();
            }
            let before = full::relations(weights, &pos);
            pos.do_move(mv.parse::<Move>().expect("a move"));
            rise = full::relations(weights, &pos) - before;
        }
        rise
    }
}

/// The piece of this name.
pub(super) fn piece(name: &str) -> PairPiece {
    PairPiece::all().find(|piece| piece.to_string() == name).expect("a piece")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_problems_can_be_played() {
        for problem in PROBLEMS {
            let mut pos = Position::startpos();
            for text in problem.moves.split_ascii_whitespace() {
                let mv: Move = text.parse().expect("a move");
                assert!(pos.is_legal(mv), "{}: {text}", problem.name);
                pos.do_move(mv);
            }
            for tried in problem.tries {
                let first = tried.moves.split(' ').next().expect("a move");
                let mv = first.parse().expect("a move");
                assert!(pos.is_legal(mv), "{}: {}", problem.name, tried.moves);
            }
            assert!(problem.values(&PairWeights::zero()).iter().all(|&value| value == 0));
        }
        assert!(
            RELATIONS_OF_2
                .iter()
                .all(|(names, _)| names.map(piece).iter().all(|p| p.square().is_some()))
        );
    }
}
