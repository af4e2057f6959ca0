//! A USI program as one side of a match.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::start_error::{StartError, check_option};
use crate::command::interrupt::is_interrupted;
use crate::engine::{BestMove, Info, Outcome, Pv};
use crate::eval::Score;
use crate::quote::{quoted, shortened};
use crate::record::decode_line;
use crate::shogi::Position;

/// How to start and control a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSpec {
    /// The command line, as a list of words.
    pub command: Vec<String>,
    /// Options to set, with their values.
    pub options: Vec<(String, String)>,
    /// A template that replaces the default `go` line. `{ms}`, `{nodes}`, `{btime}`, `{wtime}`,
    /// `{inc}` and `{byoyomi}` stand for numbers.
    pub go: Option<String>,
    /// The `go` line of a second query after the program resigns.
    pub ask_again: Option<String>,
    /// Whether the program also loses by an unrequested answer, or by an `info` with an illegal
    /// line.
    pub strict: bool,
}

/// Limits of a program for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Allowance {
    pub nodes: Option<u64>,
    pub movetime: Option<Duration>,
    /// Remaining time of Black and White.
    pub remaining: [Duration; 2],
    pub increment: Duration,
    pub byoyomi: Duration,
}

/// Timeout for `usiok`, which programs send before they load anything.
const GREETING: Duration = Duration::from_secs(4);
/// Timeout for `readyok`.
const PREPARATION: Duration = Duration::from_secs(120);
/// Timeout for a second answer.
const SECOND_ANSWER: Duration = Duration::from_secs(60);
/// Interval at which a wait is checked for Ctrl-C.
const INTERRUPT_CHECK: Duration = Duration::from_millis(100);
/// Time for a program to exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(1);

/// A program. It is started for its first game, and again after a crash or hang.
#[derive(Debug)]
pub struct Program {
    spec: ProgramSpec,
    process: Option<Process>,
}

impl Program {
    /// A program that is not started yet.
    pub fn new(spec: ProgramSpec) -> Program {
        Program { spec, process: None }
    }

    /// Starts the program unless it is running.
    ///
    /// # Errors
    /// [`StartError`] if it cannot be started, does not reply, or does not have the options that are
    /// to be set.
    pub fn start(&mut self) -> Result<(), StartError> {
        if self.process.is_none() {
            self.process = Some(Process::start(&self.spec)?);
        }
        Ok(())
    }

    /// Starts the program unless it is running, and prepares it for a new game.
    ///
    /// # Errors
    /// [`Failure`] if it cannot be started or does not reply.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        self.start()?;
        let Some(process) = &mut self.process else { return Err(Failure::Crash) };
        let ready = process.make_ready().and_then(|()| process.send("usinewgame"));
        self.keep_if_sound(ready)
    }

    /// Runs a search of the program. `longest`: timeout after which it counts as hanging. The
    /// returned time is that of the first answer, from sending `go` to reading the answer. A second
    /// query and the checks of its lines do not count.
    pub(super) fn search(
        &mut self,
        pos: &Position,
        allowed: &Allowance,
        longest: Duration,
    ) -> (Result<Outcome, Failure>, Duration) {
        let go = go_line(self.spec.go.as_deref(), allowed);
        let again = self.spec.ask_again.as_deref();
        let Some(process) = &mut self.process else {
            return (Err(Failure::Crash), Duration::ZERO);
        };
        let mut elapsed = Duration::ZERO;
        let mut answer = process.ask(pos, &go, longest, self.spec.strict, &mut elapsed);
        if let (Ok(Outcome { best: BestMove::Resign, .. }), Some(go)) = (&answer, again) {
            answer = process.ask(pos, go, SECOND_ANSWER, false, &mut Duration::default());
        }
        (self.keep_if_sound(answer), elapsed)
    }

    /// Ends a program that crashed or hangs.
    fn keep_if_sound<T>(&mut self, answer: Result<T, Failure>) -> Result<T, Failure> {
        if matches!(answer, Err(Failure::Crash | Failure::Hang)) {
            self.process = None;
        }
        answer
    }
}

