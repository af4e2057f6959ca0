//! The learner of the paper: one update per position, in the order of the games.

use super::boltzmann::probabilities;
use super::move_choice::MoveChoice;
use super::policy_learner::Learner;
use super::policy_table::PolicyTable;
use crate::eval::PieceList;
use crate::shogi::{Move, Position};

/// Largest error of a probability that needs no update.
const NEGLIGIBLE: f32 = 1e-4;

/// Parameters that the paper varies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnlineConfig {
    /// Learning rate epsilon, centipawns squared.
    pub learning_rate: f32,
    /// Temperature T, centipawns.
    pub temperature: f32,
}

/// Imitates the moves of games, one position at a time.
pub struct Online {
    config: OnlineConfig,
    table: PolicyTable,
    choice: MoveChoice,
    policy: Vec<f32>,
}

impl Online {
    /// Creates a learner that starts with these weights.
    pub fn new(config: OnlineConfig, table: PolicyTable) -> Online {
        Online { config, table, choice: MoveChoice::default(), policy: Vec::new() }
    }
}

impl Learner for Online {
    fn look(&mut self, pos: &Position, list: &PieceList, played: Move) -> Option<f64> {
        self.choice.look(pos, list, played, &self.table).then(|| self.choice.credit())
    }

    /// The update of one position (eq. (9)).
    ///
    /// delta w = epsilon/T * sum over a of [pi*(a|s) - pi(a|s)] * gradient of E(s*|a, s), with
    /// pi* = 1 for the record's move.
    fn imitate(&mut self) {
        let Online { config, table, choice, policy } = self;
        probabilities(choice.values(), config.temperature, policy);
        let step = config.learning_rate / config.temperature;
        for (n, amount) in policy.iter_mut().enumerate() {
            let target = if n == choice.record() { 1.0 } else { 0.0 };
            let error = target - *amount;
            *amount = if error.abs() < NEGLIGIBLE { 0.0 } else { step * error };
        }
        choice.each_gradient(policy, |king, i, j, amount| {
            table.add(king, i.into(), j.into(), amount);
        });
    }

    fn table(&self) -> &PolicyTable {
        &self.table
    }

    fn state(&mut self) -> Vec<&mut PolicyTable> {
        vec![&mut self.table]
    }
}
