//! The groups of weights, one for each line of the paper's list.

use crate::eval::learned::{KingView, TRIANGLE};
use crate::shogi::{HandPiece, PieceKind};

/// Weights that belong together: one line of the list. Indices within a group: outer number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum HokiGroup {
    /// A piece: its kind on the board (14; the king's weighs nothing), or in hand (7).
    Material,
    /// King and two pieces of either side, hands too: KPP. The king's square in the normalized view
    /// (45), the pair's place in a [triangle](crate::eval::learned::triangle_index).
    Kpp,
    /// King, an own piece next to it, and another own piece on the board: where the one stands from
    /// the king (9, the middle unused) and its kind (14), where the other stands (17 files times 17
    /// ranks) and its kind (14). Unlike KPP shared by all squares of the king, so that a castle is the
    /// same castle elsewhere.
    Guards,
    /// An own piece and a neighbour of either side: ranks from the one to the other, files without
    /// their direction (3 times 2, one unused), its kind (14), own or enemy (2), the neighbour's kind
    /// (14). Kings are pieces too. Two own pieces are seen from both ends.
    Neighbours,
    /// The first piece that an own dragon, horse, rook, bishop, knight or lance attacks in some
    /// direction: the attacker (6), own or enemy (2), kind (14).
    Attacked,
    /// Squares to which an own dragon, horse, rook, bishop or lance can go, pins not considered: the
    /// piece (5), how many (21).
    Mobility,
    /// An own piece alone between the own king and an enemy slider: the slider (5), the kind (14).
    Pins,
    /// Own pawns on squares of the colour of an own bishop's: how many (10).
    BishopPawns,
    /// Whether an own pawn or knight can go ahead, and an own silver back: no own piece stands on
    /// every such square of the board. The piece (3), whether (2).
    Steps,
    /// A pawn on the file of an own dragon, rook or lance: the piece (3), own or enemy (2), before or
    /// behind (2), the distance less 1 (8).
    FilePawns,
    /// Attacks on a square around the own king: the square (5 files times 5 ranks), attacks by own
    /// pieces (0 to 3, more count as 3) and by enemy pieces (the same). Attacks of kings do not count.
    KingZone,
}

impl HokiGroup {
    /// Number of groups.
    pub const COUNT: usize = 11;

    /// All groups, in order.
    pub const ALL: [HokiGroup; HokiGroup::COUNT] = [
        HokiGroup::Material,
        HokiGroup::Kpp,
        HokiGroup::Guards,
        HokiGroup::Neighbours,
        HokiGroup::Attacked,
        HokiGroup::Mobility,
        HokiGroup::Pins,
        HokiGroup::BishopPawns,
        HokiGroup::Steps,
        HokiGroup::FilePawns,
        HokiGroup::KingZone,
    ];

