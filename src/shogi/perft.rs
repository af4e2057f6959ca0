//! Perft: the number of move sequences of a given length, the standard check of a move generator.

use rayon::prelude::*;

use super::movegen::{self, legal_moves};
use super::{Move, MoveList, Position, Scope};

/// Maximum depth that commands accept: far beyond practical counts, and safe for the stack.
pub const MAX_DEPTH: u32 = 20;

/// Number of leaves at `depth`, counting all legal moves. The last ply is counted from its list and
/// not played.
pub fn perft(pos: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    movegen::generate(pos, Scope::LEGAL, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for mv in moves {
        pos.do_move(mv);
        leaves += perft(pos, depth - 1);
        pos.undo_move();
    }
    leaves
}

/// Number of leaves below each legal move, in generation order. Root moves run in parallel on
/// rayon's threads. Panics if `depth` is 0.
pub fn divide(pos: &Position, depth: u32) -> Vec<(Move, u64)> {
    assert!(depth >= 1, "a divided perft needs a move");
    legal_moves(pos, Scope::LEGAL)
        .par_iter()
        .map(|&mv| {
            let mut pos = pos.clone();
            pos.do_move(mv);
            (mv, perft(&mut pos, depth - 1))
        })
        .collect()
}
