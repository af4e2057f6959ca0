//! A weight for both kings and a piece, KKP, and one for both kings alone, KK.
//!
//! Turning the board negates the value, so one of the two sides' views suffices: the one whose
//! kings have the lower number counts. If both have the same number, both count half. Mirroring
//! does not change the value either: a view whose own king is on the middle file is read in the
//! image that has the enemy king on files 1 to 5.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::adam::{AdamRate, BatchStep};
use super::batch::Batch;
use super::buffer_pool::BufferPool;
use super::key_groups::KeyGroups;
use super::king_views::{KING_PAIRS, KINGS, KingViews, PIECES};
use super::model_part::ModelPart;
use super::sample_ref::SideRef;
use super::trained_weights::TrainedWeights;
use crate::eval::PieceIndex;
use crate::eval::learned::{KingView, Term};
use crate::lab::learn::RealWeights;
use crate::shogi::Square;

/// Index of the kings' own weight in a row; no piece has this index.
const KINGS_ALONE: PieceIndex = PieceIndex::NONE;
/// Number of rows of one task: those of one own king.
const TASK_ROWS: usize = KING_PAIRS / KINGS;

/// The KK and KKP part.
pub(super) struct KkpPart {
    /// Shape \[45\]\[81\]\[1548\].
    weights: TrainedWeights,
    rate: AdamRate,
    /// Views of the batch that count.
    views: Vec<CountedView>,
    /// The views grouped by their kings.
    by_row: KeyGroups<u32>,
    keys: Vec<usize>,
    /// Sum of each view, in the order of `by_row`.
    sums: Vec<f32>,
    /// Gradients of a row, zero between tasks.
    gradients: BufferPool,
}

/// A side's view that counts for its sample.
#[derive(Clone, Copy, Debug)]
struct CountedView {
    side: SideRef,
    image: TiedView,
    /// Sign and weight of its sum in the value: 1, -1, 1/2 or -1/2.
    sign: f32,
}

impl CountedView {
    /// Indices of the view's weights in their row.
    #[inline]
    fn entries(self, batch: &Batch) -> impl Iterator<Item = usize> {
        let pieces = batch.pieces(self.side).iter().chain([&KINGS_ALONE]);
        pieces.map(move |&piece| self.image.entry(piece))
    }
}

/// The image of a normalized view whose weights are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TiedView {
    /// Number of the pair of king squares.
    row: usize,
    /// Whether the view is mirrored once more.
    is_mirrored: bool,
}

impl TiedView {
    fn of(kings: KingView) -> TiedView {
        let enemy = Square::from_index(kings.enemy()).expect("a view has both kings");
        let is_mirrored = kings.king() / 9 == 4 && enemy.file() > 4;
        let row = kings.pair() - enemy.index();
        let enemy = if is_mirrored { enemy.mirror() } else { enemy };
        TiedView { row: row + enemy.index(), is_mirrored }
    }

    /// Index of a piece's weight in the row.
    #[inline]
    fn entry(self, piece: PieceIndex) -> usize {
        if self.is_mirrored { piece.mirrored().index() } else { piece.index() }
    }
}

impl KkpPart {
    pub fn new(rate: AdamRate) -> KkpPart {
        KkpPart {
            weights: TrainedWeights::zero(KING_PAIRS * PIECES),
            rate,
            views: Vec::new(),
            by_row: KeyGroups::default(),
            keys: Vec::new(),
            sums: Vec::new(),
            gradients: BufferPool::new(PIECES),
        }
    }

    /// Finds the views that count.
    fn gather(&mut self, batch: &Batch) {
        self.views.clear();
        self.keys.clear();
        for (sample, first) in batch.samples.iter().zip((0..).step_by(2)) {
            let counting = signs(sample.sides.each_ref().map(|side| side.kings));
            for (side, (sign, image)) in (first..).zip(counting).filter(|(_, view)| view.0 != 0.0) {
                self.views.push(CountedView { side: SideRef::from(side), image, sign });
                self.keys.push(image.row);
            }
        }
        self.by_row.fill(KING_PAIRS, &self.keys);
    }
}

