//! Training positions from the search tree: a random sample of the evaluated positions.

use std::num::NonZeroU32;

use crate::engine::{PackedPosition, SampledPosition};
use crate::eval::Score;
use crate::rng::Rng;
use crate::shogi::Position;

/// Samples the positions of one thread.
pub(super) struct Sampler {
    interval: NonZeroU32,
    rng: Rng,
    /// Positions to skip before the next sample.
    gap: usize,
    kept: Vec<SampledPosition>,
}

impl Sampler {
    /// A sampler of a search of `root`. The random sequence depends only on the root position.
    pub fn new(interval: NonZeroU32, root: &Position) -> Sampler {
        let mut sampler =
            Sampler { interval, rng: Rng::from_seed(root.key()), gap: 0, kept: Vec::new() };
        sampler.draw_gap();
        sampler
    }

    /// Gaps are uniform in 0..2 n - 1, so that one position in n is sampled on average.
    fn draw_gap(&mut self) {
        self.gap = self.rng.below(2 * self.interval.get() as usize - 1);
    }

    /// Offers an evaluated position to the sampler.
    #[inline]
    pub fn evaluated(&mut self, pos: &Position, static_eval: Score) {
        match self.gap.checked_sub(1) {
            Some(gap) => self.gap = gap,
            None => {
                let position = PackedPosition::of(pos);
                self.kept.push(SampledPosition { position, static_eval });
                self.draw_gap();
            }
        }
    }

    /// The sampled positions.
    pub fn into_kept(self) -> Vec<SampledPosition> {
        self.kept
    }
}
