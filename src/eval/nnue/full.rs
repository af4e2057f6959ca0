//! The value computed from scratch, as a reference for the incremental one.

use arrayvec::ArrayVec;

use super::network::Nnue;
use crate::eval::accumulators::FirstLayer;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::material::PieceValues;
use crate::eval::piece_list::{self, PieceList};
use crate::eval::score::Score;
use crate::shogi::{Color, Place, Position, Square};

/// The slots of a piece list in one side's view.
type Slots = [PieceIndex; PieceList::SLOTS];

/// Value of a position from the side to move's view. If the network needs a king that is missing,
/// the value is the material.
pub fn evaluate(network: &Nnue, pos: &Position) -> Score {
    Score::cp(match raw(network, Kernel::Portable, pos) {
        Some(raw) => network.calibration().to_centipawns(raw),
        None => pos.side_to_move().sign() * PieceValues::ENGINE.balance(pos),
    })
}

/// The raw value of a position from the side to move's view. `None` if the network needs a king
/// that is missing.
pub fn raw(network: &Nnue, kernel: Kernel, pos: &Position) -> Option<i32> {
    let list = PieceList::new(pos);
    let side = pos.side_to_move();
    let king = |color: Color| pos.king(color).map(|sq| sq.relative(side));
    raw_of_slots(network, kernel, [list.list(side), list.list(!side)], [king(side), king(!side)])
}

/// The raw value of pieces in the side to move's view. Empty slots are allowed.
///
/// `pieces` has at most 38 entries, in any order. `own_king` and `enemy_king` are rotated by 180
/// degrees for White. Panics if there are more pieces. Costs 80 rows and the head, a few
/// microseconds.
pub fn raw_of_pieces(
    network: &Nnue,
    kernel: Kernel,
    pieces: &[PieceIndex],
    own_king: Square,
    enemy_king: Square,
) -> i32 {
    let mut slots = [PieceIndex::NONE; PieceList::SLOTS];
    slots[..pieces.len()].copy_from_slice(pieces);
    let turned = slots.map(PieceIndex::turned);
    raw_of_slots(network, kernel, [&slots, &turned], [Some(own_king), Some(enemy_king)])
        .expect("both kings exist")
}

/// `slots` contains the views of the side to move and of the other side. `kings` contains the own
/// and the enemy king in the side to move's view.
fn raw_of_slots(
    network: &Nnue,
    kernel: Kernel,
    slots: [&Slots; 2],
    [own, enemy]: [Option<Square>; 2],
) -> Option<i32> {
    let views =
        [network.view(own, enemy)?, network.view(enemy.map(Square::flip), own.map(Square::flip))?];
    let accumulators = [0, 1].map(|side| {
        let mut accumulator = Aligned::<i16>::zeros(network.stride());
        network.accumulate(kernel, views[side], slots[side], &mut accumulator);
        accumulator
    });
    let [own, other] = &accumulators;
    Some(network.raw(kernel, views, [own, other], &mut network.input_buffer()))
}

/// Contribution of each non-king piece to the value, in centipawns, from Black's view. The
/// contribution is the value minus the value without the piece. Empty if the position has no value.
pub fn shares(network: &Nnue, pos: &Position) -> Vec<(Place, i32)> {
    let (list, side) = (PieceList::new(pos), pos.side_to_move());
    let king = |color: Color| pos.king(color).map(|sq| sq.relative(side));
    let kings = [king(side), king(!side)];
    let value = |without: Option<usize>| {
        let slots = [side, !side].map(|view| {
            let mut slots = *list.list(view);
            without.into_iter().for_each(|slot| slots[slot] = PieceIndex::NONE);
            slots
        });
        let raw = raw_of_slots(network, Kernel::detect(), slots.each_ref(), kings)?;
        Some(side.sign() * network.calibration().to_centipawns(raw))
    };
    let Some(whole) = value(None) else { return Vec::new() };
    let places: ArrayVec<Place, { PieceList::SLOTS }> = piece_list::places_of(pos).collect();
    let share = |(slot, place)| Some((place, whole - value(Some(slot))?));
    places.into_iter().enumerate().filter_map(share).collect()
}
