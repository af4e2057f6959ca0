//! Rows of weights.

use crate::eval::index::PieceIndex;

/// The weights of one piece with every other piece, by piece index.
pub type PieceRow = [i16; PieceIndex::COUNT];
