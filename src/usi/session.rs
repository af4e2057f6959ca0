//! The conversation: takes events in order, keeps the state, gives the answers.

use std::collections::VecDeque;
use std::env;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::answer::Answer;
use super::command::{Command, Go};
use super::engine_thread::{Demand, EngineThread, Job, SearchJob};
use super::go::PendingSearch;
use super::input;
use super::options::{CLEAR_HASH, DEBUG_LOG_FILE, Options};
use super::output::Output;
use super::{Backend, EngineChoice, EvaluationSource, UsiError};
use crate::shogi::{Move, Position};

/// Distance of the empty lines that show life until `readyok`.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// After `quit`: for what stands before it to end by itself, to end when told, and for the worker.
const GRACE: Duration = Duration::from_millis(650);
const FAREWELL: Duration = Duration::from_millis(150);
/// Searches go deep; the system hands out the memory only as it is used.
const ENGINE_STACK: usize = 64 << 20;

/// What the session waits for.
pub(super) enum Event {
    /// A line and the moment it was read.
    Line(String, Instant),
    EndOfInput,
    /// The engine is ready.
    Prepared,
    /// Of a search or a mate search.
    Finished(Answer),
    TaskDone,
    EngineGone,
}

/// What waits its turn: a command and the moment it was read.
enum Request {
    Command(Command, Instant),
    EndOfInput,
}

enum SessionState {
    Idle,
    /// `isready` is being worked on.
    Preparing {
        next_sign: Instant,
    },
    /// A console command is being worked on.
    Busy,
    /// Searching, pondering, looking for mate, or finished but silent.
    Searching {
        search: Box<PendingSearch>,
        /// A command is waiting that this search was ended for: what comes after it must wait too.
        next_waits: bool,
    },
}

/// Holds a conversation until `quit`, the end of the input, or a failed write.
///
/// # Errors
/// [`UsiError`] if the system gives no thread. Nothing the client sends is an error.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    backend: Backend,
) -> Result<(), UsiError> {
    let (events, inbox) = mpsc::channel();
    let reader_events = events.clone();
    // Not joined: it may be waiting for a line that never comes.
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || input::read_lines(input, &reader_events))?;
    let mut session = Session::new(Output::new(output), backend, events);
    let result = session.serve(&inbox);
    session.shut_down(&inbox);
    result
}

pub(super) struct Session {
    pub(super) backend: Backend,
    pub(super) output: Arc<Output>,
    pub(super) options: Options,
    /// `None` after a refused one.
    pub(super) position: Option<Position>,
    state: SessionState,
    queue: VecDeque<Request>,
    /// How many at the front of `queue` cannot be taken in the present state.
    scanned: usize,
    events: Sender<Event>,
    worker: Option<(Sender<Job>, JoinHandle<()>)>,
    /// Whether the engine has searched since it last forgot a game.
    engine_remembers: bool,
    /// The value of `EvalFile` last looked at, and what it led to.
    evaluation: Option<(String, EvaluationSource)>,
    /// Set by `quit`: when to end whatever is under way, and then to leave it.
    leave_at: Option<Instant>,
    over: bool,
}

impl Session {
    fn new(output: Output, backend: Backend, events: Sender<Event>) -> Session {
        Session {
            options: Options::new(backend.searches),
            backend,
            output: Arc::new(output),
            position: Some(Position::startpos()),
            state: SessionState::Idle,
            queue: VecDeque::new(),
            scanned: 0,
            events,
            worker: None,
            engine_remembers: false,
            evaluation: None,
            leave_at: None,
            over: false,
        }
    }

    fn serve(&mut self, inbox: &Receiver<Event>) -> Result<(), UsiError> {
        while !self.over && !self.output.is_closed() {
            match self.next_event(inbox) {
                Some(event) => self.note(event),
                None => self.pass_time(),
            }
            self.work_through_queue()?;
        }
        Ok(())
    }

    /// The next event; `None` when it is time to do something without one.
    fn next_event(&self, inbox: &Receiver<Event>) -> Option<Event> {
        let sign = match self.state {
            SessionState::Preparing { next_sign } => Some(next_sign),
            _ => None,
        };
        let Some(until) = sign.into_iter().chain(self.leave_at).min() else {
            return inbox.recv().ok();
        };
        inbox.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }

    fn note(&mut self, event: Event) {
        match event {
            Event::Line(text, at) => {
                self.output.log_input(&text);
                if let Some(command) = Command::parse(&text) {
                    if command == Command::Quit {
                        self.leave_at.get_or_insert(Instant::now() + GRACE);
                    }
                    self.queue.push_back(Request::Command(command, at));
                }
            }
            Event::EndOfInput => self.queue.push_back(Request::EndOfInput),
            Event::Prepared => {
                self.output.write("readyok");
                self.become_idle();
            }
            Event::TaskDone => self.become_idle(),
            Event::Finished(found) => {
                if let SessionState::Searching { search, .. } = &mut self.state {
                    search.finish(found);
                }
                self.answer_if_due();
            }
            Event::EngineGone => {}
        }
    }

