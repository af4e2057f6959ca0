//! The root: iterative deepening, aspiration windows, several lines, and when to stop.

use std::time::Duration;

use super::negamax;
use super::params::Rules;
use super::pruning::{self, ExtensionCase};
use super::{Depth, FullWidthThread};
use crate::engine::{BestMove, Bound, Info, Outcome, Report};
use crate::eval::Score;
use crate::search::MAX_DEPTH;
use crate::search::root::{RootLine, RootMove, root_moves};
use crate::search::tt::TtEntry;
use crate::search::window::{NonPv, Pv, Window};

/// Root moves are announced one by one only after this time.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// With a single legal move and a clock, this depth is enough to expect an answer.
const SINGLE_REPLY_DEPTH: u32 = 6;

/// One search from the root.
pub(super) struct Root<'w, 'a, 'r> {
    thread: &'w mut FullWidthThread<'a>,
    report: &'r mut dyn FnMut(Report<'_>),
    /// Best first.
    moves: Vec<RootMove>,
    depth: u32,
    /// The latest exact best line.
    best: Option<Info>,
}

impl<'w, 'a, 'r> Root<'w, 'a, 'r> {
    pub fn new(thread: &'w mut FullWidthThread<'a>, report: &'r mut dyn FnMut(Report<'_>)) -> Self {
        let moves = root_moves(&thread.pos, thread.settings, thread.limits);
        Root { thread, report, moves, depth: 0, best: None }
    }

    /// Deepens until a limit is reached.
    pub fn run(mut self) -> Outcome {
        let Some(first) = self.moves.first().map(|root| root.mv) else {
            return Outcome { best: BestMove::Resign, info: None, nodes: 0 };
        };
        let max_depth = self.thread.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=max_depth {
            self.depth = depth;
            self.iterate();
            if self.thread.stopped || self.is_enough() {
                break;
            }
        }
        let best = match &self.best {
            Some(info) => {
                BestMove::Play(info.pv.first().copied().unwrap_or(first), info.pv.get(1).copied())
            }
            // Cut off in the first iteration: the best so far stands in front.
            None => BestMove::Play(self.moves[0].mv, None),
        };
        let nodes = self.thread.nodes;
        let info =
            self.best.map(|info| Info { nodes, time: self.thread.control.elapsed(), ..info });
        Outcome { best, info, nodes }
    }

    /// One iteration: all lines, best first.
    fn iterate(&mut self) {
        self.thread.seldepth = 0;
        let lines = self.thread.settings.multi_pv.clamp(1, self.moves.len());
        for line in 0..lines {
            self.search_line(line);
            if self.thread.stopped {
                return;
            }
            self.thread.has_answer = true;
            // Lines already found this iteration stay in order.
            self.moves[..=line].sort_by_key(|root| std::cmp::Reverse(root.score));
        }
        for line in 0..lines {
            let info = self.line_info(line, self.moves[line].score, Bound::Exact);
            if line == 0 {
                self.best = Some(info.clone());
            }
            (self.report)(Report::Line(&info));
        }
    }

    /// Whether deeper iterations are not worth their time, or none is left.
    fn is_enough(&self) -> bool {
        let clocked = self.thread.control.soft_limit().is_some();
        if self.thread.control.is_time_used() {
            return true;
        }
        if clocked && self.moves.len() == 1 && self.depth >= SINGLE_REPLY_DEPTH {
            return true;
        }
        // A mate within the depth searched full-width cannot become shorter.
        let plies = self.moves[0].score.mate_plies();
        plies.is_some_and(|plies| {
            (clocked || self.thread.limits.mate) && plies.unsigned_abs() <= self.depth
        })
    }

    /// Searches for the best of the moves from `line` on, with an aspiration window that widens
    /// until the score lies in it.
    fn search_line(&mut self, line: usize) {
        let last = self.moves[line].score;
        let mut reach = self.thread.state.params.aspiration;
        let narrow = self.thread.state.params.rules.contains(Rules::ASPIRATION)
            && self.depth >= 3
            && !last.is_mate()
            && last > -Score::INFINITE;
        let mut window = if narrow {
            Window { alpha: last - reach, beta: last + reach }
        } else {
            Window::open()
        };
        loop {
            let score = self.search_root(line, window);
            if self.thread.stopped {
                return;
            }
            reach *= 4;
            let (bound, wider) = if score <= window.alpha {
                (Bound::Upper, Window { alpha: score - reach, ..window })
            } else if score >= window.beta {
                (Bound::Lower, Window { beta: score + reach, ..window })
            } else {
                return;
            };
            if line == 0 && self.thread.settings.multi_pv == 1 {
                let info = self.line_info(line, score, bound);
                (self.report)(Report::Line(&info));
            }
            window = if reach > 4_000 || score.is_mate() { Window::open() } else { wider };
        }
    }

    /// Principal variation search over the root moves from `line` on. The best one is moved to
    /// `line`.
    fn search_root(&mut self, line: usize, window: Window) -> Score {
        let Window { mut alpha, beta } = window;
        let depth = Depth::plies(self.depth as i32);
        let checks = self.thread.pos.check_squares();
        let one_reply = self.thread.pos.in_check() && self.moves.len() == 1;
        let mut best = -Score::INFINITE;
        self.thread.lines[0].clear();
        for index in line..self.moves.len() {
            let mv = self.moves[index].mv;
            if self.thread.control.elapsed() >= CURRENT_MOVE_AFTER {
                (self.report)(Report::CurrentMove(mv, index + 1));
            }
            let case = ExtensionCase {
                gives_check: self.thread.pos.gives_check(mv, &checks),
                one_reply,
                recapture: false,
            };
            let extension = if self.thread.state.params.rules.contains(Rules::EXTENSIONS) {
                pruning::extension(self.thread.state.params, case)
            } else {
                Depth::ZERO
            };
            let child = depth + extension - Depth::ONE;
            let open = Window { alpha, beta }.negated();
            let first = index == line;
            self.thread.state.stack[0].promise = None;
            let score = self.thread.descend(mv, |thread| {
                if first {
                    return -negamax::search::<Pv>(thread, open, child);
                }
                let score =
                    -negamax::search::<NonPv>(thread, Window::null(alpha + 1).negated(), child);
                if score > alpha && score < beta {
                    return -negamax::search::<Pv>(thread, open, child);
                }
                score
            });
            if self.thread.stopped {
                return best;
            }
            best = best.max(score);
            self.moves[index].score = score;
            if score > alpha || first {
                self.thread.update_pv(mv);
                self.moves[index].pv = self.thread.lines[0].clone();
                // The best so far goes in front; the others keep their order.
                self.moves[line..=index].rotate_right(1);
                if score > alpha {
                    alpha = score;
                    self.note_better(line, score, window);
                }
                if score >= beta {
                    break;
                }
            }
        }
        let bound = window.bound(best);
        // After a search of some moves only, the table learns nothing of the root.
        if line == 0 && self.thread.limits.search_moves.is_empty() {
            let entry = TtEntry {
                mv: Some(self.moves[0].mv),
                score: best,
                depth,
                bound,
                raw_eval: None,
                pv: true,
            };
            self.thread.tt.store(self.thread.pos.key(), 0, &entry);
        }
        best
    }

    /// A move with an exact score inside the window is the answer even if the iteration is cut off.
    fn note_better(&mut self, line: usize, score: Score, window: Window) {
        if line == 0 && self.best.is_some() && score > window.alpha && score < window.beta {
            self.best = Some(self.line_info(line, score, Bound::Exact));
        }
    }

    fn line_info(&self, line: usize, score: Score, bound: Bound) -> Info {
        let (pv, depth, nodes) = (&self.moves[line].pv, self.depth, self.thread.nodes);
        self.thread.info(&RootLine { line, pv, score, bound, depth, nodes })
    }
}
