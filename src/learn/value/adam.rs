//! Weights that move by Adam.
//!
//! Source: Kingma, Ba, "Adam: a method for stochastic optimization" (ICLR 2015), algorithm 1.

use super::adagrad::Parameters;
use super::part::Step;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
/// Against division by zero; gradients are means over a batch.
const EPSILON: f32 = 1e-8;

/// One step of a run of weights; they are held within `bound`. `moments` and `squares` are those of
/// the same weights.
pub(super) fn step(
    (values, moments, squares): (&mut [f32], &mut [f32], &mut [f32]),
    gradients: &[f32],
    learning_rate: f32,
    step: Step,
    bound: f32,
) {
    let number = i32::try_from(step.number).unwrap_or(i32::MAX);
    let (correct1, correct2) = (1.0 - BETA1.powi(number), 1.0 - BETA2.powi(number));
    let rate = learning_rate * step.factor * correct2.sqrt() / correct1;
    let epsilon = EPSILON * correct2.sqrt();
    for (((value, moment), square), &gradient) in
        values.iter_mut().zip(moments).zip(squares).zip(gradients)
    {
        *moment = BETA1 * *moment + (1.0 - BETA1) * gradient;
        *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
        *value = (*value - rate * *moment / (square.sqrt() + epsilon)).clamp(-bound, bound);
    }
}

/// The three runs of numbers that a step changes.
pub(super) fn state(parameters: &mut Parameters) -> (&mut [f32], &mut [f32], &mut [f32]) {
    (&mut parameters.values, &mut parameters.moments, &mut parameters.squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_the_length_of_the_rate_and_minima_are_found() {
        let mut weights = Parameters::with_moments(vec![1.0, -1.0, 3.0]);
        let gradients = |values: &[f32]| values.iter().map(|v| 2.0 * v - 1.0).collect::<Vec<_>>();
        let mut advance = |number| {
            let step_now = Step { number, factor: 1.0 };
            let gradients = gradients(&weights.values);
            step(state(&mut weights), &gradients, 0.01, step_now, 2.5);
            weights.values.clone()
        };
        let first = advance(1);
        for (value, wanted) in first.iter().zip([0.99, -0.99, 2.5]) {
            assert!((value - wanted).abs() < 1e-5, "{first:?}");
        }
        let last = (2..2_000).map(&mut advance).last().expect("steps");
        assert!(last.iter().all(|value| (value - 0.5).abs() < 1e-2), "{last:?}");
    }
}
