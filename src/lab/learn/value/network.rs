//! Hidden units with output layers: relations of a king and all pieces whose sum can saturate.
//!
//! A side's accumulator is the sum of a row of weights for each of its features: the 38 pieces, the
//! enemy king and its own king, in its normalized view. The [`head`] reads both sides'
//! accumulators.
//!
//! Source: efficiently updatable networks (Nasu 2018), here with mirrored views and in addition to
//! KKP and PP.

use rayon::prelude::*;

use super::adam::{AdamRate, BatchStep};
use super::batch::Batch;
use super::head::{self, Head, NOTES};
use super::initial::{Draw, ROW_DEVIATION, ROW_MEAN};
use super::king_views::KINGS;
use super::model_part::ModelPart;
use super::relative_rows::RelativeRows;
use super::simd::add;
use super::trained_weights::TrainedWeights;
use crate::eval::PieceIndex;
use crate::eval::learned::KingView;
use crate::eval::learned::network::NetworkShape;
use crate::lab::learn::{RealNetwork, RealUpper, RealWeights};

/// Number of units of a task in the loops over rows: their weights and gradients stay in the cache.
const BLOCK: usize = 32;
/// Number of samples of a task in the loops over samples. Sums over the batch add the chunks in
/// order, so they do not depend on the number of threads.
const CHUNK: usize = 512;
/// First row of the own king's squares.
const OWN_KING: usize = KingView::INPUTS;
const FEATURES: usize = OWN_KING + KINGS;
/// Number of rows of all features except the own king's square.
const ROWS: usize = OWN_KING;
/// Largest weight of a row: 800 in fixed point.
const ROW_BOUND: f32 = 800.0 / 256.0;

/// The part with hidden units.
pub(super) struct NetworkPart {
    units: usize,
    /// Whether it is the whole value: then one bias serves all own kings.
    standalone: bool,
    rate: AdamRate,
    /// Shape `[units / BLOCK][FEATURES][BLOCK]`.
    rows: TrainedWeights,
    /// Rows that also depend on the own king's square.
    relative: Option<RelativeRows>,
    head: Box<dyn Head>,
    /// State of the batch: accumulators `[2 samples][units]`, stored hidden layers of the head, and
    /// the gradients with respect to the accumulators.
    sums: Vec<f32>,
    notes: Vec<[f32; NOTES]>,
    derivatives: Vec<f32>,
    /// Same shape as `rows`; zero between batches.
    gradients: Vec<f32>,
}

impl NetworkPart {
    /// Creates a network with random weights, before [`begin`](ModelPart::begin).
    pub fn new(shape: NetworkShape, standalone: bool, rate: AdamRate, draw: Draw) -> NetworkPart {
        let units = shape.units;
        assert!(units > 0 && units.is_multiple_of(BLOCK), "{units} units");
        let mut rows = draw(units * FEATURES, ROW_DEVIATION);
        for block in rows.chunks_exact_mut(FEATURES * BLOCK) {
            block[..BLOCK].fill(0.0);
            block[OWN_KING * BLOCK..].iter_mut().for_each(|weight| *weight += ROW_MEAN);
            if standalone {
                block[PieceIndex::COUNT * BLOCK..OWN_KING * BLOCK].fill(0.0);
            }
        }
        NetworkPart {
            units,
            standalone,
            rate,
            rows: TrainedWeights::dense(rows),
            relative: shape.king_relative.then(|| RelativeRows::new(units, rate)),
            head: head::new(shape.head, units, draw),
            sums: Vec::new(),
            notes: Vec::new(),
            derivatives: Vec::new(),
            gradients: vec![0.0; units * FEATURES],
        }
    }

    /// The row of the own king's square.
    #[inline]
    fn king_row(standalone: bool, kings: KingView) -> usize {
        OWN_KING + if standalone { 0 } else { kings.king() }
    }

    /// Updates the rows by the gradients of the accumulators.
    fn move_rows(&mut self, batch: &Batch, step: BatchStep) {
        let standalone = self.standalone;
        let (derivatives, units, rate) = (&self.derivatives, self.units, self.rate);
        const SIZE: usize = FEATURES * BLOCK;
        self.rows
            .par_parts(SIZE)
            .zip(self.gradients.par_chunks_mut(SIZE))
            .enumerate()
            .with_max_len(1)
            .for_each(|(block, (state, gradients))| {
                let rows = gradients.as_chunks_mut::<BLOCK>().0;
                let sides = batch.samples.iter().flat_map(|sample| [(sample, 0), (sample, 1)]);
                for ((sample, side), derivatives) in sides.zip(derivatives.chunks_exact(units)) {
                    let derivative: &[f32; BLOCK] =
                        derivatives[block * BLOCK..].first_chunk().expect("whole blocks");
                    let own_king = NetworkPart::king_row(standalone, sample.sides[side].kings);
                    for row in sample.inputs(side).chain([own_king]) {
                        add(&mut rows[row], derivative);
                    }
                }
                state.step(gradients, rate, (step.number, 0), step.factor, ROW_BOUND);
                gradients.fill(0.0);
            });
    }
}

impl ModelPart for NetworkPart {
    fn begin(&mut self, batch: &Batch) {
        self.forward(batch, &mut vec![0.0; batch.len()]);
        self.head.centre(&self.sums);
    }

