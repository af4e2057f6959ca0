//! A row of W factors for every own king and piece: the sum of a row of that king and piece and a
//! row of the piece alone.
//!
//! A side's half depends on the sum of its pieces' rows. With W = 1 it is the sum itself (KP + P).
//! Otherwise it is half of the signed squared sum (KPP of rank W): 1/2 * sum over r of s_r acc_r^2,
//! with s_r = +1 in the first half of the factors and -1 in the second. The value is own half minus
//! enemy half.

use rayon::prelude::*;

use super::adam::{AdamRate, BatchStep};
use super::batch::Batch;
use super::buffer_pool::BufferPool;
use super::king_views::{KINGS, KingViews, PIECES};
use super::model_part::ModelPart;
use super::trained_weights::TrainedWeights;
use crate::eval::PieceIndex;
use crate::eval::learned::{KingView, Term};
use crate::lab::learn::{RealKpp, RealUpper, RealWeights};

/// Rows of the shared weights that one task updates.
const SHARED_ROWS: usize = 32;

/// The part, of rank W.
pub(super) struct KingRows<const W: usize> {
    /// Shape \[1548\]\[W\].
    shared: TrainedWeights,
    /// Shape \[45\]\[1548\]\[W\].
    own: TrainedWeights,
    rate: AdamRate,
    /// Sums of rows, shape \[sides of the batch by king\]\[W\].
    sums: Vec<[f32; W]>,
    /// Halves, shape \[samples of the batch\]\[2\].
    halves: Vec<f32>,
    /// Gradients of the last batch; rows without a touch are stale.
    gradients: Vec<f32>,
    /// Whether the last batch had this king and piece. Shape \[45\]\[1548\].
    touched: Vec<bool>,
    /// Buffers for all rows of a king, shape \[1548\]\[W\].
    rows: BufferPool,
}

impl<const W: usize> KingRows<W> {
    /// `shared`: initial values of the piece rows, shape \[1548\]\[W\].
    pub fn new(shared: Vec<f32>, rate: AdamRate) -> KingRows<W> {
        assert_eq!(shared.len(), PIECES * W, "a row for each piece");
        KingRows {
            shared: TrainedWeights::sparse(shared, W),
            own: TrainedWeights::sparse(vec![0.0; KINGS * PIECES * W], W),
            rate,
            sums: Vec::new(),
            halves: Vec::new(),
            gradients: vec![0.0; KINGS * PIECES * W],
            touched: vec![false; KINGS * PIECES],
            rows: BufferPool::new(PIECES * W),
        }
    }

    /// A side's half of the value.
    #[inline]
    fn half(sum: &[f32; W]) -> f32 {
        if W == 1 {
            return sum[0];
        }
        let (plus, minus) = sum.split_at(W / 2);
        0.5 * plus.iter().zip(minus).map(|(p, m)| p * p - m * m).sum::<f32>()
    }

    /// The derivative of the half with respect to the sum, times `factor`.
    #[inline]
    fn derivative(sum: &[f32; W], factor: f32) -> [f32; W] {
        if W == 1 {
            return [factor; W];
        }
        let mut derivative = *sum;
        let (plus, minus) = derivative.split_at_mut(W / 2);
        plus.iter_mut().for_each(|lane| *lane *= factor);
        minus.iter_mut().for_each(|lane| *lane *= -factor);
        derivative
    }

    /// Updates the rows of the kings. Leaves their sum over the kings in `gradients`.
    fn move_own(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        let rate = self.rate;
        let sums = batch.by_king.split(&mut self.sums, 1);
        sums.into_par_iter()
            .zip(self.own.par_rows(PIECES))
            .zip(self.gradients.par_chunks_mut(PIECES * W))
            .zip(self.touched.par_chunks_mut(PIECES))
            .enumerate()
            .with_max_len(1)
            .for_each(|(king, (((sums, mut weights), rows), touched))| {
                let rows = rows.as_chunks_mut::<W>().0;
                touched.fill(false);
                for (&side, sum) in batch.by_king.of(king).iter().zip(sums) {
                    let factor = side.sign() * gradients[side.sample()];
                    let derivative = KingRows::derivative(sum, factor);
                    for &piece in batch.pieces(side) {
                        add(&mut rows[piece.index()], &derivative, &mut touched[piece.index()]);
                    }
                }
                let rows = rows.iter().zip(touched).enumerate();
                for (piece, (row, _)) in rows.filter(|(_, (_, touched))| **touched) {
                    weights.step(piece, row, rate, step);
                }
            });
    }

