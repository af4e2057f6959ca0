//! The full-width search of one node: every legal move is searched unless a rule of [`pruning`]
//! skips it.
//!
//! Source: Hoki 2006, figure 5 (a) and appendix.

use arrayvec::ArrayVec;

use super::half_plies::HalfPlies;
use super::move_picker::MovePicker;
use super::params::Rules;
use super::pruning::{self as pruning, ExtensionCase, FutilityCase};
use super::thread::{FullWidthThread, futile, promise};
use crate::engine::Bound;
use crate::eval::Score;
use crate::search::window::{NodeType, NonPvNode, PvNode, Searched, Window};
use crate::search::{TranspositionTable, TtEntry};
use crate::shogi::Move;

/// Data of a node before its moves are searched.
struct FullWidthNode {
    depth: HalfPlies,
    window: Window,
    in_check: bool,
    /// E(P); `None` in check or if no rule reads it.
    static_eval: Option<Score>,
}

impl FullWidthThread<'_> {
    /// The score of the current position, fail-soft: a bound if outside the window.
    pub(super) fn search_node<N: NodeType>(&mut self, window: Window, depth: HalfPlies) -> Score {
        // Step 1. At the horizon, enter quiescence search.
        if depth < HalfPlies::ONE_PLY {
            return self.search_quiescence(window, 0);
        }
        self.pv().clear();
        self.seldepth = self.seldepth.max(self.ply);

        // Step 2. End of the search, of the game, or of the search stack.
        if self.must_stop() {
            return Score::ZERO;
        }
        if let Some(score) = self.decided_or_full() {
            return score;
        }

        // Step 3. Transposition table. PV nodes use only the move, to keep the whole PV.
        let key = self.pos.key();
        let tt_entry = self.tt.probe(key, self.ply as u32);
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.depth >= depth.in_table()
            && entry.cuts(window)
        {
            return entry.score;
        }
        let mut tt_move = tt_entry.and_then(|entry| entry.mv);

        let in_check = self.pos.in_check();
        let static_eval = if in_check { None } else { static_eval(self, N::PV, depth) };
        let node = FullWidthNode { depth, window, in_check, static_eval };
        if !N::PV {
            // Step 4. Futility at the child of a pre-frontier node, eq. (10).
            if let Some(score) = child_futility(self, &node) {
                return score;
            }
            // Step 5. Null-move pruning.
            if !self.stopped
                && let Some(score) = null_move(self, &node)
            {
                return score;
            }
            if self.stopped {
                return Score::ZERO;
            }
        }

        // Step 6. Internal iterative deepening: a PV node needs a good first move.
        if N::PV
            && tt_move.is_none()
            && depth >= self.state.params.iid_depth
            && self.state.params.rules.contains(Rules::IID)
        {
            self.search_node::<PvNode>(window, depth - HalfPlies::plies(2));
            if self.stopped {
                return Score::ZERO;
            }
            tt_move = self.pv().first().copied();
            self.pv().clear();
        }

        // Step 7. Search the moves.
        let result = search_moves::<N>(self, &node, tt_move);
        if self.stopped {
            return Score::ZERO;
        }
        let (score, depth) = (result.score, depth.in_table());
        let bound = window.bound(score);
        let entry = TtEntry { mv: result.best, score, depth, bound, raw_eval: None, pv: N::PV };
        store(self.tt, key, self.ply as u32, &entry);
        score
    }
}

/// Stores an entry. The exception is an entry of this search that is more than two plies deeper
/// than a new bound.
pub(super) fn store(tt: &TranspositionTable, key: u64, ply: u32, entry: &TtEntry) {
    tt.write(key, ply, entry, |old| {
        let ahead = old.depth.to_plies() - entry.depth.to_plies();
        (ahead > 2 * HalfPlies::PER_PLY && entry.bound != Bound::Exact).then_some(*old)
    });
}

/// E(P), if a rule at this depth reads it.
fn static_eval(thread: &mut FullWidthThread, pv: bool, depth: HalfPlies) -> Option<Score> {
    let params = thread.state.params;
    let futile =
        params.rules.intersects(Rules::ALL_FUTILITY) && depth <= params.extended_futility_depth;
    let null = !pv && pruning::null_move_depth(params, depth).is_some();
    (futile || null).then(|| thread.evaluate())
}

/// Eq. (10). At depth 2, the quiescence value replaces the evaluation (Hoki 2006, appendix). It is
/// never lower than the evaluation, so the cheap test comes first.
fn child_futility(thread: &mut FullWidthThread, node: &FullWidthNode) -> Option<Score> {
    let params = thread.state.params;
    let beta = node.window.beta;
    if !params.rules.contains(Rules::EXTENDED_FUTILITY)
        || !pruning::is_child_futility_depth(params, node.depth)
        || beta.is_mate()
    {
        return None;
    }
    let static_eval = node.static_eval?;
    if pruning::child_futility(params, static_eval, beta) {
        return Some(static_eval - params.futility_margin);
    }
    if node.depth < HalfPlies::plies(2) {
        return None;
    }
    let goal = beta + params.futility_margin;
    let quiet = thread.search_quiescence(Window::null(goal), 0);
    thread.pv().clear();
    (!thread.stopped && pruning::child_futility(params, quiet, beta))
        .then(|| if quiet.is_mate() { quiet } else { quiet - params.futility_margin })
}

