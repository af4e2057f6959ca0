//! The session: handles events in order, keeps the state, and writes the replies.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::backend::{Backend, EngineChoice, MateLimits};
use super::command::{ConsoleCommand, Go, UsiCommand};
use super::console;
use super::engine_thread::{EngineThread, SearchJob};
use super::event::Event;
use super::files::{BookFile, EvalFile};
use super::go::{self, PendingSearch};
use super::inbox::Inbox;
use super::options::{
    BOOK_FILE, CLEAR_HASH, DEBUG_LOG_FILE, FIRST_MATE, FV_SCALE, Options, SEARCH, SEARCH_CHANGES,
    USI_HASH, USI_OWN_BOOK,
};
use super::output::{SharedOutput, log_fault};
use super::setup::PositionText;
use super::typed_game;
use crate::engine::AnswerTimes;
use crate::quote::quoted;
use crate::shogi::Position;

/// Interval of the empty lines before `readyok`.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// After `quit`: the time for earlier commands to end by themselves, then the time to end after a
/// stop.
const GRACE: Duration = Duration::from_millis(650);
pub(super) const FAREWELL: Duration = Duration::from_millis(150);

enum SessionState {
    Idle,
    /// `isready` is being handled.
    Preparing {
        next_sign: Instant,
    },
    /// A console command is being handled.
    Busy,
    /// Searching, pondering, searching for mate, or finished without a written answer.
    Searching {
        search: Box<PendingSearch>,
        /// Whether a queued command has stopped this search. Commands after it must wait too.
        next_waits: bool,
    },
}

/// A session: its options, its position, its state, and the commands that wait.
pub(super) struct Session {
    backend: Backend,
    output: Arc<SharedOutput>,
    options: Options,
    eval_file: EvalFile,
    book_file: BookFile,
    /// `None` after a refused position.
    position: Option<Position>,
    state: SessionState,
    /// Commands that wait, each with the time at which it was read.
    queue: VecDeque<(UsiCommand, Instant)>,
    /// Number of commands at the front of `queue` that cannot be handled in the current state.
    scanned: usize,
    engine: EngineThread,
    /// Number of searches that were abandoned or answered early and whose results are still to
    /// come.
    outdated: usize,
    answer_times: AnswerTimes,
    /// When the engine was last ready. A clock does not start earlier.
    ready_at: Option<Instant>,
    /// Whether the engine has searched since its game data was last cleared.
    engine_remembers: bool,
    /// Set by `quit`: when to stop a running command, and then when to leave without it.
    leave_at: Option<Instant>,
    /// Whether the answer of the current search is played on the board.
    plays_answer: bool,
    /// The last reported entering-king rule.
    reported_rule: String,
    over: bool,
}

impl Session {
    pub(super) fn new(
        output: Arc<SharedOutput>,
        backend: Backend,
        engine: EngineThread,
    ) -> Session {
        Session {
            options: Options::new(backend.searches),
            engine,
            backend,
            output,
            eval_file: EvalFile::default(),
            book_file: BookFile::default(),
            position: Some(Position::startpos()),
            state: SessionState::Idle,
            queue: VecDeque::new(),
            scanned: 0,
            outdated: 0,
            answer_times: AnswerTimes::default(),
            ready_at: None,
            engine_remembers: false,
            leave_at: None,
            plays_answer: false,
            reported_rule: String::new(),
            over: false,
        }
    }

    /// Handles events until the session is over.
    pub(super) fn serve(&mut self, inbox: &Inbox) {
        while !self.is_over() {
            match inbox.take(self.next_action()) {
                Some(event) => self.handle_event(event),
                None => {
                    self.pass_time();
                    self.work_through_queue();
                }
            }
        }
    }

    /// Whether the session ignores all further events.
    pub(super) fn is_over(&self) -> bool {
        self.over || self.output.is_closed()
    }

    /// Handles an event and the commands that are due after it.
    pub(super) fn handle_event(&mut self, event: Event) {
        self.note(event);
        self.work_through_queue();
    }

    /// When an action is due without an event.
    fn next_action(&self) -> Option<Instant> {
        let due = match &self.state {
            SessionState::Preparing { next_sign } => Some(*next_sign),
            SessionState::Searching { search, .. } => search.overdue_at(),
            _ => None,
        };
        due.into_iter().chain(self.leave_at).min()
    }

