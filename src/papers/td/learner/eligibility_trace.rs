//! TD(lambda), for any predictions.

/// Learns from the predictions of one sequence, one after the other.
///
/// Source: Sutton (1988), eq. (4), with the sum kept as a trace: e_i = lambda e_i-1 + grad P_i.
#[derive(Clone, Debug)]
pub struct EligibilityTrace {
    lambda: f64,
    /// e_i; same shape as the weights.
    trace: Vec<f64>,
    /// P_i.
    prediction: f64,
}

impl EligibilityTrace {
    /// The state before the first prediction of a sequence. `weights`: number of weights.
    pub fn new(lambda: f64, weights: usize) -> EligibilityTrace {
        EligibilityTrace { lambda, trace: vec![0.0; weights], prediction: 0.0 }
    }

    /// Adds the next prediction and its derivatives with respect to the weights. Updates the
    /// weights by the difference from the previous prediction. `rate`: alpha.
    pub fn predict(&mut self, weights: &mut [f64], rate: f64, prediction: f64, gradient: &[f64]) {
        self.learn(weights, rate, prediction);
        for (trace, derivative) in self.trace.iter_mut().zip(gradient) {
            *trace = self.lambda * *trace + derivative;
        }
    }

    /// Ends the sequence with its outcome, which is the last prediction.
    pub fn finish(mut self, weights: &mut [f64], rate: f64, outcome: f64) {
        self.learn(weights, rate, outcome);
    }

    /// Before the first prediction the trace is zero, so no weight changes.
    fn learn(&mut self, weights: &mut [f64], rate: f64, prediction: f64) {
        let step = rate * (prediction - self.prediction);
        for (weight, trace) in weights.iter_mut().zip(&self.trace) {
            *weight += step * trace;
        }
        self.prediction = prediction;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Sutton's bounded random walk (1988, section 3.2): states B to F, starting at D; the outcome
    /// is 1 at the right end, 0 at the left one. The weights are the predictions of the states.
    fn random_walk(lambda: f64) -> [f64; 5] {
        let mut rng = Rng::from_seed(7);
        let mut weights = [0.5; 5];
        let walks = 20_000;
        for walk in 0..walks {
            let rate = 0.1 * (1.0 - f64::from(walk) / f64::from(walks));
            let mut trace = EligibilityTrace::new(lambda, 5);
            let mut state = 2;
            let outcome = loop {
                let mut gradient = [0.0; 5];
                gradient[state] = 1.0;
                let prediction = weights[state];
                trace.predict(&mut weights, rate, prediction, &gradient);
                match (state, rng.below(2)) {
                    (0, 0) => break 0.0,
                    (4, 1) => break 1.0,
                    (_, 0) => state -= 1,
                    _ => state += 1,
                }
            };
            trace.finish(&mut weights, rate, outcome);
        }
        weights
    }

    #[test]
    fn the_values_of_the_random_walk_are_found() {
        for lambda in [0.0, 0.3, 0.8, 0.95, 1.0] {
            for (state, found) in random_walk(lambda).into_iter().enumerate() {
                let known = (state + 1) as f64 / 6.0;
                assert!((found - known).abs() < 0.03, "lambda {lambda}: {state} {found} {known}");
            }
        }
    }

    #[test]
    fn earlier_predictions_are_weighted_by_powers_of_lambda() {
        let mut weights = [0.0; 3];
        let mut trace = EligibilityTrace::new(0.5, 3);
        for state in 0..3 {
            let mut gradient = [0.0; 3];
            gradient[state] = 1.0;
            trace.predict(&mut weights, 8.0, 0.25, &gradient);
        }
        assert_eq!(weights, [0.0; 3], "nothing has changed yet");
        trace.finish(&mut weights, 8.0, 0.75);
        assert_eq!(weights, [1.0, 2.0, 4.0]);
    }
}
