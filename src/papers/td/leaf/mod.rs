//! TD-leaf: learns the weights of an evaluation by temporal differences at principal leaves. The
//! engine plays itself, and each prediction of a search is corrected towards the side's later
//! predictions and the result.
//!
//! ```text
//! games on frozen weights --> leaves, two sequences a game --> gradients --> one step --+
//!       ^                                                                              |
//!       +------------------------------- next round -----------------------------------+
//! P_t = sigmoid(value of the leaf of own search t / scale), side's view; the last P is the result
//! G_t = P_t + sum over k >= t of lambda^(k - t) (P_k+1 - P_k)
//! step against the gradient of 1/2 sum over t of (G_t - P_t)^2, every G_t a constant
//! ```
//!
//! The negative gradient is the sum of (G_t - P_t) grad P_t. For weights that do not change within
//! a sequence it equals the sum of TD(lambda), eq. (1) of [`learner`](super::learner),
//! with its terms in another order; a test checks this. Adam provides the learning rate alpha.
//!
//! * A *principal leaf* is the quiet position at the end of the principal variation, after its
//!   exchanges. If there is none (mates, checks, repetitions), the prediction is the search's own
//!   score, and has no gradient.
//! * Sequences start after the last random move of a game, because predictions cannot foresee
//!   random moves. Forced moves are played without a search, and make no prediction.
//! * The loss is the squared error, as in TD(lambda), not the cross-entropy of
//!   [`value`](crate::lab::learn::value). Its factor P (1 - P) is almost 0 where a game is decided.
//!   There the result depends more on the resignation rule than on the position.
//! * The scale is fitted to the initial weights and the results of the held-out games. Otherwise
//!   learning would start by scaling all values.
//! * Every game is learned once as played and once as its mirror image.
//! * Adam starts without gradient statistics and makes the first steps too large. So the rates rise linearly from zero during a warm-up, and fall to zero at the end. The final weights
//!   are the mean over the last rounds.
//!
//! Input: [`Weights`](crate::eval::learned::Weights) and a [`TdLeafConfig`]. Output: weights, by a
//! [`TdLeafObjective`] in a [`Trainer`](crate::lab::learn::Trainer) whose batches are rounds of
//! games.
//!
//! Source: Baxter, Tridgell, Weaver, "TDLeaf(lambda): combining temporal difference learning with
//! game-tree search" (1998); Sutton, "Learning to predict by the methods of temporal differences"
//! (1988).

mod config;
mod game;
mod objective;

pub use config::{LearnedParts, TdLeafConfig};
pub use objective::{TdLeafMeasure, TdLeafObjective};

#[cfg(test)]
mod tests {
    use super::objective::lambda_returns;
    use crate::papers::td::learner::EligibilityTrace;
    use crate::rng::Rng;

    #[test]
    fn returns_lie_between_the_next_prediction_and_the_outcome() {
        let predictions = [0.5, 0.75, 0.25];
        assert_eq!(lambda_returns(&predictions, 1.0, 0.0), [0.75, 0.25, 1.0]);
        assert_eq!(lambda_returns(&predictions, 1.0, 1.0), [1.0; 3]);
        assert_eq!(lambda_returns(&predictions, 1.0, 0.5), [0.6875, 0.625, 1.0]);
        assert!(lambda_returns(&[], 1.0, 0.5).is_empty());
    }

    #[test]
    fn the_gradient_is_the_sum_of_the_eligibility_trace() {
        const FEATURES: usize = 6;
        let mut rng = Rng::from_seed(11);
        let mut draw = || [(); FEATURES].map(|()| 2.0 * rng.unit() - 1.0);
        for (lambda, length) in [(0.0, 5), (0.7, 20), (0.95, 40), (1.0, 1)] {
            // P = sigmoid(w x), with constant weights.
            let frozen = draw();
            let features: Vec<[f64; FEATURES]> = (0..length).map(|_| draw()).collect();
            let predict = |x: &[f64; FEATURES]| {
                let value: f64 = frozen.iter().zip(x).map(|(w, x)| w * x).sum();
                1.0 / (1.0 + (-value).exp())
            };
            let gradient = |x: &[f64; FEATURES]| {
                let prediction = predict(x);
                x.map(|x| prediction * (1.0 - prediction) * x)
            };

            let mut moved = [0.0; FEATURES];
            let mut trace = EligibilityTrace::new(lambda, FEATURES);
            for x in &features {
                trace.predict(&mut moved, 1.0, predict(x), &gradient(x));
            }
            trace.finish(&mut moved, 1.0, 0.5);

            let predictions: Vec<f64> = features.iter().map(predict).collect();
            let mut summed = [0.0; FEATURES];
            for (at, target) in lambda_returns(&predictions, 0.5, lambda).into_iter().enumerate() {
                let error = target - predictions[at];
                for (sum, derivative) in summed.iter_mut().zip(gradient(&features[at])) {
                    *sum += error * derivative;
                }
            }
            for (moved, summed) in moved.into_iter().zip(summed) {
                assert!((moved - summed).abs() < 1e-12, "lambda {lambda}: {moved} {summed}");
            }
        }
    }
}
