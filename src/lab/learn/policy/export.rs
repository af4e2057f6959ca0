//! Learned weights handed to the evaluation.

use std::path::Path;

use super::policy_table::PolicyTable;
use crate::eval::PieceIndex;
use crate::eval::learned::{KingView, RealKpp, RealWeights};
use crate::lab::learn::{LearnError, write_weights};
use crate::shogi::Square;

impl PolicyTable {
    /// The weights as the evaluation has them: KKP and KPP, no others.
    pub fn to_real(&self) -> RealWeights {
        let mut real = RealWeights::zero();
        let rows = (0..KingView::KINGS).flat_map(|king| PieceIndex::all().map(move |j| (king, j)));
        let triangles =
            rows.flat_map(|(king, j)| self.row_before(king, j.index())).copied().collect();
        // Here each side's half has its KKP; there KKP is in Black's view alone, and is the mean of
        // what it is in Black's view and its opposite in White's.
        for (pair, row) in real.kkp.chunks_exact_mut(PieceIndex::COUNT).enumerate() {
            let (king, enemy) = (pair / Square::COUNT, pair % Square::COUNT);
            let weights = self.row_before(king, PieceIndex::COUNT + enemy);
            for (real, weight) in row.iter_mut().zip(weights) {
                *real = 2.0 * weight;
            }
        }
        real.kpp = RealKpp::Table { triangles, narrow: false };
        real
    }
    /// Writes the weights as a weights file; returns how many were too large and were cut.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn write_weights(&self, path: &Path) -> Result<usize, LearnError> {
        let quantized = self.to_real().quantize();
        write_weights(path, &quantized.weights)?;
        Ok(quantized.clipped)
    }
}
