//! Lambda-returns: the targets of predictions.

/// The lambda-return of every prediction of a sequence: G_t = P_t + sum over k >= t of lambda^(k -
/// t) (P_k+1 - P_k). `outcome` follows the last prediction. The return is a mean of the later
/// predictions and the outcome: with lambda 0 the next prediction, with 1 the outcome.
pub(super) fn lambda_returns(predictions: &[f64], outcome: f64, lambda: f64) -> Vec<f64> {
    let mut returns = predictions.to_vec();
    let (mut next, mut error) = (outcome, 0.0);
    for (value, &prediction) in returns.iter_mut().zip(predictions).rev() {
        error = next - prediction + lambda * error;
        *value += error;
        next = prediction;
    }
    returns
}

#[cfg(test)]
mod tests {
    use super::*;
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
