//! The squares that a side attacks.

use crate::shogi::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// The attackers of a square in classes, the cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attacker {
    /// Pawns.
    Pawn,
    /// Lances and knights.
    Minor,
    /// Silvers, golds, and the pieces that move like a gold.
    General,
    /// Bishops and rooks, also promoted.
    Major,
    /// The king.
    King,
}

impl Attacker {
    /// Number of classes.
    pub const COUNT: usize = Attacker::ALL.len();

    /// All classes, the cheapest first.
    pub const ALL: [Attacker; 5] =
        [Attacker::Pawn, Attacker::Minor, Attacker::General, Attacker::Major, Attacker::King];
}

/// The squares that the pieces of one side attack, with those of its own pieces that they defend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackSets {
    by_class: [Bitboard; Attacker::COUNT],
}

impl AttackSets {
    /// The squares that pieces of a class attack.
    #[inline]
    pub fn by(&self, class: Attacker) -> Bitboard {
        self.by_class[class as usize]
    }

    /// The squares that any piece attacks.
    #[inline]
    pub fn all(&self) -> Bitboard {
        self.by_class.into_iter().fold(Bitboard::EMPTY, |all, set| all | set)
    }
}

impl Position {
    /// The squares that the pieces of `color` attack. Pins are ignored.
    #[inline]
    pub fn attack_sets(&self, color: Color) -> AttackSets {
        self.attack_sets_of(self.color(color), color, self.occupied())
    }

    /// The squares that some `pieces` of `color` attack, given the `occupied` squares.
    #[inline]
    pub fn attack_sets_of(&self, pieces: Bitboard, color: Color, occupied: Bitboard) -> AttackSets {
        let of = |kinds: Bitboard| kinds & pieces;
        // A position to evaluate may have a pawn on the last rank.
        let pawns = of(self.kind(PieceKind::Pawn)) & !Bitboard::far_ranks(color, 1);
        let pawns = pawns.forward(color);
        let knights = of(self.kind(PieceKind::Knight)).union_of(|sq| attacks::knight(color, sq));
        let lances =
            of(self.kind(PieceKind::Lance)).union_of(|sq| attacks::lance(color, sq, occupied));
        let silvers = of(self.kind(PieceKind::Silver)).union_of(|sq| attacks::silver(color, sq));
        let golds = of(self.gold_movers()).union_of(|sq| attacks::gold(color, sq));
        let bishops = of(self.bishops()).union_of(|sq| attacks::bishop(sq, occupied));
        let rooks = of(self.rooks()).union_of(|sq| attacks::rook(sq, occupied));
        let kings = self.kind(PieceKind::King);
        let promoted = of(self.king_movers() & !kings).union_of(attacks::king);
        let king = of(kings).union_of(attacks::king);
        AttackSets {
            by_class: [pawns, lances | knights, silvers | golds, bishops | rooks | promoted, king],
        }
    }

    /// The pieces of `color` that can attack a square next to `sq`, unless others block their lines.
    #[inline]
    pub fn pieces_near(&self, color: Color, sq: Square) -> Bitboard {
        let straight = self.rooks() | self.kind(PieceKind::Lance);
        self.color(color)
            & (attacks::near(sq)
                | straight & attacks::rook_near(sq)
                | self.bishops() & attacks::bishop_near(sq))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Piece;

    fn class(kind: PieceKind) -> Attacker {
        use PieceKind::*;
        match kind {
            Pawn => Attacker::Pawn,
            Lance | Knight => Attacker::Minor,
            Silver | Gold | ProPawn | ProLance | ProKnight | ProSilver => Attacker::General,
            Bishop | Rook | Horse | Dragon => Attacker::Major,
            King => Attacker::King,
        }
    }

    #[test]
    fn a_square_is_attacked_by_the_classes_of_its_attackers() {
        for sfen in [
            "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1",
            "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1R2/1+r3sSKL w 2n2l6p 94",
            "8k/+L+N+S+P+R4/9/9/4+b4/9/1l2n1s2/9/4K4 b RB4G2S2N2L17P 1",
            // Pawns on the last rank.
            "4k2P1/9/9/9/9/9/9/9/p3K3S b - 1",
        ] {
            let pos = Position::from_sfen_to_evaluate(sfen).expect(sfen);
            for color in Color::ALL {
                let sets = pos.attack_sets(color);
                for sq in Square::all() {
                    let attackers = pos.attackers(sq, color, pos.occupied());
                    let kind = |sq| pos.piece_on(sq).map(|Piece { kind, .. }| class(kind));
                    for wanted in Attacker::ALL {
                        let attacks = attackers.iter().any(|from| kind(from) == Some(wanted));
                        assert_eq!(sets.by(wanted).contains(sq), attacks, "{sfen} {sq} {wanted:?}");
                    }
                    assert_eq!(sets.all().contains(sq), !attackers.is_empty());
                }
            }
        }
    }
}
