//! Parts of the root search that do not depend on the searcher: the root moves, the report of a
//! line, and the result.

use std::cmp::Reverse;
use std::time::Duration;

use super::search_thread::SearchThread;
use crate::engine::{BestMove, Bound, Info, Limits, Outcome, Pv, Settings};
use crate::eval::{Score, see_values};
use crate::shogi::{Move, MoveList, Position, Scope, movegen};

/// The current root move is reported only after this time.
pub(crate) const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// With a single legal move and a clock, the search stops at this depth. It is deep enough to
/// predict the reply.
const SINGLE_REPLY_DEPTH: u32 = 6;

/// The root moves to search, in generation order.
pub(crate) fn root_moves(pos: &Position, settings: &Settings, limits: &Limits) -> MoveList {
    let wanted = &limits.search_moves;
    // Moves requested by name may be useless non-promotions; otherwise the setting decides.
    let all = settings.all_legal_moves || !wanted.is_empty();
    let scope = if all { Scope::LEGAL } else { Scope::USEFUL };
    let mut legal = movegen::legal_moves(pos, scope);
    if legal.iter().any(|mv| wanted.contains(mv)) {
        legal.retain(|mv| wanted.contains(mv));
    }
    legal
}

/// The result of a search: the move of the best line, else the `first` root move.
pub(crate) fn outcome(info: Option<Info>, first: Option<Move>, nodes: u64) -> Outcome {
    let best = match (&info, first) {
        (_, None) => BestMove::Resign,
        (Some(info), Some(first)) => {
            BestMove::Play(info.pv.first().copied().unwrap_or(first), info.pv.get(1).copied())
        }
        // Interrupted in the first iteration: the best move so far is the first root move.
        (None, Some(first)) => BestMove::Play(first, None),
    };
    Outcome { best, info, nodes }
}

impl<S> SearchThread<'_, S> {
    /// Orders root moves of a search that stopped before any move had a score: by the static
    /// evaluation after the move. A mate comes first, moves that lose material last. These moves are
    /// not a search and do not count towards the node limit.
    pub fn unsearched_value(
        &mut self,
        mv: Move,
        evaluate: impl FnOnce(&mut Self) -> Score,
    ) -> Reverse<(bool, bool, Score)> {
        let nodes = self.nodes;
        let sound = self.pos.see_ge(mv, see_values(), 0);
        let (mates, value) = self.descend(mv, |thread| {
            let mates = thread.pos.in_check() && !movegen::has_legal_move(&thread.pos);
            (mates, -evaluate(thread))
        });
        self.nodes = nodes;
        Reverse((mates, sound, value))
    }

    /// Whether deeper iterations than `depth` cannot change the answer. `moves`: number of root
    /// moves. `score`: of the best move. `is_decided`: whether it is proved.
    pub fn is_settled(&self, moves: usize, depth: u32, score: Score, is_decided: bool) -> bool {
        let clocked = self.control.soft_limit().is_some();
        // A mate within the searched depth cannot become much shorter.
        let is_mate = score.mate_plies().is_some_and(|n| is_decided || n.unsigned_abs() <= depth);
        clocked && moves == 1 && depth >= SINGLE_REPLY_DEPTH
            || is_mate && (clocked || self.limits.mate)
    }

    /// The report of a line of the iteration `depth`; `line` 0 is the best.
    pub fn info(&self, pv: &Pv, depth: u32, line: usize, score: Score, bound: Bound) -> Info {
        // A beta cutoff at the root leaves a PV of one move. A reader also needs the reply.
        let complete = pv.len() == 1
            || score.is_mate()
            || bound == Bound::Exact && self.settings.consideration;
        let mate = score.mate_plies().map(|plies| plies.unsigned_abs());
        Info {
            depth,
            seldepth: (self.seldepth as u32).max(depth),
            multi_pv: line + 1,
            score,
            bound,
            nodes: self.nodes,
            time: self.control.elapsed(),
            hashfull: self.tt.hashfull(),
            pv: if complete { self.completed(pv, depth, mate) } else { pv.clone() },
        }
    }

    /// Extends a PV with TT moves up to the depth of the iteration, or up to the `mate` given in
    /// plies. A TT cutoff may have shortened the PV. The extension ends at a repetition, because
    /// the table ignores game history.
    fn completed(&self, line: &Pv, depth: u32, mate: Option<u32>) -> Pv {
        let mut pos = self.pos.clone();
        let mut pv = line.clone();
        for &mv in line {
            pos.do_move(mv);
        }
        while pv.len() < mate.unwrap_or(depth) as usize && pos.repetition().is_none() {
            let next = if mate == Some(pv.len() as u32 + 1) {
                pos.mate_in_one()
            } else {
                let known = self.tt.probe(pos.key(), pv.len() as u32);
                known.and_then(|entry| entry.mv).filter(|&mv| pos.is_legal(mv))
            };
            let Some(mv) = next else { break };
            pos.do_move(mv);
            pv.push(mv);
        }
        pv
    }
}
