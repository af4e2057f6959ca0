//! Rows of weights.

use crate::eval::index::PieceIndex;

/// The weights of one piece with every other piece, by piece index.
pub type PieceRow<T> = [T; PieceIndex::COUNT];

/// A stored weight.
pub trait Cell: Copy + Default + PartialEq + Into<i32> {
    /// Weight units per unit of a cell.
    const UNITS: i32;
}

impl Cell for i8 {
    /// A cell unit is 1/4 centipawn, so cells reach 32 centipawns.
    const UNITS: i32 = 8;
}

impl Cell for i16 {
    const UNITS: i32 = 1;
}
