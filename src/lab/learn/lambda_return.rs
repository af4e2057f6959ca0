//! Lambda-returns: the targets of predictions, and labels from the scores of a game (Sutton 1988).

use crate::record::{Game, GameResult, MoveScore};

use super::Sample;
use super::logistic::{logit, probability};

/// The lambda-return of every prediction of a sequence: G_t = P_t + sum over k >= t of lambda^(k -
/// t) (P_k+1 - P_k). `outcome` follows the last prediction. The return is a mean of the later
/// predictions and the outcome: with lambda 0 the next prediction, with 1 the outcome.
pub(crate) fn lambda_returns(predictions: &[f64], outcome: f64, lambda: f64) -> Vec<f64> {
    let mut returns = predictions.to_vec();
    let (mut next, mut error) = (outcome, 0.0);
    for (value, &prediction) in returns.iter_mut().zip(predictions).rev() {
        error = next - prediction + lambda * error;
        *value += error;
        next = prediction;
    }
    returns
}

/// How the scores of a game become lambda-returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreReturns {
    /// Weight of the later scores and the result, 0 to 1; the score itself has the rest.
    pub lambda: f64,
    /// Centipawns of the scores that multiply the odds of winning by e.
    pub scale: f64,
}

/// The lambda-return of every score of a game, mover's view, centipawns of the labelling engine:
/// G_t = (1 - lambda) P_t + lambda (1 - G_t+1), where P is the expectation of a score. The result
/// follows the last move. A move without a score was not played for its strength, so the scores
/// after it say nothing about those before it. A move without a score has the return 0. A bound
/// counts as its value.
pub fn score_returns(game: &Game, result: GameResult, how: ScoreReturns) -> Vec<i16> {
    let scale = how.scale;
    let expectation = |score| match score {
        MoveScore::Centipawns(score) => probability(f64::from(score) / scale),
        MoveScore::MatesIn(_) => 1.0,
        MoveScore::MatedIn(_) => 0.0,
    };
    // The expectations are those of the first move's side. The first entry is only there because a
    // lambda-return begins with the next prediction.
    let from_start = |ply: usize, value| if ply.is_multiple_of(2) { value } else { 1.0 - value };
    let mut labels = vec![0; game.moves().len()];
    let mut scored = Vec::new();
    for ply in 0..=labels.len() {
        if let Some(score) = game.score(ply) {
            scored.push(from_start(ply, expectation(score)));
            continue;
        }
        let outcome = if ply < labels.len() {
            scored.last().copied().unwrap_or_default()
        } else {
            f64::from(Sample::half_points_of(game.mover(0), result)) / 2.0
        };
        let first = ply - scored.len();
        scored.insert(0, 0.0);
        let returns = lambda_returns(&scored, outcome, how.lambda);
        for (ply, value) in (first..ply).zip(returns) {
            let score = scale * logit(from_start(ply, value));
            labels[ply] = Sample::clamp_score(score.round() as i32);
        }
        scored.clear();
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameReader;

    #[test]
    fn returns_lie_between_the_next_prediction_and_the_outcome() {
        let predictions = [0.5, 0.75, 0.25];
        assert_eq!(lambda_returns(&predictions, 1.0, 0.0), [0.75, 0.25, 1.0]);
        assert_eq!(lambda_returns(&predictions, 1.0, 1.0), [1.0; 3]);
        assert_eq!(lambda_returns(&predictions, 1.0, 0.5), [0.6875, 0.625, 1.0]);
        assert!(lambda_returns(&[], 1.0, 0.5).is_empty());
    }

    /// The returns of a game that Black wins.
    fn returns(line: &'static str, lambda: f64) -> Vec<i16> {
        let mut games = GameReader::new("x".as_ref(), line.as_bytes()).expect("a format");
        let game = games.next().expect("a line").expect("a game");
        score_returns(&game, game.result.expect("a result"), ScoreReturns { lambda, scale: 900.0 })
    }

    #[test]
    fn scores_of_a_game_approach_the_later_ones() {
        let line = "7g7f 3c3d 8h2b+ 3a2b 6i7h | 10 -200 300 -400 m3 | b\n";
        assert_eq!(returns(line, 0.0), [10, -200, 300, -400, 10_000]);
        assert_eq!(returns(line, 1.0), [10_000, -10_000, 10_000, -10_000, 10_000]);
        // 900 ln(p / (1 - p)) with p = (1 + sigmoid(400 / 900)) / 2 = .8047 before the fourth move.
        let half = returns(line, 0.5);
        assert_eq!(half[3..], [-1274, 10_000]);
        assert!(half[0] > 200 && half[1] < -300 && half[2] > 600, "{half:?}");
    }

    #[test]
    fn a_move_without_a_score_ends_the_returns_of_those_before_it() {
        let line = "7g7f 3c3d 8h2b+ 3a2b 6i7h | 10 -200 . -400 500 | b\n";
        let [first, second, none, ..] = returns(line, 0.5)[..] else { panic!("too few") };
        assert_eq!((second, none), (-200, 0));
        assert!((100..=110).contains(&first), "{first}");
    }
}
