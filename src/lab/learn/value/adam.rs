//! Adam updates of weights.
//!
//! Sources: Kingma, Ba, "Adam: a method for stochastic optimization" (ICLR 2015), algorithm 1;
//! Loshchilov, Hutter, "Decoupled weight decay regularization" (ICLR 2019), algorithm 2.

use super::model_part::BatchStep;
use super::trained_weights::TrainedWeights;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
/// Prevents division by zero; gradients are means over a batch.
const EPSILON: f32 = 1e-8;

/// The constants of an Adam update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamRate {
    /// Learning rate.
    pub learning_rate: f32,
    /// Weight decay: each step subtracts this share times the learning rate from every weight.
    pub weight_decay: f32,
}

/// Updates a slice of weights and clamps them to `bound`. `moments` and `squares` belong to the
/// same weights.
pub(super) fn step(
    (values, moments, squares): (&mut [f32], &mut [f32], &mut [f32]),
    gradients: &[f32],
    adam: AdamRate,
    step: BatchStep,
    bound: f32,
) {
    let number = i32::try_from(step.number).unwrap_or(i32::MAX);
    let (correct1, correct2) = (1.0 - BETA1.powi(number), 1.0 - BETA2.powi(number));
    let learning_rate = adam.learning_rate * step.factor;
    let rate = learning_rate * correct2.sqrt() / correct1;
    let kept = 1.0 - learning_rate * adam.weight_decay;
    let epsilon = EPSILON * correct2.sqrt();
    for (((value, moment), square), &gradient) in
        values.iter_mut().zip(moments).zip(squares).zip(gradients)
    {
        *moment = BETA1 * *moment + (1.0 - BETA1) * gradient;
        *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
        *value = (kept * *value - rate * *moment / (square.sqrt() + epsilon)).clamp(-bound, bound);
    }
}

/// The three arrays that a step changes.
pub(super) fn state(parameters: &mut TrainedWeights) -> (&mut [f32], &mut [f32], &mut [f32]) {
    (&mut parameters.values, &mut parameters.moments, &mut parameters.squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: AdamRate = AdamRate { learning_rate: 0.01, weight_decay: 0.0 };

    #[test]
    fn the_first_step_has_the_length_of_the_rate_and_minima_are_found() {
        let mut weights = TrainedWeights::with_moments(vec![1.0, -1.0, 3.0]);
        let gradients = |values: &[f32]| values.iter().map(|v| 2.0 * v - 1.0).collect::<Vec<_>>();
        let mut advance = |number| {
            let step_now = BatchStep { number, factor: 1.0 };
            let gradients = gradients(&weights.values);
            step(state(&mut weights), &gradients, RATE, step_now, 2.5);
            weights.values.clone()
        };
        let first = advance(1);
        for (value, wanted) in first.iter().zip([0.99, -0.99, 2.5]) {
            assert!((value - wanted).abs() < 1e-5, "{first:?}");
        }
        let last = (2..2_000).map(&mut advance).last().expect("steps");
        assert!(last.iter().all(|value| (value - 0.5).abs() < 1e-2), "{last:?}");
    }

    #[test]
    fn weights_without_gradients_decay() {
        let mut weights = TrainedWeights::with_moments(vec![1.0, -2.0]);
        let rate = AdamRate { weight_decay: 0.5, ..RATE };
        for number in 1..=10 {
            let step_now = BatchStep { number, factor: 1.0 };
            step(state(&mut weights), &[0.0; 2], rate, step_now, 2.5);
        }
        let kept = 0.995f32.powi(10);
        for (value, wanted) in weights.values.iter().zip([kept, -2.0 * kept]) {
            assert!((value - wanted).abs() < 1e-5, "{:?}", weights.values);
        }
    }
}
