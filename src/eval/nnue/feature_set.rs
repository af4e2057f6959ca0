//! The features that the rows of the first layer represent.

use std::fmt;

use crate::eval::index::PieceIndex;
use crate::shogi::Square;

/// The features of one side's view. `p` is a [`PieceIndex`]. `k` and `e` are the squares of the own
/// and the enemy king in that view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureSet {
    /// `1548 k + p` for each non-king piece.
    HalfKp,
    /// `p` for each non-king piece, `1548 + k`, and `1629 + e`.
    Kp,
    /// As [`HalfKp`](FeatureSet::HalfKp), but the view is mirrored if the own king is on files 6 to
    /// 9.
    HalfKpVm,
    /// `1629 k + p` for each piece, where a king's `p` is 1548 plus its square. Mirrored in the
    /// same way.
    HalfKaHm2,
    /// As [`HalfKaHm2`](FeatureSet::HalfKaHm2), but not mirrored.
    HalfKa2,
}

/// First row of the kings in a plane.
const KINGS: usize = PieceIndex::COUNT;
/// Number of rows per square of the own king, if kings have rows.
const PLANE_WITH_KINGS: usize = KINGS + Square::COUNT;
/// Number of squares of the own king in mirrored views: files 1 to 5.
const MIRRORED_KINGS: usize = 45;

impl FeatureSet {
    /// All feature sets, in the order of the attempts for a file without a readable text.
    pub const ALL: [FeatureSet; 5] = [
        FeatureSet::HalfKp,
        FeatureSet::HalfKpVm,
        FeatureSet::Kp,
        FeatureSet::HalfKaHm2,
        FeatureSet::HalfKa2,
    ];

    /// Number of rows.
    pub const fn rows(self) -> usize {
        match self {
            FeatureSet::HalfKp => Square::COUNT * KINGS,
            FeatureSet::Kp => KINGS + 2 * Square::COUNT,
            FeatureSet::HalfKpVm => MIRRORED_KINGS * KINGS,
            FeatureSet::HalfKaHm2 => MIRRORED_KINGS * PLANE_WITH_KINGS,
            FeatureSet::HalfKa2 => Square::COUNT * PLANE_WITH_KINGS,
        }
    }

    /// The name in the architecture text of a file.
    pub const fn text_name(self) -> &'static str {
        match self {
            FeatureSet::HalfKp => "HalfKP(Friend)",
            FeatureSet::Kp => "K+P",
            FeatureSet::HalfKpVm => "HalfKP_vm(Friend)",
            FeatureSet::HalfKaHm2 => "HalfKA_hm2(Friend)",
            FeatureSet::HalfKa2 => "HalfKA2(Friend)",
        }
    }

    /// Returns the set with this name in an architecture text.
    pub fn from_text_name(name: &str) -> Option<FeatureSet> {
        if name == "HalfKA_hm(Friend)" {
            return Some(FeatureSet::HalfKaHm2);
        }
        FeatureSet::ALL.into_iter().find(|set| set.text_name() == name)
    }

    /// The name in the names of SFNN networks: `halfkahm2`.
    pub fn short_name(self) -> String {
        self.to_string().to_lowercase().replace(['_', '-'], "")
    }

    /// Reads [`short_name`](FeatureSet::short_name) in any case.
    pub(super) fn from_short_name(name: &str) -> Option<FeatureSet> {
        if name.eq_ignore_ascii_case("halfkahm") {
            return Some(FeatureSet::HalfKaHm2);
        }
        FeatureSet::ALL.into_iter().find(|set| set.short_name().eq_ignore_ascii_case(name))
    }

    /// Whether every row belongs to a square of the own king. If so, a view without kings has no
    /// rows, and a move of the own king changes all rows.
    #[inline]
    pub const fn is_king_relative(self) -> bool {
        !matches!(self, FeatureSet::Kp)
    }

    const fn is_mirrored(self) -> bool {
        matches!(self, FeatureSet::HalfKpVm | FeatureSet::HalfKaHm2)
    }

    const fn has_king_rows(self) -> bool {
        !matches!(self, FeatureSet::HalfKp | FeatureSet::HalfKpVm)
    }
}

/// Formats the name that players use: `HalfKP`, `K-P`.
impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FeatureSet::Kp => "K-P",
            _ => self.text_name().trim_end_matches("(Friend)"),
        })
    }
}

/// Maps the pieces of one side's view to rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureView {
    set: FeatureSet,
    /// First row of the own king's square.
    first: u32,
    mirrored: bool,
    /// Squares of the own and the enemy king, mirrored if the view is mirrored.
    kings: [Option<Square>; 2],
}

