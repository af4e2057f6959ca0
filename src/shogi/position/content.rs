//! The raw content of a position, before validation.

use super::Position;
use crate::shogi::{Color, HandPiece, Piece};

/// Pieces on the board, pieces in hand and side to move, not checked against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardContent {
    /// Shape `[square]`, 1a first.
    pub board: [Option<Piece>; 81],
    /// Shape `[color][hand kind]`.
    pub hands: [[u32; 7]; 2],
    /// The side to move.
    pub side: Color,
}

impl Default for BoardContent {
    /// An empty board and empty hands, Black to move.
    fn default() -> BoardContent {
        BoardContent { board: [None; 81], hands: [[0; 7]; 2], side: Color::Black }
    }
}

impl BoardContent {
    /// Pieces of this kind on the board, promoted or not, and in both hands.
    pub fn count(&self, held: HandPiece) -> u32 {
        let pieces = self.board.iter().flatten();
        let on_board = pieces.filter(|piece| piece.kind.hand_piece() == Some(held)).count();
        on_board as u32 + self.hands.iter().map(|hand| hand[held.index()]).sum::<u32>()
    }
}

impl Position {
    /// The content of this position.
    pub fn content(&self) -> BoardContent {
        let hands = Color::ALL.map(|color| HandPiece::ALL.map(|held| self.hand(color).count(held)));
        BoardContent { board: self.board, hands, side: self.side }
    }
}
