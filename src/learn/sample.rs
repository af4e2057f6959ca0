//! One quiet position to learn from.

use crate::eval::{PieceIndex, PieceList, material};
use crate::shogi::{Position, Square};

/// A quiet position as its side to move sees it (White's squares turned by 180 degrees), with what
/// is known of the position it was reached from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Shape \[38\]: own pieces are those of the side to move; empty slots hold
    /// [`PieceIndex::NONE`].
    pub pieces: [PieceIndex; PieceList::SLOTS],
    /// King of the side to move.
    pub own_king: Square,
    /// The other king, in the same view.
    pub enemy_king: Square,
    /// Material balance, side to move's view, centipawns, without the turn.
    pub material: i16,
    /// Search score of the labelled position from the view of this position's side to move,
    /// centipawns of the engine that labelled it.
    pub score: i16,
    /// Points of the side to move at the end of the game, in halves: 0 lost, 1 drawn, 2 won.
    pub half_points: u8,
    /// Whether the side to move is that of the labelled position too.
    pub same_side: bool,
    /// Moves played in the game before the labelled position.
    pub ply: u16,
    /// Which move of the labelled position led here.
    pub role: Role,
}

/// How a sample was reached from the labelled position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// By quiescence from the position itself.
    #[default]
    Position,
    /// By the move that was played there, and quiescence.
    Played,
    /// By another legal move, and quiescence. Such samples follow the one of the move played, which
    /// they are to be worth less than; they are not labelled themselves.
    Other,
}

impl Role {
    const ALL: [Role; 3] = [Role::Position, Role::Played, Role::Other];
}

/// What the record says of a position, seen by the side to move of the position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Search score, centipawns.
    pub score: i16,
    /// As [`Sample::half_points`].
    pub half_points: u8,
    /// Whether the labelled position has the same side to move.
    pub same_side: bool,
    /// As [`Sample::ply`].
    pub ply: u16,
    /// As [`Sample::role`].
    pub role: Role,
}

impl Sample {
    /// Bytes of a sample in a file.
    pub const BYTES: usize = 88;
    const KINGS: usize = 2 * PieceList::SLOTS;

    /// The sample of a position; `None` if a king is missing.
    pub fn new(pos: &Position, label: Label) -> Option<Sample> {
        let us = pos.side_to_move();
        let balance = material::side_total(pos, us) - material::side_total(pos, !us);
        Some(Sample {
            pieces: *PieceList::new(pos).list(us),
            own_king: pos.king(us)?.relative(us),
            enemy_king: pos.king(!us)?.relative(us),
            material: balance as i16,
            score: label.score,
            half_points: label.half_points,
            same_side: label.same_side,
            ply: label.ply,
            role: label.role,
        })
    }

    /// Points of the side to move: 0, 1/2 or 1.
    pub fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// The sample as a file keeps it, little-endian, in the order of the fields.
    pub fn to_bytes(&self) -> [u8; Sample::BYTES] {
        let mut bytes = [0; Sample::BYTES];
        for (slot, piece) in bytes.chunks_exact_mut(2).zip(self.pieces) {
            slot.copy_from_slice(&(piece.index() as u16).to_le_bytes());
        }
        let rest = &mut bytes[Sample::KINGS..];
        rest[0] = self.own_king.index() as u8;
        rest[1] = self.enemy_king.index() as u8;
        rest[2..4].copy_from_slice(&self.material.to_le_bytes());
        rest[4..6].copy_from_slice(&self.score.to_le_bytes());
        rest[6] = self.half_points;
        rest[7] = u8::from(self.same_side);
        rest[8..10].copy_from_slice(&self.ply.to_le_bytes());
        rest[10] = self.role as u8;
        bytes
    }

    /// Reverses [`to_bytes`](Sample::to_bytes); `None` if a value is out of its range.
    pub fn from_bytes(bytes: &[u8; Sample::BYTES]) -> Option<Sample> {
        let mut pieces = [PieceIndex::NONE; PieceList::SLOTS];
        for (piece, slot) in pieces.iter_mut().zip(bytes.chunks_exact(2)) {
            *piece = PieceIndex::from_index(usize::from(u16::from_le_bytes([slot[0], slot[1]])))?;
        }
        let rest = &bytes[Sample::KINGS..];
        if rest[6] > 2 || rest[7] > 1 {
            return None;
        }
        Some(Sample {
            pieces,
            own_king: Square::from_index(usize::from(rest[0]))?,
            enemy_king: Square::from_index(usize::from(rest[1]))?,
            material: i16::from_le_bytes([rest[2], rest[3]]),
            score: i16::from_le_bytes([rest[4], rest[5]]),
            half_points: rest[6],
            same_side: rest[7] == 1,
            ply: u16::from_le_bytes([rest[8], rest[9]]),
            role: *Role::ALL.get(usize::from(rest[10]))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: Label =
        Label { score: -120, half_points: 2, same_side: false, ply: 77, role: Role::Other };

    #[test]
    fn bytes_round_trip() {
        let sfen = "1GK3+r2/1S2G4/PPPP+p+p3/9/4b4/4B4/3+P+P4/1+R2g2s1/4k2g1 b SNLPsnl9p 1";
        let pos = Position::from_sfen(sfen).expect(sfen);
        let sample = Sample::new(&pos, LABEL).expect("two kings");
        assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
        for (at, bad) in
            [(0, 0xff), (Sample::KINGS, 81), (Sample::KINGS + 6, 3), (Sample::KINGS + 10, 3)]
        {
            let mut bytes = sample.to_bytes();
            bytes[at] = bad;
            bytes[1] = if at == 0 { 0xff } else { bytes[1] };
            assert_eq!(Sample::from_bytes(&bytes), None, "byte {at}");
        }
    }

    #[test]
    fn both_sides_see_the_same() {
        let sfen = "ln1g3nl/1r1sk1g2/p1ppp1pp1/1p3p2p/9/2P1P3P/PP1P1PPP1/2GSS2R1/LN2KG1NL w Bb 1";
        let pos = Position::from_sfen(sfen).expect(sfen);
        let sorted = |pos: &Position| {
            let mut sample = Sample::new(pos, LABEL).expect("two kings");
            sample.pieces.sort();
            sample
        };
        assert_eq!(sorted(&pos), sorted(&pos.turned()));
    }
}
