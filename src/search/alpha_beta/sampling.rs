//! Training positions from the search tree: a random sample of the evaluated positions, or of the
//! positions searched to a minimum depth.
//!
//! Source of the second kind: Veness, Silver, Uther, Blair, "Bootstrapping from game tree search"
//! (NIPS 2009), TreeStrap. There, the value of every inner node is a training target of its own
//! evaluation. Bounds and unquiet positions are targets in the paper but not here;
//! `eval/reports/network` gives the reasons.

use crate::engine::{Bound, SampledPosition, Sampling};
use crate::eval::Score;
use crate::rng::Rng;
use crate::search::depth::Depth;
use crate::shogi::{Move, Position};

/// Samples the positions of one thread.
pub(super) struct Sampler {
    sampling: Sampling,
    rng: Rng,
    /// Positions to skip before the next sample.
    gap: usize,
    kept: Vec<SampledPosition>,
}

impl Sampler {
    /// A sampler of a search of `root`. The random sequence depends only on the root position.
    pub fn new(sampling: Sampling, root: &Position) -> Sampler {
        let mut sampler =
            Sampler { sampling, rng: Rng::from_seed(root.key()), gap: 0, kept: Vec::new() };
        sampler.draw_gap();
        sampler
    }

    /// Gaps are uniform in 0..2 n - 1, so that one position in n is sampled on average.
    fn draw_gap(&mut self) {
        self.gap = self.rng.below(2 * self.sampling.interval.get() as usize - 1);
    }

    #[inline]
    fn pass(&mut self, pos: &Position, static_eval: Score, value: Score) {
        match self.gap.checked_sub(1) {
            Some(gap) => self.gap = gap,
            None => {
                self.kept.push(SampledPosition { position: pos.pack(), static_eval, value });
                self.draw_gap();
            }
        }
    }

    /// The sampled positions.
    pub fn into_kept(self) -> Vec<SampledPosition> {
        self.kept
    }

    /// Offers an evaluated position to the sampler.
    #[inline]
    pub fn evaluated(&mut self, pos: &Position, raw_eval: Score) {
        if self.sampling.min_depth == 0 {
            self.pass(pos, raw_eval, raw_eval);
        }
    }

    /// Offers a searched position to the sampler. `raw_eval` is `None` in check; `best`: the best
    /// move. Only exact scores count, so null-window searches yield few samples. If the best move
    /// is a capture, the position is skipped: quiescence search resolves it, so the evaluation must
    /// not learn it.
    #[inline]
    pub fn searched(
        &mut self,
        pos: &Position,
        depth: Depth,
        raw_eval: Option<Score>,
        (score, bound): (Score, Bound),
        best: Option<Move>,
    ) {
        let min_depth = self.sampling.min_depth;
        if min_depth == 0
            || depth < Depth::plies(min_depth as i32)
            || bound != Bound::Exact
            || score.is_mate()
        {
            return;
        }
        if let (Some(raw_eval), Some(best)) = (raw_eval, best)
            && pos.is_quiet(best)
        {
            self.pass(pos, raw_eval, score);
        }
    }
}
