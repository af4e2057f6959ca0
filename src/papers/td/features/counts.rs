//! The walk over a position that counts its features.

use crate::eval::material::PieceValues;
use crate::shogi::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// Number of counts. [`FeatureCounts`] lists them.
pub const TERMS: usize = NEAR + 2 * KINDS;

/// Number of kinds of pieces without the king.
pub(super) const KINDS: usize = PieceKind::COUNT - 1;
/// First index of the counts of attacked squares: around the own king, around the enemy king. Those
/// of pieces have the order of [`PieceValues::to_array`].
pub(super) const ATTACKS: usize = PieceValues::COUNT;
/// First index of the counts of pieces near a king: one row of kinds for the own king, one for the
/// enemy king.
pub(super) const NEAR: usize = ATTACKS + 2;

/// Largest distance that counts.
const REACH: usize = 3;

/// The counts of a position, own minus enemy from the side to move's view. Shape [`TERMS`]:
///
/// - pieces on the board by kind (13);
/// - pieces in hand by kind (7);
/// - attacked squares around the own king and around the enemy king (2);
/// - sums of (4 - distance) over the pieces of a kind within three squares of the own king (13);
/// - the same for the enemy king (13).
///
/// The first three rows are features. The last two rows need the values of the pieces:
/// [`FeatureWeights::features`](super::FeatureWeights::features) computes the features of distance
/// from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureCounts(pub(super) [i32; TERMS]);

impl FeatureCounts {
    /// The counts from the other side's view.
    pub fn turned(self) -> FeatureCounts {
        FeatureCounts(self.0.map(|count| -count))
    }
}

/// Squares at each distance from `[sq]`, starting with 1. Shape `[81][3]`.
static RINGS: [[Bitboard; REACH]; Square::COUNT] = rings();

const fn rings() -> [[Bitboard; REACH]; Square::COUNT] {
    let mut rings = [[Bitboard::EMPTY; REACH]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            if let (Some(a), Some(b)) = (Square::from_index(from), Square::from_index(to)) {
                let distance = distance(a, b);
                if 0 < distance && distance <= REACH {
                    rings[from][distance - 1].insert(b);
                }
            }
            to += 1;
        }
        from += 1;
    }
    rings
}

/// Number of king's steps from one square to the other on an empty board.
pub(super) const fn distance(a: Square, b: Square) -> usize {
    let (files, ranks) = (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
    if files > ranks { files } else { ranks }
}

/// Count of a piece at this distance from a king: 3, 2, 1, and 0 beyond.
pub(super) const fn nearness(distance: usize) -> i32 {
    (REACH + 1).saturating_sub(distance) as i32
}

/// Counts a position. Costs about 70 pieces and 4 sets of attacked squares.
#[inline]
pub fn of(pos: &Position) -> FeatureCounts {
    let us = pos.side_to_move();
    let mut counts = standing(pos, us);
    let [own, enemy] = attacked(pos, us);
    counts.0[ATTACKS] = own;
    counts.0[ATTACKS + 1] = enemy;
    counts
}

/// All counts except the attacked squares, from `us`'s view.
pub(super) fn standing(pos: &Position, us: Color) -> FeatureCounts {
    let mut counts = [0; TERMS];
    for kind in PieceKind::ALL {
        if let Some(place) = PieceValues::board_number(kind) {
            let number = |side| pos.pieces(side, kind).len() as i32;
            counts[place] = number(us) - number(!us);
        }
    }
    for side in Color::ALL {
        for (held, count) in pos.hand(side).iter() {
            counts[PieceValues::hand_number(held)] += us.sign() * side.sign() * count as i32;
        }
        if let Some(king) = pos.king(side) {
            count_near(pos, us, king, &mut counts);
        }
    }
    FeatureCounts(counts)
}

/// Attacked squares around the own king and around the enemy king, from `us`'s view.
#[inline]
pub(super) fn attacked(pos: &Position, us: Color) -> [i32; 2] {
    let around = |side: Color, owner: Color| {
        pos.king(owner).map_or(0, |king| attacked_around(pos, side, king))
    };
    [around(us, us) - around(!us, !us), around(us, !us) - around(!us, us)]
}

/// Adds the pieces near one king to the counts.
#[inline]
fn count_near(pos: &Position, us: Color, king: Square, counts: &mut [i32; TERMS]) {
    let owner = pos.piece_on(king).map(|piece| piece.color);
    let pieces = pos.occupied() & !pos.kind(PieceKind::King);
    for (ring, count) in RINGS[king.index()].into_iter().zip((1..).map(nearness)) {
        for sq in ring & pieces {
            let Some(piece) = pos.piece_on(sq) else { continue };
            let Some(place) = PieceValues::board_number(piece.kind) else { continue };
            let row = if owner == Some(piece.color) { 0 } else { KINDS };
            counts[NEAR + row + place] += us.sign() * piece.color.sign() * count;
        }
    }
}

/// Number of squares next to `king` that `side`'s pieces other than its king attack. Computes all
/// squares at once.
#[inline]
fn attacked_around(pos: &Position, side: Color, king: Square) -> i32 {
    let pieces = pos.pieces_near(side, king) & !pos.kind(PieceKind::King);
    let attacked = pos.attack_sets_of(pieces, side, pos.occupied()).all();
    (attacked & attacks::king(king)).len() as i32
}