/// The factors of the two sides' sums in the value, and the images that are summed.
fn signs(kings: [KingView; 2]) -> [(f32, TiedView); 2] {
    let [own, enemy] = kings.map(TiedView::of);
    let (own_sign, enemy_sign) = match own.row.cmp(&enemy.row) {
        Ordering::Less => (1.0, 0.0),
        Ordering::Equal => (0.5, -0.5),
        Ordering::Greater => (0.0, -1.0),
    };
    [(own_sign, own), (enemy_sign, enemy)]
}

impl ModelPart for KkpPart {
    fn forward(&mut self, batch: &Batch, values: &mut [f32]) {
        self.gather(batch);
        self.sums.resize(self.views.len(), 0.0);
        let (views, by_row) = (&self.views, &self.by_row);
        let sums = by_row.split(&mut self.sums, TASK_ROWS);
        sums.into_par_iter()
            .zip(self.weights.values.par_chunks(TASK_ROWS * PIECES))
            .enumerate()
            .with_max_len(1)
            .for_each(|(king, (sums, weights))| {
                let mut sums = sums.iter_mut();
                for (row, weights) in (king * TASK_ROWS..).zip(weights.chunks(PIECES)) {
                    for (&view, sum) in by_row.of(row).iter().zip(&mut sums) {
                        let entries = views[view as usize].entries(batch);
                        *sum = entries.map(|entry| weights[entry]).sum();
                    }
                }
            });
        for (&view, sum) in self.by_row.members.iter().zip(&self.sums) {
            let CountedView { side, sign, .. } = self.views[view as usize];
            values[side.sample()] += sign * sum;
        }
    }

    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        let (rate, views) = (self.rate, &self.views);
        let (by_row, pool) = (&self.by_row, &self.gradients);
        self.weights.each_group(by_row, TASK_ROWS / 3, pool, |of_row, mut rows, sums| {
            let of_row = of_row.iter().map(|&view| views[view as usize]);
            for view in of_row.clone() {
                let gradient = view.sign * gradients[view.side.sample()];
                view.entries(batch).for_each(|entry| sums[entry] += gradient);
            }
            // The second visit updates each weight once and clears its gradient.
            for entry in of_row.flat_map(|view| view.entries(batch)) {
                if sums[entry] != 0.0 {
                    rows.step(entry, &[std::mem::take(&mut sums[entry])], rate, step);
                }
            }
        });
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        vec![&mut self.weights]
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        for (pair, views) in KingViews::all().enumerate() {
            let signs = signs([views.here, views.there]);
            let weight = |piece: PieceIndex| -> f32 {
                let seen = [views.here.normal(piece), views.there.normal(piece.turned())];
                let read = |((sign, image), seen): ((f32, TiedView), PieceIndex)| {
                    sign * self.weights.values[image.row * PIECES + image.entry(seen)]
                };
                signs.into_iter().zip(seen).map(read).sum()
            };
            // The kings' own weight is stored at the index of empty slots.
            weights.terms[Term::Kk][pair] += scale * weight(KINGS_ALONE);
            let row = &mut weights.terms[Term::Kkp][pair * PIECES..][..PIECES];
            for (piece, total) in PieceIndex::all().zip(row).skip(1) {
                *total += scale * weight(piece);
            }
        }
    }

    fn import(&mut self, scale: f32, weights: &RealWeights) {
        let rows = weights.terms[Term::Kkp].chunks_exact(PIECES).zip(&weights.terms[Term::Kk]);
        for (views, (row, kings)) in KingViews::all().zip(rows) {
            let [(sign, image), _] = signs([views.here, views.there]);
            // Where both sides count half, they have the same weights.
            if sign > 0.0 && !image.is_mirrored {
                let own = &mut self.weights.values[image.row * PIECES..][..PIECES];
                own.iter_mut().zip(row).for_each(|(own, centipawns)| *own = centipawns / scale);
                own[KINGS_ALONE.index()] = kings / scale;
            }
        }
    }
}
