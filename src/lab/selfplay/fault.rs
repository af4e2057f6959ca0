//! Faults of an engine.

use thiserror::Error;

use crate::engine::BestMove;
use crate::record::Game;
use crate::shogi::IllegalMove;

/// A fault of an engine, with its game and position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}: {fault}, in {sfen}")]
pub struct SelfplayError {
    /// Number of the game.
    pub game: u64,
    /// The position.
    pub sfen: String,
    /// The game so far.
    pub played: Box<Game>,
    /// The fault.
    pub fault: EngineFault,
}

/// A fault of an engine in a game. None must ever occur.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineFault {
    /// It played an illegal move.
    #[error("illegal move: {0}")]
    Move(IllegalMove),
    /// It reported a line with an illegal move.
    #[error("illegal line {line}: {illegal}")]
    Line {
        /// The moves in USI notation.
        line: String,
        /// The first illegal move and the reason.
        illegal: IllegalMove,
    },
    /// It resigned or declared although it must play.
    #[error("{0:?} instead of a move")]
    Answer(BestMove),
    /// It searched more nodes than allowed.
    #[error("{nodes} nodes searched, {limit} allowed")]
    Nodes {
        /// Nodes searched.
        nodes: u64,
        /// Nodes allowed.
        limit: u64,
    },
}
