//! Errors and warnings of game records.

use std::path::PathBuf;

use thiserror::Error;

use crate::quote::{count, quoted, shortened};
use crate::shogi::{IllegalMove, Move, SfenError};

/// Why a file or one of its games could not be read.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be opened or read further.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file matches none of the formats.
    #[error("{}: neither content nor name shows the record format", .0.display())]
    UnknownFormat(PathBuf),
    /// The file is of another kind, such as an opening book.
    #[error("{}: {}, not a record", .0.display(), .1)]
    OtherKind(PathBuf, &'static str),
    /// One game is corrupt. The games after it can be read.
    #[error("{}:{line}: {fault}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Line in the file, 1 = first.
        line: usize,
        /// The error in that line.
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
        /// The error of the move.
        fault: MoveFault,
    },
    /// A part that cannot be read.
    #[error("{} is not {expected}", quoted(.text))]
    Unexpected {
        /// The expected content.
        expected: &'static str,
        /// The text of the record.
        text: String,
    },
    /// Text that is not JSON, or JSON that is not a record.
    #[error("game {game}: {}", shortened(.error))]
    Json {
        /// 1 = first of the file.
        game: usize,
        /// The error of the JSON reader.
        error: String,
    },
    /// A line without a meaning in the format. The line is ignored.
    #[error("{} has no meaning here", quoted(.0))]
    Meaningless(String),
    /// A record of training positions ends within a position.
    #[error("position {0} is incomplete")]
    Incomplete(usize),
    /// A handicap that is played from several start positions.
    #[error(
        "{name:?} has several start positions; taken as {start:?}; give the board to choose another"
    )]
    SeveralStarts {
        /// The name in the record.
        name: String,
        /// The chosen start position as SFEN.
        start: String,
    },
    /// A sentence about the end of the game that does not state a winner, or states two.
    #[error("{} does not state who won", quoted(.0))]
    Unclear(String),
    /// Parts of the record that disagree about the winner, and who won.
    #[error("{0}")]
    Disputed(String),
    /// The number of scores (first) is not the number of moves (second).
    #[error("{} for {}", count(*.0, "score"), count(*.1, "move"))]
    ScoreCount(usize, usize),
    /// A variation of a move that the record does not have. It is dropped.
    #[error("no line has a move {0} that this variation could replace")]
    NothingToReplace(usize),
    /// A line was kept up to a move that cannot be read or played.
    #[error("{fault}; the {part} ends after move {kept}")]
    Cut {
        /// `game` or `variation`.
        part: &'static str,
        /// What is wrong with the next move.
        fault: Box<Fault>,
        /// Moves kept.
        kept: usize,
    },
}

impl Fault {
    /// Whether the error is an illegal move, not an unreadable one.
    pub(super) fn is_illegal_move(&self) -> bool {
        matches!(self, Fault::Move { fault: MoveFault::Illegal(_) | MoveFault::NoPiece(_), .. })
    }

    pub(super) fn unexpected(expected: &'static str, text: &str) -> Fault {
        Fault::Unexpected { expected, text: text.to_owned() }
    }
}

/// The error of a move. Texts are those of the record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveFault {
    /// The text is not a move.
    #[error("{} is not a move", quoted(.0))]
    NotAMove(String),
    /// The move breaks the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The record gives the other side as the mover.
    #[error("{} is not of the side to move", quoted(.0))]
    WrongSide(String),
    /// No piece on the board or in hand matches the record.
    #[error("{} fits no piece", quoted(.0))]
    NoPiece(String),
    /// The text matches several legal moves, here in USI notation.
    #[error("{} can mean {candidates}", quoted(.0), candidates = .1.iter().map(Move::to_string).collect::<Vec<_>>().join(" or "))]
    Ambiguous(String, Vec<Move>),
}
