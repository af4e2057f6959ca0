//! Piece values: what a piece is worth on any square.
//!
//! Unit: centipawns. A pawn on the board is worth 100.

use crate::shogi::{Change, Color, Delta, HandPiece, Piece, PieceKind, Place, Position, SeeValues};

/// Values of the pieces to their owner, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceValues {
    /// On the board, indexed by [`PieceKind`]. The king has the value 0, because it is never
    /// traded.
    pub board: [i32; PieceKind::COUNT],
    /// In hand, indexed by [`HandPiece`].
    pub hand: [i32; HandPiece::COUNT],
}

/// The king's value for static exchange evaluation. It exceeds every exchange, because a full set
/// has a value below 15,000. Forty times this value fits in 32 bits.
const KING_EXCHANGE: i32 = 100_000;

/// Material gain of capturing a pawn: the board value that one side loses plus the hand value that
/// the other side gains. Hoki (2006) states his pruning constants in this unit.
pub const PAWN_EXCHANGE: i32 = PieceValues::ENGINE.board[PieceKind::Pawn.index()]
    + PieceValues::ENGINE.hand[HandPiece::Pawn.index()];

static EXCHANGE: SeeValues = PieceValues::ENGINE.see_values();

/// Gains of captures and promotions for static exchange evaluation, in centipawns.
#[inline]
pub fn see_values() -> &'static SeeValues {
    &EXCHANGE
}

impl PieceValues {
    /// Number of values, without the king's.
    pub const COUNT: usize = PieceKind::COUNT - 1 + HandPiece::COUNT;

    /// The values of the search and the hand-made evaluation. Weights that do not have values of
    /// their own use them too. They follow the fit of the hand-made king relations to the games of
    /// another program. A piece in hand is worth slightly more than on the board, because it can be
    /// dropped on any square.
    pub const ENGINE: PieceValues = PieceValues {
        board: [
            100,  // pawn
            290,  // lance
            350,  // knight
            520,  // silver
            630,  // gold
            780,  // bishop
            900,  // rook
            0,    // king
            560,  // tokin
            540,  // promoted lance
            550,  // promoted knight
            560,  // promoted silver
            1120, // horse
            1350, // dragon
        ],
        hand: [
            120,  // pawn
            340,  // lance
            370,  // knight
            560,  // silver
            680,  // gold
            880,  // bishop
            1060, // rook
        ],
    };

    /// The number of a kind's value on the board in [`to_array`](PieceValues::to_array); `None` for
    /// kings.
    #[inline]
    pub const fn board_number(kind: PieceKind) -> Option<usize> {
        let (index, king) = (kind.index(), PieceKind::King.index());
        if index == king { None } else { Some(index - (index > king) as usize) }
    }

    /// The number of a value in hand in [`to_array`](PieceValues::to_array).
    #[inline]
    pub const fn hand_number(held: HandPiece) -> usize {
        PieceKind::COUNT - 1 + held.index()
    }

    /// The number of a place's value in [`to_array`](PieceValues::to_array); `None` for kings.
    #[inline]
    pub const fn number(place: Place) -> Option<usize> {
        match place {
            Place::Board(_, piece) => PieceValues::board_number(piece.kind),
            Place::Hand(_, held, _) => Some(PieceValues::hand_number(held)),
        }
    }

    /// All values, those on the board first, without the king's.
    pub fn to_array(&self) -> [i32; PieceValues::COUNT] {
        let mut values = [0; PieceValues::COUNT];
        for kind in PieceKind::ALL {
            if let Some(number) = PieceValues::board_number(kind) {
                values[number] = self.board[kind.index()];
            }
        }
        for held in HandPiece::ALL {
            values[PieceValues::hand_number(held)] = self.hand[held.index()];
        }
        values
    }

