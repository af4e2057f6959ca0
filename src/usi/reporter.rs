//! Which of the engine's reports become lines of output, and when.

use std::time::Duration;

use super::output::SharedOutput;
use super::response::info_line;
use crate::engine::{Bound, Control, Info, Report};
use crate::shogi::{Move, Position};

/// Under this time every line is shown.
const FREE_TIME: Duration = Duration::from_secs(1);
/// From this time on the move being searched is shown.
const CURRENT_MOVE_FROM: Duration = Duration::from_secs(3);
/// Least time between two of those.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(500);

/// The user's wishes about lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportStyle {
    /// Whether nothing is shown: another position is searched than the client asked for.
    pub(super) silent: bool,
    /// Least time between depths after the first second; zero = none.
    pub(super) interval: Duration,
    /// Whether to show lines with a bound.
    pub(super) bounds: bool,
}

/// Shows the reports of one search and remembers the last complete line.
pub(super) struct Reporter<'a> {
    output: &'a SharedOutput,
    control: &'a Control,
    pos: Position,
    style: ReportStyle,
    /// Time of the last line shown.
    shown: Option<Duration>,
    /// Whether the best line of this depth was shown; the others go with it.
    shows_depth: bool,
    current_move_shown: Option<Duration>,
    /// The best line of the last completed iteration.
    pub(super) last: Option<Info>,
    /// The line of output written last and its number, if it told the best line of a completed
    /// iteration.
    last_word: Option<(Info, u64)>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(
        output: &'a SharedOutput,
        root: &Position,
        control: &'a Control,
        style: ReportStyle,
    ) -> Reporter<'a> {
        Reporter {
            output,
            control,
            pos: root.clone(),
            style,
            shown: None,
            shows_depth: false,
            current_move_shown: None,
            last: None,
            last_word: None,
        }
    }

    pub(super) fn report(&mut self, report: Report<'_>) {
        if self.style.silent {
            return;
        }
        match report {
            Report::Line(info) => self.line(info),
            Report::CurrentMove(mv, number) => self.current_move(mv, number),
            Report::Samples(_) => {}
            Report::Remark(text) => {
                self.last_word = None;
                self.output.remark(text);
            }
        }
    }

    /// The number of the write that told everything about this line, the best one, after so many
    /// nodes; `None` if something is left to tell.
    pub(super) fn told_in(&self, info: &Info, nodes: u64) -> Option<u64> {
        let (last, write) = self.last_word.as_ref()?;
        let tells_all = last.nodes >= nodes
            && (last.depth, last.score, &last.pv) == (info.depth, info.score, &info.pv);
        tells_all.then_some(*write)
    }

    fn line(&mut self, info: &Info) {
        let legal = legal_length(&mut self.pos, &info.pv);
        if legal == 0 {
            return;
        }
        let mut info = info.clone();
        info.pv.truncate(legal);
        let is_best = info.bound == Bound::Exact && info.multi_pv == 1;
        if is_best {
            self.shows_depth = self.is_due(info.time);
        }
        let show = if info.bound == Bound::Exact {
            self.shows_depth
        } else {
            // A bound before the first complete line is an unfinished score.
            self.style.bounds && self.last.is_some() && self.is_due(info.time)
        };
        if show {
            self.shown = Some(info.time);
            let write = self.output.write(&info_line(&info));
            self.last_word = is_best.then(|| (info.clone(), write));
            if self.output.is_closed() {
                self.control.stop();
            }
        }
        if is_best {
            self.last = Some(info);
        }
    }

    fn is_due(&self, time: Duration) -> bool {
        time < FREE_TIME
            || self.shown.is_none_or(|shown| time.saturating_sub(shown) >= self.style.interval)
    }

    fn current_move(&mut self, mv: Move, number: usize) {
        let time = self.control.elapsed();
        let interval = self.style.interval.max(CURRENT_MOVE_INTERVAL);
        let rested =
            self.current_move_shown.is_none_or(|shown| time.saturating_sub(shown) >= interval);
        if time >= CURRENT_MOVE_FROM && rested {
            self.current_move_shown = Some(time);
            self.last_word = None;
            self.output.write(&format!("info currmove {mv} currmovenumber {number}"));
        }
    }
}

/// How many moves of a line are legal, played one after the other. `pos` is the same afterwards.
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
    use std::time::Instant;

    use super::*;
    use crate::engine::Pv;
    use crate::eval::Score;

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

    /// Depths and ranks of the lines shown.
    fn shown(style: ReportStyle, infos: &[Info]) -> Vec<String> {
        let (lines, writer) = io::pipe().expect("a pipe");
        let output = SharedOutput::new(writer);
        let control = Control::new(Instant::now());
        let mut reporter = Reporter::new(&output, &Position::startpos(), &control, style);
        for info in infos {
            reporter.report(Report::Line(info));
        }
        drop(output);
        let text = io::read_to_string(lines).expect("ASCII");
        let word = |line: &str, index| line.split(' ').nth(index).unwrap_or_default().to_owned();
        text.lines().map(|line| format!("{}.{}", word(line, 2), word(line, 6))).collect()
    }

    const STYLE: ReportStyle =
        ReportStyle { silent: false, interval: Duration::from_millis(300), bounds: true };

    #[test]
    fn lines_keep_their_distance_after_a_second() {
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
    fn u_23_illegal_tails_are_cut() {
        let mut long = info(1, 1, Bound::Exact, 1);
        long.pv = ["7g7f", "7g7f"].iter().map(|mv| mv.parse().expect("a move")).collect();
        let mut bad = info(2, 1, Bound::Exact, 1);
        bad.pv = Pv::from_slice(&["5e5d".parse().expect("a move")]);
        assert_eq!(shown(STYLE, &[long.clone(), bad]), ["1.1"]);
        assert_eq!(legal_length(&mut Position::startpos(), &long.pv), 1);
    }
}
