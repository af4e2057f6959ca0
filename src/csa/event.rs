//! Input events and output actions of a session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::message::ClientLine;
use crate::engine::{BestMove, Control, Info, Limits};
use crate::record::Game;
use crate::shogi::{DeclarationRule, Position};

/// An input event of a session.
#[derive(Debug)]
pub enum Event {
    /// A line and the time at which it was read.
    Line(String, Instant),
    /// The connection is lost.
    Closed,
    /// The engine is ready for the game.
    Ready,
    /// A search, identified by the control of its [`Task`], has reported a better line. This is its
    /// answer if the search ends late.
    Better(Arc<Control>, Info),
    /// A search has ended.
    Found(Found),
    /// A message of the engine for the user.
    Remark(String),
    /// The user wants to end; the number of requests so far, 1 for the first.
    Interrupt(usize),
    /// No event within the polling interval.
    Tick,
}

/// A search request.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position to search.
    pub root: Position,
    /// Limits in addition to the control.
    pub limits: Limits,
    /// The deadlines of the search; also identifies the search.
    pub control: Arc<Control>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The control of the [`Task`].
    pub control: Arc<Control>,
    /// `None` after a panic.
    pub best: Option<BestMove>,
    /// The best line; `None` without one and after a panic.
    pub info: Option<Info>,
}

/// An action that a session requests. Actions must be executed in order.
#[derive(Debug)]
pub enum Action {
    /// Send this line.
    Send(ClientLine),
    /// Prepare the engine for a game with this maximum length (0: unlimited) and declaration rule.
    Prepare(u32, DeclarationRule),
    /// Start this search. The previous one was stopped.
    Search(Box<Task>),
    /// Save this game.
    Save(Box<FinishedGame>),
    /// Report this text to the user.
    Report(String),
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The server's name of the game.
    pub id: String,
    /// The record, complete except for the date.
    pub game: Game,
    /// Duration of the game.
    pub lasted: Duration,
}
