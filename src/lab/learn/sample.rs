//! One position to learn from.

use arrayvec::ArrayVec;

use super::logistic::sigmoid;
use crate::eval::learned::threats::each_threat;
use crate::eval::material::PieceValues;
use crate::eval::{PieceIndex, PieceList, places};
use crate::record::{Bound, PackedPosition};
use crate::shogi::{Color, HandPiece, Piece, PieceKind, Square};

/// A quiet position with the labels of the position it was reached from, which may be itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position. It has both kings.
    pub position: PackedPosition,
    /// Search score of the labelled position from the view of this position's side to move,
    /// centipawns of the engine that labelled it.
    pub score: i16,
    /// Whether the score is exact, in the same view.
    pub bound: Bound,
    /// Depth in plies of the search that gave the score, 0 = unknown.
    pub depth: u8,
    /// Points of the side to move at the end of the game, in halves: 0 lost, 1 drawn, 2 won.
    pub half_points: u8,
    /// Whether the side to move is also that of the labelled position.
    pub same_side: bool,
    /// Moves played in the game before the labelled position.
    pub ply: u16,
}

/// The pieces of a sample as its side to move sees them (White's squares turned by 180 degrees).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleView {
    /// Own pieces are those of the side to move.
    pub pieces: ArrayVec<PieceIndex, { PieceList::SLOTS }>,
    /// King of the side to move.
    pub own_king: Square,
    /// The other king, in the same view.
    pub enemy_king: Square,
    /// For each piece value, in the order of [`PieceValues::to_array`], the number of own pieces
    /// that have it minus that of the enemy's.
    pub counts: [i8; PieceValues::COUNT],
}

impl SampleView {
    /// Material balance, side to move's view, centipawns of the engine's piece values.
    pub fn material(&self) -> i32 {
        let values = PieceValues::ENGINE.to_array();
        values.iter().zip(self.counts).map(|(value, count)| value * i32::from(count)).sum()
    }

    /// The mirror image, which has the same value.
    pub fn mirrored(self) -> SampleView {
        let SampleView { pieces, own_king, enemy_king, counts } = self;
        SampleView {
            pieces: pieces.into_iter().map(PieceIndex::mirrored).collect(),
            own_king: own_king.mirror(),
            enemy_king: enemy_king.mirror(),
            counts,
        }
    }
}

impl Sample {
    /// Bytes of a sample in a file.
    pub const BYTES: usize = 40;
    /// Scores of samples, including mates, are clamped to this magnitude, centipawns.
    pub const LARGEST_SCORE: i32 = 10_000;
    const LABEL: usize = PackedPosition::BYTES;

    /// Clamps a score to [`LARGEST_SCORE`](Sample::LARGEST_SCORE).
    pub fn clamp_score(score: i32) -> i16 {
        score.clamp(-Sample::LARGEST_SCORE, Sample::LARGEST_SCORE) as i16
    }

    /// The pieces; `None` if a king is missing or the position has more than 38 other pieces.
    pub fn view(&self) -> Option<SampleView> {
        let content = self.position.content().ok()?;
        let (us, board) = (content.side, content.board);
        let count = |color: Color, held: HandPiece| content.hands[color.index()][held.index()];
        let fits = |color| HandPiece::ALL.iter().all(|&held| count(color, held) <= held.set_size());
        let king = |color| {
            let king = Some(Piece::new(color, PieceKind::King));
            Square::all().find(|sq| board[sq.index()] == king).map(|sq| sq.relative(us))
        };
        let mut view = SampleView {
            pieces: ArrayVec::new(),
            own_king: king(us)?,
            enemy_king: king(!us)?,
            counts: [0; PieceValues::COUNT],
        };
        if !Color::ALL.into_iter().all(fits) {
            return None;
        }
        let on_board = Square::all().zip(board).filter_map(|(sq, piece)| Some((sq, piece?)));
        for place in places(on_board, count) {
            view.pieces.try_push(PieceIndex::new(place, us)?).ok()?;
            if let Some(number) = PieceValues::number(place) {
                view.counts[number] += if place.color() == us { 1 } else { -1 };
            }
        }
        Some(view)
    }

    /// The numbers of the position's threats, in the order of [`each_threat`]. The mirror image has
    /// the same. Empty if the position breaks the rules.
    pub fn threats(&self) -> ArrayVec<u16, { PieceList::SLOTS }> {
        let mut threats = ArrayVec::new();
        if let Ok(pos) = self.position.unpack() {
            each_threat(&pos, |_, number| threats.push(number as u16));
        }
        threats
    }

