//! The walk over a position that finds its weights. Only this module, and the slow version in the
//! tests, implements the meaning of the groups.

use super::attack_counts::AttackCounts;
use super::group::{
    ATTACKERS, FILE_PIECES, HokiGroup, HokiGroups, KINDS, MOST_PAWNS, MOST_SQUARES, OFFSETS,
    SLIDERS, ZONE, hand_place,
};
use super::side::Side;
use crate::eval::PieceIndex;
use crate::eval::learned::features::pairs;
use crate::eval::learned::{TRIANGLE, triangle_index};
use crate::shogi::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// One occurrence of a weight in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The group of the weight.
    pub group: HokiGroup,
    /// The index in the group, 0..[`HokiGroup::size`].
    pub index: usize,
    /// The side whose own weight it is: 1 for Black, -1 for White.
    pub sign: i32,
}

/// Calls `found` with every weight of these groups that a position has, first Black's, then
/// White's. Does not allocate. Costs 1,406 pairs for KPP, and some hundreds of occurrences for all
/// other groups.
#[inline]
pub fn walk(pos: &Position, groups: HokiGroups, mut found: impl FnMut(Occurrence)) {
    let mut counts = None;
    for color in Color::ALL {
        let (side, sign) = (Side::new(pos, color), color.sign());
        for group in groups.iter() {
            let add = |index| found(Occurrence { group, index, sign });
            match group {
                HokiGroup::Material => material(side, add),
                HokiGroup::Kpp => kpp(side, add),
                HokiGroup::Guards => guards(side, add),
                HokiGroup::Neighbours => neighbours(side, add),
                HokiGroup::Attacked => attacked(side, add),
                HokiGroup::Mobility => mobility(side, add),
                HokiGroup::Pins => pins(side, add),
                HokiGroup::BishopPawns => bishop_pawns(side, add),
                HokiGroup::Steps => steps(side, add),
                HokiGroup::FilePawns => file_pawns(side, add),
                HokiGroup::KingZone => {
                    let both = || Color::ALL.map(|color| AttackCounts::new(pos, color));
                    king_zone(side, counts.get_or_insert_with(both), add);
                }
            }
        }
    }
}

fn material(side: Side, mut add: impl FnMut(usize)) {
    for kind in PieceKind::ALL {
        (0..side.own(kind).len()).for_each(|_| add(kind.index()));
    }
    for (held, count) in side.pos.hand(side.color).iter() {
        (0..count).for_each(|_| add(hand_place(held)));
    }
}

/// First index of the row of a king in [`HokiGroup::Kpp`].
#[inline]
pub(super) fn king_row(side: Side, king: Square) -> usize {
    side.normal(king).index() * TRIANGLE
}

#[inline]
fn kpp(side: Side, mut add: impl FnMut(usize)) {
    let Some(king) = side.king else { return };
    let first = king_row(side, king);
    for (high, lower) in pairs(&side.sorted_indices()) {
        let row = first + triangle_index(PieceIndex::NONE, high);
        lower.iter().for_each(|low| add(row + low.index()));
    }
}

fn guards(side: Side, mut add: impl FnMut(usize)) {
    let Some(king) = side.king else { return };
    let own = side.all_own() & !Bitboard::square(king);
    let kind_on = |sq| side.pos.piece_on(sq).map_or(0, |piece| piece.kind.index());
    for guard in own & attacks::king(king) {
        let (files, ranks) = side.offset(king, guard);
        let row = ((3 * (files + 1) + ranks + 1) as usize * KINDS + kind_on(guard)) * OFFSETS;
        for other in own & !Bitboard::square(guard) {
            let (files, ranks) = side.offset(king, other);
            let place = (17 * (files + 8) + ranks + 8) as usize;
            add((row + place) * KINDS + kind_on(other));
        }
    }
}

fn neighbours(side: Side, mut add: impl FnMut(usize)) {
    for from in side.all_own() {
        let Some(piece) = side.pos.piece_on(from) else { continue };
        for to in attacks::king(from) & side.pos.occupied() {
            let Some(neighbour) = side.pos.piece_on(to) else { continue };
            let (files, ranks) = side.offset(from, to);
            let direction = (2 * (ranks + 1) + files.abs()) as usize;
            add((direction * KINDS + piece.kind.index()) * 2 * KINDS + side.code(neighbour));
        }
    }
}

