//! What a value should be, and how far it is off.

use crate::learn::Sample;

/// The probability to win: a mixture of result and search score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Share of the score, 0 to 1.
    pub lambda: f32,
    /// Centipawns of the score that multiply the odds of winning by e.
    pub score_scale: f32,
}

impl Target {
    /// The target of a sample: (1 - l) result + l sigmoid(score / s).
    #[inline]
    pub fn of(self, sample: &Sample) -> f32 {
        (1.0 - self.lambda) * sample.result() + self.lambda * self.expected(sample)
    }

    /// What the search score alone says.
    #[inline]
    fn expected(self, sample: &Sample) -> f32 {
        sigmoid(f32::from(sample.score) / self.score_scale)
    }
}

/// Mean losses over samples, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy against the target.
    pub mixed: f64,
    /// The same less the targets' own entropy: what could still be gained.
    pub excess: f64,
    /// Cross-entropy against the results alone.
    pub result: f64,
    /// Excess against the search scores alone: their Kullback-Leibler divergence from the values.
    pub score: f64,
}

impl Losses {
    /// The losses of values (logits) of the samples.
    pub fn of(target: Target, samples: &[Sample], values: &[f32]) -> Losses {
        let mut sum = Losses::default();
        for (sample, &value) in samples.iter().zip(values) {
            let aim = target.of(sample);
            let mixed = f64::from(cross_entropy(value, aim));
            sum.mixed += mixed;
            sum.excess += mixed - entropy(aim);
            let expected = target.expected(sample);
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

/// 1 / (1 + e^-x).
#[inline]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// - t ln sigmoid(v) - (1 - t) ln(1 - sigmoid(v)).
#[inline]
pub(super) fn cross_entropy(value: f32, aim: f32) -> f32 {
    // ln(1 + e^v) - t v, in the form that does not overflow.
    value.max(0.0) + (-value.abs()).exp().ln_1p() - aim * value
}

fn entropy(probability: f32) -> f64 {
    let p = f64::from(probability);
    [p, 1.0 - p].into_iter().filter(|&p| p > 0.0).map(|p| -p * p.ln()).sum()
}

/// The scale s for which sigmoid(x / s) explains the results best, by Newton's method on its
/// reciprocal: logistic regression of the results on `x` of each sample alone. Infinite if `x` says
/// nothing.
pub fn fit_slope(samples: &[Sample], x: impl Fn(&Sample) -> f32) -> f32 {
    /// More than enough: the loss is convex in one variable.
    const STEPS: usize = 20;
    /// Scores are of this size, so that slopes are near 1.
    const UNIT: f64 = 1_000.0;
    let mut slope = 0.0;
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = (0.0, 1e-9);
        for sample in samples {
            let x = f64::from(x(sample)) / UNIT;
            let expected = 1.0 / (1.0 + (-slope * x).exp());
            gradient += x * (expected - f64::from(sample.result()));
            curvature += x * x * expected * (1.0 - expected);
        }
        let change = gradient / curvature;
        slope -= change;
        if change.abs() < 1e-6 {
            break;
        }
    }
    (UNIT / slope) as f32
}
