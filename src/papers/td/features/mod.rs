//! The linear evaluation with few features: piece values on the board and in hand, attacked squares
//! around the kings, and pieces near the kings.
//!
//! The value is the sum of [`FeatureWeights`] times features ([`of`]). A feature is own minus
//! enemy, where own means the side to move. This is the sign of section 2.2 of the paper; its
//! section 3.1 has the opposite sign. The weights form groups with names ([`FeatureGroup`]). A
//! [`mod@file`] without a group disables the group.
//!
//! - `board`: pieces of each of the 13 kinds on the board.
//! - `hand`: pieces of each of the 7 kinds in hand.
//! - `attacks`: squares next to a king that a piece other than a king attacks. The paper does not
//!   define whose piece. Here it is an own piece, because the paper's weights of both kinds are
//!   above 0: next to the own king (protected squares), or next to the enemy king (attacked
//!   squares).
//! - `distance`: pieces within three squares of a king. Each counts its value on the board times
//!   0.1 % times (4 - distance), where the distance is the larger of the file and rank distances.
//!   Again these are own pieces, near the own king or near the enemy king; kings do not count. This
//!   feature contains the weights of `board`, so it also contributes to their derivatives
//!   ([`FeatureWeights::gradient`]).
//!
//! Input: a [`Position`](crate::shogi::Position), and weights. Output: scores, features and
//! derivatives.
//!
//! Source: Usui, Suzuki, Kotani, "Parameter learning using temporal differences in shogi", Table 1.

mod counts;
pub mod file;
mod form;
mod group;
mod text;
mod weights;

pub use counts::{FeatureCounts, TERMS, of};
pub use file::READER;
pub use group::{FeatureGroup, WEIGHTS, weight_name};
pub(crate) use text::table;
pub use weights::{FeatureWeights, UNIT};

