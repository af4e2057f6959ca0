//! Validation of positions.

use thiserror::Error;

use super::{BoardContent, Position};
use crate::shogi::{Bitboard, Color, HandPiece, Piece, PieceKind, Square};

/// The reason why a position cannot be played. Pieces and one king may be missing (handicap games,
/// mate problems).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidPosition {
    /// More pieces than a set has.
    #[error("{count} pieces of kind {letter}, a set has {max}", letter = .0.letter(), count = .1, max = .0.set_size())]
    TooMany(HandPiece, u32),
    /// Two kings of one side.
    #[error("{0:?} has {1} kings")]
    Kings(Color, usize),
    /// No king of either side.
    #[error("there is no king")]
    NoKing,
    /// Two unpromoted pawns of one side on a file (nifu).
    #[error("two pawns of {0:?} on file {1}")]
    TwoPawns(Color, usize),
    /// A pawn, lance or knight that can never move.
    #[error("the piece on {0} can never move")]
    DeadPiece(Square),
    /// The side that just moved left its king in check.
    #[error("the side not to move is in check")]
    OpponentInCheck,
}

impl InvalidPosition {
    /// Checks the piece counts, on the board and in hand: at most `limit` of each kind.
    pub(super) fn check_counts(
        content: &BoardContent,
        limit: fn(HandPiece) -> u32,
    ) -> Result<(), InvalidPosition> {
        for held in HandPiece::ALL {
            let count = content.count(held);
            if count > limit(held) {
                return Err(InvalidPosition::TooMany(held, count));
            }
        }
        let pieces = || content.board.iter().flatten();
        let kings = |color| pieces().filter(|&&p| p == Piece::new(color, PieceKind::King)).count();
        for color in Color::ALL {
            if kings(color) > 1 {
                return Err(InvalidPosition::Kings(color, kings(color)));
            }
        }
        if kings(Color::Black) + kings(Color::White) == 0 {
            return Err(InvalidPosition::NoKing);
        }
        Ok(())
    }
}

impl Position {
    /// Checks for nifu, dead pieces, and a check against the side that just moved.
    pub(super) fn check_playable(&self) -> Result<(), InvalidPosition> {
        for color in Color::ALL {
            let pawns = self.pieces(color, PieceKind::Pawn);
            for file in 0..9 {
                if (pawns & Bitboard::file(file)).has_many() {
                    return Err(InvalidPosition::TwoPawns(color, file + 1));
                }
            }
            let is_dead = |&sq: &Square| self.standing_on(sq).is_dead_on(sq);
            if let Some(sq) = self.color(color).iter().find(is_dead) {
                return Err(InvalidPosition::DeadPiece(sq));
            }
        }
        if let Some(king) = self.king(!self.side)
            && self.is_attacked(king, self.side, self.occupied())
        {
            return Err(InvalidPosition::OpponentInCheck);
        }
        Ok(())
    }
}
