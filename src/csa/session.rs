//! One connection to a server, from `LOGIN` to `LOGOUT`.
//!
//! ```text
//! LoggingIn --OK--> Waiting --summary--> Preparing --ready, AGREE--> Agreed --START--> Playing
//!                      ^                     |                         |                  |
//!                      +------- REJECT ------+---------- REJECT -------+---- verdict -----+
//!                      +--LOGOUT--> LoggingOut --completed--> Over
//! ```
//!
//! A pure state machine: the input is events with their times, the output is [`Action`]s.

use std::mem;
use std::time::{Duration, Instant};

use super::event::{Action, Event};
use super::game::{Play, PlayOptions};
use super::message::{Account, ClientLine, ServerLine, Verdict};
use super::summary::GameSummary;
use crate::quote::{count, shortened};
use crate::record::Ending;

/// A blank line is sent after this time without output. The protocol requires at least 30 s.
const KEEP_ALIVE: Duration = Duration::from_secs(45);
/// Timeout for the reply to a login.
const LOGIN_TIME: Duration = Duration::from_secs(30);
/// Timeout for the replies to `LOGOUT` and `%CHUDAN`.
const FAREWELL: Duration = Duration::from_secs(5);
/// Interval of the messages that the client still waits for a game.
const WAITING_REPORT: Duration = Duration::from_secs(300);
/// Maximum number of lines of a summary; further lines are ignored.
const MOST_SUMMARY_LINES: usize = 2_000;

/// Options of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// Login data.
    pub account: Account,
    /// Options of play.
    pub play: PlayOptions,
    /// Number of games to play, over all connections.
    pub games: u64,
    /// Log out after each game, and log in again for the next one.
    pub relogin: bool,
}

/// Results of the games for this client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub won: u64,
    /// Games lost.
    pub lost: u64,
    /// Games drawn, including those that were too long.
    pub drawn: u64,
    /// Games without a verdict: interrupted, or the connection was lost.
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

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The server refused the login.
    Refused,
    /// The client has logged out.
    LoggedOut,
    /// The connection was lost.
    Lost,
}

enum State {
    LoggingIn,
    Waiting,
    /// The lines of the summary read so far.
    Reading(Vec<String>),
    /// The engine prepares for the game.
    Preparing(Box<GameSummary>),
    Agreed(Box<GameSummary>),
    Playing(Box<Play>),
    LoggingOut,
    Over(Departure),
}

/// The state of one connection.
pub struct Session<'a> {
    options: &'a SessionOptions,
    state: State,
    tally: Tally,
    was_logged_in: bool,
    /// The user wants to end, so no more games are started.
    leaving: bool,
    last_sent: Instant,
    /// When to proceed without the expected reply.
    deadline: Option<Instant>,
    /// When the user last read that the client waits for a game, or that a game has ended.
    waiting_reported: Instant,
}

