//! A sequence of sessions, with the engine behind them.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use thiserror::Error;

use super::archive;
use super::connection::{Address, Connection};
use super::event::{Action, Event};
use super::session::{Departure, Session, SessionOptions, Tally};
use super::thinker::Thinker;
use crate::engine::{BuildEngine, Settings};

/// Interval of checks whether the user wants to end.
const POLL: Duration = Duration::from_millis(50);

/// Options of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// The server to play on.
    pub server: Address,
    /// Options of each session.
    pub session: SessionOptions,
    /// Engine settings; the game sets the maximum length and the declaration rule.
    pub settings: Settings,
    /// Folder of the records; `None` writes no records.
    pub records: Option<PathBuf>,
    /// Pause before reconnecting: after the first lost connection, then doubled after each further
    /// one up to the second value.
    pub pauses: (Duration, Duration),
}

/// Reasons why no games can be played.
#[derive(Debug, Error)]
pub enum CsaError {
    /// The first connection failed.
    #[error("cannot connect to {server}: {source}")]
    Connect {
        /// The server.
        server: Address,
        /// The I/O error.
        source: io::Error,
    },
    /// The first connection ended before the login, or the server did not reply.
    #[error("no login to {server}: it closed the connection or did not reply")]
    NoLogin {
        /// The server.
        server: Address,
    },
    /// The first login was refused.
    #[error("{server} refuses the login of {name}: check name, password and game")]
    Refused {
        /// The server.
        server: Address,
        /// The account name.
        name: String,
    },
    /// The system cannot start a thread.
    #[error("cannot start the engine's thread: {0}")]
    Thread(io::Error),
}

/// Plays games until the number of games is reached or the user wants to end. `interrupts` returns
/// the number of interrupts so far. `report` receives messages for the user, one line each.
///
/// # Errors
/// [`CsaError`] if the first connection or login fails. Later connections that are lost are
/// restored.
pub fn run(
    options: &ClientOptions,
    build: Arc<BuildEngine<()>>,
    interrupts: &dyn Fn() -> usize,
    report: &mut dyn FnMut(&str),
) -> Result<Tally, CsaError> {
    let thinker = Thinker::start(build).map_err(CsaError::Thread)?;
    let mut client = Client { options, thinker, interrupts, report, tally: Tally::default() };
    let server = &options.server;
    let (mut was_logged_in, mut pause) = (false, options.pauses.0);
    loop {
        match client.connect() {
            Err(source) if !was_logged_in => {
                return Err(CsaError::Connect { server: server.clone(), source });
            }
            Err(error) => client.say(&format!("cannot connect to {server}: {error}")),
            Ok((Departure::Refused, _)) if !was_logged_in => {
                let name = options.session.account.name.clone();
                return Err(CsaError::Refused { server: server.clone(), name });
            }
            Ok((Departure::Lost, false)) if !was_logged_in && !client.is_done() => {
                return Err(CsaError::NoLogin { server: server.clone() });
            }
            Ok((departure, logged_in)) => {
                was_logged_in |= logged_in;
                if logged_in {
                    pause = options.pauses.0;
                }
                match departure {
                    // An old connection may still use the name.
                    Departure::Refused => client.say("login refused"),
                    Departure::Lost => client.say("connection lost"),
                    Departure::LoggedOut => pause = Duration::ZERO,
                }
            }
        }
        if client.is_done() {
            return Ok(client.tally);
        }
        client.wait(pause);
        pause = (pause * 2).clamp(options.pauses.0, options.pauses.1);
    }
}

struct Client<'a> {
    options: &'a ClientOptions,
    thinker: Thinker,
    interrupts: &'a dyn Fn() -> usize,
    report: &'a mut dyn FnMut(&str),
    tally: Tally,
}

impl Client<'_> {
    /// Whether no games remain or the user wants to end.
    fn is_done(&self) -> bool {
        self.tally.games() >= self.options.session.games || (self.interrupts)() > 0
    }

    /// Waits before the next connection, unless the user wants to end.
    fn wait(&self, pause: Duration) {
        let until = Instant::now() + pause;
        while Instant::now() < until && !self.is_done() {
            thread::sleep(POLL.min(until.saturating_duration_since(Instant::now())));
        }
    }

    /// Runs one connection until it ends. Returns how it ended and whether a login succeeded.
    fn connect(&mut self) -> io::Result<(Departure, bool)> {
        let (events, inbox) = mpsc::channel();
        let mut connection = Connection::open(&self.options.server, events.clone())?;
        let options = &self.options.session;
        let (mut session, mut actions) = Session::begin(options, self.tally, Instant::now());
        let mut interrupts = 0;
        loop {
            for action in actions {
                self.act(action, &mut connection, &events);
            }
            self.tally = session.tally();
            if let Some(departure) = session.departure() {
                return Ok((departure, session.was_logged_in()));
            }
            let now = Instant::now();
            let due = session.overdue_at(now).map(|at| at.saturating_duration_since(now));
            let event = match (self.interrupts)() {
                count if count > interrupts => {
                    interrupts = count;
                    Event::Interrupt(count)
                }
                _ => match inbox.recv_timeout(due.unwrap_or(POLL).min(POLL)) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Event::Tick,
                },
            };
            actions = session.handle(event, Instant::now());
        }
    }

    fn act(&mut self, action: Action, connection: &mut Connection, events: &mpsc::Sender<Event>) {
        match action {
            Action::Send(line) => {
                if connection.send(&line.to_wire()).is_err() {
                    // Cannot fail: the receiver is in this function's caller.
                    drop(events.send(Event::Closed));
                }
            }
            Action::Prepare(max_moves_to_draw, declaration) => {
                let settings = self.options.settings.clone();
                let settings = Settings { max_moves_to_draw, declaration, ..settings };
                self.thinker.prepare(settings, events);
            }
            Action::Search(task) => self.thinker.search(task, events),
            Action::Report(text) => self.say(&text),
            Action::Save(finished) => {
                let Some(folder) = &self.options.records else { return };
                let text = match archive::save(&finished, folder, SystemTime::now()) {
                    Ok(path) => format!("record in {}", path.display()),
                    Err(error) => format!("no record in {}: {error}", folder.display()),
                };
                self.say(&text);
            }
        }
    }

    /// Reports a line to the user. Control characters are replaced, so that text from the server
    /// cannot end the line.
    fn say(&mut self, text: &str) {
        (self.report)(&text.replace(char::is_control, " "));
    }
}
