//! The evaluation by pairs of pieces: material of Table 2 plus a weight for every relation of two
//! pieces.
//!
//! A relation is a pair of pieces, each with its square or hand, kind and owner. A piece also has a
//! relation to itself, and kings are pieces like the others. A full set of 40 pieces has 820
//! relations ([`full`]). A move changes 80 of them, and a capture 160 ([`incremental`]). The value
//! is from Black's view. Neither colours nor wings share weights.
//!
//! Input: a [`Position`](crate::shogi::Position), the deltas of its moves, and weights from a
//! [file](mod@file). Output: scores.
//!
//! Source: Kaneko, Tanaka, Yamaguchi, Kawai, "Learning of evaluation functions based on pairs of
//! pieces" (2007), section 3.

pub mod file;
pub mod full;
mod incremental;
mod piece;
mod weights;

pub use file::READER;
pub use piece::{PairList, PairPiece};
pub use weights::{PairWeights, RELATIONS, relation_index, relations};

use crate::eval::material::PieceValues;

/// Piece values in centipawns, equal on the board and in hand: Table 2.
pub const TABLE_2: PieceValues = PieceValues {
    board: [
        100,  // pawn
        400,  // lance
        400,  // knight
        550,  // silver
        600,  // gold
        800,  // bishop
        950,  // rook
        0,    // king
        600,  // tokin
        600,  // promoted lance
        600,  // promoted knight
        600,  // promoted silver
        1150, // horse
        1300, // dragon
    ],
    hand: [100, 400, 400, 550, 600, 800, 950],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{PieceKind, Place, Position};

    #[test]
    fn a_full_set_has_820_relations() {
        let ones = PairWeights::new(&vec![1; RELATIONS]).expect("one weight per relation");
        assert_eq!(full::relations(&ones, &Position::startpos()), 820);
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 1");
        assert_eq!(full::relations(&ones, &pos.expect("valid")), 820);
        let lone = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").expect("valid");
        assert_eq!(full::relations(&ones, &lone), 6);
    }

    #[test]
    fn relations_have_the_counts_of_the_paper() {
        assert_eq!(relations().count(), RELATIONS);
        for (at, (a, b)) in relations().enumerate().step_by(997) {
            assert_eq!((relation_index(a, b), relation_index(b, a)), (at, at));
        }
        // The paper counts 2,578,852 possible relations: two pieces on different squares or in
        // hand. It also counts kings in hand.
        let is_piece = |piece: PairPiece| {
            let kind = piece.piece().map(|piece| piece.kind);
            let held = kind.is_some_and(|kind| {
                kind == PieceKind::King || (kind.hand_piece().is_some() && !kind.is_promoted())
            });
            piece.square().is_some() || held
        };
        let possible = relations().filter(|&(a, b)| {
            let apart = a == b || a.square().is_none() || a.square() != b.square();
            apart && is_piece(a) && is_piece(b)
        });
        assert_eq!(possible.count(), 2_578_852);
    }

    #[test]
    fn pieces_return_their_kind_owner_and_place() {
        for piece in PairPiece::all() {
            let Some(of) = piece.piece() else { panic!("{piece}") };
            let place = match piece.square() {
                Some(square) => Place::Board(square, of),
                None => match of.kind.droppable() {
                    Some(held) => Place::Hand(of.color, held, 1),
                    None => continue,
                },
            };
            assert_eq!(PairPiece::new(place), piece);
        }
        assert_eq!(PairPiece::NONE.piece(), None);
        let names = PairList::new(&Position::startpos()).pieces().map(|piece| piece.to_string());
        assert!(names.contains(&"K5i".to_owned()) && names.contains(&"r8b".to_owned()));
    }

    #[test]
    fn weights_are_read_as_written() {
        let bytes: Vec<i8> = (0..RELATIONS).map(|at| (at * at % 251) as u8 as i8).collect();
        let weights = PairWeights::new(&bytes).expect("one weight per relation");
        assert_eq!(weights.triangle(), bytes);
        let mut file = Vec::new();
        file::write(&weights, &mut file, 1).expect("writing to a Vec cannot fail");
        let rest = file.strip_prefix(file::MAGIC).expect("the file starts with the magic");
        assert!(file::read(rest).is_ok_and(|read| read == weights));
        let mut broken = rest.to_vec();
        broken[rest.len() / 2] ^= 1;
        assert!(file::read(&broken[..]).is_err());
        assert!(file::read(&rest[..rest.len() - 9]).is_err());
    }
}
