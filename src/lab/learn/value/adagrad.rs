//! Weights that move by AdaGrad.
//!
//! Source: Duchi, Hazan, Singer, "Adaptive subgradient methods" (JMLR 2011), diagonal form: G += g^2,
//! w -= learning rate * g / sqrt(initial accumulator + G).

/// How fast weights move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaGradRate {
    /// Length of the first step if the gradient is far above the root of the initial accumulator, in
    /// the weights' unit.
    pub learning_rate: f32,
    /// What the sum of squares starts with: damps weights that have hardly been seen.
    pub initial_accumulator: f32,
}

impl AdaGradRate {
    /// A rate.
    pub const fn new(learning_rate: f32, initial_accumulator: f32) -> AdaGradRate {
        AdaGradRate { learning_rate, initial_accumulator }
    }

    /// The same with the learning rate times `factor`.
    #[must_use]
    pub fn times(self, factor: f32) -> AdaGradRate {
        AdaGradRate { learning_rate: self.learning_rate * factor, ..self }
    }
}

/// Weights and what AdaGrad remembers of them.
#[derive(Clone, Debug)]
pub(super) struct TrainedWeights {
    /// The weights.
    pub values: Vec<f32>,
    /// Sums of squared gradients, or with Adam their means.
    pub squares: Vec<f32>,
    /// Mean gradients; empty without Adam.
    pub moments: Vec<f32>,
    /// Sums of the weights at the moments of averaging; empty before the first.
    pub sums: Vec<f32>,
    /// The weights at the end of the best epoch; empty unless they are kept.
    pub best: Vec<f32>,
    /// How often each row of weights was used; empty unless they are counted.
    uses: Vec<u32>,
}

impl TrainedWeights {
    /// Weights that have not moved yet.
    pub fn new(values: Vec<f32>) -> TrainedWeights {
        TrainedWeights {
            squares: vec![0.0; values.len()],
            moments: Vec::new(),
            values,
            sums: Vec::new(),
            best: Vec::new(),
            uses: Vec::new(),
        }
    }

    /// The same, to be moved by Adam.
    pub fn with_moments(values: Vec<f32>) -> TrainedWeights {
        TrainedWeights { moments: vec![0.0; values.len()], ..TrainedWeights::new(values) }
    }

    /// `len` weights of zero.
    pub fn zero(len: usize) -> TrainedWeights {
        TrainedWeights::new(vec![0.0; len])
    }

    /// The uses of each row of `row_len` weights so far, to be counted on.
    pub fn uses(&mut self, row_len: usize) -> &mut [u32] {
        self.uses.resize(self.values.len() / row_len, 0);
        &mut self.uses
    }

    /// Multiplies every weight by n / (n + `count`), where n is half the number of its row's uses,
    /// and forgets them. Weights whose uses were not counted stay.
    pub fn shrink(&mut self, count: f32) {
        let uses = std::mem::take(&mut self.uses);
        if uses.is_empty() {
            return;
        }
        let row_len = self.values.len() / uses.len();
        for (row, uses) in self.values.chunks_mut(row_len).zip(uses) {
            let n = uses as f32 / 2.0;
            row.iter_mut().for_each(|value| *value *= n / (n + count));
        }
    }
}

/// One step of a run of weights.
#[inline]
pub(super) fn step(values: &mut [f32], squares: &mut [f32], gradients: &[f32], rate: AdaGradRate) {
    for ((value, square), &gradient) in values.iter_mut().zip(squares).zip(gradients) {
        *square += gradient * gradient;
        *value -= rate.learning_rate * gradient / (rate.initial_accumulator + *square).sqrt();
    }
}

/// One step of a single weight.
#[inline]
pub(super) fn step_one(value: &mut f32, square: &mut f32, gradient: f32, rate: AdaGradRate) {
    *square += gradient * gradient;
    *value -= rate.learning_rate * gradient / (rate.initial_accumulator + *square).sqrt();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_hardly_seen_hardly_speaks() {
        let mut weights = TrainedWeights::new(vec![1.0; 6]);
        weights.uses(2)[1] += 2;
        weights.uses(2)[2] += 12;
        weights.shrink(2.0);
        assert_eq!(weights.values, [0.0, 0.0, 1.0 / 3.0, 1.0 / 3.0, 0.75, 0.75]);
        assert!(weights.uses.is_empty());
    }
}