    fn pass_time(&mut self) {
        let now = Instant::now();
        if self.leave_at.is_some_and(|moment| now >= moment) {
            match &mut self.state {
                SessionState::Searching { search, .. } if !search.is_stopping() => {
                    search.stop();
                    self.leave_at = Some(now + FAREWELL);
                }
                _ => self.over = true,
            }
        } else if let SessionState::Preparing { next_sign } = &mut self.state {
            *next_sign = now + KEEP_ALIVE;
            self.output.write("");
        }
    }

    fn become_idle(&mut self) {
        self.state = SessionState::Idle;
        self.scanned = 0;
    }

    fn answer_if_due(&mut self) {
        let SessionState::Searching { search, .. } = &self.state else { return };
        if search.is_answerable() {
            if let Some(lines) = search.answer() {
                self.output.write(&lines);
            }
            self.become_idle();
        }
    }

    /// Takes every request whose turn it is.
    fn work_through_queue(&mut self) -> Result<(), UsiError> {
        while self.scanned < self.queue.len() && !self.over {
            if !self.is_due_at(self.scanned) {
                self.scanned += 1;
            } else if let Some(request) = self.queue.remove(self.scanned) {
                match request {
                    Request::Command(command, at) => self.handle(command, at)?,
                    Request::EndOfInput => self.over = true,
                }
            }
            self.answer_if_due();
        }
        Ok(())
    }

    /// Whether a request can be taken in the present state. One that must wait for the search to
    /// end, and is a reason to end it, ends it.
    fn is_due_at(&mut self, index: usize) -> bool {
        let (search, next_waits) = match &mut self.state {
            SessionState::Idle => return true,
            SessionState::Preparing { .. } | SessionState::Busy => return false,
            SessionState::Searching { next_waits: true, .. } => return false,
            SessionState::Searching { search, next_waits } => (search, next_waits),
        };
        match &self.queue[index] {
            Request::Command(Command::Stop | Command::GameOver | Command::PonderHit(_), _) => true,
            Request::Command(Command::IsReady, _) => !search.is_stopping(),
            Request::Command(Command::Go(_), _) => {
                *next_waits = true;
                search.stop();
                false
            }
            Request::Command(Command::Quit, _) | Request::EndOfInput => {
                *next_waits = true;
                if !search.is_limited() {
                    search.abandon();
                }
                false
            }
            Request::Command(..) => false,
        }
    }