/// A running program. A thread reads its lines with their times, so that every wait has a timeout.
#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<(String, Instant)>,
    /// An unrequested answer between two games.
    stray: Option<String>,
}

impl Process {
    fn start(spec: &ProgramSpec) -> Result<Process, StartError> {
        let silent = |word, limit| move |failure| StartError::Silent { word, limit, failure };
        let mut process = Process::spawn(spec)?;
        let greeting = process.greet().map_err(silent("usiok", GREETING))?;
        for (name, value) in &spec.options {
            check_option(&greeting, name, value)?;
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            let sent = process.send(&format!("setoption name {name}{value}"));
            sent.map_err(silent("readyok", PREPARATION))?;
        }
        process.make_ready().map_err(silent("readyok", PREPARATION))?;
        Ok(process)
    }

    fn spawn(spec: &ProgramSpec) -> io::Result<Process> {
        let (program, arguments) = spec.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        // Ctrl-C in the terminal must not reach the program; the match ends its programs itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            while output.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
                let read = Instant::now();
                if sender.send((decode_line(&bytes).into_owned(), read)).is_err() {
                    return;
                }
                bytes.clear();
            }
        })?;
        Ok(Process { child, input, lines, stray: None })
    }

    fn send(&mut self, line: &str) -> Result<(), Failure> {
        // A single write. With two writes, the program could be woken by the first while this
        // thread is suspended.
        let line = line.to_owned() + "\n";
        let sent = self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| Failure::Crash)
    }

    /// Reads lines up to and including the first one that starts with this word. Also returns the
    /// time of that line. After Ctrl-C, a program that has not answered counts as hanging.
    fn read_to(
        &mut self,
        word: &str,
        longest: Duration,
    ) -> Result<(Vec<String>, Instant), Failure> {
        let end = Instant::now() + longest;
        let mut lines = Vec::new();
        loop {
            let wait = end.saturating_duration_since(Instant::now());
            let (line, read) = match self.lines.recv_timeout(wait.min(INTERRUPT_CHECK)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Crash),
                Err(RecvTimeoutError::Timeout) if wait.is_zero() || is_interrupted() => {
                    return Err(Failure::Hang);
                }
                Err(RecvTimeoutError::Timeout) => continue,
            };
            let is_last = line.split_ascii_whitespace().next() == Some(word);
            lines.push(line);
            if is_last {
                return Ok((lines, read));
            }
        }
    }

    /// The lines up to `usiok`.
    fn greet(&mut self) -> Result<Vec<String>, Failure> {
        let greeting = self.send("usi").and_then(|()| self.read_to("usiok", GREETING));
        if greeting.is_err() {
            // It would not understand `quit` either. An error means that it has exited.
            let _ = self.child.kill();
        }
        greeting.map(|(lines, _)| lines)
    }

    fn make_ready(&mut self) -> Result<(), Failure> {
        self.send("isready")?;
        let (lines, _) = self.read_to("readyok", PREPARATION)?;
        self.stray = lines.into_iter().find(|line| is_answer(line));
        Ok(())
    }

    /// Runs one search, from `position` to `bestmove`, and sets its time if it answers.
    fn ask(
        &mut self,
        pos: &Position,
        go: &str,
        longest: Duration,
        strict: bool,
        time: &mut Duration,
    ) -> Result<Outcome, Failure> {
        // Lines sent earlier do not belong to this search.
        let lines = self.lines.try_iter().map(|(line, _)| line);
        let lines: Vec<String> = self.stray.take().into_iter().chain(lines).collect();
        if strict && let Some(line) = lines.iter().find(|line| is_answer(line)) {
            return Err(Failure::Illegal(format!("second answer {}", quoted(line))));
        }
        let question = format!("{}\n{go}", position_line(pos));
        let start = Instant::now();
        self.send(&question)?;
        let (mut lines, read) = self.read_to("bestmove", longest)?;
        *time = read.saturating_duration_since(start);
        let answer = lines.pop().unwrap_or_default();
        let answer = answer.split_ascii_whitespace().nth(1).unwrap_or("none");
        if strict && let Some(line) = lines.iter().find(|line| !is_playable(pos, line)) {
            return Err(Failure::Illegal(format!("line {}", quoted(line))));
        }
        let best = match answer {
            "resign" => BestMove::Resign,
            "win" => BestMove::Declare,
            mv => match mv.parse() {
                Ok(mv) => BestMove::Play(mv, None),
                Err(()) => return Err(Failure::Illegal(shortened(mv))),
            },
        };
        Ok(Outcome { best, ..reported_outcome(&lines, *time) })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let end = Instant::now() + FAREWELL;
        if self.send("quit").is_ok() {
            while Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
                thread::sleep(Duration::from_millis(5));
            }
        }
        // An error means that it has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The `position` line with the moves since the start position.
