//! Uses of the [move ratings](crate::papers::mcts::ratings): priors, and the moves of playouts.

use super::arena::Edge;
use crate::papers::mcts::ratings::RatedMoves;

/// The moves with their prior probabilities, most probable first. `temperature` divides the
/// ratings.
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

/// The `count` best-rated moves, unsorted.
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
    use crate::papers::mcts::ratings::MoveRatings;
    use crate::shogi::{Position, Scope, movegen};

    fn rated(pos: &Position) -> RatedMoves {
        MoveRatings::embedded().rate(pos, &movegen::legal_moves(pos, Scope::USEFUL))
    }

    fn edges(sfen: &str) -> Vec<Edge> {
        let pos = Position::from_sfen(sfen).expect("valid");
        priors(rated(&pos), 1.0)
    }

    #[test]
    fn priors_sum_to_one_and_decrease() {
        let edges = edges("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1");
        let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        assert!(edges.windows(2).all(|pair| pair[0].prior >= pair[1].prior));
    }

    #[test]
    fn best_returns_the_highest_rated_moves() {
        let pos = Position::startpos();
        let moves = rated(&pos);
        let mut ratings: Vec<f32> = moves.iter().map(|rated| rated.1).collect();
        ratings.sort_by(|a, b| b.total_cmp(a));
        let taken = best(moves.clone(), 5);
        assert_eq!(taken.len(), 5);
        assert!(taken.iter().all(|rated| rated.1 >= ratings[4]));
        assert_eq!(best(moves, 100).len(), 30);
    }
}