    fn note(&mut self, event: Event) {
        match event {
            Event::Line(text, at) => {
                self.output.log_input(&text);
                if let Some(command) = UsiCommand::parse(&text).or_else(|| self.typed_move(&text)) {
                    if command == UsiCommand::Quit {
                        self.leave_at.get_or_insert(Instant::now() + GRACE);
                    }
                    self.queue.push_back((command, at));
                } else if self.backend.interactive && !text.trim().is_empty() {
                    let text = quoted(text.trim());
                    let text = format!("{text} is not a command; `help` lists the commands");
                    self.output.remark(&text);
                }
            }
            Event::EndOfInput => self.queue.push_back((UsiCommand::Quit, Instant::now())),
            Event::Prepared => {
                self.report_rule();
                self.output.write("readyok");
                self.ready_at = Some(Instant::now());
                self.become_idle();
            }
            Event::TaskDone => self.become_idle(),
            // The engine thread handles one job after the other, so this event belongs to an
            // earlier search.
            Event::Said(_) if self.outdated > 0 => {}
            Event::Searched(_) | Event::Solved(_) if self.outdated > 0 => self.outdated -= 1,
            Event::Said(report) => self.update_search(|search, output| search.hear(report, output)),
            Event::Searched(outcome) => self.update_search(|search, _| search.finish(outcome)),
            Event::Solved(outcome) => self.update_search(|search, _| search.finish_mate(outcome)),
        }
    }

    fn update_search(&mut self, update: impl FnOnce(&mut PendingSearch, &SharedOutput)) {
        if let SessionState::Searching { search, .. } = &mut self.state {
            update(search, &self.output);
        }
        self.answer_if_due();
    }

