//! What all parts of the model have in common.

use super::batch::Batch;
use super::trained_weights::TrainedWeights;
use crate::eval::learned::RealWeights;

/// One step of the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchStep {
    /// Its number, 1 = first.
    pub number: u64,
    /// Of the learning rates, from the schedule.
    pub factor: f32,
}

/// A part of the value: a sum over the pieces with weights of its own. Parts know no target; the
/// value is their sum, so the gradient of the loss by the value serves them all.
pub(super) trait ModelPart: Send {
    /// Adds the part's share to the values of the batch's samples, side to move's view, logits.
    fn forward(&mut self, batch: &Batch, values: &mut [f32]);

    /// Moves the weights against the gradient. `gradients`: of the loss by each sample's value; the
    /// batch is that of the last [`forward`](ModelPart::forward).
    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep);

    /// Whether its rates let no weight move.
    fn is_frozen(&self) -> bool {
        false
    }

    /// Counts for every weight, or row of weights, how often the batch's samples use it
    /// ([`TrainedWeights::uses`]): by both sides, and with whatever sign.
    fn count(&mut self, batch: &Batch);

    /// The weights, in an order that never changes.
    fn parameters(&mut self) -> Vec<&mut TrainedWeights>;

    /// Adds the part to the weights of the evaluation, multiplied out. `scale`: centipawns a logit.
    fn export(&self, scale: f32, weights: &mut RealWeights);

    /// Takes over the weights that [`export`](ModelPart::export) makes of it, as far as they have its
    /// form; where several parts share weights, one takes them and the others are nothing.
    fn import(&mut self, scale: f32, weights: &RealWeights);
}
