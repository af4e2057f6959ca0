//! A mini-batch in the layout that the parts of the model read.

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::key_groups::KeyGroups;
use super::king_views::{KINGS, KingViews, PIECES};
use super::place_code::PlaceCode;
use super::sample_ref::{SampleRef, SideRef};
use crate::eval::learned::KingView;
use crate::eval::material::PieceValues;
use crate::eval::{PieceIndex, PieceList};
use crate::lab::learn::{Sample, SampleView};

/// Number of samples of one task in the loops over samples. Sums over the batch do not depend on
/// it.
pub(super) const CHUNK: usize = 256;

const SLOTS: usize = PieceList::SLOTS;

/// A sample in the layout that the parts read.
#[derive(Clone, Debug)]
pub(super) struct PreparedSample {
    len: usize,
    codes: [PlaceCode; SLOTS],
    /// The side to move's view, then the other side's.
    pub sides: [SampleSide; 2],
    /// See [`SampleView::counts`].
    pub counts: [i8; PieceValues::COUNT],
    /// See [`Sample::threats`]. Empty if the batch omits them.
    pub threats: ArrayVec<u16, SLOTS>,
    /// Whether a network sees the enemy king.
    pub shows_enemy_king: bool,
}

/// One side's view of a sample.
#[derive(Clone, Debug)]
pub(super) struct SampleSide {
    /// The kings in the side's normalized view.
    pub kings: KingView,
    pieces: [PieceIndex; SLOTS],
}

impl PreparedSample {
    /// Prepares a sample. `mirror`: use its mirror image, which has the same value.
    pub fn new(sample: &Sample, mirror: bool) -> PreparedSample {
        let view = sample.view().expect("samples are checked when they are read or made");
        let view = if mirror { view.mirrored() } else { view };
        let SampleView { pieces, own_king, enemy_king, counts } = view;
        let KingViews { here, there } = KingViews::new(own_king, enemy_king);
        let seen_here = pieces.iter().map(|&piece| here.normal(piece));
        let seen_there = pieces.iter().map(|&piece| there.normal(piece.turned()));
        PreparedSample {
            len: pieces.len(),
            codes: sorted(pieces.iter().map(|&piece| PlaceCode::of(piece).number()))
                .map(PlaceCode::from_number),
            sides: [
                SampleSide { kings: here, pieces: sorted_pieces(seen_here) },
                SampleSide { kings: there, pieces: sorted_pieces(seen_there) },
            ],
            counts,
            threats: ArrayVec::new(),
            shows_enemy_king: true,
        }
    }

    /// Codes of the pieces, ascending.
    #[inline]
    pub fn codes(&self) -> &[PlaceCode] {
        &self.codes[..self.len]
    }

    /// Pieces in the normalized view of a side (0 = side to move), ascending.
    #[inline]
    pub fn pieces(&self, side: usize) -> &[PieceIndex] {
        &self.sides[side].pieces[..self.len]
    }

    /// Input features of a side in a network: its pieces and, unless it is hidden, the enemy king.
    #[inline]
    pub fn inputs(&self, side: usize) -> impl Iterator<Item = usize> {
        let count = self.len + usize::from(self.shows_enemy_king);
        self.sides[side].kings.inputs(self.pieces(side)).take(count)
    }
}

/// Distinct indices in order.
fn sorted_pieces(pieces: impl Iterator<Item = PieceIndex>) -> [PieceIndex; SLOTS] {
    let numbers = sorted(pieces.map(|piece| piece.index() as u16));
    numbers.map(|number| PieceIndex::from_index(usize::from(number)).unwrap_or_default())
}

/// Distinct numbers below [`PIECES`] in order.
fn sorted(numbers: impl Iterator<Item = u16>) -> [u16; SLOTS] {
    let mut present = [0u64; PIECES.div_ceil(64)];
    for number in numbers {
        present[usize::from(number / 64)] |= 1 << (number % 64);
    }
    let mut list = [0; SLOTS];
    let mut slots = list.iter_mut();
    for (word, mut bits) in (0..).zip(present) {
        while bits != 0
            && let Some(slot) = slots.next()
        {
            *slot = word * 64 + bits.trailing_zeros() as u16;
            bits &= bits - 1;
        }
    }
    list
}

/// A mini-batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// The samples.
    pub samples: Vec<PreparedSample>,
    /// Sides grouped by their own king, 45 groups.
    pub by_king: KeyGroups<SideRef>,
    keys: Vec<usize>,
    /// Whether networks do not see the enemy king.
    hides_enemy_king: bool,
    /// Whether the samples have no threats, because no part reads them.
    pub omits_threats: bool,
}

impl Batch {
    /// A batch without samples. `hides_enemy_king`: whether networks do not see the enemy king.
    pub fn new(hides_enemy_king: bool) -> Batch {
        Batch { hides_enemy_king, ..Batch::default() }
    }

    /// Fills the batch with these samples or their mirror images.
    pub fn fill(&mut self, samples: &[Sample], refs: &[SampleRef]) {
        refs.par_iter()
            .with_min_len(CHUNK)
            .map(|reference| {
                let sample = &samples[reference.number()];
                PreparedSample {
                    shows_enemy_king: !self.hides_enemy_king,
                    threats: if self.omits_threats { ArrayVec::new() } else { sample.threats() },
                    ..PreparedSample::new(sample, reference.is_mirrored())
                }
            })
            .collect_into_vec(&mut self.samples);
        self.keys.clear();
        let sides = self.samples.iter().flat_map(|sample| &sample.sides);
        self.keys.extend(sides.map(|side| side.kings.king()));
        self.by_king.fill(KINGS, &self.keys);
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Pieces in the view of a side, ascending.
    #[inline]
    pub fn pieces(&self, side: SideRef) -> &[PieceIndex] {
        self.samples[side.sample()].pieces(side.side())
    }
}
