//! ProbCut (Buro 1995): a capture that beats beta by a margin in a shallower search is expected to
//! beat beta in the full search.

use super::node_info::AlphaBetaNode;
use super::thread::AlphaBetaThread;
use super::{pruning, quiescence};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::depth::Depth;
use crate::search::ordering::{Candidates, ScoredMove, take_best};
use crate::search::tt::TtEntry;
use crate::search::window::{NonPvNode, Window};

/// The score of a node with such a capture, from the search of the capture, less the margin.
pub(super) fn prob_cut(
    thread: &mut AlphaBetaThread,
    node: &AlphaBetaNode,
    static_eval: Score,
) -> Option<Score> {
    if thread.stopped {
        return None;
    }
    let (goal, reduced) = pruning::prob_cut(thread.state.params, node)?;
    // SEE counts a capture about twice as high as the evaluation, because the piece changes its
    // owner.
    let needed = 2 * (goal - static_eval);
    let mut moves = Candidates::new();
    quiescence::captures(thread, node.tt_move, &mut moves);
    while let Some(ScoredMove { mv, .. }) = take_best(&mut moves) {
        if Some(mv) == node.facts.excluded || !thread.pos.see_ge(mv, see_values(), needed) {
            continue;
        }
        let score = thread.follow(mv, |thread| {
            let window = Window::null(goal).negated();
            let first = -thread.search_quiescence::<NonPvNode>(window, 0);
            if first < goal || reduced <= 0 {
                return first;
            }
            -thread.search_node::<NonPvNode>(window, Depth::plies(reduced), !node.cut_node)
        });
        if thread.stopped {
            return None;
        }
        if score >= goal {
            let margin = goal - node.window.beta;
            let softened = if score.is_decisive() { score } else { score - margin };
            if node.facts.excluded.is_some() {
                return Some(softened);
            }
            let entry = TtEntry {
                mv: Some(mv),
                score,
                depth: Depth::plies(reduced + 1),
                bound: Bound::Lower,
                raw_eval: node.raw_eval,
                pv: node.facts.tt_pv,
            };
            thread.tt.store(thread.pos.key(), thread.ply as u32, &entry);
            return Some(softened);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::node_info::NodeFacts;
    use crate::search::alpha_beta::params::SearchParams;
    use crate::search::alpha_beta::testing::{HANGING, node, with_thread};

    /// A ProbCut keeps the raw evaluation in its entry. A score far above beta is reduced by the
    /// ProbCut margin.
    #[test]
    fn prob_cut_keeps_the_evaluation_and_returns_no_more_than_it_proved() {
        let params = SearchParams::DEFAULT;
        with_thread(&params, HANGING, |thread| {
            let raw_eval = thread.evaluate();
            let node = AlphaBetaNode {
                window: Window::null(raw_eval + 500),
                raw_eval: Some(raw_eval),
                facts: NodeFacts { static_eval: Some(raw_eval), ..NodeFacts::default() },
                ..node(5)
            };
            let score = prob_cut(thread, &node, raw_eval).expect("a refutation");
            let found = thread.tt.probe(thread.pos.key(), 0).expect("an entry");
            assert_eq!(found.raw_eval, Some(raw_eval));
            assert_eq!(found.mv, "5f5e".parse().ok());
            assert_eq!(found.score - score, params.prob_cut_margin);
        });
    }
}
