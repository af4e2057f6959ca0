//! Contribution of each group to the value.

use rayon::prelude::*;

use crate::lab::learn::SampleSet;
use crate::papers::bonanza::hoki::{HokiGroup, HokiWeights, UNIT};

/// Largest number of positions to use.
const POSITIONS: usize = 20_000;

/// Mean absolute value of each group's part, centipawns.
pub(super) fn mean_sizes(weights: &HokiWeights, set: &SampleSet) -> [f64; HokiGroup::COUNT] {
    let samples = &set.samples[..set.samples.len().min(POSITIONS)];
    let parts: Vec<[i32; HokiGroup::COUNT]> = samples
        .par_iter()
        .filter_map(|sample| Some(weights.parts(&sample.position.unpack().ok()?)))
        .collect();
    let total = |group: HokiGroup| {
        let sizes = parts.iter().map(|parts| f64::from(parts[group.number()].abs()));
        sizes.sum::<f64>() / f64::from(UNIT) / parts.len().max(1) as f64
    };
    HokiGroup::ALL.map(total)
}