    /// Reverses [`to_array`](PieceValues::to_array).
    pub fn from_array(values: &[i32; PieceValues::COUNT]) -> PieceValues {
        let value = |kind| PieceValues::board_number(kind).map_or(0, |number| values[number]);
        PieceValues {
            board: PieceKind::ALL.map(value),
            hand: HandPiece::ALL.map(|held| values[PieceValues::hand_number(held)]),
        }
    }

    /// Value of a piece in its place, from Black's view.
    #[inline]
    pub fn of_place(&self, place: Place) -> i32 {
        match place {
            Place::Board(_, Piece { color, kind }) => color.sign() * self.board[kind.index()],
            Place::Hand(color, held, _) => color.sign() * self.hand[held.index()],
        }
    }

    /// Change of the material balance by one change of a piece, from Black's view.
    #[inline]
    pub fn of_change(&self, change: &Change) -> i32 {
        self.of_place(change.after) - self.of_place(change.before)
    }

    /// Change of the material balance by a move, from Black's view.
    #[inline]
    pub fn of_delta(&self, delta: &Delta) -> i32 {
        let captured = delta.captured.as_ref();
        self.of_change(&delta.moved) + captured.map_or(0, |change| self.of_change(change))
    }

    /// Black's material minus White's, computed from scratch.
    pub fn balance(&self, pos: &Position) -> i32 {
        self.side_total(pos, Color::Black) - self.side_total(pos, Color::White)
    }

    /// Total material of one side, computed from scratch.
    pub fn side_total(&self, pos: &Position, side: Color) -> i32 {
        let value =
            |kind: PieceKind| pos.pieces(side, kind).len() as i32 * self.board[kind.index()];
        let on_board: i32 = PieceKind::ALL.into_iter().map(value).sum();
        let held = pos.hand(side).iter();
        on_board + held.map(|(held, count)| count as i32 * self.hand[held.index()]).sum::<i32>()
    }

    /// Gains of captures and promotions for static exchange evaluation.
    pub const fn see_values(&self) -> SeeValues {
        let mut capture = [0; PieceKind::COUNT];
        let mut promotion = [0; PieceKind::COUNT];
        let mut i = 0;
        while i < PieceKind::COUNT {
            let kind = PieceKind::ALL[i];
            capture[i] = match kind.hand_piece() {
                Some(held) => self.board[i] + self.hand[held.index()],
                None => KING_EXCHANGE,
            };
            if let Some(promoted) = kind.promoted() {
                promotion[i] = self.board[promoted.index()] - self.board[i];
            }
            i += 1;
        }
        SeeValues { capture, promotion }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Square;

    #[test]
    fn promoted_pieces_and_pieces_in_hand_are_worth_more() {
        let PieceValues { board, hand } = PieceValues::ENGINE;
        for kind in PieceKind::ALL {
            if let Some(promoted) = kind.promoted() {
                assert!(board[promoted.index()] > board[kind.index()]);
            }
        }
        for held in HandPiece::ALL {
            assert!(hand[held.index()] >= board[held.kind().index()]);
        }
        let start = Position::startpos();
        let [black, white] = Color::ALL.map(|side| PieceValues::ENGINE.side_total(&start, side));
        assert_eq!(black, white);
        assert!(2 * black < KING_EXCHANGE);
    }

    #[test]
    fn values_have_an_order_without_the_king() {
        let PieceValues { board, hand } = PieceValues::ENGINE;
        let values = PieceValues::ENGINE.to_array();
        assert_eq!((values[6], values[7], values[12], values[13]), (900, 560, 1350, 120));
        assert_eq!(PieceValues::from_array(&values), PieceValues::ENGINE);
        let sq = Square::all().next().expect("a square");
        for kind in PieceKind::ALL {
            let number = PieceValues::number(Place::Board(sq, Piece::new(Color::Black, kind)));
            assert_eq!(number.map_or(0, |number| values[number]), board[kind.index()]);
        }
        for held in HandPiece::ALL {
            let number = PieceValues::number(Place::Hand(Color::White, held, 1));
            assert_eq!(number.map(|number| values[number]), Some(hand[held.index()]));
        }
    }
}
