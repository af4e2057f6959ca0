//! Sessions one after the other, with the engine behind them.

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
use super::thinker::{BuildEngine, Thinker};
use crate::engine::Settings;

/// How often the user's wish to end is looked for.
const POLL: Duration = Duration::from_millis(50);

/// What a client does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// Whom to play with.
    pub server: Address,
    /// What to do there.
    pub session: SessionOptions,
    /// What the engine is told; length and declaration are the game's.
    pub settings: Settings,
    /// Folder of the records; `None` keeps none.
    pub records: Option<PathBuf>,
    /// Pause before connecting again: after the first connection lost, doubled after each further one
    /// up to the second value.
    pub pauses: (Duration, Duration),
}

/// Why no games can be played.
#[derive(Debug, Error)]
pub enum CsaError {
    /// The first connection failed.
    #[error("cannot connect to {server}: {source}")]
    Connect {
        /// The server.
        server: Address,
        /// What the system says.
        source: io::Error,
    },
    /// The first login failed.
    #[error("{server} refuses the login of {name}: check name, password and game")]
    Refused {
        /// The server.
        server: Address,
        /// Who wanted to log in.
        name: String,
    },
    /// The system gives no thread.
    #[error("cannot start the engine's thread: {0}")]
    Thread(io::Error),
}

/// Plays games until there were enough or the user wants to end. `interrupts` says how often the
/// user has; `tell` takes what the user should know, in lines.
///
/// # Errors
/// [`CsaError`] if it fails before the first login. After that lost connections are made again.
pub fn run(
    options: &ClientOptions,
    build: Arc<BuildEngine>,
    interrupts: &dyn Fn() -> usize,
    tell: &mut dyn FnMut(&str),
) -> Result<Tally, CsaError> {
    let thinker = Thinker::start(build).map_err(CsaError::Thread)?;
    let mut client = Client { options, thinker, interrupts, tell, tally: Tally::default() };
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
            Ok((departure, logged_in)) => {
                was_logged_in |= logged_in;
                if logged_in {
                    pause = options.pauses.0;
                }
                match departure {
                    // An old connection may still hold the name.
                    Departure::Refused => client.say("the login is refused"),
                    Departure::Lost => client.say("the connection is lost"),
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
    tell: &'a mut dyn FnMut(&str),
    tally: Tally,
}

impl Client<'_> {
    /// Whether there is nothing more to do.
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

    /// One connection from its beginning to its end: what that was, and whether there was a login.
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
            let event = match (self.interrupts)() {
                count if count > interrupts => {
                    interrupts = count;
                    Event::Interrupt(count)
                }
                _ => match inbox.recv_timeout(POLL) {
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
                    // This end of the channel stands.
                    drop(events.send(Event::Closed));
                }
            }
            Action::Prepare(max_moves_to_draw, declaration) => {
                let settings = self.options.settings.clone();
                let settings = Settings { max_moves_to_draw, declaration, ..settings };
                self.thinker.prepare(settings, events);
            }
            Action::Search(task) => self.thinker.search(task, events),
            Action::Tell(text) => self.say(&text),
            Action::Save(finished) => {
                let Some(folder) = &self.options.records else { return };
                let told = match archive::save(&finished, folder, SystemTime::now()) {
                    Ok(path) => format!("record in {}", path.display()),
                    Err(error) => format!("no record in {}: {error}", folder.display()),
                };
                self.say(&told);
            }
        }
    }

    /// Tells the user something; what the server said in it cannot end the line.
    fn say(&mut self, text: &str) {
        (self.tell)(&text.replace(char::is_control, " "));
    }
}