impl<'a> Session<'a> {
    /// A session for a connection made at `now`, and the login action. `tally`: results of earlier
    /// games.
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
            waiting_reported: now,
        };
        (session, vec![Action::Send(ClientLine::Login(options.account.clone()))])
    }

    /// How the connection ended, if it has.
    pub fn departure(&self) -> Option<Departure> {
        match self.state {
            State::Over(departure) => Some(departure),
            _ => None,
        }
    }

    /// The results so far, including earlier connections.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Whether the server has accepted the login.
    pub fn was_logged_in(&self) -> bool {
        self.was_logged_in
    }

    /// When the session must handle [`Event::Tick`], if no other event arrives before: then a
    /// running search is answered without waiting for its end.
    pub fn overdue_at(&self, now: Instant) -> Option<Instant> {
        match &self.state {
            State::Playing(play) => play.overdue_at(now),
            _ => None,
        }
    }

    /// Handles an event at the time `now`.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Action> {
        let mut out = Vec::new();
        match event {
            _ if self.departure().is_some() => {}
            Event::Line(text, at) => self.line(&text, at, &mut out),
            Event::Closed => self.closed(now, &mut out),
            Event::Ready => self.ready(&mut out),
            Event::Better(control, better) => {
                if let State::Playing(play) = &mut self.state {
                    play.heard(&control, better);
                }
            }
            Event::Found(found) => {
                if let State::Playing(play) = &mut self.state {
                    play.found(found, now, &mut out);
                }
            }
            Event::Remark(text) => out.push(Action::Report(text)),
            Event::Interrupt(count) => self.interrupt(count, now, &mut out),
            Event::Tick => self.pass_time(now, &mut out),
        }
        if let State::Playing(play) = &mut self.state {
            play.answer_if_overdue(now, &mut out);
        }
        if out.iter().any(|action| matches!(action, Action::Send(_))) {
            self.last_sent = now;
        }
        out
    }

    fn line(&mut self, text: &str, at: Instant, out: &mut Vec<Action>) {
        let line = ServerLine::parse(text);
        match &mut self.state {
            State::LoggingIn => self.login_line(line, at, out),
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

    fn login_line(&mut self, line: ServerLine<'_>, at: Instant, out: &mut Vec<Action>) {
        match line {
            ServerLine::LoggedIn => {
                self.was_logged_in = true;
                self.deadline = None;
                self.state = State::Waiting;
                let name = &self.options.account.name;
                let text = format!("logged in as {name}; waiting for {}", self.wanted_game());
                out.push(Action::Report(text));
                self.waiting_reported = at;
            }
            ServerLine::LoginRefused => self.state = State::Over(Departure::Refused),
            _ => {}
        }
    }

    /// The game that the client waits for, in words.
    fn wanted_game(&self) -> String {
        match &self.options.account.game {
            Some(game) => format!("a game of {game}"),
            None => "a game".to_owned(),
        }
    }

    /// Handles a complete summary.
    fn propose(&mut self, out: &mut Vec<Action>) {
        let State::Reading(lines) = mem::replace(&mut self.state, State::Waiting) else { return };
        match GameSummary::parse(&lines) {
            Ok(summary) => {
                out.push(Action::Prepare(summary.max_moves, summary.declaration));
                self.state = State::Preparing(Box::new(summary));
            }
            Err(error) => {
                out.push(Action::Report(format!("rejecting a game: {error}")));
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
            // The game for which the engine prepared was rejected.
            other => self.state = other,
        }
    }

    fn agreement_line(&mut self, line: ServerLine<'_>, at: Instant, out: &mut Vec<Action>) {
        match (line, mem::replace(&mut self.state, State::Waiting)) {
            (ServerLine::Start, State::Agreed(summary)) => {
                let [black, white] = &summary.names;
                let text = format!("game {}: {black} against {white}", summary.id);
                out.push(Action::Report(text));
                let play = Play::begin(*summary, &self.options.play, at, out);
                self.state = State::Playing(Box::new(play));
            }
            (ServerLine::Rejected(text), _) => {
                out.push(Action::Report(format!("game rejected: {}", shortened(text))));
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
                if reason.ending == Ending::Interruption {
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

    /// Ends the current game and requests that it is saved.
    fn finish_game(&mut self, verdict: Option<Verdict>, now: Instant, out: &mut Vec<Action>) {
        let play = match mem::replace(&mut self.state, State::Waiting) {
            State::Playing(play) => play,
            other => return self.state = other,
        };
        self.deadline = None;
        self.waiting_reported = now;
        self.tally.add(verdict);
        let finished = play.finish(verdict, now);
        let word = verdict.map_or("no verdict", |verdict| verdict.word());
        let ending = finished.game.ending.map_or("unknown", |ending| ending.name());
        let moves = count(finished.game.moves().len(), "move");
        out.push(Action::Report(format!("{word} after {moves} ({ending})")));
        out.push(Action::Save(Box::new(finished)));
    }

    /// Waits for another game, or logs out.
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

    /// The first interrupt lets a running game finish; the second one interrupts it.
    fn interrupt(&mut self, count: usize, now: Instant, out: &mut Vec<Action>) {
        self.leaving = true;
        match &mut self.state {
            State::Playing(_) | State::Preparing(_) | State::Agreed(_) if count < 2 => {
                let text = "ending after this game; interrupt again to abort it";
                out.push(Action::Report(text.to_owned()));
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

    /// Reports that no game has started yet, so that waiting does not look like a hang.
    fn report_waiting(&mut self, now: Instant, out: &mut Vec<Action>) {
        let waited = now.saturating_duration_since(self.waiting_reported);
        if matches!(self.state, State::Waiting) && waited >= WAITING_REPORT {
            self.waiting_reported = now;
            out.push(Action::Report(format!("still waiting for {}", self.wanted_game())));
        }
    }

    fn pass_time(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.report_waiting(now, out);
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
