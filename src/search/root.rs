//! The moves of the root and the lines shown of them: what both searchers have in common there.

use super::thread::SearchThread;
use crate::engine::{Bound, Info, Limits, Pv, Settings};
use crate::eval::Score;
use crate::shogi::{Move, Position, Scope, movegen};

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score of the latest completed search of this move; a bound unless it was best.
    pub score: Score,
    pub pv: Pv,
    /// The score if the opponent is known to mate after it.
    pub lost: Option<Score>,
}

/// The moves to look at, in the order of generation.
pub(super) fn root_moves(pos: &Position, settings: &Settings, limits: &Limits) -> Vec<RootMove> {
    let wanted = &limits.search_moves;
    // Moves asked for by name may be pointless ones; otherwise the setting decides.
    let all = settings.all_legal_moves || !wanted.is_empty();
    let scope = if all { Scope::LEGAL } else { Scope::USEFUL };
    let mut legal = movegen::legal_moves(pos, scope);
    if legal.is_empty() {
        legal = movegen::legal_moves(pos, Scope::LEGAL);
    }
    if legal.iter().any(|mv| wanted.contains(mv)) {
        legal.retain(|mv| wanted.contains(mv));
    }
    legal
        .into_iter()
        .map(|mv| RootMove { mv, score: -Score::INFINITE, pv: Pv::from_slice(&[mv]), lost: None })
        .collect()
}

/// What is shown of one line of the present iteration.
pub(super) struct RootLine<'a> {
    /// Rank of the line, 0 = best.
    pub line: usize,
    pub pv: &'a Pv,
    pub score: Score,
    pub bound: Bound,
    /// The iteration.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
}

impl<S> SearchThread<'_, S> {
    /// The report of a line; the thread stands at the root.
    pub fn info(&self, shown: &RootLine<'_>) -> Info {
        let RootLine { line, pv, score, bound, depth, nodes } = *shown;
        // A cut-off at the root leaves its move alone; a reader wants the answer to it, too.
        let complete = pv.len() == 1
            || bound == Bound::Exact && (self.settings.consideration || score.is_mate());
        let mate = score.mate_plies().map(|plies| plies.unsigned_abs());
        Info {
            depth,
            seldepth: (self.seldepth as u32).max(depth),
            multi_pv: line + 1,
            score,
            bound,
            nodes,
            time: self.control.elapsed(),
            hashfull: self.tt.hashfull(),
            pv: if complete { self.completed(pv, depth, mate) } else { pv.clone() },
        }
    }

    /// The line, followed by the table's moves as far as this iteration looked, or to the `mate` in
    /// so many plies: a table entry may have ended the line before it. It ends where a position
    /// recurs: the table knows no history.
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
