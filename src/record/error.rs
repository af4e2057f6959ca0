//! What can be wrong with a record.

use std::path::PathBuf;

use thiserror::Error;

use crate::shogi::{IllegalMove, Move, SfenError};

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
    #[error("{}: neither content nor name shows the record format", .0.display())]
    UnknownFormat(PathBuf),
    /// The file is an opening book.
    #[error("{}: a book, not a record", .0.display())]
    Book(PathBuf),
    /// One game is broken; those after it can be read.
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

/// A part of a record that was not understood, in a game that was kept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}:{line}: {fault}", .path.display())]
pub struct Warning {
    /// The file.
    pub path: PathBuf,
    /// Line in the file, 1 = first.
    pub line: usize,
    /// What was not understood.
    pub fault: Fault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The start position cannot be read or played.
    #[error("start position refused: {0}")]
    Start(#[from] SfenError),
    /// A move cannot be read or played.
    #[error("move {number}: {fault}")]
    Move {
        /// 1 = first of the game.
        number: usize,
        /// What is wrong with it.
        fault: MoveFault,
    },
    /// A part that cannot be read.
    #[error("{text:?} is not {expected}")]
    Unexpected {
        /// What should stand there.
        expected: &'static str,
        /// As the record has it.
        text: String,
    },
    /// A game that is no JSON, or not the JSON of a record.
    #[error("game {game}: {error}")]
    Json {
        /// 1 = first of the file.
        game: usize,
        /// What the JSON reader reports.
        error: String,
    },
    /// A line that no format gives a meaning; it is passed over.
    #[error("{0:?} has no meaning here")]
    Meaningless(String),
    /// The number of scores (first) is not the number of moves (second).
    #[error("{0} scores for {1} moves")]
    ScoreCount(usize, usize),
    /// A game was kept up to a move that cannot be read or played.
    #[error("{fault}; the game ends after move {kept}")]
    Cut {
        /// What is wrong with the next move.
        fault: Box<Fault>,
        /// Moves kept.
        kept: usize,
    },
}

impl Fault {
    /// Whether it is a move that the rules forbid, not one that cannot be read.
    pub(super) fn is_illegal_move(&self) -> bool {
        matches!(self, Fault::Move { fault: MoveFault::Illegal(_) | MoveFault::NoPiece(_), .. })
    }

    pub(super) fn unexpected(expected: &'static str, text: &str) -> Fault {
        Fault::Unexpected { expected, text: text.to_owned() }
    }
}

/// What is wrong with a move. Texts are as the record has them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveFault {
    /// The text is not a move.
    #[error("{0:?} is not a move")]
    NotAMove(String),
    /// The move breaks the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The record names the other side as the mover.
    #[error("{0:?} is not of the side to move")]
    WrongSide(String),
    /// No piece on the board or in hand is the one that the record names.
    #[error("{0:?} fits no piece")]
    NoPiece(String),
    /// Several legal moves are meant, here in USI notation.
    #[error("{0:?} can mean {candidates}", candidates = .1.iter().map(Move::to_string).collect::<Vec<_>>().join(" or "))]
    Ambiguous(String, Vec<Move>),
}
