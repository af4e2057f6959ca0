//! Quiescence search: searches exchanges until the position is quiet.
//!
//! Source: Hoki 2006, figure 5 (b) and appendix. First stage (to ply 7): captures and promotions
//! that do not lose material, king moves out of check, and mating checks. Second stage: captures
//! that do not lose material, except captures of pawns without promotion. The transposition table
//! is not used.

use super::half_plies::HalfPlies;
use super::params::Rules;
use super::pruning::FutilityCase;
use super::thread::{FullWidthThread, futile, promise};
use crate::eval::Score;
use crate::lab::capture_search::{ScoredMove, best_value};
use crate::lab::quiescence_leaf::quiescence_moves;
use crate::search::MAX_PLY;
use crate::search::window::Window;

impl FullWidthThread<'_> {
    /// The quiescence score of the current position, fail-soft. `depth`: plies since quiescence
    /// search started.
    pub(super) fn search_quiescence(&mut self, window: Window, depth: u32) -> Score {
        self.pv().clear();
        self.seldepth = self.seldepth.max(self.ply);
        if self.must_stop() {
            return Score::ZERO;
        }

        // Step 1. Stand pat: the side to move need not capture.
        let Window { alpha, beta } = window;
        let static_eval = self.evaluate();
        if static_eval >= beta || self.ply >= MAX_PLY {
            return static_eval;
        }

        // Step 2. Mate in one.
        let rules = self.state.params.rules;
        let first_stage = depth < self.state.params.qsearch_first_stage;
        if first_stage
            && rules.contains(Rules::QSEARCH_MATE1)
            && let Some(mv) = self.pos.mate_in_one()
        {
            let score = Score::mate_in(self.ply as u32 + 1);
            if score > alpha {
                self.pv().push(mv);
            }
            return score;
        }

        let checks = self.pos.check_squares();
        let mut moves =
            quiescence_moves(&self.pos, first_stage, rules.contains(Rules::QSEARCH_KING_MOVES));
        best_value(
            static_eval,
            [alpha, beta],
            &mut moves,
            |ScoredMove { mv, .. }, [alpha, beta]| {
                // Step 3. Futility pruning, eq. (4) and (6). Applies in check as well, because this
                // search also stands pat there.
                let case = FutilityCase {
                    alpha,
                    in_check: false,
                    gives_check: self.pos.gives_check(mv, &checks),
                    extended_depth: HalfPlies::ONE_PLY,
                    rule: Rules::QSEARCH_FUTILITY,
                };
                if rules.contains(Rules::QSEARCH_FUTILITY)
                    && let Some(bound) = futile(self, Some(static_eval), mv, case)
                {
                    return Some(bound);
                }

                // Step 4. Search the move.
                self.state.stack[self.ply].promise = Some(promise(self, static_eval, mv));
                let score = self.descend(mv, |next| {
                    -next.search_quiescence(Window { alpha, beta }.negated(), depth + 1)
                });
                if score > alpha && !self.stopped {
                    self.update_pv(mv);
                }
                (!self.stopped).then_some(score)
            },
        )
    }
}
