//! AdaGrad updates of weights.
//!
//! Source: Duchi, Hazan, Singer, "Adaptive subgradient methods" (JMLR 2011), diagonal form: G +=
//! g^2, w -= learning rate * g / sqrt(initial accumulator + G).

/// The constants of an AdaGrad update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaGradRate {
    /// Length of the first step if the gradient is far above the root of the initial accumulator,
    /// in the weights' unit.
    pub learning_rate: f32,
    /// Initial value of the sum of squared gradients. It damps weights that have had few gradients.
    pub initial_accumulator: f32,
}

impl AdaGradRate {
    /// Creates a rate.
    pub const fn new(learning_rate: f32, initial_accumulator: f32) -> AdaGradRate {
        AdaGradRate { learning_rate, initial_accumulator }
    }

    /// Returns this rate with the learning rate multiplied by `factor`.
    #[must_use]
    pub fn times(self, factor: f32) -> AdaGradRate {
        AdaGradRate { learning_rate: self.learning_rate * factor, ..self }
    }
    /// Updates one weight. `square`: its sum of squared gradients.
    #[inline]
    pub(crate) fn step(self, value: &mut f32, square: &mut f32, gradient: f32) {
        *square += gradient * gradient;
        *value -= self.learning_rate * gradient / (self.initial_accumulator + *square).sqrt();
    }

    /// Updates each of these weights.
    #[inline]
    pub(crate) fn step_all(self, values: &mut [f32], squares: &mut [f32], gradients: &[f32]) {
        for ((value, square), &gradient) in values.iter_mut().zip(squares).zip(gradients) {
            self.step(value, square, gradient);
        }
    }
}
