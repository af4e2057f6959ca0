//! Threats: the attacked pieces of both sides, as the side to move sees them.
//!
//! Such a piece is worth less: the next move takes it, or has to save it. A network whose inputs are
//! pieces on squares hardly learns this, because it depends on pairs of squares and on open lines
//! (`eval/reports/network/threats.md`).

use crate::eval::material::PieceValues;
use crate::shogi::{Attacker, Color, Position, Square};

/// Number of non-king kinds.
const KINDS: usize = 13;

/// Number of threats: an own or enemy piece, its kind in the order of
/// [`PieceValues::board_number`], its cheapest [`Attacker`], and whether it is defended. Shape
/// `[2][13][5][2]`.
pub const THREATS: usize = 2 * KINDS * Attacker::COUNT * 2;

/// Calls a function for each attacked non-king piece with its square and the number of its threat,
/// which is below [`THREATS`]. Pins are ignored.
#[inline]
pub fn each_threat(pos: &Position, mut threat: impl FnMut(Square, usize)) {
    let sets = Color::ALL.map(|color| pos.attack_sets(color));
    let all = sets.map(|sets| sets.all());
    for owner in Color::ALL {
        let (us, them) = (owner.index(), (!owner).index());
        let whose = usize::from(owner != pos.side_to_move());
        let mut pieces = pos.color(owner) & all[them];
        for attacker in Attacker::ALL {
            let attacked = pieces & sets[them].by(attacker);
            pieces &= !attacked;
            for sq in attacked {
                let kind = pos.piece_on(sq).and_then(|piece| PieceValues::board_number(piece.kind));
                let Some(kind) = kind else { continue };
                let row = (whose * KINDS + kind) * Attacker::COUNT + attacker as usize;
                threat(sq, row * 2 + usize::from(all[us].contains(sq)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::PieceKind;

    /// The threats of a position: whose piece, kind, attacker, defended.
    fn threats(sfen: &str) -> Vec<(usize, usize, usize, usize)> {
        let pos = Position::from_sfen(sfen).expect(sfen);
        let mut found = Vec::new();
        each_threat(&pos, |_, number| {
            assert!(number < THREATS);
            let (row, defended) = (number / 2, number % 2);
            let (row, attacker) = (row / Attacker::COUNT, row % Attacker::COUNT);
            found.push((row / KINDS, row % KINDS, attacker, defended));
        });
        found.sort();
        found
    }

    fn kind(kind: PieceKind) -> usize {
        PieceValues::board_number(kind).expect("not a king")
    }

    #[test]
    fn a_threat_has_the_cheapest_attacker_and_tells_whether_the_piece_is_defended() {
        // White's pawn attacks the rook on 5f, which the gold on 6g defends. The rook attacks the
        // pawn, which the silver on 4d defends.
        let sfen = "4k4/9/9/5s3/4p4/4R4/3G5/9/4K4 b - 1";
        let rook = kind(PieceKind::Rook);
        let pawn = kind(PieceKind::Pawn);
        let major = Attacker::Major as usize;
        assert_eq!(threats(sfen), [(0, rook, 0, 1), (1, pawn, major, 1)]);
        // With White to move, the same pieces are the other side's.
        assert_eq!(threats(&sfen.replace(" b ", " w ")), [(0, pawn, major, 1), (1, rook, 0, 1)]);
        // Without the gold and the silver, neither is defended.
        let sfen = "4k4/9/9/9/4p4/4R4/9/9/4K4 b - 1";
        assert_eq!(threats(sfen), [(0, rook, 0, 0), (1, pawn, major, 0)]);
    }

    #[test]
    fn kings_attack_and_defend_but_are_not_threatened() {
        let silver = kind(PieceKind::Silver);
        let king = Attacker::King as usize;
        let minor = Attacker::Minor as usize;
        // The lance checks the king on 5i; the king on 5a attacks the silver on 4a.
        assert_eq!(threats("4kS3/9/9/9/9/9/9/9/3K5 b - 1"), [(0, silver, king, 0)]);
        assert_eq!(threats("4k4/9/9/4l4/9/9/9/9/4K4 b - 1"), []);
        assert_eq!(threats("4k4/9/9/4l4/9/9/9/4S4/4K4 b - 1"), [(0, silver, minor, 1)]);
    }
}
