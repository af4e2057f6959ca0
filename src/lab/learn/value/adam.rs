//! Adam updates of weights.
//!
//! Batches touch few weights of large tables. Their rows count their own steps, and a batch updates
//! only the rows it touches. The weight decay of the steps in between follows at the next touch.
//!
//! Sources: Kingma, Ba, "Adam: a method for stochastic optimization" (ICLR 2015), algorithm 1;
//! Loshchilov, Hutter, "Decoupled weight decay regularization" (ICLR 2019), algorithm 2.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
/// Prevents division by zero.
const EPSILON: f32 = 1e-8;
/// Number of steps after which the moments need no correction.
const CORRECTED: u64 = 1 << 13;

/// One step of the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchStep {
    /// Its number, 1 = first.
    pub number: u64,
    /// Factor of the learning rates, from the schedule.
    pub factor: f32,
    /// Share of the run before this step, 0 to 1.
    pub done: f32,
}

/// The constants of an Adam update.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdamRate {
    /// Learning rate.
    pub learning_rate: f32,
    /// Weight decay: each step subtracts this share times the learning rate from every weight.
    #[serde(default)]
    pub weight_decay: f32,
}

impl AdamRate {
    /// A rate without weight decay.
    pub const fn new(learning_rate: f32) -> AdamRate {
        AdamRate { learning_rate, weight_decay: 0.0 }
    }

    /// Returns this rate without weight decay.
    #[must_use]
    pub const fn without_decay(self) -> AdamRate {
        AdamRate::new(self.learning_rate)
    }
}

/// Weights with the state of the optimizer.
pub(super) struct AdamState<'a> {
    pub values: &'a mut [f32],
    /// Moving averages of the gradients.
    pub moments: &'a mut [f32],
    /// Moving averages of the squared gradients.
    pub squares: &'a mut [f32],
}

impl AdamState<'_> {
    /// Updates the weights and clamps them to `bound`. `number`: of this step, 1 = first.
    /// `skipped`: number of steps since the last one.
    #[inline]
    pub fn step(
        self,
        gradients: &[f32],
        rate: AdamRate,
        (number, skipped): (u64, u64),
        factor: f32,
        bound: f32,
    ) {
        let learning_rate = rate.learning_rate * factor;
        let kept = 1.0 - learning_rate * rate.weight_decay;
        let kept = if skipped > 0 && kept < 1.0 { kept.powf((skipped + 1) as f32) } else { kept };
        let rate = learning_rate * correction(number);
        let weights = self.values.iter_mut().zip(self.moments).zip(self.squares).zip(gradients);
        for (((value, moment), square), &gradient) in weights {
            *moment = BETA1 * *moment + (1.0 - BETA1) * gradient;
            *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
            *value =
                (kept * *value - rate * *moment / (square.sqrt() + EPSILON)).clamp(-bound, bound);
        }
    }
}

/// Factor of the learning rate that corrects the moments, which start at zero.
#[inline]
fn correction(number: u64) -> f32 {
    static FACTORS: LazyLock<Vec<f32>> = LazyLock::new(|| {
        let factor = |number: i32| (1.0 - BETA2.powi(number)).sqrt() / (1.0 - BETA1.powi(number));
        (1..=CORRECTED as i32).map(factor).collect()
    });
    FACTORS[(number.clamp(1, CORRECTED) - 1) as usize]
}