    /// A move that a person typed.
    fn typed_move(&self, text: &str) -> Option<UsiCommand> {
        let is_move = self.backend.interactive && typed_game::is_move(text.trim());
        is_move.then(|| UsiCommand::Console(ConsoleCommand::Play(text.trim().to_owned())))
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
            return;
        }
        match &mut self.state {
            SessionState::Preparing { next_sign } => {
                *next_sign = now + KEEP_ALIVE;
                self.output.write("");
            }
            SessionState::Searching { search, .. }
                if search.overdue_at().is_some_and(|moment| now >= moment) =>
            {
                search.take_what_is_told();
                self.outdated += 1;
                self.answer_if_due();
            }
            _ => {}
        }
    }

    fn become_idle(&mut self) {
        self.state = SessionState::Idle;
        self.scanned = 0;
    }

    fn answer_if_due(&mut self) {
        let SessionState::Searching { search, .. } = &self.state else { return };
        if search.is_answerable() {
            if let Some(lines) = search.answer(self.output.writes()) {
                self.output.write(&lines);
                self.answer_times.note(search.lateness());
                if let Some(pos) = self.position.as_mut().filter(|_| self.plays_answer) {
                    typed_game::play_answer(pos, &lines, &self.output);
                }
            }
            self.become_idle();
        }
    }

    /// Handles all commands that are due.
    fn work_through_queue(&mut self) {
        while self.scanned < self.queue.len() && !self.over {
            if !self.is_due_at(self.scanned) {
                self.scanned += 1;
            } else if let Some((command, at)) = self.queue.remove(self.scanned) {
                self.handle(command, at);
            }
            self.answer_if_due();
        }
    }

    /// Whether a command can be handled in the current state. If a command must wait for the search
    /// and is a reason to end it, this stops the search.
    fn is_due_at(&mut self, index: usize) -> bool {
        let (search, next_waits) = match &mut self.state {
            SessionState::Idle => return true,
            SessionState::Preparing { .. } | SessionState::Busy => return false,
            SessionState::Searching { next_waits: true, .. } => return false,
            SessionState::Searching { search, next_waits } => (search, next_waits),
        };
        match self.queue[index].0 {
            UsiCommand::Stop | UsiCommand::GameOver | UsiCommand::PonderHit(_) => true,
            UsiCommand::IsReady => !search.is_stopping(),
            UsiCommand::Go(_) => {
                *next_waits = true;
                search.stop();
                false
            }
            UsiCommand::Quit => {
                *next_waits = true;
                if !search.is_limited() {
                    search.abandon();
                }
                false
            }
            _ => false,
        }
    }

    fn handle(&mut self, command: UsiCommand, at: Instant) {
        if let SessionState::Searching { search, .. } = &mut self.state {
            match command {
                UsiCommand::Stop | UsiCommand::GameOver => search.stop(),
                UsiCommand::PonderHit(clock) => {
                    let is_open = search.is_open();
                    if search.ponder_hit(clock, at) {
                        self.outdated += usize::from(is_open);
                        return self.send_search();
                    }
                }
                UsiCommand::IsReady => {
                    self.output.write("readyok");
                }
                // Other commands wait for the end of the search.
                _ => {}
            }
            return;
        }
        match command {
            UsiCommand::Usi => self.introduce(),
            UsiCommand::IsReady => self.prepare(),
            UsiCommand::NewGame => self.forget_game(),
            UsiCommand::SetOption { name, value } => self.set_option(&name, value),
            UsiCommand::Position(text) => self.set_position(&text),
            UsiCommand::Go(go) => self.go(go, at),
            UsiCommand::Quit => self.over = true,
            // No search is running; a stop is not stored for later.
            UsiCommand::Stop | UsiCommand::GameOver | UsiCommand::PonderHit(_) => {}
            UsiCommand::Console(command) => self.handle_console(command),
        }
    }

    fn handle_console(&mut self, command: ConsoleCommand) {
        match (command, self.position.clone()) {
            (ConsoleCommand::GetOption(name), _) => {
                console::write_options(&self.options, name.as_deref(), &self.output);
            }
            (ConsoleCommand::Compiler, _) => {
                self.output.write(&self.backend.build_info);
            }
            (ConsoleCommand::Help, _) => console::write_help(&self.options, &self.output),
            (ConsoleCommand::New, _) => {
                self.forget_game();
                let pos = self.position.insert(Position::startpos());
                self.output.write(&pos.to_string());
            }
            (ConsoleCommand::Bench(arguments), _) => {
                let bench = Arc::clone(&self.backend.bench);
                let (choice, settings) = (self.choice(), self.options.settings());
                self.start_task(move |output| {
                    bench(&choice, &settings, &arguments, &mut |line| {
                        output.write(line);
                    });
                });
            }
            (_, None) => self.output.remark("no position is set: the last one was refused"),
            (ConsoleCommand::Board, Some(pos)) => {
                self.output.write(&pos.to_string());
            }
            (ConsoleCommand::Play(text), Some(mut pos)) => {
                typed_game::play(&mut pos, &text, &self.output);
                self.position = Some(pos);
            }
            (ConsoleCommand::Undo, Some(mut pos)) => {
                typed_game::take_back(&mut pos, &self.output);
                self.position = Some(pos);
            }
            (ConsoleCommand::Moves, Some(pos)) => console::write_moves(&pos, &self.output),
            (ConsoleCommand::Perft(depth), Some(pos)) => {
                self.start_task(move |output| console::write_perft(&pos, depth, output));
            }
            (ConsoleCommand::Eval, Some(pos)) => {
                let (evaluate, choice) = (Arc::clone(&self.backend.evaluate), self.choice());
                self.start_task(move |output| {
                    output.write(&evaluate(&choice, &pos));
                });
            }
        }
    }

    fn introduce(&self) {
        let Backend { name, author, .. } = &self.backend;
        let options: String = self.options.declarations().map(|line| line + "\n").collect();
        self.output.write(&format!("id name {name}\nid author {author}\n{options}usiok"));
    }

    fn prepare(&mut self) {
        self.forget_game();
        self.eval_file.look_again();
        self.book_file.look_again();
        let book = self.book().map(|path| (path, self.options.book_rules()));
        let choice = self.choice();
        self.engine.prepare(choice, self.options.settings(), book);
        self.state = SessionState::Preparing { next_sign: Instant::now() + KEEP_ALIVE };
    }

    /// Reports the entering-king rule, once and after each change, because a wrong rule loses
    /// games.
    fn report_rule(&mut self) {
        let rule = self.options.declaration_text();
        if self.reported_rule != rule {
            self.output.remark(&rule);
            self.reported_rule = rule;
        }
    }

    /// The engine handles this in order, before any search sent later.
    fn forget_game(&mut self) {
        if self.engine_remembers {
            self.engine.new_game();
            self.engine_remembers = false;
        }
    }

    /// `value`: as in [`UsiCommand::SetOption`].
    fn set_option(&mut self, name: &str, value: Result<String, String>) {
        let result = match value {
            Ok(value) => self.options.set(name, &value),
            Err(words) => self.options.press(name, &words),
        };
        match result {
            Ok(name) if name == CLEAR_HASH.row.name => self.forget_game(),
            Ok(name) if name == DEBUG_LOG_FILE.row.name => {
                let path = self.options.get(DEBUG_LOG_FILE);
                if let Err(error) = self.output.set_log(&path) {
                    self.output.remark(&log_fault(&path, &error));
                }
            }
            Ok(name) => self.eval_file.note(name, &self.options),
            Err(error) => self.output.remark(&error.to_string()),
        }
    }

    fn set_position(&mut self, text: &PositionText) {
        let position = text.to_position();
        if let Err(error) = &position {
            self.output.remark(&format!("position refused: {error}"));
        }
        self.position = position.ok();
    }

    fn go(&mut self, mut go: Go, at: Instant) {
        if let Some(root) = &self.position {
            go::remark_illegal(root, &go.search_moves, &self.output);
        }
        self.plays_answer = self.backend.interactive && go == Go::default();
        if self.plays_answer {
            go.clock.movetime = Some(typed_game::THINKING_TIME);
        }
        // A `go` that was sent before `readyok` waited for the engine, not for a search.
        let at = self.ready_at.map_or(at, |ready_at| at.max(ready_at));
        let search = PendingSearch::new(
            go,
            at,
            self.position.clone(),
            &self.options,
            self.answer_times.expected(),
        );
        self.state = SessionState::Searching { search: Box::new(search), next_waits: false };
        self.send_search();
    }

    /// Sends the job of the current search to the engine.
    fn send_search(&mut self) {
        let SessionState::Searching { search, .. } = &mut self.state else { return };
        let Some((root, limits, control)) = search.job(&self.options) else { return };
        if search.is_for_mate() {
            let solve = Arc::clone(&self.backend.solve_mate);
            let (memory, first) = (self.options.get(USI_HASH), self.options.get(FIRST_MATE));
            let solve = move || solve(&root, MateLimits { memory, first }, &control);
            return self.engine.send("the mate search", move |_, _| solve(), Event::Solved);
        }
        let rules = search.book_rules(&self.options);
        let book = rules.and_then(|rules| Some((self.book()?, rules)));
        let (choice, settings) = (self.choice(), self.options.settings());
        self.engine.search(SearchJob { choice, settings, root, limits, control, book });
        self.engine_remembers = true;
    }

    /// Sends the engine thread a task that ends with [`Event::TaskDone`].
    fn start_task(&mut self, task: impl FnOnce(&SharedOutput) + Send + 'static) {
        self.engine.send("this command", |_, output| task(output), |_| Event::TaskDone);
        self.state = SessionState::Busy;
    }

    /// The file of the book, if one is requested and exists.
    fn book(&mut self) -> Option<PathBuf> {
        let wanted = self.options.get(BOOK_FILE);
        let is_wanted = self.options.get(USI_OWN_BOOK) && !wanted.is_empty();
        if is_wanted { self.book_file.path(&wanted, |text| self.output.remark(text)) } else { None }
    }

    fn choice(&mut self) -> EngineChoice {
        let evaluation = self.eval_file.source(&self.options, |text| self.output.remark(text));
        let (search, changes) = (self.options.get(SEARCH), self.options.get(SEARCH_CHANGES));
        EngineChoice { search, changes, evaluation, fv_scale: self.options.get(FV_SCALE) }
    }

    /// Ends the search and the engine thread, with a short time limit.
    pub(super) fn shut_down(mut self) {
        if let SessionState::Searching { search, .. } = &mut self.state {
            search.stop();
        }
        drop(self.engine);
        self.output.close();
    }
}
