//! The reply to a `go`: a last `info` and `bestmove`, or `checkmate`.

use std::time::Duration;

use super::reporter::legal_length;
use super::response::{info_line, push_moves};
use crate::engine::{BestMove, Bound, Info, MateVerdict, Pv, answer_move, is_mate_by_checks};
use crate::eval::Score;
use crate::shogi::{Declaration, Move, Position};

/// The result of a finished search, or of a `go` that needs no search.
#[derive(Debug)]
pub(super) enum Answer {
    /// Nothing to search: the position was refused, no move is legal, or a mate search has no check
    /// to start with.
    Nothing,
    /// The side to move can win by declaration.
    Declared(Declaration),
    /// An engine has searched.
    Searched(Box<SearchResult>),
    /// A mate search has ended.
    Solved {
        verdict: MateVerdict,
        nodes: u64,
        /// From the start of the time to the end of the search.
        time: Duration,
    },
}

/// The result of a search.
#[derive(Debug)]
pub(super) struct SearchResult {
    /// `None` if the search did not finish.
    pub(super) best: Option<BestMove>,
    /// The last completed line.
    pub(super) info: Option<Info>,
    pub(super) nodes: u64,
    /// From the start of the time to the end of the search.
    pub(super) time: Duration,
}

impl SearchResult {
    /// Converts the result of a search of the previous position into one for the position after
    /// `expected`. The result is the rest of the line, if the line starts with that move.
    pub(super) fn after(self, expected: Move) -> SearchResult {
        let line = self.info.map_or(Pv::new(), |info| info.pv);
        let best = line.get(1).filter(|_| line[0] == expected);
        let best = best.map(|&mv| BestMove::Play(mv, line.get(2).copied()));
        SearchResult { best, info: None, ..self }
    }
}

/// Rules for the reply to a `go` that is not a mate search.
#[derive(Debug)]
pub(super) struct AnswerRules<'a> {
    /// Resign at or below minus this many centipawns; `None` for analysis.
    pub(super) resign_value: Option<i32>,
    /// Score of the best reported line. The move played may be worse by choice, which is no reason
    /// to resign.
    pub(super) best_score: Option<Score>,
    /// The requested root moves; empty: all.
    pub(super) search_moves: &'a [Move],
    /// Whether the last written line already reports the whole result.
    pub(super) is_written: bool,
    /// The most nodes of a line that was written before. The answer reports no fewer.
    pub(super) shown_nodes: u64,
}

/// The lines that reply to a `go` for a move. `root` is `None` if the position was refused.
pub(super) fn move_lines(
    root: Option<&Position>,
    found: &Answer,
    rules: &AnswerRules<'_>,
) -> String {
    let Some(root) = root else { return "bestmove resign".to_owned() };
    let lines = match found {
        Answer::Declared(declaration) => Some(declaration_lines(*declaration, rules.shown_nodes)),
        Answer::Searched(searched) => searched_lines(root, searched, rules),
        Answer::Nothing | Answer::Solved { .. } => None,
    };
    let mated = || "info depth 0 score mate -1 nodes 0 time 0\nbestmove resign".to_owned();
    lines.unwrap_or_else(mated)
}

/// The lines that reply to a `go mate`.
pub(super) fn mate_lines(root: Option<&Position>, found: &Answer) -> String {
    let Some(root) = root else { return "checkmate notimplemented".to_owned() };
    let (verdict, nodes, time) = match found {
        Answer::Solved { verdict, nodes, time } => (verdict, *nodes, *time),
        Answer::Nothing => return "checkmate nomate".to_owned(),
        Answer::Searched(_) | Answer::Declared(_) => return "checkmate timeout".to_owned(),
    };
    let cost = format!("info time {} nodes {nodes}\n", time.as_millis());
    match verdict {
        MateVerdict::NoMate => cost + "checkmate nomate",
        MateVerdict::Unknown => cost + "checkmate timeout",
        MateVerdict::Mate(line) if is_mate_by_checks(root, line) => {
            let info = Info::of_mate(line.clone(), nodes, time);
            let mut lines = info_line(&info) + "\ncheckmate";
            push_moves(&mut lines, line);
            lines
        }
        // A line that is not a valid proof is never reported.
        MateVerdict::Mate(_) => cost + "checkmate timeout",
    }
}

/// `nodes`: of a search before the declaration.
fn declaration_lines(declaration: Declaration, nodes: u64) -> String {
    let mut info = Info::of_mate(Pv::new(), nodes, Duration::ZERO);
    info.score = Score::mate_in(1);
    match declaration {
        Declaration::Declare => format!("{}\nbestmove win", info_line(&info)),
        Declaration::Try(mv) => {
            info.pv.push(mv);
            format!("{}\nbestmove {mv}", info_line(&info))
        }
    }
}

/// `None` if no move is legal.
fn searched_lines(
    root: &Position,
    searched: &SearchResult,
    rules: &AnswerRules<'_>,
) -> Option<String> {
    let mut pos = root.clone();
    let line = searched.info.as_ref().map_or(&[][..], |info| &info.pv);
    let (mv, ponder) = answer_move(&mut pos, searched.best, line, rules.search_moves)?;
    let ponder = ponder.map(|reply| format!(" ponder {reply}")).unwrap_or_default();
    let Some(mut info) = last_info(&mut pos, searched, mv) else {
        return Some(format!(
            "info string stopped before the first iteration ended; {mv} is not fully searched\n\
             bestmove {mv}{ponder}"
        ));
    };
    info.nodes = info.nodes.max(rules.shown_nodes);
    let best = info.score.max(rules.best_score.unwrap_or(info.score));
    if rules.resign_value.is_some_and(|value| best.to_cp() <= -value) {
        return Some(info_line(&Info { pv: Pv::new(), ..info }) + "\nbestmove resign");
    }
    let is_known =
        rules.is_written && searched.info.as_ref().is_some_and(|info| info.pv.first() == Some(&mv));
    let line = if is_known { String::new() } else { info_line(&info) + "\n" };
    Some(format!("{line}bestmove {mv}{ponder}"))
}

/// The last `info` before `mv` is played: an exact score and a legal line that starts with `mv`.
fn last_info(pos: &mut Position, searched: &SearchResult, mv: Move) -> Option<Info> {
    let mut info = searched.info.clone()?;
    info.multi_pv = 1;
    info.bound = Bound::Exact;
    info.nodes = info.nodes.max(searched.nodes);
    info.time = info.time.max(searched.time);
    if info.pv.first() == Some(&mv) {
        info.pv.truncate(legal_length(pos, &info.pv));
    } else {
        info.pv = Pv::from_slice(&[mv]);
    }
    Some(info)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_move_by_choice_is_no_reason_to_resign() {
        let answer = |best_score: i32| {
            let mv: Move = "9g9f".parse().expect("a move");
            let mut info = Info::of_mate(Pv::from_slice(&[mv]), 1, Duration::ZERO);
            info.score = Score::cp(-600);
            let found =
                SearchResult { best: None, info: Some(info), nodes: 1, time: Duration::ZERO };
            let rules = AnswerRules {
                resign_value: Some(500),
                best_score: Some(Score::cp(best_score)),
                search_moves: &[],
                is_written: false,
                shown_nodes: 0,
            };
            move_lines(Some(&Position::startpos()), &Answer::Searched(Box::new(found)), &rules)
        };
        assert!(answer(-499).ends_with("bestmove 9g9f"), "{}", answer(-499));
        assert!(answer(-600).ends_with("bestmove resign"), "{}", answer(-600));
    }
}
