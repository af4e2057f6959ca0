//! Positions of the search tree, kept for learning: one in many of those that a search evaluates,
//! or of those that it searches to some depth.
//!
//! Source of the second kind: Veness, Silver, Uther, Blair, "Bootstrapping from game tree search"
//! (NIPS 2009), tree-strap: the value of every inner node is a target of its own evaluation. There
//! bounds and unquiet positions are targets too; why they are not here: `eval/reports/network`.

use crate::engine::{Bound, SampledPosition, Sampling};
use crate::eval::Score;
use crate::rng::Rng;
use crate::search::depth::Depth;
use crate::shogi::{Move, Position};

/// Draws the positions that one thread keeps.
pub(super) struct Sampler {
    sampling: Sampling,
    rng: Rng,
    /// Positions still to pass by before the next one is kept.
    gap: usize,
    kept: Vec<SampledPosition>,
}

impl Sampler {
    /// A sampler of a search of `root`, which alone decides what it draws.
    pub fn new(sampling: Sampling, root: &Position) -> Sampler {
        let mut sampler =
            Sampler { sampling, rng: Rng::from_seed(root.key()), gap: 0, kept: Vec::new() };
        sampler.draw_gap();
        sampler
    }

    /// Gaps are uniform in 0..2 n - 1, so that one position in n is kept on average.
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

    /// The positions kept.
    pub fn kept(&self) -> &[SampledPosition] {
        &self.kept
    }

    /// Passes by a position that was evaluated.
    #[inline]
    pub fn evaluated(&mut self, pos: &Position, raw_eval: Score) {
        if self.sampling.min_depth == 0 {
            self.pass(pos, raw_eval, raw_eval);
        }
    }

    /// Passes by a position whose value is known now. `raw_eval` is `None` in check; `best`: its
    /// best move. Only exact values count, so hardly any from searches of a null window, which
    /// mostly end in bounds. And only quiet positions: where the best move takes something the
    /// evaluation is not to foresee it, quiescence does.
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
