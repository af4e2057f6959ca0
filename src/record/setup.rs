//! A start position that a record gives piece by piece.

use crate::shogi::{Color, HandPiece, Piece, PieceKind, Position, SfenError, Square};

/// What stands where and what is held.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    board: [Option<Piece>; 81],
    /// Shape `[colour][hand kind]`.
    hands: [[u32; 7]; 2],
    pub side: Color,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { board: [None; 81], hands: [[0; 7]; 2], side: Color::Black }
    }
}

impl Setup {
    /// The usual start.
    pub fn usual() -> Setup {
        let pos = Position::startpos();
        let mut setup = Setup::default();
        for sq in Square::all() {
            setup.put(sq, pos.piece_on(sq));
        }
        setup
    }

    pub fn piece_on(&self, sq: Square) -> Option<Piece> {
        self.board[sq.index()]
    }

    pub fn put(&mut self, sq: Square, piece: Option<Piece>) {
        self.board[sq.index()] = piece;
    }

    /// Adds to a hand. Absurd counts are cut to ones that are still absurd.
    pub fn hold(&mut self, color: Color, held: HandPiece, count: u32) {
        let place = &mut self.hands[color.index()][held.index()];
        *place = (*place + count.min(99)).min(99);
    }

    /// Gives a side everything that the set has beyond board and hands.
    pub fn hold_rest(&mut self, color: Color) {
        for held in HandPiece::ALL {
            let is_it = |kind: PieceKind| kind.hand_piece() == Some(held);
            let on_board = self.board.iter().flatten().filter(|piece| is_it(piece.kind)).count();
            let used =
                on_board as u32 + self.hands.iter().map(|hand| hand[held.index()]).sum::<u32>();
            self.hold(color, held, held.set_size().saturating_sub(used));
        }
    }

    pub fn to_position(&self) -> Result<Position, SfenError> {
        Position::from_pieces(self.board, self.hands, self.side)
    }
}