fn attacked(side: Side, mut add: impl FnMut(usize)) {
    let occupied = side.pos.occupied();
    for (number, kind) in ATTACKERS.into_iter().enumerate() {
        for from in side.own(kind) {
            for to in attacks::piece(side.color, kind, from, occupied) & occupied {
                if let Some(piece) = side.pos.piece_on(to) {
                    add(number * 2 * KINDS + side.code(piece));
                }
            }
        }
    }
}

fn mobility(side: Side, mut add: impl FnMut(usize)) {
    let occupied = side.pos.occupied();
    for (number, kind) in SLIDERS.into_iter().enumerate() {
        for from in side.own(kind) {
            let to = attacks::piece(side.color, kind, from, occupied) & !side.all_own();
            add(number * (MOST_SQUARES + 1) + to.len() as usize);
        }
    }
}

fn pins(side: Side, mut add: impl FnMut(usize)) {
    let Some(king) = side.king else { return };
    for (number, between) in side.snipers(king).filter(|(_, between)| !between.has_many()) {
        let pinned = between.first().and_then(|sq| side.pos.piece_on(sq));
        if let Some(piece) = pinned.filter(|piece| piece.color == side.color) {
            add(number * KINDS + piece.kind.index());
        }
    }
}

/// Squares whose file and rank have an even sum: the colour of 1a and 9i.
const EVEN_SQUARES: Bitboard = Bitboard::from_bits(u128::MAX / 3);

fn bishop_pawns(side: Side, mut add: impl FnMut(usize)) {
    let pawns = side.own(PieceKind::Pawn);
    for bishop in side.own(PieceKind::Bishop) {
        let is_even = EVEN_SQUARES.contains(bishop);
        let of_color = pawns & if is_even { EVEN_SQUARES } else { !EVEN_SQUARES };
        // Mate problems may have more pawns.
        add((of_color.len() as usize).min(MOST_PAWNS));
    }
}

fn steps(side: Side, mut add: impl FnMut(usize)) {
    let (color, own) = (side.color, side.all_own());
    let pawns = side.own(PieceKind::Pawn);
    for (number, kind) in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Silver].iter().enumerate()
    {
        for from in if number == 0 { pawns } else { side.own(*kind) } {
            let to = match kind {
                PieceKind::Pawn => attacks::pawn(color, from),
                PieceKind::Knight => attacks::knight(color, from),
                // The squares behind a silver are those that a silver attacks and a gold does not.
                _ => attacks::silver(color, from) & !attacks::gold(color, from),
            };
            add(2 * number + usize::from(!(to & !own).is_empty()));
        }
    }
}

fn file_pawns(side: Side, mut add: impl FnMut(usize)) {
    let pawns = side.pos.kind(PieceKind::Pawn);
    for (number, kind) in FILE_PIECES.into_iter().enumerate() {
        for from in side.own(kind) {
            for pawn in pawns & Bitboard::file(from.file()) {
                let is_enemy = usize::from(!side.all_own().contains(pawn));
                let (_, ranks) = side.offset(from, pawn);
                let is_behind = usize::from(ranks > 0);
                let distance = ranks.unsigned_abs() as usize - 1;
                add(((number * 2 + is_enemy) * 2 + is_behind) * 8 + distance);
            }
        }
    }
}

/// `counts` contains the attacks of both sides.
fn king_zone(side: Side, counts: &[AttackCounts; 2], mut add: impl FnMut(usize)) {
    let Some(king) = side.king else { return };
    let [own, enemy] = [side.color, !side.color].map(|color| counts[color.index()]);
    let (file, rank) = (king.file() as i32, king.rank() as i32);
    let reach = ZONE as i32 / 2;
    for files in -reach..=reach {
        for ranks in -reach..=reach {
            let (file, rank) = ((file + files) as usize, (rank + ranks) as usize);
            // Negative numbers wrap to numbers far beyond the board.
            let Some(sq) = Square::new(file, rank) else { continue };
            let (files, ranks) = side.offset(king, sq);
            let square = (ZONE as i32 * (files + reach) + ranks + reach) as usize;
            add((square * 4 + own.of(sq)) * 4 + enemy.of(sq));
        }
    }
}
