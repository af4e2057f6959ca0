//! One connection to a server, from `LOGIN` to `LOGOUT`.
//!
//! ```text
//! LoggingIn --OK--> Waiting --summary--> Preparing --ready, AGREE--> Agreed --START--> Playing
//!                      ^                     |                         |                  |
//!                      +------- REJECT ------+---------- REJECT -------+---- verdict -----+
//!                      +--LOGOUT--> LoggingOut --completed--> Over
//! ```
//!
//! A pure state machine: events and the moments at which they come go in, [`Action`]s come out.

use std::mem;
use std::time::{Duration, Instant};

use super::event::{Action, Event};
use super::game::{Play, PlayOptions};
use super::message::{Account, ClientLine, Reason, ServerLine, Verdict};
use super::summary::GameSummary;

/// A blank line is sent when nothing was for so long; the protocol asks for 30 s at the least.
const KEEP_ALIVE: Duration = Duration::from_secs(45);
/// A server that does not answer a login in this time never will.
const LOGIN_TIME: Duration = Duration::from_secs(30);
/// For the answers to `LOGOUT` and `%CHUDAN`.
const FAREWELL: Duration = Duration::from_secs(5);
/// Longer summaries are no summaries.
const MOST_SUMMARY_LINES: usize = 2_000;

/// What is to be done on a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// Who logs in.
    pub account: Account,
    /// How games are played.
    pub play: PlayOptions,
    /// Games to play, over all connections.
    pub games: u64,
    /// Log out after each game, and in again for the next one.
    pub relogin: bool,
}

/// How games ended, for this client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub won: u64,
    /// Games lost.
    pub lost: u64,
    /// Games drawn, those that were too long too.
    pub drawn: u64,
    /// Games without a verdict: broken off, or the connection was lost.
    pub broken_off: u64,
}

impl Tally {
    /// All games.
    pub fn games(&self) -> u64 {
        self.won + self.lost + self.drawn + self.broken_off
    }

    fn add(&mut self, verdict: Option<Verdict>) {
        *match verdict {
            Some(Verdict::Win) => &mut self.won,
            Some(Verdict::Lose) => &mut self.lost,
            Some(Verdict::Draw | Verdict::Censored) => &mut self.drawn,
            None => &mut self.broken_off,
        } += 1;
    }
}

/// How a connection came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The server does not accept the login.
    Refused,
    /// The client has logged out.
    LoggedOut,
    /// The connection was lost.
    Lost,
}

enum State {
    LoggingIn,
    Waiting,
    /// Reading a summary, whose lines so far these are.
    Reading(Vec<String>),
    /// The engine gets ready.
    Preparing(Box<GameSummary>),
    Agreed(Box<GameSummary>),
    Playing(Box<Play>),
    LoggingOut,
    Over(Departure),
}

/// The conversation on one connection.
pub struct Session<'a> {
    options: &'a SessionOptions,
    state: State,
    tally: Tally,
    was_logged_in: bool,
    /// No more games: the user wants to end.
    leaving: bool,
    last_sent: Instant,
    /// When to go on without the answer that is due.
    deadline: Option<Instant>,
}

impl<'a> Session<'a> {
    /// A connection that stands since `now`, after the games of `tally`; and the login.
    pub fn begin(
        options: &'a SessionOptions,
        tally: Tally,
        now: Instant,
    ) -> (Session<'a>, Vec<Action>) {
        let session = Session {
            options,
            state: State::LoggingIn,
            tally,
            was_logged_in: false,
            leaving: false,
            last_sent: now,
            deadline: Some(now + LOGIN_TIME),
        };
        (session, vec![Action::Send(ClientLine::Login(options.account.clone()))])
    }

    /// How the connection has come to its end, if it has.
    pub fn departure(&self) -> Option<Departure> {
        match self.state {
            State::Over(departure) => Some(departure),
            _ => None,
        }
    }

    /// The games so far, those before this connection too.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Whether the server has accepted the login.
    pub fn was_logged_in(&self) -> bool {
        self.was_logged_in
    }