pub(super) fn position_line(pos: &Position) -> String {
    let (mut start, mut moves) = (pos.clone(), Vec::new());
    while let Some(mv) = start.last_move() {
        moves.push(format!(" {mv}"));
        start.undo_move();
    }
    let sfen = start.to_sfen();
    let start =
        if sfen == crate::shogi::STARTPOS { "startpos".to_owned() } else { format!("sfen {sfen}") };
    let word = if moves.is_empty() { "" } else { " moves" };
    moves.reverse();
    format!("position {start}{word}{}", moves.concat())
}

fn go_line(template: Option<&str>, allowed: &Allowance) -> String {
    let Allowance { nodes, movetime, remaining, increment, byoyomi } = allowed;
    let usual = match (nodes, movetime) {
        (Some(_), _) => "go nodes {nodes}",
        (None, Some(_)) => "go btime 0 wtime 0 byoyomi {ms}",
        (None, None) if !byoyomi.is_zero() => "go btime {btime} wtime {wtime} byoyomi {byoyomi}",
        (None, None) => "go btime {btime} wtime {wtime} binc {inc} winc {inc}",
    };
    let mut line = template.unwrap_or(usual).to_owned();
    let ms = |time: Duration| time.as_millis().to_string();
    for (name, value) in [
        ("{nodes}", nodes.unwrap_or_default().to_string()),
        ("{ms}", ms(movetime.unwrap_or_default())),
        ("{btime}", ms(remaining[0])),
        ("{wtime}", ms(remaining[1])),
        ("{inc}", ms(*increment)),
        ("{byoyomi}", ms(*byoyomi)),
    ] {
        line = line.replace(name, &value);
    }
    line
}

fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove")
}

/// Whether all moves of the line in an `info` are legal in sequence; true without a line.
fn is_playable(pos: &Position, info: &str) -> bool {
    let mut words = info.split_ascii_whitespace();
    let is_info = words.next() == Some("info");
    let begins_text = |word: &&str| matches!(*word, "pv" | "string");
    let is_line = is_info && words.find(begins_text) == Some("pv");
    let mut pos = pos.clone();
    !is_line
        || words.all(|word| {
            let mv = word.parse().ok().filter(|&mv| pos.is_legal(mv));
            mv.map(|mv| pos.do_move(mv)).is_some()
        })
}

/// The last depth, nodes and score of the best line; the move is not set. Without a score, `info`
/// is `None`.
fn reported_outcome(lines: &[String], time: Duration) -> Outcome {
    let (mut depth, mut nodes, mut score) = (None, None, None);
    for line in lines {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&"info", words)) = words.split_first() else { continue };
        if words.windows(2).any(|pair| pair[0] == "multipv" && pair[1] != "1") {
            continue;
        }
        let end = words.iter().position(|&word| matches!(word, "pv" | "string"));
        for (at, &word) in words.iter().enumerate().take(end.unwrap_or(words.len())) {
            let value = words.get(at + 1).copied().unwrap_or_default();
            match word {
                "depth" => depth = value.parse().ok().or(depth),
                "nodes" => nodes = value.parse().ok().or(nodes),
                "score" => score = words.get(at + 2).and_then(|n| read_score(value, n)).or(score),
                _ => {}
            }
        }
    }
    let (depth, nodes) = (depth.unwrap_or_default(), nodes.unwrap_or_default());
    let info = score.map(|score| Info::exact(depth, score, Pv::new(), nodes, time));
    Outcome { best: BestMove::Resign, info, nodes }
}

