//! What can be wrong with a record.

use std::path::PathBuf;

use thiserror::Error;

use crate::shogi::{IllegalMove, SfenError};

/// Why a file or one of its games could not be read.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be opened or read further: the rest of it is lost.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file looks like none of the formats.
    #[error("{}: neither content nor name tells the record format", .path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// One game is broken; those behind it can be read.
    #[error("{}:{line}: {fault}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Line in the file, 1 = first.
        line: usize,
        /// What is wrong there.
        fault: Fault,
    },
}

/// Why a game was given up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The start position cannot be read or played.
    #[error("start position refused: {0}")]
    Start(#[from] SfenError),
    /// The text is not a move.
    #[error("move {number}: {text:?} is not a move")]
    NotAMove {
        /// 1 = first of the game.
        number: usize,
        /// As the record has it.
        text: String,
    },
    /// The move breaks the rules.
    #[error("move {number}: {error}")]
    Illegal {
        /// 1 = first of the game.
        number: usize,
        /// The move and the rule.
        error: IllegalMove,
    },
    /// The record names the other side as the mover.
    #[error("move {number}: {text:?} is not of the side to move")]
    WrongSide {
        /// 1 = first of the game.
        number: usize,
        /// As the record has it.
        text: String,
    },
    /// No piece on the board or in hand is the one that the record names.
    #[error("move {number}: {text:?} fits no piece")]
    NoPiece {
        /// 1 = first of the game.
        number: usize,
        /// As the record has it.
        text: String,
    },
    /// Several legal moves are meant.
    #[error("move {number}: {text:?} can mean {candidates}")]
    Ambiguous {
        /// 1 = first of the game.
        number: usize,
        /// As the record has it.
        text: String,
        /// The moves it can mean, in USI notation.
        candidates: String,
    },
    /// A part that cannot be read.
    #[error("{text:?} is not {expected}")]
    Unexpected {
        /// What should stand there.
        expected: &'static str,
        /// As the record has it.
        text: String,
    },
    /// Not one score per move.
    #[error("{scores} scores for {moves} moves")]
    ScoreCount {
        /// Scores in the record.
        scores: usize,
        /// Moves in the record.
        moves: usize,
    },
}

impl Fault {
    pub(super) fn unexpected(expected: &'static str, text: &str) -> Fault {
        Fault::Unexpected { expected, text: text.to_owned() }
    }
}
