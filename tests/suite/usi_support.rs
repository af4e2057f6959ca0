//! A client and a scripted engine for the USI tests. Everything runs in memory; times are checked
//! only against generous limits.

use std::io::{self, BufReader, Cursor, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kankei::engine::{
    BestMove, Control, Engine, Info, Limits, MateOutcome, MateVerdict, Outcome, Pv, Query, Report,
    Settings,
};
use kankei::eval::Score;
use kankei::shogi::movegen::legal_moves;
use kankei::shogi::{Position, Scope};
use kankei::usi::{self, Backend, EngineChoice, UsiError};

/// Time limit that no test reaches on any machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

const SEARCHES: [&str; 2] = ["FullWidth", "Other"];

type Act = dyn Fn(&Position, &Limits, &Control, &mut dyn FnMut(Report)) -> Outcome + Send + Sync;

type Solve = dyn Fn(&Position, &Control) -> MateVerdict + Send + Sync;

/// The behavior of the fake engine and the calls that it received; clones share both.
#[derive(Clone)]
pub struct Script {
    act: Arc<Act>,
    prepare: Arc<Mutex<Arc<dyn Fn() + Send + Sync>>>,
    solve: Arc<Mutex<Arc<Solve>>>,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Script {
    /// Creates an engine that runs `act` for each search.
    pub fn new(
        act: impl Fn(&Position, &Limits, &Control, &mut dyn FnMut(Report)) -> Outcome
        + Send
        + Sync
        + 'static,
    ) -> Script {
        Script {
            act: Arc::new(act),
            prepare: Arc::new(Mutex::new(Arc::new(|| {}))),
            solve: Arc::new(Mutex::new(Arc::new(|_, control| {
                wait(control);
                MateVerdict::Unknown
            }))),
            calls: Arc::default(),
        }
    }

    /// An engine that immediately returns the first legal move.
    pub fn at_once() -> Script {
        Script::new(|pos, _, _, report| first_move(pos, report))
    }

    /// An engine that searches until it must stop.
    pub fn patient() -> Script {
        Script::new(|pos, _, control, report| {
            let outcome = first_move(pos, report);
            wait(control);
            outcome
        })
    }

    /// Runs `prepare` in `configure` from now on.
    pub fn on_configure(&self, prepare: impl Fn() + Send + Sync + 'static) {
        *self.prepare.lock().unwrap() = Arc::new(prepare);
    }

    /// Runs `solve` in mate searches from now on. By default they end by time or `stop`.
    pub fn on_mate(
        &self,
        solve: impl Fn(&Position, &Control) -> MateVerdict + Send + Sync + 'static,
    ) {
        *self.solve.lock().unwrap() = Arc::new(solve);
    }

    /// The calls of the engine, in order.
    pub fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    /// The searches among the calls.
    pub fn searches(&self) -> Vec<String> {
        self.calls().into_iter().filter(|call| call.starts_with("search ")).collect()
    }

    /// The first words of the calls.
    pub fn kinds(&self) -> Vec<String> {
        let first = |call: &String| call.split(' ').next().map(str::to_owned);
        self.calls().iter().filter_map(first).collect()
    }

    /// Number of calls of this kind, such as `build` or `search`.
    pub fn count(&self, kind: &str) -> usize {
        self.kinds().iter().filter(|call| *call == kind).count()
    }

    /// Waits until the engine has received `count` searches.
    pub fn wait_for_searches(&self, count: usize) {
        let start = Instant::now();
        while self.count("search") < count {
            assert!(start.elapsed() < PATIENCE, "no search: {:?}", self.calls());
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The fake engine.
    pub fn engine(&self) -> Box<dyn Engine> {
        self.note("build".to_owned());
        Box::new(Fake(self.clone()))
    }

    pub fn backend(&self) -> Backend {
        let (script, solver) = (self.clone(), self.clone());
        Backend {
            name: "Kankei test".to_owned(),
            author: "nobody".to_owned(),
            searches: &SEARCHES,
            seed: 1,
            interactive: false,
            build: Arc::new(move |choice, _| {
                let EngineChoice { search, changes, evaluation, .. } = choice;
                let search = SEARCHES[*search];
                script
                    .note(format!("build {search} {evaluation:?} {changes}").trim_end().to_owned());
                Box::new(Fake(script.clone()))
            }),
            solve_mate: Arc::new(move |pos, _, control| {
                let solve = Arc::clone(&solver.solve.lock().unwrap());
                MateOutcome { verdict: solve(pos, control), nodes: 7, plies: 0 }
            }),
            evaluate: Arc::new(|_, pos| format!("the value of {}", pos.to_sfen())),
            build_info: "made for a test".to_owned(),
            bench: Arc::new(|_, settings, arguments, line| {
                line(&format!("bench of {} with {} MiB", arguments.join("+"), settings.hash_mib));
            }),
        }
    }

    fn note(&self, call: String) {
        self.calls.lock().unwrap().push(call);
    }
}

struct Fake(Script);

impl Engine for Fake {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        self.0.note(format!("configure {} {}", settings.hash_mib, settings.multi_pv));
        let prepare = Arc::clone(&self.0.prepare.lock().unwrap());
        prepare();
        if settings.hash_mib > 1000 { vec!["less memory".to_owned()] } else { Vec::new() }
    }

    fn new_game(&mut self) {
        self.0.note("new_game".to_owned());
    }

    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        let Query { pos, limits, control } = query;
        self.0.note(format!("search {} {limits:?}", pos.to_sfen()));
        (self.0.act)(pos, limits, control, report)
    }
}

/// Waits until the search must stop.
pub fn wait(control: &Control) {
    let start = Instant::now();
    while !control.must_stop(Duration::ZERO) && start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_micros(200));
    }
}