/// Null-move pruning: if a pass still fails high, so does the best move.
fn null_move(thread: &mut FullWidthThread, node: &FullWidthNode) -> Option<Score> {
    let beta = node.window.beta;
    let reduced = pruning::null_move_depth(thread.state.params, node.depth)?;
    let passed_before = thread.ply == 0 || thread.pos.last_move().is_none();
    if !thread.state.params.rules.contains(Rules::NULL_MOVE)
        || passed_before
        || beta.is_mate()
        || node.static_eval? < beta
    {
        return None;
    }
    let ply = thread.ply;
    thread.state.stack[ply].promise = None;
    thread.nodes += 1;
    let score = thread.descend_null(|thread| {
        -thread.search_node::<NonPvNode>(Window::null(beta).negated(), reduced)
    });
    if thread.stopped || score < beta {
        return None;
    }
    // A mate found after a pass is not proved.
    Some(if score.is_mate() { beta } else { score })
}

fn search_moves<N: NodeType>(
    thread: &mut FullWidthThread,
    node: &FullWidthNode,
    tt_move: Option<Move>,
) -> Searched {
    let Window { mut alpha, beta } = node.window;
    let killers = thread.state.stack[thread.ply].killers;
    let all = thread.settings.all_legal_moves;
    let mut picker = MovePicker::new(&thread.pos, &thread.state.history, tt_move, killers, all);
    let one_reply = node.in_check && picker.len() == 1;
    let checks = thread.pos.check_squares();
    let retake = thread.pos.last_captured().and(thread.pos.last_move()).map(|mv| mv.to());
    let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
    let mut best = Searched { score: -Score::INFINITE, best: None };
    let mut legal = 0;
    thread.state.stack[thread.ply + 1].killers = Default::default();

    while let Some(mv) = picker.next(&thread.pos, &thread.state.history) {
        legal += 1;
        let gives_check = thread.pos.gives_check(mv, &checks);
        let case = ExtensionCase {
            gives_check,
            one_reply,
            recapture: Some(mv.to()) == retake && thread.pos.is_capture(mv),
        };
        let depth = node.depth + pruning::extension(thread.state.params, case);

        // Step 8. Futility pruning, eq. (4) to (9).
        let case = FutilityCase {
            alpha,
            in_check: node.in_check,
            gives_check,
            extended_depth: depth,
            rule: Rules::FUTILITY,
        };
        if legal > 1
            && let Some(bound) = futile(thread, node.static_eval, mv, case)
        {
            best.score = best.score.max(bound);
            continue;
        }

        // Step 9. Search the move.
        thread.state.stack[thread.ply].promise = node.static_eval.map(|e| promise(thread, e, mv));
        let window = Window { alpha, beta };
        let score = search_child::<N>(thread, mv, legal == 1, window, depth - HalfPlies::ONE_PLY);
        if thread.stopped {
            return best;
        }

        // Step 10. Update the best score and move.
        best.score = best.score.max(score);
        if score > alpha {
            alpha = score;
            best.best = Some(mv);
            if N::PV {
                thread.update_pv(mv);
            }
            if score >= beta {
                if thread.pos.is_quiet(mv) {
                    thread.state.stack[thread.ply].killers.add(mv);
                    let side = thread.pos.side_to_move();
                    thread.state.history.on_beta_cutoff(side, mv, &quiets, node.depth);
                }
                break;
            }
        }
        if thread.pos.is_quiet(mv) {
            // Later quiet moves get no history update.
            let _ = quiets.try_push(mv);
        }
    }

    // Step 11. No legal move: mated (shogi has no stalemate draw).
    if legal == 0 {
        return Searched { score: thread.mated_here(), best: None };
    }
    best
}

/// Principal variation search: the first move with the full window, the others with a null window
/// and again if they exceed alpha.
pub(super) fn search_child<N: NodeType>(
    thread: &mut FullWidthThread,
    mv: Move,
    first: bool,
    window: Window,
    depth: HalfPlies,
) -> Score {
    let Window { alpha, beta } = window;
    thread.descend(mv, |thread| {
        if !N::PV || !first {
            let null = Window::null(alpha + 1).negated();
            let score = -thread.search_node::<NonPvNode>(null, depth);
            if !N::PV || score <= alpha || score >= beta {
                return score;
            }
        }
        -thread.search_node::<PvNode>(window.negated(), depth)
    })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::super::params::FullWidthParams;
    use super::super::thread::FullWidthState;
    use super::*;
    use crate::engine::{Control, Limits, Query, Settings};
    use crate::eval::Evaluation;
    use crate::search::minimax::{for_each_position, minimax};

    #[test]
    fn search_without_pruning_equals_minimax() {
        let params =
            FullWidthParams::DEFAULT.without(Rules::all().difference(Rules::QSEARCH_MATE1));
        let (settings, limits) = (Settings::default(), Limits::default());
        let (evaluation, control) = (Evaluation::HandMade, Control::new(Instant::now()));
        for_each_position(|pos, depth| {
            let query = Query::new(pos, &limits, &control);
            let tt = TranspositionTable::new(1);
            let thread = || {
                let state = FullWidthState::new(&params, &evaluation);
                FullWidthThread::new(query, &settings, &evaluation, &tt, state)
            };
            let half_plies = HalfPlies::plies(depth.to_plies());
            let score = thread().search_node::<PvNode>(Window::open(), half_plies);
            let leaf = |thread: &mut FullWidthThread| thread.search_quiescence(Window::open(), 0);
            assert_eq!(score, minimax(&mut thread(), depth.to_plies(), leaf), "{pos} {depth:?}");
        });
    }
}