impl FeatureView {
    /// Creates the view of a side with the kings on these squares (rotated by 180 degrees for
    /// White). Returns `None` if the features need a king that is missing.
    #[inline]
    pub fn new(set: FeatureSet, own: Option<Square>, enemy: Option<Square>) -> Option<FeatureView> {
        if !set.is_king_relative() {
            return Some(FeatureView { set, first: 0, mirrored: false, kings: [own, enemy] });
        }
        let kings = [own?, enemy?];
        let mirrored = set.is_mirrored() && kings[0].file() > 4;
        let kings = kings.map(|sq| if mirrored { sq.mirror() } else { sq });
        let plane = if set.has_king_rows() { PLANE_WITH_KINGS } else { KINGS };
        let first = (plane * kings[0].index()) as u32;
        Some(FeatureView { set, first, mirrored, kings: kings.map(Some) })
    }

    /// The row of a non-king piece. An empty slot has the row of index 0.
    #[inline]
    pub fn piece(self, index: PieceIndex) -> u32 {
        let index = if self.mirrored { index.mirrored() } else { index };
        self.first + index.index() as u32
    }

    /// The rows of the own and the enemy king, if kings have rows. A missing king has row 0.
    #[inline]
    pub fn kings(self) -> Option<[u32; 2]> {
        let row = |first: usize, king: Option<Square>| {
            self.first + king.map_or(0, |king| (first + king.index()) as u32)
        };
        let [own, enemy] = self.kings;
        match self.set {
            FeatureSet::HalfKp | FeatureSet::HalfKpVm => None,
            FeatureSet::Kp => Some([row(KINGS, own), row(KINGS + Square::COUNT, enemy)]),
            FeatureSet::HalfKaHm2 | FeatureSet::HalfKa2 => {
                Some([row(KINGS, own), row(KINGS, enemy)])
            }
        }
    }

    /// Whether a piece has the same row in both views.
    #[inline]
    pub(super) fn shares_rows(self, other: FeatureView) -> bool {
        (self.first, self.mirrored) == (other.first, other.mirrored)
    }

    /// The third of the board that contains the own king: 0 is the farthest, 2 is the home zone.
    #[inline]
    pub(super) fn king_zone(self) -> usize {
        self.kings[0].map_or(2, |king| king.rank() / 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn views(set: FeatureSet) -> impl Iterator<Item = FeatureView> {
        let pairs = Square::all().flat_map(|own| Square::all().map(move |enemy| (own, enemy)));
        pairs.map(move |(own, enemy)| {
            FeatureView::new(set, Some(own), Some(enemy)).expect("both kings exist")
        })
    }

    /// All rows of a view of these pieces.
    fn rows(view: FeatureView, pieces: &[PieceIndex]) -> Vec<u32> {
        let pieces = pieces.iter().map(|&index| view.piece(index));
        pieces.chain(view.kings().into_iter().flatten()).collect()
    }

    #[test]
    fn features_use_every_row() {
        for set in FeatureSet::ALL {
            let mut seen = vec![false; set.rows()];
            for view in views(set) {
                for row in rows(view, &PieceIndex::all().skip(1).take(30).collect::<Vec<_>>()) {
                    assert!((row as usize) < set.rows(), "{set}");
                }
                for row in PieceIndex::all().map(|index| view.piece(index)) {
                    seen[row as usize] = true;
                }
                view.kings().into_iter().flatten().for_each(|row| seen[row as usize] = true);
            }
            assert!(seen.iter().all(|&seen| seen), "{set}");
        }
    }

    #[test]
    fn mirror_images_have_the_same_rows() {
        for set in [FeatureSet::HalfKpVm, FeatureSet::HalfKaHm2] {
            let sq = |text: &str| -> Option<Square> { Some(text.parse().expect(text)) };
            let pawn = PieceIndex::from_index(90 + 23).expect("a pawn");
            let left = FeatureView::new(set, sq("7h"), sq("3b")).expect("both kings exist");
            let right = FeatureView::new(set, sq("3h"), sq("7b")).expect("both kings exist");
            assert_eq!(rows(left, &[pawn]), rows(right, &[pawn.mirrored()]));
            // The middle file is not mirrored.
            let middle = FeatureView::new(set, sq("5h"), sq("3b")).expect("both kings exist");
            assert_ne!(middle.piece(pawn), middle.piece(pawn.mirrored()));
        }
    }

    #[test]
    fn a_missing_king_has_row_zero_of_kp_and_no_view_elsewhere() {
        for set in FeatureSet::ALL {
            let view = FeatureView::new(set, None, Square::from_index(4));
            match set {
                FeatureSet::Kp => assert_eq!(view.and_then(FeatureView::kings), Some([0, 1633])),
                _ => assert_eq!(view, None),
            }
        }
    }

    #[test]
    fn names_are_parsed_back() {
        for set in FeatureSet::ALL {
            assert_eq!(FeatureSet::from_text_name(set.text_name()), Some(set));
        }
        assert_eq!(FeatureSet::Kp.to_string(), "K-P");
        assert_eq!(FeatureSet::HalfKaHm2.to_string(), "HalfKA_hm2");
        assert_eq!(FeatureSet::from_text_name("HalfKPE9(Friend)"), None);
    }
}
