//! Tuning of the searcher's parameters by self-play games.
//!
//! Input: the [`TunedParameter`]s, and games between two settings. Output: a sequence of
//! [`SpsaStep`]s, each with the parameters and the result of its games. The method is simultaneous
//! perturbation stochastic approximation (Spall 1992). Each step perturbs all parameters by random
//! signs, plays a few games between the two resulting points, and moves every parameter towards the
//! winner.
//!
//! An [`Ablation`] first shows which parameters and techniques matter.

mod ablation;

pub use ablation::{Ablation, Effect};

use crate::rng::Rng;
pub use crate::search::TunedParameter;

/// The schedule of the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Planned number of steps.
    pub steps: usize,
    /// Perturbation c of the first step: distance of both points from the center, as a share of a
    /// parameter's range.
    pub perturbation: f64,
    /// Initial learning rate: change of a parameter if one point wins all games, as a share of its
    /// range.
    pub learning_rate: f64,
    /// Seed of the signs.
    pub seed: u64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { steps: 500, perturbation: 0.1, learning_rate: 0.03, seed: 1 }
    }
}

/// Decay exponents of the perturbation and the learning rate, from Spall (1998), "Implementation of
/// the simultaneous perturbation algorithm".
const PERTURBATION_DECAY: f64 = 0.101;
const RATE_DECAY: f64 = 0.602;
/// Delay of the decay of the learning rate, as a share of the steps (the same source).
const DELAY: f64 = 0.1;

/// The result of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaStep {
    /// Games won minus games lost by the first point, as a share of the games.
    pub result: f64,
    /// The parameters after the step, each within its range.
    pub values: Vec<f64>,
}

/// The state of a tuning run.
pub struct Tuning {
    parameters: Vec<TunedParameter>,
    schedule: Schedule,
    values: Vec<f64>,
    done: usize,
}

/// Two points to play against each other, and the signs of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Center plus perturbation times sign, rounded.
    pub first: Vec<i32>,
    /// Center minus perturbation times sign, rounded.
    pub second: Vec<i32>,
    signs: Vec<f64>,
}

impl Tuning {
    /// A run that starts at `values` after `done` steps.
    pub fn new(
        parameters: Vec<TunedParameter>,
        schedule: Schedule,
        values: Vec<f64>,
        done: usize,
    ) -> Tuning {
        Tuning { parameters, schedule, values, done }
    }

    /// Number of completed steps.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The current parameters, rounded.
    pub fn rounded(&self) -> Vec<i32> {
        self.values.iter().map(|value| value.round() as i32).collect()
    }

    /// The points of the next step. Depends only on the seed, the number of the step, and the
    /// values.
    pub fn trial(&self) -> Trial {
        let mut rng = Rng::for_item(self.schedule.seed, self.done as u64);
        let signs: Vec<f64> =
            self.parameters.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let point = |way: f64| {
            let all = self.parameters.iter().zip(&self.values).zip(&signs);
            all.map(|((parameter, value), sign)| {
                let moved = (value + way * sign * self.perturbation(parameter)).round() as i32;
                moved.clamp(parameter.least, parameter.greatest)
            })
            .collect()
        };
        Trial { first: point(1.0), second: point(-1.0), signs }
    }

    /// Moves every parameter by the result of the games between the points of `trial`. `result`:
    /// games won minus games lost by the first point, as a share of the games.
    pub fn learn(&mut self, trial: &Trial, result: f64) -> SpsaStep {
        let steps = self.schedule.steps as f64;
        let delay = DELAY * steps;
        let fall = ((delay + 1.0) / (delay + 1.0 + self.done as f64)).powf(RATE_DECAY);
        let rate = self.schedule.learning_rate * fall;
        for ((value, parameter), sign) in
            self.values.iter_mut().zip(&self.parameters).zip(&trial.signs)
        {
            let (least, greatest) = (f64::from(parameter.least), f64::from(parameter.greatest));
            *value = (*value + rate * (greatest - least) * result * sign).clamp(least, greatest);
        }
        self.done += 1;
        SpsaStep { result, values: self.values.clone() }
    }

    /// Perturbation of a parameter for a trial: at least 1, so that both points differ.
    fn perturbation(&self, parameter: &TunedParameter) -> f64 {
        let range = f64::from(parameter.greatest - parameter.least);
        let fall = (1.0 + self.done as f64).powf(-PERTURBATION_DECAY);
        (self.schedule.perturbation * fall * range).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<TunedParameter> {
        ["a", "b", "c"].map(|name| TunedParameter { name, least: 0, greatest: 1_000 }).to_vec()
    }

    /// The point nearer to a hidden goal wins.
    #[test]
    fn the_better_point_is_found() {
        let goal = [900.0, 100.0, 500.0];
        let schedule = Schedule { steps: 2_000, ..Schedule::default() };
        let mut tuning = Tuning::new(parameters(), schedule, vec![300.0; 3], 0);
        let far = |point: &[i32]| -> f64 {
            point.iter().zip(goal).map(|(&at, goal)| (f64::from(at) - goal).powi(2)).sum()
        };
        while tuning.done() < 2_000 {
            let trial = tuning.trial();
            let result = ((far(&trial.second) - far(&trial.first)) / 50_000.0).clamp(-1.0, 1.0);
            tuning.learn(&trial, result);
        }
        for (found, goal) in tuning.rounded().into_iter().zip(goal) {
            assert!((f64::from(found) - goal).abs() < 40.0, "{:?}", tuning.rounded());
        }
    }

    #[test]
    fn a_resumed_tuning_gives_the_same_values() {
        let run = |tuning: &mut Tuning, steps: usize| {
            for _ in 0..steps {
                let trial = tuning.trial();
                let result = f64::from(trial.first[0] - trial.second[0]).signum() / 3.0;
                tuning.learn(&trial, result);
            }
        };
        let new = |values, done| Tuning::new(parameters(), Schedule::default(), values, done);
        let mut whole = new(vec![500.0; 3], 0);
        run(&mut whole, 30);
        let mut part = new(vec![500.0; 3], 0);
        run(&mut part, 12);
        let mut rest = new(part.values.clone(), part.done());
        run(&mut rest, 18);
        assert_eq!(whole.values, rest.values);
    }

    #[test]
    fn points_stay_in_their_ranges_and_differ() {
        let narrow = vec![TunedParameter { name: "n", least: 1, greatest: 3 }];
        for value in [1.0, 2.0, 3.0] {
            let trial = Tuning::new(narrow.clone(), Schedule::default(), vec![value], 7).trial();
            assert!((1..=3).contains(&trial.first[0]) && (1..=3).contains(&trial.second[0]));
            assert_ne!(trial.first, trial.second);
        }
    }
}
