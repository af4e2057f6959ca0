//! Rows of weights.

use crate::eval::index::PieceIndex;

/// The weights of one piece with every other, by piece index.
pub type PieceRow<T> = [T; PieceIndex::COUNT];

/// A stored weight.
pub trait Cell: Copy + Default + PartialEq + Into<i32> {}

impl Cell for i8 {}
impl Cell for i16 {}
