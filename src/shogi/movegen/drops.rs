//! Drops.

use arrayvec::ArrayVec;

use crate::shogi::{Bitboard, HandPiece, Move, MoveList, PieceKind, Position, attacks};

/// Drops of all pieces in hand on the `empty` squares (all empty ones, or those that interpose
/// against a check). Excludes nifu, dead pieces and pawn-drop mates.
#[inline]
pub(super) fn generate(pos: &Position, empty: Bitboard, list: &mut MoveList) {
    let us = pos.side_to_move();
    let hand = pos.hand(us);
    if hand.is_empty() {
        return;
    }
    if hand.has(HandPiece::Pawn) {
        pawns(pos, empty, list);
    }
    if !hand.has_non_pawn() {
        return;
    }
    // Kinds without restriction first, then lance (not on the last rank), then knight (not on the
    // last two). Each region of the board then uses a prefix of `kinds`.
    let mut kinds: ArrayVec<HandPiece, 6> = ArrayVec::new();
    let hold = |kinds: &mut ArrayVec<HandPiece, 6>, piece| {
        if hand.has(piece) {
            kinds.push(piece);
        }
        kinds.len()
    };
    for piece in [HandPiece::Silver, HandPiece::Gold, HandPiece::Bishop] {
        hold(&mut kinds, piece);
    }
    let anywhere = hold(&mut kinds, HandPiece::Rook);
    let with_lance = hold(&mut kinds, HandPiece::Lance);
    let all = hold(&mut kinds, HandPiece::Knight);
    let last = Bitboard::far_ranks(us, 1);
    let last_two = Bitboard::far_ranks(us, 2);
    for (region, count) in [(last, anywhere), (last_two & !last, with_lance), (!last_two, all)] {
        let pieces = &kinds[..count];
        (empty & region).iter().for_each(|to| {
            for &piece in pieces {
                list.push(Move::drop(piece, to));
            }
        });
    }
}

#[inline]
fn pawns(pos: &Position, empty: Bitboard, list: &mut MoveList) {
    let us = pos.side_to_move();
    let free_files = pos.pieces(us, PieceKind::Pawn).empty_files();
    let mut to = empty & free_files & !Bitboard::far_ranks(us, 1);
    if let Some(king) = pos.king(!us) {
        let head = attacks::pawn(!us, king) & to;
        if let Some(sq) = head.first()
            && pos.is_pawn_drop_mate(sq)
        {
            to ^= head;
        }
    }
    to.iter().for_each(|to| list.push(Move::drop(HandPiece::Pawn, to)));
}
