//! Selection of the engine's reports that are written, and when.

use std::time::Duration;

use super::output::SharedOutput;
use super::response::info_line;
use crate::engine::{Bound, Info, Report};
use crate::eval::Score;
use crate::shogi::{Move, Position};

/// Before this time, every line is shown.
const FREE_TIME: Duration = Duration::from_secs(1);
/// From this time on, the current root move is shown.
const CURRENT_MOVE_FROM: Duration = Duration::from_secs(3);
/// Minimum time between two current moves.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(500);

/// Options of the report.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportStyle {
    /// Whether to show nothing, because the engine searches another position than the client
    /// requested.
    pub(super) silent: bool,
    /// Minimum time between depths after the first second; zero: none.
    pub(super) interval: Duration,
    /// Whether to show lines with a bound.
    pub(super) bounds: bool,
}

/// Shows the reports of one search and stores the line that answers it.
pub(super) struct Reporter {
    pos: Position,
    style: ReportStyle,
    /// Time of the last shown line; `None` before the first completed iteration.
    shown: Option<Duration>,
    /// Whether the best line of the current depth was shown. The other lines of the depth are shown
    /// with it.
    shows_depth: bool,
    current_move_shown: Option<Duration>,
    /// Score of the best line.
    pub(super) best_score: Option<Score>,
    /// The best line of the last completed iteration, or a better one found since, or one chosen
    /// instead. A copy of what the search would answer, because the search may not end in time.
    pub(super) answer: Option<Info>,
    /// The most nodes of a written line.
    pub(super) shown_nodes: u64,
    /// The number of the write that shows `answer`.
    last_word: Option<u64>,
}

impl Reporter {
    pub(super) fn new(root: &Position, style: ReportStyle) -> Reporter {
        Reporter {
            pos: root.clone(),
            style,
            shown: None,
            shows_depth: false,
            current_move_shown: None,
            best_score: None,
            answer: None,
            shown_nodes: 0,
            last_word: None,
        }
    }

    /// Handles a report. `time`: since the start of the search.
    pub(super) fn report(&mut self, report: Report, time: Duration, output: &SharedOutput) {
        if self.style.silent {
            return;
        }
        match report {
            Report::Line(info) => self.line(info, output),
            Report::Better(info) => self.choose(info, true),
            Report::Choice(info) => self.choose(info, false),
            Report::CurrentMove(mv, number) => self.current_move(mv, number, time, output),
            Report::Remark(text) => output.remark(&text),
            Report::Samples(_) => {}
        }
    }

    /// The number of the write that reported this line completely, after `nodes` nodes; `None` if
    /// the line must be written again.
    pub(super) fn printed_in(&self, info: &Info, nodes: u64) -> Option<u64> {
        let is_told = |last: &Info| last.nodes >= nodes && is_same_line(last, info);
        self.last_word.filter(|_| self.answer.as_ref().is_some_and(is_told))
    }

    /// Makes [`printed_in`](Reporter::printed_in) return `None` until the next line.
    pub(super) fn forget_last_word(&mut self) {
        self.last_word = None;
    }

    /// The legal part of the line; `None` if it is empty.
    fn legal(&mut self, mut info: Info) -> Option<Info> {
        info.pv.truncate(legal_length(&mut self.pos, &info.pv));
        (!info.pv.is_empty()).then_some(info)
    }

    /// Makes this line the answer. The engine may just have reported it as a best line too.
    fn choose(&mut self, info: Info, is_best: bool) {
        let Some(info) = self.legal(info) else { return };
        if is_best {
            self.best_score = Some(info.score);
        }
        if self.answer.as_ref().is_none_or(|answer| !is_same_line(answer, &info)) {
            (self.answer, self.last_word) = (Some(info), None);
        }
    }

    fn line(&mut self, info: Info, output: &SharedOutput) {
        let Some(info) = self.legal(info) else { return };
        let is_best = info.bound == Bound::Exact && info.multi_pv == 1;
        if is_best {
            self.shows_depth = self.is_due(info.time);
        }
        let show = if info.bound == Bound::Exact {
            self.shows_depth
        } else {
            // A bound before the first complete line is not a usable score.
            self.style.bounds && self.shown.is_some() && self.is_due(info.time)
        };
        let write = show.then(|| output.write(&info_line(&info)));
        if show {
            self.shown = Some(info.time);
            self.shown_nodes = self.shown_nodes.max(info.nodes);
        }
        if is_best {
            self.best_score = Some(info.score);
            (self.answer, self.last_word) = (Some(info), write);
        }
    }

