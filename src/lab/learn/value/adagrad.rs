//! Weights that move by AdaGrad.
//!
//! Source: Duchi, Hazan, Singer, "Adaptive subgradient methods" (JMLR 2011), diagonal form: G += g^2,
//! w -= step * g / sqrt(floor + G).

/// How fast weights move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Length of the first step if the gradient is far above the root of the floor, in the weights'
    /// unit.
    pub step: f32,
    /// What the sum of squares starts with: damps weights that have hardly been seen.
    pub floor: f32,
}

impl Rate {
    /// A rate.
    pub const fn new(step: f32, floor: f32) -> Rate {
        Rate { step, floor }
    }

    /// The same with another step.
    #[must_use]
    pub fn times(self, factor: f32) -> Rate {
        Rate { step: self.step * factor, ..self }
    }
}

/// Weights and what AdaGrad remembers of them.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
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

impl Parameters {
    /// Weights that have not moved yet.
    pub fn new(values: Vec<f32>) -> Parameters {
        Parameters {
            squares: vec![0.0; values.len()],
            moments: Vec::new(),
            values,
            sums: Vec::new(),
            best: Vec::new(),
            uses: Vec::new(),
        }
    }

    /// The same, to be moved by Adam.
    pub fn with_moments(values: Vec<f32>) -> Parameters {
        Parameters { moments: vec![0.0; values.len()], ..Parameters::new(values) }
    }

    /// `len` weights of zero.
    pub fn zero(len: usize) -> Parameters {
        Parameters::new(vec![0.0; len])
    }

    /// The uses of each row of `lanes` weights so far, to be counted on.
    pub fn uses(&mut self, lanes: usize) -> &mut [u32] {
        self.uses.resize(self.values.len() / lanes, 0);
        &mut self.uses
    }

    /// Multiplies every weight by n / (n + `count`), where n is half the number of its row's uses,
    /// and forgets them. Weights whose uses were not counted stay.
    pub fn shrink(&mut self, count: f32) {
        let uses = std::mem::take(&mut self.uses);
        if uses.is_empty() {
            return;
        }
        let lanes = self.values.len() / uses.len();
        for (row, uses) in self.values.chunks_mut(lanes).zip(uses) {
            let n = uses as f32 / 2.0;
            row.iter_mut().for_each(|value| *value *= n / (n + count));
        }
    }
}

/// One step of a run of weights.
#[inline]
pub(super) fn step(values: &mut [f32], squares: &mut [f32], gradients: &[f32], rate: Rate) {
    for ((value, square), &gradient) in values.iter_mut().zip(squares).zip(gradients) {
        *square += gradient * gradient;
        *value -= rate.step * gradient / (rate.floor + *square).sqrt();
    }
}

/// One step of a single weight.
#[inline]
pub(super) fn step_one(value: &mut f32, square: &mut f32, gradient: f32, rate: Rate) {
    *square += gradient * gradient;
    *value -= rate.step * gradient / (rate.floor + *square).sqrt();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_hardly_seen_hardly_speaks() {
        let mut weights = Parameters::new(vec![1.0; 6]);
        weights.uses(2)[1] += 2;
        weights.uses(2)[2] += 12;
        weights.shrink(2.0);
        assert_eq!(weights.values, [0.0, 0.0, 1.0 / 3.0, 1.0 / 3.0, 0.75, 0.75]);
        assert!(weights.uses.is_empty());
    }
}