    fn forward(&mut self, batch: &Batch, values: &mut [f32]) {
        let units = self.units;
        self.sums.resize(2 * batch.len() * units, 0.0);
        self.notes.resize(batch.len(), [0.0; NOTES]);
        let (rows, relative, head) = (&self.rows.values, &self.relative, &self.head);
        let standalone = self.standalone;
        values
            .par_chunks_mut(CHUNK)
            .zip(batch.samples.par_chunks(CHUNK))
            .zip(self.sums.par_chunks_mut(CHUNK * 2 * units))
            .zip(self.notes.par_chunks_mut(CHUNK))
            .for_each(|(((values, samples), sums), notes)| {
                for (block, rows) in rows.chunks_exact(FEATURES * BLOCK).enumerate() {
                    let rows = rows.as_chunks::<BLOCK>().0;
                    let sides = samples.iter().flat_map(|sample| [(sample, 0), (sample, 1)]);
                    for ((sample, side), sums) in sides.zip(sums.chunks_exact_mut(units)) {
                        let kings = sample.sides[side].kings;
                        let mut sum = rows[NetworkPart::king_row(standalone, kings)];
                        if sample.shows_enemy_king {
                            add(&mut sum, &rows[kings.enemy_input()]);
                        }
                        for piece in sample.pieces(side) {
                            add(&mut sum, &rows[piece.index()]);
                        }
                        sums[block * BLOCK..][..BLOCK].copy_from_slice(&sum);
                    }
                }
                if let Some(relative) = relative {
                    let sides = samples.iter().flat_map(|sample| [(sample, 0), (sample, 1)]);
                    for ((sample, side), sums) in sides.zip(sums.chunks_exact_mut(units)) {
                        let king = sample.sides[side].kings.king();
                        relative.add(king, sample.inputs(side), sums);
                    }
                }
                let each = values.iter_mut().zip(sums.chunks_exact(2 * units)).zip(notes);
                for ((value, sums), notes) in each {
                    *value += head.forward(sums, notes);
                }
            });
    }

    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        let (units, weights) = (self.units, self.head.weights().values.len());
        self.derivatives.resize(2 * batch.len() * units, 0.0);
        let head = &self.head;
        let by_head: Vec<Vec<f32>> = gradients
            .par_chunks(CHUNK)
            .zip(self.sums.par_chunks(CHUNK * 2 * units))
            .zip(self.notes.par_chunks(CHUNK))
            .zip(self.derivatives.par_chunks_mut(CHUNK * 2 * units))
            .map(|(((gradients, sums), notes), derivatives)| {
                let mut total = vec![0.0; weights];
                let each = gradients.iter().zip(sums.chunks_exact(2 * units)).zip(notes);
                for (((&gradient, sums), notes), derivatives) in
                    each.zip(derivatives.chunks_exact_mut(2 * units))
                {
                    head.backward(sums, notes, gradient, &mut total, derivatives);
                }
                total
            })
            .collect();
        let mut total = vec![0.0; weights];
        for chunk in &by_head {
            total.iter_mut().zip(chunk).for_each(|(total, part)| *total += part);
        }
        self.move_rows(batch, step);
        if let Some(relative) = &mut self.relative {
            relative.move_rows(batch, &self.derivatives, step);
        }
        self.head.advance(&total, self.rate.without_decay(), step);
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        let relative = self.relative.iter_mut().map(|relative| &mut relative.weights);
        [&mut self.rows, self.head.weights()].into_iter().chain(relative).collect()
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        let units = self.units;
        let row = |feature: usize| {
            let blocks = self.rows.values.chunks_exact(FEATURES * BLOCK);
            blocks.flat_map(move |block| block[feature * BLOCK..][..BLOCK].iter().copied())
        };
        // A king on the middle file has no mirrored view, so both images of a piece were learned.
        debug_assert!(PieceIndex::NONE.index() == 0);
        let network = RealNetwork {
            units,
            king_relative: self.relative.is_some(),
            rows: match &self.relative {
                None => (0..ROWS).flat_map(row).collect(),
                Some(relative) => {
                    let shared = (0..KINGS).flat_map(|_| (0..ROWS).flat_map(row));
                    shared.zip(&relative.weights.values).map(|(all, own)| all + own).collect()
                }
            },
            biases: match self.standalone {
                true => (0..KINGS).flat_map(|_| row(OWN_KING)).collect(),
                false => (OWN_KING..FEATURES).flat_map(row).collect(),
            },
            head: self.head.export(scale),
        };
        let upper = if self.standalone { RealUpper::Standalone } else { RealUpper::Network };
        weights.upper = upper(network);
    }

    fn import(&mut self, scale: f32, weights: &RealWeights) {
        let network = match (&weights.upper, self.standalone) {
            (RealUpper::Network(network), false) | (RealUpper::Standalone(network), true) => {
                network
            }
            _ => return,
        };
        if network.units != self.units || network.king_relative != self.relative.is_some() {
            return;
        }
        let shared = match &mut self.relative {
            None => network.rows.clone(),
            Some(relative) => relative.factorise(&network.rows),
        };
        let rows = shared.chunks_exact(self.units).chain(network.biases.chunks_exact(self.units));
        for (feature, row) in rows.enumerate() {
            let blocks = self.rows.values.chunks_exact_mut(FEATURES * BLOCK);
            for (block, weights) in blocks.zip(row.chunks_exact(BLOCK)) {
                block[feature * BLOCK..][..BLOCK].copy_from_slice(weights);
            }
        }
        self.head.import(scale, &network.head);
    }
}
