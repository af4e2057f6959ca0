//! Interpositions that only delay a mate.
//!
//! The length of a mate problem does not count a piece dropped between the checking piece and the
//! king if the checking piece captures it with mate. Otherwise the defender could prolong the mate
//! as long as squares and pieces remain.

use crate::shogi::{HandPiece, Move, Origin, Position, Scope, movegen};

/// The length of a mating line without useless interpositions at its end, in plies.
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

/// Whether the side to move is mated, now or after the checking piece captures each interposed
/// drop.
pub(super) fn is_mate_in_effect(pos: &mut Position) -> bool {
    let checkers = pos.checkers();
    if checkers.is_empty() {
        return false;
    }
    let answers = movegen::legal_moves(pos, Scope::LEGAL);
    let is_drop = |mv: &Move| matches!(mv.origin(), Origin::Hand(_));
    answers.is_empty()
        || checkers.len() == 1
            && answers.iter().all(is_drop)
            && best_drops(pos, &answers).into_iter().all(|mv| mating_capture(pos, mv).is_some())
}

/// The drops that leave the defender the most, at each square: after the capture, only the hands
/// differ. A piece held twice leaves all kinds. Otherwise, a piece that can be dropped on fewer
/// squares leaves one that can be dropped on more. Testing all kinds takes exponential time.
fn best_drops(pos: &Position, drops: &[Move]) -> Vec<Move> {
    let hand = pos.hand(pos.side_to_move());
    let rank = |mv: &Move| match mv.origin() {
        Origin::Hand(piece) if hand.count(piece) > 1 => (0, piece.index()),
        Origin::Hand(HandPiece::Pawn | HandPiece::Knight) => (1, 0),
        Origin::Hand(HandPiece::Lance) => (2, 0),
        Origin::Hand(piece) => (3, piece.index()),
        Origin::Board(_) => (4, 0),
    };
    let least = |to| drops.iter().filter(|mv| mv.to() == to).map(rank).min();
    drops.iter().filter(|mv| Some(rank(mv)) == least(mv.to())).copied().collect()
}

/// The capture of the interposed drop `mv` that mates in effect, by the checking piece.
fn mating_capture(pos: &mut Position, mv: Move) -> Option<Move> {
    let checker = pos.checkers().first()?;
    pos.do_move(mv);
    let captures: Vec<Move> = movegen::legal_checks(pos, Scope::LEGAL)
        .filter(|check| check.origin() == Origin::Board(checker) && check.to() == mv.to())
        .collect();
    let mating = captures.into_iter().find(|&check| {
        pos.do_move(check);
        let mates = is_mate_in_effect(pos);
        pos.undo_move();
        mates
    });
    pos.undo_move();
    mating
}

/// The useless interpositions after a mate in effect and their captures, up to the mate.
pub(super) fn delays(pos: &mut Position) -> Vec<Move> {
    let answer = movegen::legal_moves(pos, Scope::LEGAL).first().copied();
    let Some((mv, capture)) = answer.and_then(|mv| Some((mv, mating_capture(pos, mv)?))) else {
        return Vec::new();
    };
    pos.do_move(mv);
    pos.do_move(capture);
    let mut line = vec![mv, capture];
    line.extend(delays(pos));
    pos.undo_move();
    pos.undo_move();
    line
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
    fn interpositions_captured_with_mate_do_not_count() {
        // The gold guards 1b and 2b. Wherever a pawn is interposed, the rook captures it with mate.
        let held = "7lk/9/7G1/9/9/9/9/7R1/9 b p 1";
        assert_eq!(length(held, "2h1h P*1g 1h1g"), 1);
        assert_eq!(length(held, "2h1h"), 1);
        // With every kind in hand, there are seven drops on each of six squares.
        let full = "7lk/9/7G1/9/9/9/9/7R1/9 b r2b3g4s4n3l18p 1";
        assert_eq!(length(full, "2h1h P*1g 1h1g"), 1);
        // This gold leaves 1b: a pawn there blocks the rook.
        assert_eq!(length("7lk/6G2/9/9/9/9/9/7R1/9 b p 1", "2h1h P*1b"), 2);
    }
}
