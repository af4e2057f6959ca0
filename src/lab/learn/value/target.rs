//! Targets of values, and losses against them.

use std::ops::Range;

use super::sample_ref::SampleRef;
use crate::lab::learn::Sample;
use crate::lab::learn::logistic::{cross_entropy, entropy, sigmoid};
use crate::lab::learn::sample::Role;

/// The target, a probability of winning: a mixture of result and search score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Weight of the score, 0 to 1.
    pub lambda: f32,
    /// Centipawns of the score that multiply the odds of winning by e.
    pub score_scale: f32,
    /// The ranking loss between the moves of a position.
    pub ranking: Ranking,
}

/// The ranking loss, which raises the value of the move played above those of other moves. It is
/// the negative log of its leaf's share of the Boltzmann distribution over the leaves of all moves
/// in the samples. Source: the policy gradient of eq. (4) to (9) of the policy paper, with the
/// quiescence leaf as s*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranking {
    /// Weight of this loss relative to that of the value.
    pub weight: f32,
    /// Temperature T, logits.
    pub temperature: f32,
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
    /// Over positions with several moves: share of those where the move played has the highest
    /// value. `None` if the samples have no such positions.
    pub agreement: Option<f64>,
}

impl Target {
    /// The gradients of the loss with respect to the values of these samples or their mirror
    /// images, complete units in order. Returns the sum of the losses.
    pub(super) fn gradients(
        self,
        samples: &[Sample],
        refs: &[SampleRef],
        values: &[f32],
        gradients: &mut Vec<f32>,
    ) -> f64 {
        let sample = |at: usize| &samples[refs[at].number()];
        gradients.clear();
        gradients.resize(values.len(), 0.0);
        let mut loss = 0.0;
        for unit in units(refs.len(), |at| sample(at).role) {
            let (first, aim) = (unit.start, self.of(sample(unit.start)));
            loss += f64::from(cross_entropy(values[first], aim));
            gradients[first] = sigmoid(values[first]) - aim;
            if unit.len() > 1 {
                let Ranking { weight, temperature } = self.ranking;
                let sign = |at| if sample(at).same_side { 1.0 } else { -1.0 };
                let best = unit.clone().map(|at| sign(at) * values[at]).fold(f32::MIN, f32::max);
                let share = |at: usize| ((sign(at) * values[at] - best) / temperature).exp();
                let total: f32 = unit.clone().map(share).sum();
                loss -= f64::from(weight * (share(first) / total).ln());
                for at in unit {
                    let wanted = if at == first { 1.0 } else { 0.0 };
                    gradients[at] += sign(at) * weight / temperature * (share(at) / total - wanted);
                }
            }
        }
        loss
    }
}

/// The units among `count` samples: each starts with a sample that is not [`Role::Other`].
fn units(count: usize, role: impl Fn(usize) -> Role) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = start;
        start += 1;
        while start < count && role(start) == Role::Other {
            start += 1;
        }
        (first < count).then_some(first..start)
    })
}

impl Losses {
    /// The losses of the search scores themselves: a bound that an evaluation is unlikely to reach.
    pub fn of_scores(target: Target, samples: &[Sample]) -> Losses {
        let value = |sample: &Sample| f32::from(sample.score) / target.score_scale;
        Losses::of(target, samples, &samples.iter().map(value).collect::<Vec<f32>>())
    }

    /// The losses of values (logits) of the samples, complete units in order.
    pub fn of(target: Target, samples: &[Sample], values: &[f32]) -> Losses {
        let mut sum = Losses::default();
        let (mut count, mut compared, mut agreed) = (0, 0, 0);
        for unit in units(samples.len(), |at| samples[at].role) {
            let (sample, value) = (&samples[unit.start], values[unit.start]);
            let aim = target.of(sample);
            let mixed = f64::from(cross_entropy(value, aim));
            sum.mixed += mixed;
            sum.excess += mixed - entropy(aim);
            let expected = sample.expected(target.score_scale);
            sum.score += f64::from(cross_entropy(value, expected)) - entropy(expected);
            sum.result += f64::from(cross_entropy(value, sample.result()));
            count += 1;
            if unit.len() > 1 {
                let worth =
                    |at: usize| if samples[at].same_side { values[at] } else { -values[at] };
                let played = worth(unit.start);
                compared += 1;
                agreed += u32::from(unit.skip(1).all(|at| worth(at) < played));
            }
        }
        let count = f64::from(count.max(1));
        Losses {
            mixed: sum.mixed / count,
            excess: sum.excess / count,
            result: sum.result / count,
            score: sum.score / count,
            agreement: (compared > 0).then(|| f64::from(agreed) / f64::from(compared)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Position;

    const TARGET: Target = Target {
        lambda: 0.5,
        score_scale: 700.0,
        ranking: Ranking { weight: 0.3, temperature: 0.4 },
    };

    /// Two units: a position alone, and a move played with two others.
    fn samples() -> Vec<Sample> {
        let even = Sample::even(&Position::startpos());
        let sample = |role, same_side, half_points| Sample {
            score: 250,
            half_points,
            same_side,
            role,
            ..even
        };
        vec![
            sample(Role::Position, true, 2),
            sample(Role::Played, false, 0),
            sample(Role::Other, true, 1),
            sample(Role::Other, false, 1),
        ]
    }

    #[test]
    fn gradients_are_central_differences() {
        let samples = samples();
        let values = [0.3, -0.8, 0.5, -0.9];
        let refs = [0, 1, 2, 3].map(|number| SampleRef::new(number).mirrored_if(number == 3));
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

    #[test]
    fn the_move_played_is_compared_from_its_own_side() {
        let samples = samples();
        // Values 0.8 to the side that chose, against 0.5 and 0.7.
        let losses = Losses::of(TARGET, &samples, &[0.3, -0.8, 0.5, -0.7]);
        assert_eq!(losses.agreement, Some(1.0));
        let losses = Losses::of(TARGET, &samples, &[0.3, -0.8, 0.5, -0.9]);
        assert_eq!(losses.agreement, Some(0.0));
        // The first sample is a position alone.
        assert_eq!(Losses::of(TARGET, &samples[..1], &[0.3]).agreement, None);
    }
}