    /// Updates the rows of the pieces alone.
    fn move_shared(&mut self, step: BatchStep) {
        let (rate, gradients, touched) = (self.rate, &self.gradients, &self.touched);
        self.shared.par_rows(SHARED_ROWS).enumerate().for_each(|(task, mut weights)| {
            let first = task * SHARED_ROWS;
            for piece in first..PIECES.min(first + SHARED_ROWS) {
                let mut sum = [0.0; W];
                let mut is_touched = false;
                for at in (0..KINGS).map(|king| king * PIECES + piece) {
                    if touched[at] {
                        is_touched = true;
                        let row = &gradients[at * W..][..W];
                        sum.iter_mut().zip(row).for_each(|(sum, lane)| *sum += lane);
                    }
                }
                if is_touched {
                    weights.step(piece - first, &sum, rate, step);
                }
            }
        });
    }
}

/// Adds to a row, or overwrites it at the first touch.
#[inline]
fn add<const W: usize>(row: &mut [f32; W], addend: &[f32; W], touched: &mut bool) {
    if *touched {
        row.iter_mut().zip(addend).for_each(|(sum, addend)| *sum += addend);
    } else {
        *row = *addend;
        *touched = true;
    }
}

impl<const W: usize> ModelPart for KingRows<W> {
    fn forward(&mut self, batch: &Batch, values: &mut [f32]) {
        self.sums.resize(2 * batch.len(), [0.0; W]);
        let (shared, pool) = (&self.shared.values, &self.rows);
        let sums = batch.by_king.split(&mut self.sums, 1);
        sums.into_par_iter()
            .zip(self.own.values.par_chunks(PIECES * W))
            .enumerate()
            .with_max_len(1)
            .for_each(|(king, (sums, own))| {
                if sums.is_empty() {
                    return;
                }
                pool.with(|rows| {
                    for ((row, shared), own) in rows.iter_mut().zip(shared).zip(own) {
                        *row = shared + own;
                    }
                    let rows = rows.as_chunks::<W>().0;
                    for (&side, sum) in batch.by_king.of(king).iter().zip(sums) {
                        let mut total = [0.0; W];
                        for &piece in batch.pieces(side) {
                            let row = &rows[piece.index()];
                            total.iter_mut().zip(row).for_each(|(sum, factor)| *sum += factor);
                        }
                        *sum = total;
                    }
                });
            });
        self.halves.resize(2 * batch.len(), 0.0);
        for (&side, sum) in batch.by_king.members.iter().zip(&self.sums) {
            self.halves[side.index()] = KingRows::half(sum);
        }
        for (value, [own, enemy]) in values.iter_mut().zip(self.halves.as_chunks().0) {
            *value += own - enemy;
        }
    }

    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        self.move_own(batch, gradients, step);
        self.move_shared(step);
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        vec![&mut self.shared, &mut self.own]
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        let shared = self.shared.values.iter().cycle();
        let rows: Vec<f32> =
            self.own.values.iter().zip(shared).map(|(own, all)| own + all).collect();
        if W > 1 {
            let rows = rows.iter().map(|factor| factor * scale.sqrt()).collect();
            weights.upper = RealUpper::Kpp(RealKpp::Factored { rank: W, rows });
            return;
        }
        let weight = |view: KingView, piece: PieceIndex| {
            let row = &rows[view.king() * PIECES..][..PIECES];
            // For a king on the middle file, both mirror images were learned.
            let image = if view.king() / 9 == 4 { piece.mirrored() } else { piece };
            (row[piece.index()] + row[image.index()]) / 2.0
        };
        for (views, row) in KingViews::all().zip(weights.terms[Term::Kkp].chunks_exact_mut(PIECES))
        {
            for (piece, total) in PieceIndex::all().zip(row).skip(1) {
                *total += scale * views.antisymmetric(piece, weight);
            }
        }
    }

    /// With W = 1 nothing is imported here: KKP takes those weights.
    fn import(&mut self, scale: f32, weights: &RealWeights) {
        self.shared.values.fill(0.0);
        self.own.values.fill(0.0);
        if let RealUpper::Kpp(RealKpp::Factored { rank, rows }) = &weights.upper
            && *rank == W
        {
            let unit = scale.sqrt();
            self.own.values = rows.iter().map(|factor| factor / unit).collect();
        }
    }
}
