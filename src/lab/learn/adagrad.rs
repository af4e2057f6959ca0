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
    /// One step of a weight. `square`: its sum of squared gradients.
    #[inline]
    pub(super) fn step(self, value: &mut f32, square: &mut f32, gradient: f32) {
        *square += gradient * gradient;
        *value -= self.learning_rate * gradient / (self.initial_accumulator + *square).sqrt();
    }

    /// One step of each of these weights.
    #[inline]
    pub(super) fn step_all(self, values: &mut [f32], squares: &mut [f32], gradients: &[f32]) {
        for ((value, square), &gradient) in values.iter_mut().zip(squares).zip(gradients) {
            self.step(value, square, gradient);
        }
    }
}
