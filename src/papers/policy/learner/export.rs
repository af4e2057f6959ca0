//! Exports learned weights to the evaluation.

use std::path::Path;

use super::policy_table::PolicyTable;
use crate::eval::PieceIndex;
use crate::eval::learned::{KingView, Term};
use crate::lab::learn::{LearnError, write_weights};
use crate::lab::learn::{RealKpp, RealUpper, RealWeights};
use crate::shogi::Square;

impl PolicyTable {
    /// The weights in the evaluation's form: KKP and KPP only.
    pub fn to_real(&self) -> RealWeights {
        let mut real = RealWeights::zero();
        let rows = (0..KingView::KINGS).flat_map(|king| PieceIndex::all().map(move |j| (king, j)));
        let triangles =
            rows.flat_map(|(king, j)| self.row_before(king, j.index())).copied().collect();
        // Here each side's half has its own KKP term. The evaluation has one KKP term, the mean of
        // the term in Black's view and the negated term in White's view; hence the factor 2.
        for (pair, row) in real.terms[Term::Kkp].chunks_exact_mut(PieceIndex::COUNT).enumerate() {
            let (king, enemy) = (pair / Square::COUNT, pair % Square::COUNT);
            let weights = self.row_before(king, PieceIndex::COUNT + enemy);
            for (real, weight) in row.iter_mut().zip(weights) {
                *real = 2.0 * weight;
            }
        }
        real.upper = RealUpper::Kpp(RealKpp::Table(triangles));
        real
    }
    /// Writes the weights as a weights file; returns the number of weights clipped to the integer
    /// range.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn write_weights(&self, path: &Path) -> Result<usize, LearnError> {
        let quantized = self.to_real().quantize();
        write_weights(path, &quantized.weights)?;
        Ok(quantized.clipped)
    }
}
