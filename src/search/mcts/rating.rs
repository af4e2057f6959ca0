//! What a move promises by itself, without a look at the position after it: static exchange value,
//! check, recapture, distance to the enemy king. Cheap, so that playouts can ask for it at every ply.
//!
//! Source: the terms are those of the alpha-beta searcher's move ordering without its memory of other
//! nodes; their weights are guesses.

use arrayvec::ArrayVec;

use super::tree::Edge;
use crate::eval::see_values;
use crate::shogi::{CheckSquares, MAX_MOVES, Move, MoveList, PieceKind, Position, Square};

/// Exchange values count up to these, centipawns.
const EXCHANGE: (i32, i32) = (-800, 1_200);
/// Centipawns of a rating of 1: such a move is e times as probable.
const EXCHANGE_SCALE: f32 = 250.0;
/// Taking back what has just taken.
const RECAPTURE: f32 = 1.0;
/// A check that does not lose material.
const CHECK: f32 = 0.8;
/// Each square that a piece other than the king comes nearer to the enemy king, within [`NEAR`].
const APPROACH: f32 = 0.15;
const NEAR: usize = 5;
/// A drop that does not check.
const QUIET_DROP: f32 = -0.5;
/// A quiet move of the king out of check.
const KING: f32 = -0.7;

/// Moves with their ratings: the logarithm of how probable each is, up to a constant.
pub(super) type RatedMoves = ArrayVec<(Move, f32), MAX_MOVES>;

/// Rates the moves of a position.
pub(super) fn rate(pos: &Position, moves: &MoveList) -> RatedMoves {
    let rater = Rater {
        pos,
        checks: pos.check_squares(),
        enemy_king: pos.king(!pos.side_to_move()),
        last_to: pos.last_move().filter(|_| pos.last_captured().is_some()).map(Move::to),
    };
    moves.iter().map(|&mv| (mv, rater.rate(mv))).collect()
}

/// What all moves of a position are rated by.
struct Rater<'a> {
    pos: &'a Position,
    checks: CheckSquares,
    enemy_king: Option<Square>,
    /// Where the opponent has just taken something.
    last_to: Option<Square>,
}

impl Rater<'_> {
    fn rate(&self, mv: Move) -> f32 {
        let pos = self.pos;
        let exchange = pos.see(mv, see_values());
        let mut rating = exchange.clamp(EXCHANGE.0, EXCHANGE.1) as f32 / EXCHANGE_SCALE;
        if self.last_to == Some(mv.to()) {
            rating += RECAPTURE;
        }
        let is_check = pos.gives_check(mv, &self.checks);
        if is_check && exchange >= 0 {
            rating += CHECK;
        }
        if pos.moved_piece(mv) == PieceKind::King {
            return if pos.in_check() || !pos.is_quiet(mv) { rating } else { rating + KING };
        }
        match mv.from() {
            Some(from) => rating + APPROACH * (self.nearness(mv.to()) - self.nearness(from)),
            None if is_check => rating,
            None => rating + QUIET_DROP + APPROACH * self.nearness(mv.to()),
        }
    }

    /// How near a square is to the enemy king.
    fn nearness(&self, sq: Square) -> f32 {
        let distance = self.enemy_king.map_or(NEAR, |king| {
            king.file().abs_diff(sq.file()).max(king.rank().abs_diff(sq.rank()))
        });
        NEAR.saturating_sub(distance) as f32
    }
}

/// The moves with their probabilities, most probable first. `temperature`: ratings are divided by it.
pub(super) fn priors(mut moves: RatedMoves, temperature: f32) -> Vec<Edge> {
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
    let highest = moves.first().map_or(0.0, |first| first.1);
    let mut edges: Vec<Edge> = moves
        .iter()
        .map(|&(mv, rating)| Edge { mv, prior: ((rating - highest) / temperature).exp() })
        .collect();
    let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
    edges.iter_mut().for_each(|edge| edge.prior /= sum);
    edges
}

/// The side's best-rated moves in no order.
pub(super) fn best(mut moves: RatedMoves, count: usize) -> RatedMoves {
    if moves.len() > count {
        moves.select_nth_unstable_by(count, |a, b| b.1.total_cmp(&a.1));
        moves.truncate(count);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{Scope, movegen};

    fn edges(sfen: &str) -> Vec<Edge> {
        let pos = Position::from_sfen(sfen).expect("valid");
        priors(rate(&pos, &movegen::legal_moves(&pos, Scope::USEFUL)), 1.0)
    }

    #[test]
    fn probabilities_add_up_and_fall() {
        let edges = edges("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1");
        let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        assert!(edges.windows(2).all(|pair| pair[0].prior >= pair[1].prior));
    }

    #[test]
    fn what_wins_a_rook_comes_first_and_what_loses_one_last() {
        let edges = edges("4k4/9/4p4/9/4r4/9/9/4L4/4K2R1 b - 1");
        assert_eq!(edges[0].mv.to_string(), "5h5e");
        let last = edges.last().expect("moves").mv.to_string();
        assert!(last.starts_with("2i"), "{last}");
    }

    #[test]
    fn the_best_are_taken() {
        let pos = Position::startpos();
        let moves = rate(&pos, &movegen::legal_moves(&pos, Scope::USEFUL));
        let mut ratings: Vec<f32> = moves.iter().map(|rated| rated.1).collect();
        ratings.sort_by(|a, b| b.total_cmp(a));
        let taken = best(moves.clone(), 5);
        assert_eq!(taken.len(), 5);
        assert!(taken.iter().all(|rated| rated.1 >= ratings[4]));
        assert_eq!(best(moves, 100).len(), 30);
    }
}
