//! Configuration of learning.

use crate::lab::learn::AdaGradRate;
use crate::papers::bonanza::hoki::{HokiGroup, HokiGroups};

/// Everything that defines a run, except the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HokiConfig {
    /// The groups to learn; the others are switched off.
    pub groups: HokiGroups,
    /// Passes over the samples.
    pub epochs: u32,
    /// Samples of a mini-batch.
    pub batch: usize,
    /// Weight of the search score in the target, 0 to 1; the result has the rest.
    pub lambda: f32,
    /// Centipawns of the evaluation that multiply the odds of winning by e.
    pub scale: f32,
    /// Centipawns of the scores in the data that multiply the odds of winning by e; `None` = fitted
    /// to the results.
    pub score_scale: Option<f32>,
    /// Seed of the order of the samples.
    pub seed: u64,
    /// Learning rate of KPP and the guards, the groups with many weights that occur in few
    /// positions; logits.
    pub many: AdaGradRate,
    /// Learning rate of the other groups, logits.
    pub few: AdaGradRate,
    /// Measurements of the held-out loss per epoch.
    pub evaluations: u32,
}

impl HokiConfig {
    /// The rates and the batch size had the lowest held-out loss on the teacher's games. Two passes
    /// learn more than one; more were not measured (`eval/reports/hoki/discussion.md`).
    pub const DEFAULT: HokiConfig = HokiConfig {
        groups: HokiGroups::ALL,
        epochs: 2,
        batch: 1_024,
        lambda: 1.0,
        scale: 900.0,
        score_scale: None,
        seed: 1,
        many: AdaGradRate::new(0.002, 10.0),
        few: AdaGradRate::new(0.05, 10.0),
        evaluations: 2,
    };

    /// The learning rate of a group.
    pub fn rate(&self, group: HokiGroup) -> AdaGradRate {
        match group {
            HokiGroup::Kpp | HokiGroup::Guards => self.many,
            _ => self.few,
        }
    }
}
