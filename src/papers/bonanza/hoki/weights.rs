//! The weights of all groups.

use super::group::{HokiGroup, HokiGroups, hand_place};
use super::walk::{Occurrence, walk};
use crate::eval::material::PieceValues;
use crate::shogi::{HandPiece, PieceKind, Position};

/// Weight units per centipawn.
pub const UNIT: i32 = 16;

/// A table of numbers for each group. Its length is [`HokiGroup::size`], or 0 if the group is
/// disabled.
pub type HokiTables<T> = [Vec<T>; HokiGroup::COUNT];

/// Weights in units, from the view of the side that owns them.
#[derive(Clone, Debug, PartialEq)]
pub struct HokiWeights {
    tables: HokiTables<i16>,
    groups: HokiGroups,
    /// The values of the pieces, rounded to centipawns.
    values: PieceValues,
}

impl HokiWeights {
    /// Creates weights from tables in units. Returns `None` if a table is neither empty nor as long
    /// as its group.
    pub fn new(tables: HokiTables<i16>) -> Option<HokiWeights> {
        let mut groups = HokiGroups::NONE;
        for (group, table) in HokiGroup::ALL.into_iter().zip(&tables) {
            match table.len() {
                0 => {}
                len if len == group.size() => groups = groups.with(group),
                _ => return None,
            }
        }
        let values = piece_values(&tables[HokiGroup::Material.number()]);
        Some(HokiWeights { tables, groups, values })
    }

    /// Rounds weights in centipawns. Also returns the number of weights that were clamped to the
    /// range. Returns `None` under the same condition as [`new`](HokiWeights::new).
    pub fn from_centipawns(tables: &HokiTables<f32>) -> Option<(HokiWeights, usize)> {
        let mut cut = 0;
        let mut round = |&centipawns: &f32| {
            let units = (centipawns * UNIT as f32).round();
            let held = units.clamp(f32::from(-i16::MAX), f32::from(i16::MAX));
            cut += usize::from(held != units);
            held as i16
        };
        let rounded = tables.each_ref().map(|table| table.iter().map(&mut round).collect());
        HokiWeights::new(rounded).map(|weights| (weights, cut))
    }

    /// The enabled groups.
    #[inline]
    pub fn groups(&self) -> HokiGroups {
        self.groups
    }

    /// The weights of a group, in units. Empty if the group is disabled.
    #[inline]
    pub fn table(&self, group: HokiGroup) -> &[i16] {
        &self.tables[group.number()]
    }

    /// The values of the pieces, in whole centipawns. 0 without [`HokiGroup::Material`].
    pub fn piece_values(&self) -> &PieceValues {
        &self.values
    }

    /// The value of a position in units, from Black's view.
    #[inline]
    pub fn value(&self, pos: &Position) -> i32 {
        let mut sum = 0;
        walk(pos, self.groups, |Occurrence { group, index, sign }| {
            sum += sign * i32::from(self.tables[group.number()][index]);
        });
        sum
    }

    /// The value of each group in units, from Black's view. 0 for disabled groups.
    pub fn parts(&self, pos: &Position) -> [i32; HokiGroup::COUNT] {
        let mut sums = [0; HokiGroup::COUNT];
        walk(pos, self.groups, |Occurrence { group, index, sign }| {
            sums[group.number()] += sign * i32::from(self.tables[group.number()][index]);
        });
        sums
    }
}

fn piece_values(material: &[i16]) -> PieceValues {
    let rounded = |place: usize| {
        let units = material.get(place).copied().map_or(0, i32::from);
        (f64::from(units) / f64::from(UNIT)).round() as i32
    };
    // The king has no value, because it is never traded.
    let of_kind = |kind: PieceKind| match kind {
        PieceKind::King => 0,
        _ => rounded(kind.index()),
    };
    PieceValues {
        board: PieceKind::ALL.map(of_kind),
        hand: HandPiece::ALL.map(|held| rounded(hand_place(held))),
    }
}