    fn is_due(&self, time: Duration) -> bool {
        time < FREE_TIME
            || self.shown.is_none_or(|shown| time.saturating_sub(shown) >= self.style.interval)
    }

    fn current_move(&mut self, mv: Move, number: usize, time: Duration, output: &SharedOutput) {
        let interval = self.style.interval.max(CURRENT_MOVE_INTERVAL);
        let rested =
            self.current_move_shown.is_none_or(|shown| time.saturating_sub(shown) >= interval);
        if time >= CURRENT_MOVE_FROM && rested {
            self.current_move_shown = Some(time);
            output.write(&format!("info currmove {mv} currmovenumber {number}"));
        }
    }
}

fn is_same_line(one: &Info, other: &Info) -> bool {
    (one.depth, one.score, &one.pv) == (other.depth, other.score, &other.pv)
}

/// Number of moves of a line that are legal when played in sequence. `pos` is unchanged on return.
pub(super) fn legal_length(pos: &mut Position, line: &[Move]) -> usize {
    let mut legal = 0;
    for &mv in line {
        if !pos.is_legal(mv) {
            break;
        }
        pos.do_move(mv);
        legal += 1;
    }
    for _ in 0..legal {
        pos.undo_move();
    }
    legal
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::engine::Pv;

    fn info(depth: u32, multi_pv: usize, bound: Bound, time: u64) -> Info {
        Info {
            depth,
            seldepth: depth,
            multi_pv,
            score: Score::cp(1),
            bound,
            nodes: 1,
            time: Duration::from_millis(time),
            hashfull: 0,
            pv: Pv::from_slice(&["7g7f".parse().expect("a move")]),
        }
    }

    /// Depths and ranks of the shown lines.
    fn shown(style: ReportStyle, infos: &[Info]) -> Vec<String> {
        let (lines, writer) = io::pipe().expect("a pipe");
        let output = SharedOutput::new(writer);
        let mut reporter = Reporter::new(&Position::startpos(), style);
        for info in infos {
            reporter.report(Report::Line(info.clone()), info.time, &output);
        }
        drop(output);
        let text = io::read_to_string(lines).expect("ASCII");
        let word = |line: &str, index| line.split(' ').nth(index).unwrap_or_default().to_owned();
        text.lines().map(|line| format!("{}.{}", word(line, 2), word(line, 6))).collect()
    }

    const STYLE: ReportStyle =
        ReportStyle { silent: false, interval: Duration::from_millis(300), bounds: true };

    #[test]
    fn lines_keep_a_minimum_interval_after_one_second() {
        let times = [0, 1, 999, 1_100, 1_299, 1_301];
        let infos: Vec<Info> =
            (1..).zip(times).map(|(depth, time)| info(depth, 1, Bound::Exact, time)).collect();
        assert_eq!(shown(STYLE, &infos), ["1.1", "2.1", "3.1", "5.1"]);
        let at_once = ReportStyle { interval: Duration::ZERO, ..STYLE };
        assert_eq!(shown(at_once, &infos).len(), 6);
    }

    #[test]
    fn u_24_lines_of_one_depth_come_together() {
        let lines =
            [(1, 1, 5), (1, 2, 5), (2, 1, 1_200), (2, 2, 1_600), (3, 1, 1_700), (3, 2, 2_100)];
        let infos = lines.map(|(depth, rank, time)| info(depth, rank, Bound::Exact, time));
        assert_eq!(shown(STYLE, &infos), ["1.1", "1.2", "2.1", "2.2"]);
    }

    #[test]
    fn bounds_are_shown_on_request_and_after_a_complete_line() {
        let infos =
            [info(1, 1, Bound::Lower, 1), info(1, 1, Bound::Exact, 2), info(2, 1, Bound::Upper, 3)];
        assert_eq!(shown(STYLE, &infos), ["1.1", "2.1"]);
        assert_eq!(shown(ReportStyle { bounds: false, ..STYLE }, &infos), ["1.1"]);
    }

    #[test]
    fn u_23_illegal_moves_are_cut_from_a_pv() {
        let mut long = info(1, 1, Bound::Exact, 1);
        long.pv = ["7g7f", "7g7f"].iter().map(|mv| mv.parse().expect("a move")).collect();
        let mut bad = info(2, 1, Bound::Exact, 1);
        bad.pv = Pv::from_slice(&["5e5d".parse().expect("a move")]);
        assert_eq!(shown(STYLE, &[long.clone(), bad]), ["1.1"]);
        assert_eq!(legal_length(&mut Position::startpos(), &long.pv), 1);
    }
}
