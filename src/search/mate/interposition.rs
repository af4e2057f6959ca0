//! Interpositions that only delay a mate.
//!
//! A problem's length does not count a piece dropped between the checking piece and the king if the
//! checking piece takes it and has mated again: the defender could go on like that as long as there
//! are squares and pieces.

use crate::shogi::{Move, Origin, Position, Scope, movegen};

/// The length of a mating line without the useless interpositions at its end, plies.
pub fn essential_plies(root: &Position, line: &[Move]) -> usize {
    let mut pos = root.clone();
    for (ply, &mv) in line.iter().enumerate() {
        pos.do_move(mv);
        if ply % 2 == 0 && is_mate_in_effect(&mut pos) {
            return ply + 1;
        }
    }
    line.len()
}

/// Whether the side to move is mated, now or as soon as each piece that it drops in between is taken
/// by the checking piece.
fn is_mate_in_effect(pos: &mut Position) -> bool {
    let checkers = pos.checkers();
    let Some(checker) = checkers.first() else { return false };
    let answers = movegen::legal_moves(pos, Scope::LEGAL);
    answers.is_empty()
        || checkers.len() == 1
            && answers.into_iter().all(|mv| {
                matches!(mv.origin(), Origin::Hand(_)) && {
                    pos.do_move(mv);
                    let taken: Vec<Move> = movegen::legal_checks(pos, Scope::LEGAL)
                        .filter(|check| {
                            check.origin() == Origin::Board(checker) && check.to() == mv.to()
                        })
                        .collect();
                    let mates = taken.into_iter().any(|check| {
                        pos.do_move(check);
                        let mates = is_mate_in_effect(pos);
                        pos.undo_move();
                        mates
                    });
                    pos.undo_move();
                    mates
                }
            })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(sfen: &str, line: &str) -> usize {
        let pos = Position::from_sfen(sfen).expect("a position");
        let line: Vec<Move> = line.split(' ').map(|mv| mv.parse().expect("a move")).collect();
        essential_plies(&pos, &line)
    }

    #[test]
    fn what_the_checking_piece_takes_with_mate_does_not_count() {
        // The gold holds 1b and 2b: wherever a pawn stands between, the rook takes it with mate.
        let held = "7lk/9/7G1/9/9/9/9/7R1/9 b p 1";
        assert_eq!(length(held, "2h1h P*1g 1h1g"), 1);
        assert_eq!(length(held, "2h1h"), 1);
        // This one leaves 1b: a pawn there holds the rook off.
        assert_eq!(length("7lk/6G2/9/9/9/9/9/7R1/9 b p 1", "2h1h P*1b"), 2);
    }
}
