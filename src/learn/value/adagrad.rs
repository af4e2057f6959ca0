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
    /// Sums of squared gradients.
    pub squares: Vec<f32>,
    /// Sums of the weights at the moments of averaging; empty before the first.
    pub sums: Vec<f32>,
    /// The weights at the end of the best epoch; empty unless they are kept.
    pub best: Vec<f32>,
}

impl Parameters {
    /// Weights that have not moved yet.
    pub fn new(values: Vec<f32>) -> Parameters {
        Parameters { squares: vec![0.0; values.len()], values, sums: Vec::new(), best: Vec::new() }
    }

    /// `len` weights of zero.
    pub fn zero(len: usize) -> Parameters {
        Parameters::new(vec![0.0; len])
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
