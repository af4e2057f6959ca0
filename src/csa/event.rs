//! What comes to a session, and what it asks for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::message::ClientLine;
use crate::engine::{BestMove, Control, Info, Limits};
use crate::record::Game;
use crate::shogi::{DeclarationRule, Position};

/// What comes to a session.
#[derive(Debug)]
pub enum Event {
    /// A line and the moment at which it was read.
    Line(String, Instant),
    /// The connection is lost.
    Closed,
    /// The engine is ready for the game.
    Ready,
    /// A search has ended.
    Found(Found),
    /// The engine has something to say to the user.
    Remark(String),
    /// The user wants to end; how often that was said, 1 = first.
    Interrupt(usize),
    /// Time has passed.
    Tick,
}

/// One search.
#[derive(Clone, Debug)]
pub struct Task {
    /// Where to search.
    pub root: Position,
    /// What ends it, besides the control.
    pub limits: Limits,
    /// Its deadlines; it names the search, too.
    pub control: Arc<Control>,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// That of its [`Task`].
    pub control: Arc<Control>,
    /// `None` after a panic.
    pub best: Option<BestMove>,
    /// The last completed line.
    pub info: Option<Info>,
}

/// What a session asks for. Actions are to be taken in their order.
#[derive(Debug)]
pub enum Action {
    /// Send this line.
    Send(ClientLine),
    /// Get the engine ready for a game of so many moves at the most (0 = any number) under this rule.
    Prepare(u32, DeclarationRule),
    /// Begin this search; one before it was stopped.
    Search(Box<Task>),
    /// Keep this game.
    Save(Box<FinishedGame>),
    /// Tell the user.
    Tell(String),
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The server's name for it.
    pub id: String,
    /// Its record; only the date is still to be set.
    pub game: Game,
    /// From its beginning to its end.
    pub lasted: Duration,
}
