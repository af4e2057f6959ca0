//! Extensions of the TT move: singular extensions, multi-cut and negative extensions.

use super::node_info::AlphaBetaNode;
use super::params::{SearchParams, Techniques};
use super::thread::{AlphaBetaThread, StackEntry};
use crate::engine::Bound;
use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::window::{NonPvNode, Window};
use crate::shogi::Move;

/// Limit of extensions: no move is extended at a ply of at least this multiple of the iteration's
/// depth.
const REACH: i32 = 2;
/// From this ply on, a piece that shuffles back and forth is not extended.
const SHUFFLING_PLY: usize = 18;

/// Result of the singularity test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extension {
    /// Search the move this many plies deeper, or shallower if negative.
    By(i32),
    /// Several moves fail high: return this score from the node.
    MultiCut(Score),
}

/// Singular extension (Anantharaman, Campbell and Hsu 1988): if all other moves are much worse than
/// the TT move, the result depends on that move alone. The other moves are searched to half of the
/// depth, with the TT move excluded.
///
/// The further they stay below the singular beta, the more plies the TT move gets (double and
/// triple extensions, as known in the field). If another move reaches beta instead, the node is
/// expected to fail high without the TT move. Then multi-cut (Björnsson and Marsland 2001) or a
/// negative extension applies.
pub(super) fn extension(thread: &mut AlphaBetaThread, node: &AlphaBetaNode, mv: Move) -> Extension {
    let params = thread.state.params;
    let Some(known) = node.tt_entry else { return Extension::By(0) };
    if !params.uses(Techniques::SINGULAR)
        || node.facts.excluded.is_some()
        || Some(mv) != node.tt_move
        || node.depth < params.singular_depth + i32::from(node.facts.tt_pv)
        || known.bound == Bound::Upper
        || known.score.is_decisive()
        || known.depth.to_plies() < node.depth - 3
        || thread.ply as i32 >= REACH * thread.state.root_depth
        || is_shuffling(thread, mv)
    {
        return Extension::By(0);
    }
    let margin = params.singular_margin
        + if node.facts.tt_pv && !node.pv { params.singular_tt_pv } else { 0 };
    let goal = known.score - margin * node.depth / 55;
    let depth = Depth::plies((node.depth - 1) / 2);
    let entry = *thread.stack_entry();
    thread.stack_entry().facts.excluded = Some(mv);
    let score = thread.search_node::<NonPvNode>(Window::null(goal), depth, node.cut_node);
    // The search of the other moves has overwritten the stack entry of this node.
    *thread.stack_entry() =
        StackEntry { child_cutoffs: thread.stack_entry().child_cutoffs, ..entry };
    if thread.stopped {
        return Extension::By(0);
    }
    let beta = node.window.beta;
    if score < goal {
        let [double, triple] = margins(thread, node);
        Extension::By(1 + i32::from(score < goal - double) + i32::from(score < goal - triple))
    } else if score >= beta && !score.is_decisive() && params.uses(Techniques::MULTI_CUT) {
        let malus = params.multi_cut_base + params.multi_cut_slope * node.depth;
        let malus = malus.min(params.multi_cut_limit);
        thread.state.histories.update_table_move(-malus);
        Extension::MultiCut(score)
    } else if known.score >= beta {
        Extension::By(-params.negative_high)
    } else {
        Extension::By(if node.cut_node { -params.negative_cut } else { 0 })
    }
}

/// How far below the singular beta the other moves must stay for a double and a triple extension,
/// in centipawns.
fn margins(thread: &AlphaBetaThread, node: &AlphaBetaNode) -> [i32; 2] {
    let params = thread.state.params;
    let SearchParams { double_base, double_pv, double_quiet, .. } = *params;
    let SearchParams { triple_base, triple_pv, triple_quiet, triple_tt_pv, .. } = *params;
    let part = |holds: bool, value: i32| if holds { value } else { 0 };
    let is_deep = thread.ply as i32 > thread.state.root_depth;
    let common = node.facts.correction * params.double_correction / 1_000
        + thread.state.histories.table_move() / params.double_statistic
        + part(is_deep, params.double_deep);
    [
        double_base + part(node.pv, double_pv) + part(!node.tt_capture, double_quiet) - common,
        triple_base
            + part(node.pv, triple_pv)
            + part(!node.tt_capture, triple_quiet)
            + part(node.facts.tt_pv, triple_tt_pv)
            - common,
    ]
}

/// Whether the piece also made its side's last two moves.
fn is_shuffling(thread: &AlphaBetaThread, mv: Move) -> bool {
    if thread.ply < SHUFFLING_PLY || thread.pos.is_capture(mv) {
        return false;
    }
    let made = |distance| thread.made(thread.ply, distance).map(|piece_to| piece_to.mv);
    match (made(2), made(4)) {
        (Some(last), Some(before)) => {
            mv.from() == Some(last.to()) && last.from() == Some(before.to())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::testing::{AHEAD, QUIET, entry, node, with_thread};

    /// Parameters without the pruning steps that could end the node before its moves.
    fn params() -> SearchParams {
        let pruning = Techniques::REVERSE_FUTILITY
            | Techniques::NULL_MOVE
            | Techniques::PROB_CUT
            | Techniques::SMALL_PROB_CUT;
        SearchParams::DEFAULT.without(pruning)
    }

    /// When a side is far ahead, every move beats beta, also without the TT move. The table must
    /// not store that result at full depth or for the TT move.
    #[test]
    fn multi_cut_is_not_stored_at_full_depth() {
        for (techniques, stored) in [(Techniques::empty(), 7), (Techniques::MULTI_CUT, 10)] {
            let params = params().without(techniques);
            with_thread(&params, AHEAD, |thread| {
                let known = entry("9f9e", 100, 7, Bound::Lower);
                thread.tt.store(thread.pos.key(), 0, &known);
                let window = Window::null(Score::cp(50));
                let score = thread.search_node::<NonPvNode>(window, Depth::plies(10), true);
                assert!(score >= window.beta, "{score}");
                let found = thread.tt.probe(thread.pos.key(), 0).expect("an entry");
                assert_eq!(found.depth.to_plies().min(stored), stored, "{found:?}");
                assert_eq!(found == known, stored == 7, "{found:?}");
            });
        }
    }

    /// A move is not extended at a ply that is large relative to the iteration.
    #[test]
    fn extensions_end_at_twice_the_iteration_depth() {
        with_thread(&params(), QUIET, |thread| {
            // A TT move that is much better than all others.
            let known = entry("9f9e", 2_000, 7, Bound::Lower);
            let mv = known.mv.expect("a move");
            let node = AlphaBetaNode {
                window: Window::null(Score::cp(3_000)),
                tt_entry: Some(known),
                tt_move: Some(mv),
                ..node(8)
            };
            let mut at_depth = |root_depth| {
                thread.state.root_depth = root_depth;
                extension(thread, &node, mv)
            };
            assert_eq!([at_depth(0), at_depth(8)], [Extension::By(0), Extension::By(3)]);
        });
    }
}
