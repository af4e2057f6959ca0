//! Piece values: what the pieces are worth wherever they stand.
//!
//! Unit: centipawns, 100 = a pawn on the board.

use crate::shogi::{Change, Color, Delta, HandPiece, Piece, PieceKind, Place, Position, SeeValues};

/// Board values, indexed by [`PieceKind`]. The king counts nothing: it is never traded.
const BOARD: [i32; PieceKind::COUNT] = [
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
];

/// Hand values, indexed by [`HandPiece`]: a little above the board, as a drop can be anywhere.
const HAND: [i32; HandPiece::COUNT] = [
    120,  // pawn
    340,  // lance
    370,  // knight
    560,  // silver
    680,  // gold
    880,  // bishop
    1060, // rook
];

/// Above all exchanges (a full set is worth less than 15,000), and 40 of them fit 32 bits.
const KING_EXCHANGE: i32 = 100_000;

/// What taking a pawn with a pawn's worth of gain means: board value lost by one side plus hand
/// value won by the other. Hoki (2006) states his pruning constants in this unit.
pub const PAWN_EXCHANGE: i32 = BOARD[PieceKind::Pawn.index()] + HAND[HandPiece::Pawn.index()];

static EXCHANGE: SeeValues = compute_see_values();

/// Gains of captures and promotions for static exchange evaluation, in centipawns.
#[inline]
pub fn see_values() -> &'static SeeValues {
    &EXCHANGE
}

/// Value of a piece on the board to its owner.
#[inline]
pub const fn board_value(kind: PieceKind) -> i32 {
    BOARD[kind.index()]
}

/// Value of a piece in hand to its holder.
#[inline]
pub const fn hand_value(held: HandPiece) -> i32 {
    HAND[held.index()]
}

/// Value of a piece in its place, Black's view.
#[inline]
pub fn place_value(place: Place) -> i32 {
    match place {
        Place::Board(_, Piece { color, kind }) => color.sign() * board_value(kind),
        Place::Hand(color, held, _) => color.sign() * hand_value(held),
    }
}

/// How much one change alters the balance, Black's view.
#[inline]
fn change_value(change: &Change) -> i32 {
    place_value(change.after) - place_value(change.before)
}

/// How much a move alters the balance, Black's view.
#[inline]
pub fn delta_value(delta: &Delta) -> i32 {
    change_value(&delta.moved) + delta.captured.as_ref().map_or(0, change_value)
}

/// Black's material less White's, from scratch.
pub fn balance(pos: &Position) -> i32 {
    side_total(pos, Color::Black) - side_total(pos, Color::White)
}

/// All that one side owns, from scratch.
pub fn side_total(pos: &Position, side: Color) -> i32 {
    let on_board: i32 = PieceKind::ALL
        .into_iter()
        .map(|kind| pos.pieces(side, kind).len() as i32 * board_value(kind))
        .sum();
    let in_hand: i32 =
        pos.hand(side).iter().map(|(held, count)| count as i32 * hand_value(held)).sum();
    on_board + in_hand
}

const fn compute_see_values() -> SeeValues {
    let mut capture = [0; PieceKind::COUNT];
    let mut promotion = [0; PieceKind::COUNT];
    let mut i = 0;
    while i < PieceKind::COUNT {
        let kind = PieceKind::ALL[i];
        capture[i] = match kind.hand_piece() {
            Some(held) => BOARD[i] + HAND[held.index()],
            None => KING_EXCHANGE,
        };
        if let Some(promoted) = kind.promoted() {
            promotion[i] = BOARD[promoted.index()] - BOARD[i];
        }
        i += 1;
    }
    SeeValues { capture, promotion }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered() {
        for kind in PieceKind::ALL {
            if let Some(promoted) = kind.promoted() {
                assert!(board_value(promoted) > board_value(kind));
            }
        }
        for held in HandPiece::ALL {
            assert!(hand_value(held) >= board_value(held.kind()));
        }
        let start = Position::startpos();
        assert_eq!(side_total(&start, Color::Black), side_total(&start, Color::White));
        assert!(2 * side_total(&start, Color::Black) < KING_EXCHANGE);
    }
}
