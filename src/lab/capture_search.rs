//! The loop shared by the capture searches: either side stands pat or makes a capture, until the
//! position is quiet.
//!
//! [`best_value`] is their loop, fail-soft alpha-beta. They differ in what they evaluate, which
//! moves they try, and where they end:
//!
//! | search | evaluation | moves | end |
//! |---|---|---|---|
//! | `papers::bonanza` (Hoki 2006, figure 5) | the engine's | captures that lose no material; to ply 7 promotions and king moves out of check | mate in one to ply 7, futility pruning |
//! | [`QuiescenceLeaf`](super::QuiescenceLeaf) | the engine's | the same | mate in one to ply 7 |
//! | `papers::policy` | weights being learned, floats | captures and promotions that lose no material | ply 8 |
//! | `papers::pairs` (Kaneko 2007, section 4) | material of Table 2 | captures and promotions that can raise alpha | ply 16 |
//! | `papers::td` | few features, with noise | captures and promotions that give check or can raise alpha | mates, ply 20 from the root |
//!
//! The quiescence search of [`alpha_beta`](crate::search::alpha_beta) does not use this loop; its
//! documentation gives the reasons.

use std::cmp::Reverse;

pub(crate) use crate::search::ordering::ScoredMove;
use crate::search::ordering::{Candidates, take_best};
use crate::shogi::{Move, MoveList, Position, Scope, movegen};

/// The best value of standing pat and of the moves, exact between alpha and beta. Fail-soft.
///
/// `stand_pat`: below beta. `value_of`: the value of a move for the mover, from a search with this
/// window, or a bound up to alpha; `None` ends the loop.
#[inline]
pub(crate) fn best_value<V: Copy + PartialOrd>(
    stand_pat: V,
    [mut alpha, beta]: [V; 2],
    moves: impl IntoIterator<Item = ScoredMove>,
    mut value_of: impl FnMut(ScoredMove, [V; 2]) -> Option<V>,
) -> V {
    let mut best = stand_pat;
    for scored in moves {
        if best > alpha {
            alpha = best;
        }
        let Some(value) = value_of(scored, [alpha, beta]) else { break };
        if value > best {
            best = value;
            if value >= beta {
                break;
            }
        }
    }
    best
}

/// The moves of a scope that have a value, the highest first; equal ones in the order of
/// generation.
pub(crate) fn ordered(
    pos: &Position,
    scope: Scope,
    value: impl Fn(Move) -> Option<i32>,
) -> Vec<ScoredMove> {
    let mut list = MoveList::new();
    movegen::generate(pos, scope, &mut list);
    let scored = |mv| Some(ScoredMove { mv, value: value(mv)? });
    let mut moves = Vec::with_capacity(list.len());
    moves.extend(list.into_iter().filter_map(scored));
    moves.sort_by_key(|scored| Reverse(scored.value));
    moves
}

/// Candidates that are selected one by one, the best first.
pub(crate) struct BestFirst(pub Candidates);

impl Iterator for BestFirst {
    type Item = ScoredMove;

    #[inline]
    fn next(&mut self) -> Option<ScoredMove> {
        take_best(&mut self.0)
    }
}
