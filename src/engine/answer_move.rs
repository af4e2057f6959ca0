//! The move of an answer, from what a search has found.

use super::BestMove;
use crate::eval::see_values;
use crate::shogi::movegen::legal_moves;
use crate::shogi::{Move, Position, Scope};

/// The move to play and the predicted reply, both legal: the engine's move, else the first move of
/// its last `line`, else the first of the `wanted` moves, else a plausible move. `None` if no move
/// is legal. `best`: the engine's decision; `None` if its search did not finish.
pub fn answer_move(
    pos: &mut Position,
    best: Option<BestMove>,
    line: &[Move],
    wanted: &[Move],
) -> Option<(Move, Option<Move>)> {
    let (wished, reply) = match best {
        Some(BestMove::Play(mv, reply)) => (Some(mv), reply),
        _ => (None, None),
    };
    let mv = wished
        .into_iter()
        .chain(line.first().copied())
        .chain(wanted.iter().copied())
        .find(|&mv| pos.is_legal(mv))
        .or_else(|| plausible_move(pos))?;
    let expected = line.get(1).copied().filter(|_| line.first() == Some(&mv));
    let mut replies = reply.filter(|_| wished == Some(mv)).into_iter().chain(expected);
    pos.do_move(mv);
    let reply = replies.find(|&reply| pos.is_legal(reply));
    pos.undo_move();
    Some((mv, reply))
}

/// A plausible move without a search: a mate in one, else the move with the best static exchange
/// evaluation. `None` if no move is legal.
fn plausible_move(pos: &mut Position) -> Option<Move> {
    if let Some(mv) = pos.mate_in_one() {
        return Some(mv);
    }
    let moves = legal_moves(pos, Scope::LEGAL);
    // Of equal moves, the first one.
    moves.into_iter().rev().max_by_key(|&mv| pos.see(mv, see_values()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_search_the_best_exchange_is_played() {
        for (sfen, best) in [
            // Mate, although a rook is undefended.
            ("4k4/9/4P4/9/r8/L8/9/9/4K4 b G 1", "G*5b"),
            ("4k4/9/9/9/r8/L8/9/9/4K4 b - 1", "9f9e"),
        ] {
            let mut pos = Position::from_sfen(sfen).expect("a position");
            let mv = plausible_move(&mut pos).map(|mv| mv.to_string());
            assert_eq!(mv.as_deref(), Some(best), "{sfen}");
        }
        let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
        assert_eq!(plausible_move(&mut Position::from_sfen(mated).expect("a position")), None);
    }
}