    /// Points of the side to move: 0, 1/2 or 1.
    pub fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// Expected points of the side to move according to the search score. `scale`: centipawns that
    /// multiply the odds of winning by e.
    #[inline]
    pub fn expected(&self, scale: f32) -> f32 {
        sigmoid(f32::from(self.score) / scale)
    }

    /// The bytes of the sample in a file: the position, score, ply (little-endian), flags, and
    /// depth. The flags are half points + 4 if it is the same side + 32 times the bound. Older files
    /// have exact scores of unknown depth.
    pub fn to_bytes(&self) -> [u8; Sample::BYTES] {
        let mut bytes = [0; Sample::BYTES];
        let (position, label) = bytes.split_at_mut(Sample::LABEL);
        position.copy_from_slice(self.position.as_bytes());
        label[0..2].copy_from_slice(&self.score.to_le_bytes());
        label[2..4].copy_from_slice(&self.ply.to_le_bytes());
        let bound = self.bound as u8;
        label[4] = self.half_points | u8::from(self.same_side) << 2 | bound << 5;
        label[5] = self.depth;
        bytes
    }

    /// Reverses [`to_bytes`](Sample::to_bytes); `None` if a value is out of its range.
    pub fn from_bytes(bytes: &[u8; Sample::BYTES]) -> Option<Sample> {
        let (position, label) = bytes.split_first_chunk()?;
        let half_points = label[4] & 3;
        let sample = Sample {
            position: PackedPosition::from_bytes(*position),
            score: i16::from_le_bytes([label[0], label[1]]),
            ply: u16::from_le_bytes([label[2], label[3]]),
            half_points,
            same_side: label[4] & 4 != 0,
            bound: *Bound::ALL.get(usize::from(label[4] >> 5))?,
            depth: label[5],
        };
        // Files with moves that were only ranked are no longer read: they set these bits.
        let is_labelled = label[4] & (3 << 3) == 0;
        (half_points < 3 && is_labelled && sample.view().is_some()).then_some(sample)
    }
}

#[cfg(test)]
impl Sample {
    /// A drawn position with an even score, at the start of its game.
    pub fn even(pos: &crate::shogi::Position) -> Sample {
        Sample {
            position: PackedPosition::of(pos),
            score: 0,
            bound: Bound::Exact,
            depth: 0,
            half_points: 1,
            same_side: true,
            ply: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Position;

    #[test]
    fn bytes_round_trip() {
        let sfen = "1GK3+r2/1S2G4/PPPP+p+p3/9/4b4/4B4/3+P+P4/1+R2g2s1/4k2g1 b SNLPsnl9p 1";
        let pos = Position::from_sfen(sfen).expect(sfen);
        let sample = Sample {
            score: -120,
            half_points: 2,
            same_side: false,
            ply: 77,
            bound: Bound::Upper,
            depth: 255,
            ..Sample::even(&pos)
        };
        assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
        assert_eq!(Sample::even(&pos).to_bytes()[Sample::LABEL..], [0, 0, 0, 0, 5, 0]);
        // A board, half points, flags and bounds that do not exist.
        for (at, bad) in [(0, 0xff), (38, 3), (38, 3 << 3), (38, 3 << 5), (38, 1 << 7)] {
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
            let mut view = Sample::even(pos).view().expect("two kings");
            view.pieces.sort();
            view
        };
        assert_eq!(sorted(&pos), sorted(&pos.turned()));
    }

    #[test]
    fn a_view_is_what_the_evaluation_sees() {
        let sfen = "ln1g3nl/1r1sk1g2/p1ppp1pp1/1p3p2p/9/2P1P3P/PP1P1PPP1/2GSS2R1/LN2KG1NL w Bb 1";
        let pos = Position::from_sfen(sfen).expect(sfen);
        let view = Sample::even(&pos).view().expect("two kings");
        let us = pos.side_to_move();
        let mut list = PieceList::new(&pos).list(us).to_vec();
        list.retain(|&index| index != PieceIndex::NONE);
        assert_eq!(view.pieces.to_vec(), list);
        assert_eq!(view.material(), us.sign() * PieceValues::ENGINE.balance(&pos));
        assert_eq!(Some(view.own_king), pos.king(us).map(|sq| sq.relative(us)));
        assert_eq!(Some(view.enemy_king), pos.king(!us).map(|sq| sq.relative(us)));
    }
}
