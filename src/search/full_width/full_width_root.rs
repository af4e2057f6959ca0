//! Root search of the full-width searcher: iterative deepening and the decision when to stop.

use super::full_width_node::search_child;
use super::full_width_params::Rules;
use super::full_width_pruning::{self as pruning, ExtensionCase};
use super::full_width_thread::{FullWidthState, FullWidthThread};
use crate::engine::{Info, Outcome, Report};
use crate::eval::Score;
use crate::search::depth::{Depth, MAX_DEPTH};
use crate::search::root_search::{self, Aspiration, RootChild, RootMove, RootSearch, RootSearcher};
use crate::search::window::PvNode;

/// First iteration with an aspiration window; earlier iterations have an open window.
const LEAST_ASPIRATION: u32 = 3;

/// Runs iterative deepening until a limit is reached.
pub(super) fn search(thread: &mut FullWidthThread, report: &mut dyn FnMut(Report<'_>)) -> Outcome {
    let (limits, control) = (thread.limits, thread.control);
    let mut search = RootSearch::new(thread, Some(report), &|| 0);
    let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let any = !search.moves.is_empty();
    for depth in (1..=deepest).take_while(|_| any) {
        search.depth = depth;
        search.iterate();
        if search.thread.stopped || control.is_time_used() || search.is_settled() {
            break;
        }
    }
    search.order_if_unsearched();
    let nodes = search.thread.nodes;
    let info = search.best.map(|info| Info { nodes, time: control.elapsed(), ..info });
    root_search::outcome(info, search.moves.first().map(|root| root.mv), nodes)
}

impl<'a> RootSearcher<'a> for FullWidthState<'a> {
    const FAIL_HIGH_ANSWERS: bool = false;

    fn evaluate(thread: &mut FullWidthThread<'a>) -> Score {
        thread.evaluate()
    }

    fn aspiration(&self, last: &RootMove, depth: u32) -> Option<Aspiration> {
        let is_used = self.params.rules.contains(Rules::ASPIRATION) && depth >= LEAST_ASPIRATION;
        is_used.then_some(Aspiration {
            center: last.score,
            reach: self.params.aspiration,
            growth: 400,
            widest: 4_000,
            follows: false,
        })
    }

    fn search_move(thread: &mut FullWidthThread<'a>, child: &RootChild) -> Score {
        let &RootChild { mv, number, only, window, depth, .. } = child;
        let params = thread.state.params;
        let case = ExtensionCase {
            gives_check: thread.pos.gives_check(mv, &thread.pos.check_squares()),
            one_reply: only && thread.pos.in_check(),
            recapture: false,
        };
        let depth = depth + pruning::extension(params, case) - Depth::ONE;
        thread.state.stack[0].promise = None;
        search_child::<PvNode>(thread, mv, number == 1, window, depth)
    }
}
