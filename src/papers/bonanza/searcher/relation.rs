//! The predicted change of the relations by a move.

use crate::eval::Evaluation;
use crate::eval::PieceIndex;
use crate::eval::hand_made::king_relation;
use crate::eval::learned::{KingView, Term, UNIT};
use crate::shogi::{Color, Move, PieceKind, Place, Position};

/// Change of the relations between the moved piece and the kings, from the mover's view:
/// M_piece-king(m) of Hoki (2006), eq. (8). `mv` is a move of `pos`. Exact for quiet moves and
/// promotions; the relations of a captured piece are not included. Returns 0 if a king is missing,
/// and for king moves, which change all relations of the king.
#[inline]
pub fn piece_king_change(evaluation: &Evaluation, pos: &Position, mv: Move) -> i32 {
    let is_of_king = pos.moved_piece(mv) == PieceKind::King;
    let Some(kings) = pos.kings().filter(|_| !is_of_king) else { return 0 };
    let moved = pos.delta_of(mv).moved;
    // From Black's view.
    let change = match evaluation {
        Evaluation::HandMade => {
            let half =
                |side: Color, place| king_relation::of_place(side, kings[side.index()], place);
            let of = |place| half(Color::Black, place) - half(Color::White, place);
            of(moved.after) - of(moved.before)
        }
        Evaluation::Learned(weights) => {
            let view = KingView::new(kings, Color::Black);
            let of = |place: Place| -> i32 {
                let index = PieceIndex::new(place, Color::Black).unwrap_or(PieceIndex::NONE);
                let index = view.normal(index).index();
                let row = |term| weights.kings_row(term, view);
                Term::OF_KINGS_AND_PIECE.map(|term| i32::from(row(term)[index])).iter().sum()
            };
            (of(moved.after) - of(moved.before)) / UNIT
        }
        // No row of such a network describes one piece and one king alone.
        Evaluation::Nnue(_) => 0,
        Evaluation::Registered(form) => form.piece_king_change(pos, kings, &moved),
    };
    pos.side_to_move().sign() * change
}
