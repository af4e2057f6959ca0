//! What an engine can do wrong.

use thiserror::Error;

use crate::engine::BestMove;
use crate::record::Game;
use crate::shogi::IllegalMove;

/// What an engine did wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}: {fault}, in {sfen}")]
pub struct SelfplayError {
    /// Number of the game.
    pub game: u64,
    /// The position.
    pub sfen: String,
    /// The game so far.
    pub played: Box<Game>,
    /// What is wrong.
    pub fault: EngineFault,
}

/// What an engine can do wrong in a game. None of it should ever happen.
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
        /// The first illegal one and what is wrong with it.
        illegal: IllegalMove,
    },
    /// It resigned or declared where it must play.
    #[error("no move but {0:?}")]
    Answer(BestMove),
    /// It searched more than it was allowed.
    #[error("{nodes} nodes searched, {limit} allowed")]
    Nodes {
        /// Nodes searched.
        nodes: u64,
        /// Nodes allowed.
        limit: u64,
    },
}