/// The weights of the paper's Table 2, in the order of [`FeatureGroup::ALL`].
pub const TABLE_2: [f64; WEIGHTS] = [
    100.0,  // pawn
    300.0,  // lance
    400.0,  // knight
    600.0,  // silver
    700.0,  // gold
    900.0,  // bishop
    1000.0, // rook
    700.0,  // tokin
    700.0,  // promoted lance
    700.0,  // promoted knight
    700.0,  // promoted silver
    1100.0, // horse
    1200.0, // dragon
    110.0,  // in hand: pawn
    330.0,  // lance
    440.0,  // knight
    660.0,  // silver
    770.0,  // gold
    990.0,  // bishop
    1100.0, // rook
    25.0,   // attacked squares around the own king
    50.0,   // around the enemy king
    100.0,  // pieces near the own king
    100.0,  // near the enemy king
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::RegisteredForm;
    use crate::eval::learned::file::WeightsError;
    use crate::rng::Rng;
    use crate::shogi::{
        Color, Move, Piece, PieceKind, Place, Position, STARTPOS, Scope, Square, attacks, movegen,
    };

    fn weights() -> FeatureWeights {
        FeatureWeights::new(TABLE_2)
    }

    #[test]
    fn features_match_a_count_by_hand() {
        // Black has a gold next to its king, a rook three squares from it, and a pawn in hand.
        let pos = Position::from_sfen("4k4/9/9/9/9/9/9/4G2R1/4K4 b P 1").expect("valid");
        let counts = of(&pos);
        let features = weights().features(&counts);
        let at = |name: &str| {
            let place = (0..WEIGHTS).find(|&place| weight_name(place) == name);
            features[place.expect("a name")]
        };
        assert_eq!((at("board.gold"), at("board.rook"), at("hand.pawn")), (1.0, 1.0, 1.0));
        // Both attack 6h and 4h, and the rook attacks 5h. The gold protects no other neighbour
        // square.
        assert_eq!(at("attacks.own"), 3.0);
        assert_eq!(at("attacks.enemy"), 0.0);
        assert!((at("distance.own") - (0.7 * 3.0 + 1.0)).abs() < 1e-9);
        assert_eq!(at("distance.enemy"), 0.0);
        let value = 700.0 + 1000.0 + 110.0 + 3.0 * 25.0 + 100.0 * 3.1;
        assert_eq!(weights().evaluate(&pos).to_cp(), value as i32);
    }

    #[test]
    fn places_and_names_agree() {
        assert_eq!(weight_name(0), "board.pawn");
        assert_eq!(weight_name(7), "board.tokin");
        assert_eq!(weight_name(12), "board.dragon");
        assert_eq!(weight_name(19), "hand.rook");
        assert_eq!(weight_name(WEIGHTS - 1), "distance.enemy");
        let end = FeatureGroup::ALL.iter().fold(0, |start, group| {
            assert_eq!(group.places().start, start);
            group.places().end
        });
        assert_eq!(end, WEIGHTS);
    }

    #[test]
    fn files_are_read_as_written() {
        let text = file::write(&weights());
        let rest =
            text.as_bytes().strip_prefix(file::MAGIC).expect("the file starts with the magic");
        assert_eq!(file::read(rest).expect("the file is valid").weights(), &TABLE_2);
        let odd = FeatureWeights::new(TABLE_2.map(|weight| weight / 7.0));
        let text = file::write(&odd);
        let rest =
            text.as_bytes().strip_prefix(file::MAGIC).expect("the file starts with the magic");
        assert_eq!(file::read(rest).expect("the file is valid").weights(), odd.weights());
    }

    #[test]
    fn groups_can_be_omitted() {
        let read = file::read(b"1\n# material of kings\nattacks.own 3\nattacks.enemy -2.5\n");
        let mut expected = [0.0; WEIGHTS];
        expected[FeatureGroup::Attacks.places()].copy_from_slice(&[3.0, -2.5]);
        assert_eq!(read.expect("the file is valid").weights(), &expected);
    }

    #[test]
    fn errors_of_broken_files_name_the_line_and_the_value() {
        for (text, named) in [
            ("2\n", "version 2"),
            ("x\n", "\"x\""),
            ("1\nboard.pwan 100\n", "line 2: \"board.pwan\""),
            ("1\n\nattacks.own 1\nattacks.own 2\n", "line 4: \"attacks.own\""),
            ("1\nattacks.own one\n", "line 2: \"one\""),
            ("1\nattacks.own NaN\n", "line 2: \"NaN\""),
            ("1\nattacks.own 1e9\n", "line 2: \"1e9\""),
            ("1\nattacks.own\n", "line 2: \"attacks.own\""),
            ("1\nattacks.own 1 2\n", "line 2: \"attacks.own 1 2\""),
            ("1\nattacks.own 1\n", "\"attacks.enemy\""),
        ] {
            let error: WeightsError = file::read(text.as_bytes()).expect_err(text);
            assert!(error.to_string().contains(named), "{text}: {error}");
        }
        assert!(file::read(b"1\n\xff 1\n").is_err());
    }

    #[test]
    fn piece_king_change_counts_the_distances_to_both_kings() {
        let pos = Position::from_sfen("4k4/9/9/4G4/9/9/4K4/9/9 b - 1").expect("valid");
        // The move goes from three squares from both kings to two squares from the enemy king.
        let mv = "5d5c".parse().expect("a move");
        let kings = pos.kings().expect("both kings exist");
        let moved = pos.delta_of(mv).moved;
        assert_eq!(weights().piece_king_change(&pos, kings, &moved), 70 - 70);
        let place = Place::Board(
            Square::new(4, 2).expect("a square"),
            Piece::new(Color::Black, PieceKind::Gold),
        );
        assert_eq!(
            weights().near_kings(place, Color::ALL.map(|color| pos.king(color))),
            140 * UNIT
        );
    }

    /// Section 3.1 implemented literally: every square next to every king, every piece on the
    /// board.
    fn slow_features(pos: &Position, values: &[f64; WEIGHTS]) -> [f64; WEIGHTS] {
        let mut features = [0.0; WEIGHTS];
        let us = pos.side_to_move();
        let distance = |a: Square, b: Square| {
            a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())) as i32
        };
        for side in Color::ALL {
            let sign = if side == us { 1.0 } else { -1.0 };
            let own: Vec<(Square, PieceKind)> = Square::all()
                .filter_map(|sq| pos.piece_on(sq).map(|piece| (sq, piece)))
                .filter(|(_, piece)| piece.color == side && piece.kind != PieceKind::King)
                .map(|(sq, piece)| (sq, piece.kind))
                .collect();
            let place = |kind: PieceKind| {
                let kinds = PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King);
                kinds.into_iter().position(|other| other == kind).expect("no king")
            };
            own.iter().for_each(|&(_, kind)| features[place(kind)] += sign);
            for (held, count) in pos.hand(side).iter() {
                features[13 + held.index()] += sign * f64::from(count);
            }
            for (n, color) in [side, !side].into_iter().enumerate() {
                let Some(king) = pos.king(color) else { continue };
                let around = Square::all().filter(|&sq| distance(sq, king) == 1);
                let reaches = |sq: Square| {
                    own.iter().any(|&(from, kind)| {
                        attacks::piece(side, kind, from, pos.occupied()).contains(sq)
                    })
                };
                features[20 + n] += sign * around.filter(|&sq| reaches(sq)).count() as f64;
                for &(sq, kind) in own.iter().filter(|(sq, _)| distance(*sq, king) <= 3) {
                    let steps = f64::from(4 - distance(sq, king));
                    features[22 + n] += sign * values[place(kind)] * 0.001 * steps;
                }
            }
        }
        features
    }

    fn check_changes(weights: &FeatureWeights, pos: &mut Position, moves: &[Move]) {
        let standing = weights.standing(pos);
        for &mv in moves {
            let change = weights.standing_change(pos, &pos.delta_of(mv));
            assert_eq!(change.is_none(), pos.moved_piece(mv) == PieceKind::King);
            let Some(change) = change else { continue };
            pos.do_move(mv);
            assert_eq!(standing + change, weights.standing(pos), "{mv} to {pos}");
            assert!(weights.attacks(pos).abs() <= weights.largest_attacks());
            pos.undo_move();
        }
    }

    #[test]
    fn features_match_the_definition() {
        let mut rng = Rng::from_seed(11);
        let mut values = TABLE_2;
        values.iter_mut().for_each(|value| *value = 2000.0 * rng.unit() - 500.0);
        let weights = FeatureWeights::new(values);
        for sfen in [
            STARTPOS,
            "4k4/9/2+R1+B4/4p4/3nsn3/3NSN3/4P4/+b6+r1/4K4 w GSL8Pgsl8p 1",
            "1GK3+r2/1S2G4/PPPP+p+p3/9/4b4/4B4/3+P+P4/1+R2g2s1/4k2g1 b SNLPsnl9p 1",
            "9/4k4/4p4/9/9/9/9/9/9 b 2R2B4G4S4N4L17P 1",
        ] {
            for _ in 0..20 {
                let mut pos = Position::from_sfen(sfen).expect("valid");
                for _ in 0..60 {
                    let slow = slow_features(&pos, &values);
                    let ours = weights.features(&of(&pos));
                    let close = slow.iter().zip(&ours).all(|(a, b)| (a - b).abs() < 1e-9);
                    assert!(close, "{pos}: {slow:?} {ours:?}");
                    let sum: f64 = slow.iter().zip(&values).map(|(x, w)| x * w).sum();
                    let value = f64::from(weights.value(&of(&pos))) / f64::from(UNIT);
                    assert!((sum - value).abs() < 1.0, "{pos}: {sum} {value}");
                    let standing = weights.standing(&pos);
                    let value = pos.side_to_move().sign() * weights.value(&of(&pos));
                    assert_eq!(standing + weights.attacks(&pos), value, "{pos}");
                    let moves = movegen::legal_moves(&pos, Scope::LEGAL);
                    check_changes(&weights, &mut pos, &moves);
                    match rng.choose(&moves) {
                        Some(&mv) => pos.do_move(mv),
                        None => break,
                    };
                }
            }
        }
    }

    #[test]
    fn derivatives_match_central_differences() {
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
        let counts = of(&Position::from_sfen(sfen).expect("valid"));
        let gradient = weights().gradient(&counts);
        let mut seen = 0;
        for (place, derivative) in gradient.into_iter().enumerate() {
            let value = |step: f64| {
                let mut moved = TABLE_2;
                moved[place] += step;
                f64::from(FeatureWeights::new(moved).value(&counts)) / f64::from(UNIT)
            };
            let slope = (value(8.0) - value(-8.0)) / 16.0;
            assert!((slope - derivative).abs() < 0.02, "{place}: {slope} {derivative}");
            seen += usize::from(derivative != 0.0);
        }
        assert!(seen > 12, "{seen}");
    }
}