    fn handle(&mut self, command: Command, at: Instant) -> Result<(), UsiError> {
        if let SessionState::Searching { search, .. } = &mut self.state {
            match command {
                Command::Stop | Command::GameOver => search.stop(),
                Command::PonderHit(clock) => search.ponder_hit(clock, at),
                Command::IsReady => self.output.write("readyok"),
                _ => unreachable!("other commands wait for the end of the search"),
            }
            return Ok(());
        }
        match command {
            Command::Usi => self.introduce(),
            Command::IsReady => self.prepare()?,
            Command::NewGame => self.forget_game(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position(text) => {
                self.position = match text.to_position() {
                    Ok(pos) => Some(pos),
                    Err(error) => {
                        self.output.remark(&format!("position refused: {error}"));
                        None
                    }
                };
            }
            Command::Go(go) => self.go(go, at)?,
            Command::Quit => self.over = true,
            // Nothing is running; a stop is not kept for later.
            Command::Stop | Command::GameOver | Command::PonderHit(_) => {}
            Command::Draw => self.draw(),
            Command::Moves => self.list_moves(),
            Command::Eval => self.evaluate()?,
            Command::Perft(depth) => self.perft(depth)?,
            Command::Bench(arguments) => self.bench(arguments)?,
            Command::GetOption(name) => self.get_option(name.as_deref()),
            Command::Help => self.help(),
        }
        Ok(())
    }

    fn introduce(&self) {
        let mut lines =
            format!("id name {}\nid author {}\n", self.backend.name, self.backend.author);
        for line in self.options.declarations() {
            lines += &line;
            lines.push('\n');
        }
        self.output.write(&(lines + "usiok"));
    }

    fn prepare(&mut self) -> Result<(), UsiError> {
        let job = Job::Prepare { demand: self.demand(), new_game: self.engine_remembers };
        self.engine_remembers = false;
        self.send(job)?;
        self.state = SessionState::Preparing { next_sign: Instant::now() + KEEP_ALIVE };
        Ok(())
    }

    fn forget_game(&mut self) {
        if let Some((jobs, _)) = self.worker.as_ref().filter(|_| self.engine_remembers) {
            // The worker may take its time; a search sent after this comes after this. A worker
            // that is gone has nothing to forget.
            let _ = jobs.send(Job::NewGame);
            self.engine_remembers = false;
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value) {
            Ok(CLEAR_HASH) => self.forget_game(),
            Ok(DEBUG_LOG_FILE) => {
                let path = &self.options.debug_log_file;
                if let Err(error) = self.output.set_log(path) {
                    self.output.remark(&format!("DebugLogFile {path:?}: {error}; no log is kept"));
                }
            }
            Ok(_) => {}
            Err(error) => self.output.remark(&error.to_string()),
        }
    }

    fn go(&mut self, go: Go, at: Instant) -> Result<(), UsiError> {
        self.remark_illegal(&go.search_moves);
        let search = PendingSearch::new(go, at, self.position.clone(), &self.options);
        if let Some((root, limits, control)) = search.job() {
            let (demand, style) = (self.demand(), search.style(&self.options));
            let job = SearchJob { demand, root, limits, control, style };
            if search.is_for_mate() {
                self.send(Job::Mate(Box::new(job)))?;
            } else {
                self.send(Job::Search(Box::new(job)))?;
                self.engine_remembers = true;
            }
        }
        self.state = SessionState::Searching { search: Box::new(search), next_waits: false };
        Ok(())
    }

    fn remark_illegal(&self, search_moves: &[Move]) {
        let Some(root) = &self.position else { return };
        let illegal: Vec<&Move> = search_moves.iter().filter(|mv| !root.is_legal(**mv)).collect();
        for mv in &illegal {
            self.output.remark(&format!("searchmoves: {mv} is illegal here and left out"));
        }
        if !illegal.is_empty() && illegal.len() == search_moves.len() {
            self.output.remark("searchmoves: none is legal, so all moves are searched");
        }
    }

    /// Gives the worker something to do that ends with [`Event::TaskDone`].
    pub(super) fn start_task(
        &mut self,
        task: impl FnOnce(&Output) + Send + 'static,
    ) -> Result<(), UsiError> {
        self.send(Job::Task(Box::new(task)))?;
        self.state = SessionState::Busy;
        Ok(())
    }

    fn send(&mut self, job: Job) -> Result<(), UsiError> {
        if self.worker.is_none() {
            let (jobs, tasks) = mpsc::channel();
            let worker = EngineThread::new(self.backend.clone(), Arc::clone(&self.output));
            let events = self.events.clone();
            let thread = thread::Builder::new()
                .name("worker".to_owned())
                .stack_size(ENGINE_STACK)
                .spawn(move || worker.run(&tasks, &events))?;
            self.worker = Some((jobs, thread));
        }
        if let Some((jobs, _)) = &self.worker {
            jobs.send(job).expect("the worker lives as long as its channel of jobs");
        }
        Ok(())
    }

    fn demand(&mut self) -> Demand {
        Demand { choice: self.choice(), settings: self.options.settings() }
    }

    pub(super) fn choice(&mut self) -> EngineChoice {
        let evaluation = self.evaluation();
        EngineChoice { search: self.options.search(), evaluation }
    }

    /// What `EvalFile` leads to. Says once when it does not lead to what was wanted.
    fn evaluation(&mut self) -> EvaluationSource {
        let wanted = self.options.eval_file.as_str();
        if let Some((_, evaluation)) = self.evaluation.as_ref().filter(|last| last.0 == wanted) {
            return evaluation.clone();
        }
        let evaluation = match wanted {
            "<internal>" => EvaluationSource::Internal,
            "<material>" => EvaluationSource::Material,
            _ => match locate(Path::new(wanted)) {
                (path, true) => EvaluationSource::File(path),
                (path, false) => {
                    let fault = if path.is_dir() { "is a folder" } else { "does not exist" };
                    self.output.remark(&format!(
                        "EvalFile {wanted} is wanted, but {} {fault}; <internal> is used instead",
                        path.display()
                    ));
                    EvaluationSource::Internal
                }
            },
        };
        self.evaluation = Some((wanted.to_owned(), evaluation.clone()));
        evaluation
    }

    /// Ends the search and the worker; does not wait long for either.
    fn shut_down(mut self, inbox: &Receiver<Event>) {
        if let SessionState::Searching { search, .. } = &mut self.state {
            search.stop();
        }
        let Some((jobs, thread)) = self.worker.take() else { return };
        drop(jobs);
        let until = Instant::now() + FAREWELL;
        loop {
            match inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Event::EngineGone) => {
                    // The worker has caught every panic and sent its last word.
                    let _ = thread.join();
                    break;
                }
                Ok(_) => {}
                // It is in the middle of something heavy and ends with the process.
                Err(_) => break,
            }
        }
        self.output.close();
    }
}

/// The absolute path of a file, and whether it exists: relative to the program's folder, else to
/// the current one.
fn locate(name: &Path) -> (PathBuf, bool) {
    let program = env::current_exe().ok();
    let folders =
        [program.as_deref().and_then(Path::parent).map(Path::to_owned), env::current_dir().ok()];
    let paths: Vec<_> = folders.into_iter().flatten().map(|folder| folder.join(name)).collect();
    let found = paths.iter().find(|path| path.is_file());
    let path = found.or(paths.first()).map_or(name, |path| path.as_path());
    (path.to_owned(), found.is_some())
}
