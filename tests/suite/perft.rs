//! Leaf counts of the game tree.

use kankei::shogi::perft::{divide, perft};
use kankei::shogi::{STARTPOS, Scope, movegen};

use crate::positions::position;

fn leaves(sfen: &str, depth: u32) -> u64 {
    perft(&mut position(sfen), depth)
}

#[test]
fn leaf_counts_of_the_start_position() {
    for (depth, expected) in [1, 30, 900, 25_470, 719_731].into_iter().enumerate() {
        assert_eq!(leaves(STARTPOS, depth as u32), expected, "depth {depth}");
    }
    let divided = divide(&position(STARTPOS), 3);
    assert_eq!(divided.len(), 30);
    assert_eq!(divided.iter().map(|(_, leaves)| leaves).sum::<u64>(), 25_470);
}

#[test]
#[ignore = "20 million leaves, slow in a debug build: cargo test --release -- --ignored"]
fn leaf_count_of_the_start_position_at_depth_5() {
    assert_eq!(leaves(STARTPOS, 5), 19_861_490);
}

#[test]
#[ignore = "548 million leaves: cargo test --release -- --ignored"]
fn leaf_count_of_the_start_position_at_depth_6() {
    assert_eq!(leaves(STARTPOS, 6), 547_581_517);
}

/// The position with the largest known number of legal moves.
const MOST_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

#[test]
fn the_position_with_the_most_moves_has_593() {
    assert_eq!(leaves(MOST_MOVES, 1), 593);
    assert_eq!(leaves(MOST_MOVES, 2), 105_677);
    let turned = position(MOST_MOVES).turned();
    assert_eq!(movegen::legal_moves(&turned, Scope::LEGAL).len(), 593);
}

/// Positions constructed for one property each, with their leaves from depth 1 on (also counted by
/// another library).
const BY_HAND: [(&str, &str, &[u64]); 8] = [
    (
        "pins on six lines",
        "b3l3b/9/9/3SPG3/r2NK4/4G4/9/9/4r3k b SPsnp 1",
        &[137, 30_701, 2_345_776],
    ),
    ("double check", "4k4/9/4S4/9/9/4R4/9/9/4K4 b GPgsnlp 1", &[173, 55_049, 5_750_671]),
    ("check from afar", "l3k3l/9/9/9/4R4/9/9/4G4/4K4 w BGSNPrbgsnlp 1", &[25, 9_316, 3_945_782]),
    ("full hands", "4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 1", &[525, 251_422]),
    ("promotions", "k8/2SL5/P1N1BR3/2P3L2/9/2l3p2/3rb1n1p/5ls2/8K b - 1", &[61, 3_317, 174_988]),
    ("kings face to face", "9/9/9/4k4/9/4K4/9/9/9 b RBGSNLPrbgsnlp 1", &[522, 248_230]),
    ("pawn drops that mate", "7lk/9/7G1/9/9/9/1g7/9/KL7 b 3P2p 1", &[75, 5_442, 370_157]),
    ("one king only", "4k4/9/9/9/9/9/9/9/9 b RBGSNLP 1", &[527, 2_418]),
];

#[test]
fn constructed_positions_have_the_same_leaves_from_both_sides() {
    for (name, sfen, expected) in BY_HAND {
        let pos = position(sfen);
        for mut pos in [pos.turned(), pos] {
            let counted: Vec<u64> =
                (1..=expected.len()).map(|depth| perft(&mut pos, depth as u32)).collect();
            assert_eq!(counted, expected, "{name}: {pos}");
        }
    }
}
