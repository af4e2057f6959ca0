//! The full-width searcher's part of the root search: its aspiration windows and the search of a
//! root move.

use super::full_width_node::search_child;
use super::full_width_params::Rules;
use super::full_width_pruning::{self as pruning, ExtensionCase};
use super::full_width_thread::{FullWidthState, FullWidthThread};
use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::root_searcher::{Aspiration, RootChild, RootMove, RootSearcher};
use crate::search::window::PvNode;

/// First iteration with an aspiration window; earlier iterations have an open window.
const LEAST_ASPIRATION: u32 = 3;

/// The root of the full-width search.
pub(super) struct FullWidthRoot;

impl<'a> RootSearcher<'a> for FullWidthRoot {
    const FAIL_HIGH_ANSWERS: bool = false;
    type State = FullWidthState<'a>;

    fn evaluate(thread: &mut FullWidthThread<'a>) -> Score {
        thread.evaluate()
    }

    fn aspiration(
        &self,
        thread: &FullWidthThread<'a>,
        last: &RootMove,
        depth: u32,
    ) -> Option<Aspiration> {
        let params = thread.state.params;
        let is_used = params.rules.contains(Rules::ASPIRATION) && depth >= LEAST_ASPIRATION;
        is_used.then_some(Aspiration {
            center: last.score,
            reach: params.aspiration,
            growth: 400,
            widest: 4_000,
            follows: false,
        })
    }

    fn search_move(&self, thread: &mut FullWidthThread<'a>, child: &RootChild) -> Score {
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
