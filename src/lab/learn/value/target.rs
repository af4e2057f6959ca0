//! Targets of values, and losses against them.

use super::sample_ref::SampleRef;
use crate::lab::learn::Sample;
use crate::lab::learn::logistic::{cross_entropy, entropy, sigmoid};

/// The target, a probability of winning: a mixture of result and search score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Weight of the score, 0 to 1.
    pub lambda: f32,
    /// Centipawns of the score that multiply the odds of winning by e.
    pub score_scale: f32,
}

impl Target {
    /// The target of a sample: (1 - l) result + l sigmoid(score / s).
    #[inline]
    pub fn of(self, sample: &Sample) -> f32 {
        (1.0 - self.lambda) * sample.result() + self.lambda * sample.expected(self.score_scale)
    }
}

/// Mean losses over samples, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy against the target.
    pub mixed: f64,
    /// Cross-entropy minus the targets' own entropy, which is the lower bound.
    pub excess: f64,
    /// Cross-entropy against the results alone.
    pub result: f64,
    /// Excess against the search scores alone: their Kullback-Leibler divergence from the values.
    pub score: f64,
}

impl Target {
    /// The gradients of the loss with respect to the values of these samples or their mirror
    /// images. Returns the sum of the losses.
    pub(super) fn gradients(
        self,
        samples: &[Sample],
        refs: &[SampleRef],
        values: &[f32],
        gradients: &mut Vec<f32>,
    ) -> f64 {
        gradients.clear();
        let mut loss = 0.0;
        for (reference, &value) in refs.iter().zip(values) {
            let aim = self.of(&samples[reference.number()]);
            loss += f64::from(cross_entropy(value, aim));
            gradients.push(sigmoid(value) - aim);
        }
        loss
    }
}

impl Losses {
    /// The losses of the search scores themselves: a bound that an evaluation is unlikely to reach.
    pub fn of_scores(target: Target, samples: &[Sample]) -> Losses {
        let value = |sample: &Sample| f32::from(sample.score) / target.score_scale;
        Losses::of(target, samples, &samples.iter().map(value).collect::<Vec<f32>>())
    }

    /// The losses of values (logits) of the samples.
    pub fn of(target: Target, samples: &[Sample], values: &[f32]) -> Losses {
        let mut sum = Losses::default();
        for (sample, &value) in samples.iter().zip(values) {
            let aim = target.of(sample);
            let mixed = f64::from(cross_entropy(value, aim));
            sum.mixed += mixed;
            sum.excess += mixed - entropy(aim);
            let expected = sample.expected(target.score_scale);
            sum.score += f64::from(cross_entropy(value, expected)) - entropy(expected);
            sum.result += f64::from(cross_entropy(value, sample.result()));
        }
        let count = samples.len().max(1) as f64;
        Losses {
            mixed: sum.mixed / count,
            excess: sum.excess / count,
            result: sum.result / count,
            score: sum.score / count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Position;

    const TARGET: Target = Target { lambda: 0.5, score_scale: 700.0 };

    #[test]
    fn gradients_are_central_differences() {
        let even = Sample::even(&Position::startpos());
        let samples = [2, 0, 1].map(|half_points| Sample { score: 250, half_points, ..even });
        let values = [0.3, -0.8, 0.5];
        let refs = [0, 1, 2].map(|number| SampleRef::new(number).mirrored_if(number == 2));
        let loss = |values: &[f32]| TARGET.gradients(&samples, &refs, values, &mut vec![]);
        let mut gradients = Vec::new();
        TARGET.gradients(&samples, &refs, &values, &mut gradients);
        for at in 0..values.len() {
            const STEP: f32 = 0.01;
            let at_distance = |step: f32| {
                let mut moved = values;
                moved[at] += step;
                loss(&moved)
            };
            let difference = (at_distance(STEP) - at_distance(-STEP)) / f64::from(2.0 * STEP);
            let gradient = f64::from(gradients[at]);
            assert!((gradient - difference).abs() < 1e-3, "{at}: {gradient} {difference}");
        }
    }
}