    /// Takes an event at the moment `now`.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Action> {
        let mut out = Vec::new();
        match event {
            _ if self.departure().is_some() => {}
            Event::Line(text, at) => self.line(&text, at, &mut out),
            Event::Closed => self.closed(now, &mut out),
            Event::Ready => self.ready(&mut out),
            Event::Found(found) => {
                if let State::Playing(play) = &mut self.state {
                    play.found(found, now, &mut out);
                }
            }
            Event::Remark(text) => out.push(Action::Tell(text)),
            Event::Interrupt(count) => self.interrupt(count, now, &mut out),
            Event::Tick => self.pass_time(now, &mut out),
        }
        if out.iter().any(|action| matches!(action, Action::Send(_))) {
            self.last_sent = now;
        }
        out
    }

    fn line(&mut self, text: &str, at: Instant, out: &mut Vec<Action>) {
        let line = ServerLine::parse(text);
        match &mut self.state {
            State::LoggingIn => self.login_line(line, out),
            State::Waiting if line == ServerLine::SummaryBegins => {
                self.state = State::Reading(Vec::new());
            }
            State::Reading(_) if line == ServerLine::SummaryEnds => self.propose(out),
            State::Reading(lines) if lines.len() < MOST_SUMMARY_LINES => {
                lines.push(text.to_owned())
            }
            State::Preparing(_) | State::Agreed(_) => self.agreement_line(line, at, out),
            State::Playing(_) => self.game_line(line, at, out),
            State::LoggingOut if line == ServerLine::LoggedOut => {
                self.state = State::Over(Departure::LoggedOut);
            }
            _ => {}
        }
    }

    fn login_line(&mut self, line: ServerLine<'_>, out: &mut Vec<Action>) {
        match line {
            ServerLine::LoggedIn => {
                self.was_logged_in = true;
                self.deadline = None;
                self.state = State::Waiting;
                let name = &self.options.account.name;
                out.push(Action::Tell(format!("logged in as {name}, waiting for a game")));
            }
            ServerLine::LoginRefused => self.state = State::Over(Departure::Refused),
            _ => {}
        }
    }

    /// A summary is complete.
    fn propose(&mut self, out: &mut Vec<Action>) {
        let State::Reading(lines) = mem::replace(&mut self.state, State::Waiting) else { return };
        match GameSummary::parse(&lines) {
            Ok(summary) => {
                out.push(Action::Prepare(summary.max_moves, summary.declaration));
                self.state = State::Preparing(Box::new(summary));
            }
            Err(error) => {
                out.push(Action::Tell(format!("a game is rejected: {error}")));
                let id = lines.iter().find_map(|line| line.trim().strip_prefix("Game_ID:"));
                let id = id.unwrap_or_default().trim().to_owned();
                out.push(Action::Send(ClientLine::Reject(id)));
            }
        }
    }

    fn ready(&mut self, out: &mut Vec<Action>) {
        match mem::replace(&mut self.state, State::Waiting) {
            State::Preparing(summary) => {
                out.push(Action::Send(ClientLine::Agree(summary.id.clone())));
                self.state = State::Agreed(summary);
            }
            // The game that it was for is off.
            other => self.state = other,
        }
    }

    fn agreement_line(&mut self, line: ServerLine<'_>, at: Instant, out: &mut Vec<Action>) {
        match (line, mem::replace(&mut self.state, State::Waiting)) {
            (ServerLine::Start, State::Agreed(summary)) => {
                let [black, white] = &summary.names;
                let told = format!("game {}: {black} against {white}", summary.id);
                out.push(Action::Tell(told));
                let play = Play::begin(*summary, &self.options.play, at, out);
                self.state = State::Playing(Box::new(play));
            }
            (ServerLine::Rejected(text), _) => {
                out.push(Action::Tell(format!("game rejected: {text}")));
                if self.leaving {
                    self.log_out(at, out);
                }
            }
            (_, other) => self.state = other,
        }
    }

    fn game_line(&mut self, line: ServerLine<'_>, at: Instant, out: &mut Vec<Action>) {
        let State::Playing(play) = &mut self.state else { return };
        match line {
            ServerLine::Move { text, time } => play.moved(text, time, at, out),
            ServerLine::Closing { time } => play.closing(time),
            ServerLine::Reason(reason) => {
                play.ended_by(reason);
                if reason == Reason::Interruption {
                    self.finish_game(None, at, out);
                    self.after_game(false, at, out);
                }
            }
            ServerLine::Verdict(verdict) => {
                let rematch = play.rematch_on_draw() && verdict == Verdict::Draw;
                self.finish_game(Some(verdict), at, out);
                self.after_game(rematch, at, out);
            }
            _ => {}
        }
    }

    /// Hands the game at hand over to be kept.
    fn finish_game(&mut self, verdict: Option<Verdict>, now: Instant, out: &mut Vec<Action>) {
        let play = match mem::replace(&mut self.state, State::Waiting) {
            State::Playing(play) => play,
            other => return self.state = other,
        };
        self.deadline = None;
        self.tally.add(verdict);
        let finished = play.finish(verdict, now);
        let word = verdict.map_or("no verdict", |verdict| verdict.word());
        let ending = finished.game.ending.map_or("unknown", |ending| ending.name());
        let moves = finished.game.moves().len();
        out.push(Action::Tell(format!("{word} after {moves} moves ({ending})")));
        out.push(Action::Save(Box::new(finished)));
    }

    /// Stays for another game, or leaves.
    fn after_game(&mut self, rematch: bool, now: Instant, out: &mut Vec<Action>) {
        let is_done = self.tally.games() >= self.options.games;
        if self.leaving || (!rematch && (is_done || self.options.relogin)) {
            self.log_out(now, out);
        }
    }

    fn log_out(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.state = State::LoggingOut;
        self.deadline = Some(now + FAREWELL);
        out.push(Action::Send(ClientLine::Logout));
    }

    fn closed(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.finish_game(None, now, out);
        self.state = State::Over(match self.state {
            State::LoggingOut => Departure::LoggedOut,
            _ => Departure::Lost,
        });
    }

    /// The first time a game is still played to its end, the second time it is broken off.
    fn interrupt(&mut self, count: usize, now: Instant, out: &mut Vec<Action>) {
        self.leaving = true;
        match &mut self.state {
            State::Playing(_) | State::Preparing(_) | State::Agreed(_) if count < 2 => {
                let told = "ending after this game; once more breaks it off";
                out.push(Action::Tell(told.to_owned()));
            }
            State::Playing(play) => {
                self.deadline = Some(now + FAREWELL);
                play.interrupt(out);
            }
            State::LoggingOut if count < 2 => {}
            State::LoggingOut | State::LoggingIn => {
                self.state = State::Over(Departure::LoggedOut);
            }
            _ => self.log_out(now, out),
        }
    }

    fn pass_time(&mut self, now: Instant, out: &mut Vec<Action>) {
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            match self.state {
                State::Playing(_) => {
                    self.finish_game(None, now, out);
                    self.log_out(now, out);
                }
                State::LoggingOut => self.state = State::Over(Departure::LoggedOut),
                _ => self.state = State::Over(Departure::Lost),
            }
        } else if now.saturating_duration_since(self.last_sent) >= KEEP_ALIVE {
            out.push(Action::Send(ClientLine::Blank));
        }
    }
}
