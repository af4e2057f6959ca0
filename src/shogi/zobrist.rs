//! Random numbers of the position keys (Zobrist 1970). Board and hands have separate keys, so that
//! positions that differ only in the hands can be recognized and compared.

use super::table::table;
use super::{Color, Hand, HandPiece, Piece, Square};

/// Shape `[color][kind][square]`.
static BOARD: [[[u64; 81]; 14]; 2] = table![color in 2 => table![kind in 14 => {
    table![sq in 81 => split_mix((color as u64 * 14 + kind as u64) * 81 + sq as u64)]
}]];
/// Shape `[color][hand kind][count]`; a count of zero has key 0.
static HANDS: [[[u64; 19]; 7]; 2] = table![color in 2 => table![kind in 7 => table![count in 19 => {
    let n = (color as u64 * 7 + kind as u64) * 19 + count as u64;
    if count == 0 { 0 } else { split_mix(10_000 + n) }
}]]];
/// XORed into the board key when White is to move.
pub(super) const WHITE_TO_MOVE: u64 = split_mix(u64::MAX);

/// The n-th output of SplitMix64 (Steele, Lea, Flood 2014).
const fn split_mix(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x6b61_6e6b_6569);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(super) fn board_key(piece: Piece, sq: Square) -> u64 {
    BOARD[piece.color.index()][piece.kind.index()][sq.index()]
}

fn hand_key(color: Color, piece: HandPiece, count: u32) -> u64 {
    HANDS[color.index()][piece.index()][count as usize]
}

/// The key change between `count` and `count + 1` pieces, in either direction.
pub(super) fn hand_step(color: Color, piece: HandPiece, count: u32) -> u64 {
    hand_key(color, piece, count) ^ hand_key(color, piece, count + 1)
}

pub(super) fn hands_key(hands: &[Hand; 2]) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for (piece, count) in hands[color.index()].iter() {
            key ^= hand_key(color, piece, count);
        }
    }
    key
}