/// Reports depth 1 with the first legal move, and returns it.
pub fn first_move(pos: &Position, report: &mut dyn FnMut(Report)) -> Outcome {
    let line = legal_moves(pos, Scope::LEGAL).first().map(ToString::to_string);
    let outcome = outcome(1, Score::cp(12), line.as_deref().unwrap_or_default());
    if let Some(info) = &outcome.info {
        report(Report::Line(info.clone()));
    }
    outcome
}

/// An outcome with this line.
pub fn outcome(depth: u32, score: Score, line: &str) -> Outcome {
    let pv: Pv = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let best = pv.first().map_or(BestMove::Resign, |&mv| BestMove::Play(mv, pv.get(1).copied()));
    let info = Info::exact(depth, score, pv, 10, Duration::from_millis(1));
    Outcome { best, info: Some(info), nodes: 20 }
}

/// Forwards the lines of the session after each flush. Skips the entering-king rule before the
/// first `readyok`, which `u_28_the_rule_is_reported` checks.
struct Screen {
    lines: Sender<String>,
    unflushed: Vec<u8>,
}

impl Screen {
    fn new() -> (Screen, Receiver<String>) {
        let (lines, shown) = mpsc::channel();
        (Screen { lines, unflushed: Vec::new() }, shown)
    }
}

/// An output, and the lines that were written to it.
pub fn shown() -> (impl Write + Send, Receiver<String>) {
    Screen::new()
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unflushed.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.unflushed);
        assert!(bytes.is_ascii() && bytes.ends_with(b"\n"), "not complete ASCII lines: {bytes:?}");
        for line in String::from_utf8(bytes).unwrap().lines() {
            if line.starts_with("info string EnteringKingRule ") {
                continue;
            }
            // A test may end before the engine.
            let _ = self.lines.send(line.to_owned());
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let unflushed = &self.unflushed;
        assert!(unflushed.is_empty() || thread::panicking(), "not flushed: {unflushed:?}");
    }
}

/// A client of a session.
pub struct Client {
    wire: Option<PipeWriter>,
    lines: Receiver<String>,
    session: Option<JoinHandle<Result<(), UsiError>>>,
}

impl Client {
    pub fn new(script: &Script) -> Client {
        Client::of(script.backend())
    }

    pub fn of(backend: Backend) -> Client {
        let (input, wire) = io::pipe().expect("a pipe");
        let (output, lines) = Screen::new();
        let session = thread::spawn(move || usi::run(BufReader::new(input), output, backend));
        Client { wire: Some(wire), lines, session: Some(session) }
    }

    /// A client that has waited for `readyok`.
    pub fn ready(script: &Script) -> Client {
        let mut client = Client::new(script);
        client.get_ready("");
        client
    }

    /// Sends lines.
    pub fn send(&self, lines: &str) {
        let bytes = format!("{lines}\n").into_bytes();
        self.wire.as_ref().unwrap().write_all(&bytes).expect("the session reads its input");
    }

    /// Sends lines without replies and waits for `readyok`.
    #[track_caller]
    pub fn get_ready(&mut self, lines: &str) {
        self.send(&format!("{lines}\nisready"));
        self.expect("readyok");
    }

    /// Sends lines and reads up to `bestmove`.
    #[track_caller]
    pub fn play(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        self.until("bestmove")
    }

    /// The next line.
    #[track_caller]
    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    /// Checks the next line.
    #[track_caller]
    pub fn expect(&mut self, line: &str) {
        assert_eq!(self.line(), line);
    }

    /// The lines up to and including the first that starts with `start`.
    #[track_caller]
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while lines.last().is_some_and(|line| !line.starts_with(start)) {
            lines.push(self.line());
        }
        lines
    }

    /// Checks that only `info` lines were sent since the last line read, by requesting `readyok`.
    #[track_caller]
    pub fn expect_silence(&mut self) {
        self.send("isready");
        let lines = self.until("readyok");
        let talk: Vec<_> = lines.iter().filter(|line| !line.starts_with("info ")).collect();
        assert_eq!(talk, ["readyok"], "{lines:?}");
    }

    /// Ends the input, waits for the session to end, and returns the unread lines.
    #[track_caller]
    pub fn end(mut self) -> Vec<String> {
        self.wire = None;
        self.wait_for_end()
    }

    /// Waits for the session to end by itself while the input stays open.
    #[track_caller]
    pub fn wait_for_end(&mut self) -> Vec<String> {
        let session = self.session.take().unwrap();
        let start = Instant::now();
        while !session.is_finished() {
            assert!(start.elapsed() < PATIENCE, "the session does not end");
            thread::sleep(Duration::from_millis(1));
        }
        session
            .join()
            .expect("the session does not panic")
            .expect("the session starts its threads");
        self.lines.try_iter().collect()
    }
}

/// A test must read all lines of its client.
impl Drop for Client {
    fn drop(&mut self) {
        if self.session.is_some() && !thread::panicking() {
            self.wire = None;
            assert_eq!(self.wait_for_end(), [""; 0]);
        }
    }
}

/// All lines of the reply to a complete input.
pub fn transcript(input: impl Into<Vec<u8>>, script: &Script) -> Vec<String> {
    let (screen, lines) = Screen::new();
    usi::run(Cursor::new(input.into()), screen, script.backend())
        .expect("the session starts its threads");
    lines.try_iter().collect()
}

/// A gate that is closed until something is sent or the sender is dropped, and a function that
/// passes it.
pub fn gate() -> (Sender<()>, impl Fn() + Send + Sync + 'static) {
    let (open, gate) = mpsc::channel();
    let gate = Mutex::new(gate);
    let pass = move || {
        let _ = gate.lock().unwrap().recv_timeout(PATIENCE);
    };
    (open, pass)
}
