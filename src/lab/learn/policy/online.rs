//! Learning as the paper does it: one update a position, in the order of the games.

use super::boltzmann::{Agreement, probabilities};
use super::choice::{Choice, each_example};
use super::course::Learner;
use super::table::Table;
use crate::record::Game;

/// Moves whose probability is this near to what it should be need no update.
const NEGLIGIBLE: f32 = 1e-4;

/// What the paper varies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Learning rate epsilon, centipawns squared.
    pub rate: f32,
    /// Temperature T, centipawns.
    pub temperature: f32,
}

/// Imitates the moves of games.
pub struct Online {
    rates: Rates,
    table: Table,
    choice: Choice,
    policy: Vec<f32>,
}

impl Online {
    /// A learner that starts with these weights.
    pub fn new(rates: Rates, table: Table) -> Online {
        Online { rates, table, choice: Choice::default(), policy: Vec::new() }
    }
}

impl Learner for Online {
    /// Learns one game, position by position (eq. (9)).
    ///
    /// delta w = epsilon/T * sum over a of [pi*(a|s) - pi(a|s)] * gradient of E(s*|a, s), with
    /// pi* = 1 for the record's move.
    fn learn(&mut self, game: &Game) -> Agreement {
        let mut agreement = Agreement::default();
        let Online { rates, table, choice, policy } = self;
        each_example(game, |pos, list, mv| {
            if !choice.look(pos, list, mv, table) {
                return;
            }
            agreement.add(choice.credit());
            probabilities(choice.values(), rates.temperature, policy);
            let step = rates.rate / rates.temperature;
            for (n, amount) in policy.iter_mut().enumerate() {
                let target = if n == choice.record() { 1.0 } else { 0.0 };
                let error = target - *amount;
                *amount = if error.abs() < NEGLIGIBLE { 0.0 } else { step * error };
            }
            choice.each_gradient(policy, |king, i, j, amount| {
                table.add(king, i.into(), j.into(), amount);
            });
        });
        agreement
    }

    fn finish_pass(&mut self) {}

    fn judge(&mut self, game: &Game) -> Agreement {
        let mut agreement = Agreement::default();
        let Online { table, choice, .. } = self;
        each_example(game, |pos, list, mv| {
            if choice.look(pos, list, mv, table) {
                agreement.add(choice.credit());
            }
        });
        agreement
    }

    fn tables(&self) -> Vec<&Table> {
        vec![&self.table]
    }

    fn tables_mut(&mut self) -> Vec<&mut Table> {
        vec![&mut self.table]
    }
}
