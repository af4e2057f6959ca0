//! The interface of the parts of the model.

use super::adam::BatchStep;
use super::batch::Batch;
use super::trained_weights::TrainedWeights;
use crate::lab::learn::RealWeights;

/// A part of the value: a sum over the pieces with its own weights. Parts do not depend on the
/// target. The value is their sum, so all parts use the same gradient of the loss with respect to
/// the value.
pub(super) trait ModelPart: Send {
    /// Whether the part reads the threats of the samples, which take time to find.
    fn reads_threats(&self) -> bool {
        false
    }

    /// Chooses initial values by the first batch of a run.
    fn begin(&mut self, _batch: &Batch) {}

    /// Adds the part's sum to the values of the batch's samples, side to move's view, logits.
    fn forward(&mut self, batch: &Batch, values: &mut [f32]);

    /// Updates the weights. `gradients`: those of the loss with respect to each sample's value; the
    /// batch is that of the last [`forward`](ModelPart::forward).
    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep);

    /// The weights, in a fixed order.
    fn parameters(&mut self) -> Vec<&mut TrainedWeights>;

    /// Adds the part to the weights of the evaluation, multiplied out. `scale`: centipawns per
    /// logit.
    fn export(&self, scale: f32, weights: &mut RealWeights);

    /// Imports the weights written by [`export`](ModelPart::export), as far as they have its form.
    /// Where several parts share weights, one part takes them and the others become zero.
    fn import(&mut self, scale: f32, weights: &RealWeights);
}