fn read_score(kind: &str, number: &str) -> Option<Score> {
    let plies = || number.trim_start_matches(['+', '-']).parse().unwrap_or(1).min(999);
    match kind {
        "cp" => number.parse().ok().map(Score::cp),
        "mate" if number.starts_with('-') => Some(Score::mated_in(plies())),
        "mate" => Some(Score::mate_in(plies())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_score_of_the_best_line_counts() {
        let last_score = |lines: &[&str]| {
            let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            let outcome = reported_outcome(&lines, Duration::ZERO);
            (outcome.info.map(|info| (info.depth, info.score)), outcome.nodes)
        };
        assert_eq!(last_score(&["info string score cp 5", "readyok"]), (None, 0));
        assert_eq!(
            last_score(&[
                "info depth 3 score cp -20 nodes 100 pv 7g7f",
                "info depth 4 multipv 1 score cp 31 lowerbound nodes 250 pv 2g2f",
                "info depth 4 multipv 2 score cp 7 nodes 260 pv 1g1f",
                "info currmove 1g1f",
                "info depth x nodes 300 string depth 9",
            ]),
            (Some((4, Score::cp(31))), 300)
        );
        for (text, score) in [
            ("mate 5", Score::mate_in(5)),
            ("mate +", Score::mate_in(1)),
            ("mate -4", Score::mated_in(4)),
            ("cp 99999", Score::MAX_EVAL),
        ] {
            let line = format!("info depth 1 score {text}");
            assert_eq!(last_score(&[&line]).0, Some((1, score)), "{text}");
        }
    }

    #[test]
    fn lines_are_checked_for_legality() {
        for (info, is_sound) in [
            ("info depth 3 score cp 5 pv 7g7f 3c3d 8h2b+", true),
            ("info depth 3 pv 7g7f 3c3d 3c3d", false),
            ("info depth 3 pv 7g7f resign", false),
            ("info string pv 9a9a", true),
            ("info depth 3 currmove 9a9a", true),
            ("readyok", true),
        ] {
            assert_eq!(is_playable(&Position::startpos(), info), is_sound, "{info}");
        }
    }

    #[test]
    fn go_lines_contain_the_limits() {
        let ms = Duration::from_millis;
        let clock = Allowance { remaining: [ms(900), ms(800)], ..Allowance::default() };
        for (template, allowed, line) in [
            (None, Allowance { nodes: Some(50), ..clock }, "go nodes 50"),
            (None, Allowance { movetime: Some(ms(70)), ..clock }, "go btime 0 wtime 0 byoyomi 70"),
            (
                Some("go movetime {ms}"),
                Allowance { movetime: Some(ms(7)), ..clock },
                "go movetime 7",
            ),
            (None, Allowance { byoyomi: ms(5), ..clock }, "go btime 900 wtime 800 byoyomi 5"),
            (None, Allowance { increment: ms(9), ..clock }, "go btime 900 wtime 800 binc 9 winc 9"),
        ] {
            assert_eq!(go_line(template, &allowed), line);
        }
    }

    #[test]
    fn positions_are_sent_from_the_start_position() {
        let mut pos = Position::startpos();
        assert_eq!(position_line(&pos), "position startpos");
        for mv in ["7g7f", "3c3d"] {
            pos.do_move(mv.parse().expect("a move"));
        }
        assert_eq!(position_line(&pos), "position startpos moves 7g7f 3c3d");
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let pos = Position::from_sfen(sfen).expect("a position");
        assert_eq!(position_line(&pos), format!("position sfen {sfen}"));
    }
}
