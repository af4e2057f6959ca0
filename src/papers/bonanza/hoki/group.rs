//! The groups of weights. Each group is one line of the paper's list.

use crate::eval::learned::{KingView, TRIANGLE};
use crate::shogi::{HandPiece, PieceKind};

/// A group of weights: one line of the paper's list. An index in a group combines the listed
/// numbers, the outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum HokiGroup {
    /// A piece. Index: its kind on the board (14; the king has the weight 0) or in hand (7).
    Material,
    /// King and two pieces of either side, on the board or in hand: KPP. Index: the king's square
    /// in the normalized view (45), then the pair in a
    /// [triangle](crate::eval::learned::triangle_index).
    Kpp,
    /// The king, an own piece next to it (the neighbour), and another own piece on the board.
    /// Index: offset of the neighbour from the king (9, the middle unused) and its kind (14), then
    /// offset of the other piece from the king (17 files times 17 ranks) and its kind (14). Unlike
    /// in KPP, all squares of the king share the weights, so that a castle has the same value on
    /// other squares.
    Guards,
    /// An own piece and an adjacent piece of either side. Index: rank offset to the neighbour (3),
    /// absolute file offset (2; one combination unused), kind of the piece (14), own or enemy
    /// neighbour (2), kind of the neighbour (14). Kings are included. A pair of own pieces counts
    /// from both ends.
    Neighbours,
    /// The first piece that an own dragon, horse, rook, bishop, knight or lance attacks in a
    /// direction. Index: the attacker (6), own or enemy piece (2), kind (14).
    Attacked,
    /// Number of squares that an own dragon, horse, rook, bishop or lance can move to, ignoring
    /// pins. Index: the piece (5), the number (21).
    Mobility,
    /// An own piece that is the only piece between the own king and an enemy slider. Index: the
    /// slider (5), the kind (14).
    Pins,
    /// Number of own pawns on squares of the same colour as an own bishop's square (10).
    BishopPawns,
    /// Whether an own pawn or knight can move forward, or an own silver backward. It can if at
    /// least one such square on the board has no own piece. Index: the piece (3), whether it can
    /// move (2).
    Steps,
    /// A pawn on the file of an own dragon, rook or lance. Index: the piece (3), own or enemy pawn
    /// (2), in front or behind (2), the distance minus 1 (8).
    FilePawns,
    /// Attacks on a square near the own king. Index: the square (5 files times 5 ranks), number of
    /// attacks by own pieces, number of attacks by enemy pieces. Both numbers are 0 to 3; more
    /// attacks count as 3. Attacks of kings do not count.
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

    /// The name in files and on the command line.
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

    /// Returns the group with this name.
    pub fn from_name(name: &str) -> Option<HokiGroup> {
        HokiGroup::ALL.into_iter().find(|group| group.name() == name)
    }

    /// The line of the paper's list that defines the group.
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

    /// The number of the group, 0..[`COUNT`](HokiGroup::COUNT).
    #[inline]
    pub const fn number(self) -> usize {
        self as usize
    }

    /// Number of weights of the group.
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

/// Index of a piece in hand in [`HokiGroup::Material`].
pub(super) const fn hand_place(held: HandPiece) -> usize {
    KINDS + held.index()
}

pub(super) const KINDS: usize = PieceKind::COUNT;
/// Number of offsets between two pieces: 17 file offsets times 17 rank offsets.
pub(super) const OFFSETS: usize = 17 * 17;
/// Largest number of squares that a piece can move to: that of a dragon or horse.
pub(super) const MOST_SQUARES: usize = 20;
/// Largest number of pawns of one side on the board.
pub(super) const MOST_PAWNS: usize = 9;
/// Number of files and of ranks of the zone around a king.
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

/// A set of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HokiGroups(u16);

impl HokiGroups {
    /// The empty set.
    pub const NONE: HokiGroups = HokiGroups(0);
    /// The set of all groups.
    pub const ALL: HokiGroups = HokiGroups((1 << HokiGroup::COUNT) - 1);

    /// This set with another group added.
    #[must_use]
    pub const fn with(self, group: HokiGroup) -> HokiGroups {
        HokiGroups(self.0 | 1 << group.number())
    }

    /// This set without a group.
    #[must_use]
    pub const fn without(self, group: HokiGroup) -> HokiGroups {
        HokiGroups(self.0 & !(1 << group.number()))
    }

    /// Whether the set contains the group.
    #[inline]
    pub const fn contains(self, group: HokiGroup) -> bool {
        self.0 >> group.number() & 1 != 0
    }

    /// The groups, in order.
    pub fn iter(self) -> impl Iterator<Item = HokiGroup> {
        HokiGroup::ALL.into_iter().filter(move |&group| self.contains(group))
    }
}