    /// As files and users name it.
    pub const fn name(self) -> &'static str {
        match self {
            HokiGroup::Material => "material",
            HokiGroup::Kpp => "kpp",
            HokiGroup::Guards => "guards",
            HokiGroup::Neighbours => "neighbours",
            HokiGroup::Attacked => "attacked",
            HokiGroup::Mobility => "mobility",
            HokiGroup::Pins => "pins",
            HokiGroup::BishopPawns => "bishop-pawns",
            HokiGroup::Steps => "steps",
            HokiGroup::FilePawns => "file-pawns",
            HokiGroup::KingZone => "king-zone",
        }
    }

    /// The group with this name.
    pub fn from_name(name: &str) -> Option<HokiGroup> {
        HokiGroup::ALL.into_iter().find(|group| group.name() == name)
    }

    /// The line of the paper's list that it is.
    pub const fn japanese(self) -> &'static str {
        match self {
            HokiGroup::Material => "駒割",
            HokiGroup::Kpp => "玉と他の駒2つの位置",
            HokiGroup::Guards => "玉と, 玉に隣接した味方の駒と, 他の味方の駒3つの位置",
            HokiGroup::Neighbours => "隣接しあった駒2つの位置関係",
            HokiGroup::Attacked => "竜馬飛角桂香の利き上にいる駒の種類",
            HokiGroup::Mobility => "竜馬飛角香が動ける枡の数",
            HokiGroup::Pins => "pin analysis",
            HokiGroup::BishopPawns => "角と同じ色の枡にいる味方の歩の数",
            HokiGroup::Steps => "歩, 桂が前進, 銀が後退できるか",
            HokiGroup::FilePawns => "竜飛香の前・後の歩",
            HokiGroup::KingZone => "王の周囲25枡の利きの配置",
        }
    }

    /// 0..[`COUNT`](HokiGroup::COUNT).
    #[inline]
    pub const fn number(self) -> usize {
        self as usize
    }

    /// Number of its weights.
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            HokiGroup::Material => KINDS + HandPiece::COUNT,
            HokiGroup::Kpp => KingView::KINGS * TRIANGLE,
            HokiGroup::Guards => 9 * KINDS * OFFSETS * KINDS,
            HokiGroup::Neighbours => 6 * KINDS * 2 * KINDS,
            HokiGroup::Attacked => ATTACKERS.len() * 2 * KINDS,
            HokiGroup::Mobility => SLIDERS.len() * (MOST_SQUARES + 1),
            HokiGroup::Pins => SLIDERS.len() * KINDS,
            HokiGroup::BishopPawns => MOST_PAWNS + 1,
            HokiGroup::Steps => 3 * 2,
            HokiGroup::FilePawns => FILE_PIECES.len() * 2 * 2 * 8,
            HokiGroup::KingZone => ZONE * ZONE * 4 * 4,
        }
    }
}

/// The place of a piece in hand in [`HokiGroup::Material`].
pub(super) const fn hand_place(held: HandPiece) -> usize {
    KINDS + held.index()
}

pub(super) const KINDS: usize = PieceKind::COUNT;
/// Files and ranks from a piece to another, 17 of each.
pub(super) const OFFSETS: usize = 17 * 17;
/// Most squares to which a piece can go: a dragon's or horse's.
pub(super) const MOST_SQUARES: usize = 20;
/// Most pawns of one side on the board.
pub(super) const MOST_PAWNS: usize = 9;
/// Files and ranks of the squares around a king.
pub(super) const ZONE: usize = 5;
/// The attackers of [`HokiGroup::Attacked`].
pub(super) const ATTACKERS: [PieceKind; 6] = [
    PieceKind::Dragon,
    PieceKind::Horse,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Lance,
];
/// The pieces of [`HokiGroup::Mobility`] and [`HokiGroup::Pins`].
pub(super) const SLIDERS: [PieceKind; 5] =
    [PieceKind::Dragon, PieceKind::Horse, PieceKind::Rook, PieceKind::Bishop, PieceKind::Lance];
/// The pieces of [`HokiGroup::FilePawns`].
pub(super) const FILE_PIECES: [PieceKind; 3] =
    [PieceKind::Dragon, PieceKind::Rook, PieceKind::Lance];

/// Some of the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HokiGroups(u16);

impl HokiGroups {
    /// None of them.
    pub const NONE: HokiGroups = HokiGroups(0);
    /// All of them.
    pub const ALL: HokiGroups = HokiGroups((1 << HokiGroup::COUNT) - 1);

    /// These and one more.
    #[must_use]
    pub const fn with(self, group: HokiGroup) -> HokiGroups {
        HokiGroups(self.0 | 1 << group.number())
    }

    /// These but one.
    #[must_use]
    pub const fn without(self, group: HokiGroup) -> HokiGroups {
        HokiGroups(self.0 & !(1 << group.number()))
    }

    /// Whether the group is one of them.
    #[inline]
    pub const fn contains(self, group: HokiGroup) -> bool {
        self.0 >> group.number() & 1 != 0
    }

    /// The groups, in order.
    pub fn iter(self) -> impl Iterator<Item = HokiGroup> {
        HokiGroup::ALL.into_iter().filter(move |&group| self.contains(group))
    }
}
