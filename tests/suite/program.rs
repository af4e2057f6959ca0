//! The built program from outside, as GUIs and shells use it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use kankei::eval::learned::{self, Term};
use kankei::lab::learn::RealWeights;

use crate::command_support::{Folder, PROGRAM};

/// Tolerance for slow machines, in place of promised limits of some milliseconds.
pub const SLACK: Duration = Duration::from_secs(2);

/// A running session.
pub struct Session {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    pub fn start() -> Session {
        Session::with(&[])
    }

    /// A session with arguments of the program.
    fn with(arguments: &[&str]) -> Session {
        let mut process = Command::new(PROGRAM)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        Session { process, input, output }
    }

    pub fn send(&mut self, lines: &str) {
        writeln!(self.input, "{lines}").expect("the session reads its input");
    }

    /// Sends lines and reads up to the first line that starts with this word.
    pub fn ask(&mut self, lines: &str, word: &str) -> Vec<String> {
        self.send(lines);
        self.read_to(word)
    }

    /// All lines up to and including the first that starts with this word.
    fn read_to(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "the session ended");
            lines.push(line.trim_end().to_owned());
            if line.split_whitespace().next() == Some(word) {
                return lines;
            }
        }
    }

    /// Resident memory in KiB; `None` if the system does not report it.
    pub fn memory_kib(&self) -> Option<u64> {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    pub fn quit(mut self) {
        self.send("quit");
        assert!(self.process.wait().expect("the program ends").success());
    }
}

/// A row of the option table in `src/usi/USI.md`, built from the output of `usi` and `help`.
fn option_row(declaration: &str, help: &[String]) -> String {
    let words: Vec<&str> = declaration.split(' ').collect();
    let after = |name: &str| words.iter().position(|&word| word == name).map(|at| words[at + 1]);
    let name = after("name").expect("a name");
    let default = after("default").unwrap_or_default();
    let default = match (name, default) {
        // The number depends on the machine.
        ("Threads", _) => "half of the CPUs".to_owned(),
        (_, text) if text.starts_with('<') => format!("`{text}`"),
        (_, text) => text.to_owned(),
    };
    let range = match (after("min"), after("max")) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        _ => declaration.split(" var ").skip(1).collect::<Vec<_>>().join(", "),
    };
    let meaning = help.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let (kind, meaning) = (after("type").expect("a type"), meaning.expect(name).trim_start());
    format!("| `{name}` | {kind} | {default} | {range} | {meaning} |")
}

#[test]
fn the_option_table_agrees_with_the_program() {
    let mut session = Session::start();
    let output = session.ask("usi", "usiok");
    let help = session.ask("help\ngetoption nothing", "info");
    session.quit();
    let options = output.iter().filter(|line| line.starts_with("option "));
    let printed: Vec<String> = options.map(|line| option_row(line, &help)).collect();
    let text = include_str!("../../src/usi/USI.md");
    let rows = text.lines().skip_while(|line| !line.starts_with("| name ")).skip(2);
    assert_eq!(rows.collect::<Vec<_>>(), printed);
}

fn ready() -> Session {
    let mut session = Session::start();
    session.ask("setoption name USI_Hash value 16\nisready", "readyok");
    session
}

#[test]
fn guis_that_send_defaults_back_keep_the_changes_of_the_command_line() {
    let nodes = |arguments: &[&str], lines: &str| {
        let mut session = Session::with(arguments);
        let lines = session.ask(&format!("{lines}\nbench --depth 4 --hash 1"), "Nodes");
        session.quit();
        lines.last().cloned()
    };
    let arguments = ["usi", "--without", "null-move"];
    let changed = nodes(&arguments, "isready");
    assert_ne!(changed, nodes(&["usi"], "isready"));
    assert_eq!(changed, nodes(&arguments, "setoption name SearchChanges value <empty>"));
    let other = "setoption name SearchChanges value without=razoring";
    assert_eq!(nodes(&["usi"], other), nodes(&arguments, other));
}

#[test]
fn a_word_of_bench_that_is_no_number_is_named() {
    let mut session = Session::start();
    for (line, word) in [("bench x", "x"), ("bench 1 1 y", "y")] {
        let answer = session.ask(line, "info");
        assert_eq!(answer, [format!("info string bench: \"{word}\" is not a number")]);
    }
    let answer = session.ask("bench 1 1 1 default movetime", "info");
    assert_eq!(answer, ["info string bench: \"movetime\" is neither depth nor nodes"]);
    session.ask("bench 1 default 1 default depth", "Nodes");
    session.quit();
}

#[test]
fn u_07_usi_is_answered_immediately() {
    let start = Instant::now();
    let mut session = Session::start();
    session.ask("usi", "usiok");
    assert!(start.elapsed() < SLACK);
    session.quit();
}

#[test]
fn u_10_too_deep_a_perft_is_refused() {
    let mut session = ready();
    let lines = session
        .ask("perft 100000\ngo perft 4294967295\ngetoption USI_Hash\ngo depth 1", "bestmove");
    let refused = lines.iter().filter(|line| line.contains("maximum depth")).count();
    assert_eq!(refused, 2);
    session.quit();
}

#[test]
fn go_mate_is_answered_by_a_complete_mate_or_none() {
    let mut session = ready();
    let mut solve = |sfen: &str, time: u32| {
        session.ask(&format!("position sfen {sfen}\ngo mate {time}"), "checkmate")
    };
    // A gold drop at the king's head; no check at all.
    let lines = solve("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 2000);
    assert_eq!(lines.last().map(String::as_str), Some("checkmate G*5b"));
    assert_eq!(solve("4k4/9/9/9/9/9/9/9/4K4 b - 1", 2000), ["checkmate nomate"]);
    // Checks exist, but none mates.
    let lines = solve("4k4/9/9/9/9/9/9/9/4K4 b G 1", 60000);
    assert_eq!(lines.last().map(String::as_str), Some("checkmate nomate"));
    // A rook mates from a distance in three.
    let lines = solve("8k/5s3/8G/9/9/9/9/3R5/9 b - 1", 60000);
    assert_eq!(lines.last().map(|line| line.split(' ').count()), Some(4), "{lines:?}");
    session.quit();
}

#[test]
fn weights_files_are_used_and_corrupt_ones_named() {
    let folder = Folder::new();
    let mut real = RealWeights::zero();
    real.terms[Term::Tempo].fill(77.0);
    let file = File::create(folder.at("good.weights")).expect("a file");
    learned::file::write(&real.quantize().weights, file, 1).expect("the file can be written");
    folder.write("bad.weights", "these are no weights");
    let choose = |name: &str| {
        format!("setoption name EvalFile value {}\nisready", folder.at(name).display())
    };

    let mut session = Session::start();
    session.send("setoption name USI_Hash value 16");
    let lines = session.ask(&choose("bad.weights"), "readyok");
    let output = lines.iter().find(|line| line.contains("bad.weights")).expect("a remark");
    assert!(
        output.contains("not a weights file") && output.contains("using <internal>"),
        "{output}"
    );
    session.ask("go nodes 500", "bestmove");

    session.ask(&choose("good.weights"), "readyok");
    // In the start position, only the tempo counts.
    let lines = session.ask("eval", "score");
    assert!(
        lines.iter().any(|line| line.starts_with("tempo") && line.contains("+77")),
        "{lines:?}"
    );
    session.ask("go nodes 500", "bestmove");
    session.quit();
}

/// Under a limit of the address space, which refuses memory as some systems do without one.
#[cfg(target_os = "linux")]
#[test]
fn a_lack_of_memory_ends_a_command_with_one_line() {
    use crate::command_support::End;
    for kib in [60_000, 100_000] {
        let line = format!("ulimit -v {kib}; exec {PROGRAM} bench --depth 1");
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", &line]).env("RUST_BACKTRACE", "1").output();
        let End { code, error, .. } = End::of(output.expect("a shell"));
        assert_eq!(code, Some(2), "{error}");
        let is_named = error.starts_with("error: out of memory: cannot allocate ");
        assert!(is_named && error.lines().count() == 1, "{error}");
    }
}
