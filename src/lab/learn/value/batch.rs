//! A mini-batch, laid out for the parts of the model.

use rayon::prelude::*;

use super::king_views::{CODES, KINGS, KingViews, PIECES};
use crate::eval::learned::KingView;
use crate::eval::{PieceIndex, PieceList};
use crate::lab::learn::{Sample, SampleView};

/// Samples of one task in the loops over samples. A sum over the batch never depends on it.
pub(super) const CHUNK: usize = 256;

const SLOTS: usize = PieceList::SLOTS;

/// A sample ready for the parts.
#[derive(Clone, Debug)]
pub(super) struct PreparedSample {
    len: usize,
    codes: [u16; SLOTS],
    /// The side to move's, the other side's.
    pub sides: [SampleSide; 2],
    /// Material balance, side to move's view, centipawns.
    pub material: f32,
}

/// What one side sees.
#[derive(Clone, Debug)]
pub(super) struct SampleSide {
    /// The kings in the side's normalized view.
    pub kings: KingView,
    pieces: [PieceIndex; SLOTS],
}

impl PreparedSample {
    /// `mirror`: take the mirror image of the sample, which is worth the same.
    pub fn new(sample: &Sample, mirror: bool) -> PreparedSample {
        let view = sample.view().expect("samples are checked when they are read or made");
        let view = if mirror { view.mirrored() } else { view };
        let SampleView { pieces, own_king, enemy_king, material } = view;
        let KingViews { here, there } = KingViews::new(own_king, enemy_king);
        let seen_here = pieces.iter().map(|&piece| here.normal(piece));
        let seen_there = pieces.iter().map(|&piece| there.normal(piece.turned()));
        PreparedSample {
            len: pieces.len(),
            codes: sorted(pieces.iter().map(|&piece| CODES[piece.index()])),
            sides: [
                SampleSide { kings: here, pieces: sorted_pieces(seen_here) },
                SampleSide { kings: there, pieces: sorted_pieces(seen_there) },
            ],
            material: material as f32,
        }
    }

    /// Codes of the pieces ([`CODES`]), ascending.
    #[inline]
    pub fn codes(&self) -> &[u16] {
        &self.codes[..self.len]
    }

    /// Pieces in the normalized view of a side (0 = to move), ascending.
    #[inline]
    pub fn pieces(&self, side: usize) -> &[PieceIndex] {
        &self.sides[side].pieces[..self.len]
    }

    /// What a network sees of a side: its pieces and the enemy king.
    #[inline]
    pub fn inputs(&self, side: usize) -> impl Iterator<Item = usize> {
        self.sides[side].kings.inputs(self.pieces(side))
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

/// Numbers grouped by a key, in order within each group.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyGroups {
    /// All numbers, group by group.
    pub members: Vec<u32>,
    /// Where each group begins in `members`; one more than there are groups.
    pub starts: Vec<usize>,
}

impl KeyGroups {
    /// Groups `0..keys.len()` by their keys, all below `count`: a counting sort.
    pub fn fill(&mut self, count: usize, keys: &[usize]) {
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for &key in keys {
            self.starts[key + 1] += 1;
        }
        for group in 0..count {
            self.starts[group + 1] += self.starts[group];
        }
        let mut next = self.starts.clone();
        self.members.resize(keys.len(), 0);
        for (number, &key) in keys.iter().enumerate() {
            self.members[next[key]] = number as u32;
            next[key] += 1;
        }
    }

    /// The members of a group.
    pub fn of(&self, group: usize) -> &[u32] {
        &self.members[self.starts[group]..self.starts[group + 1]]
    }

    /// `values`, one to a member in the order of `members`, cut after every `step` groups.
    pub fn split<'v, T>(&self, values: &'v mut [T], step: usize) -> Vec<&'v mut [T]> {
        let edges: Vec<usize> = self.starts.iter().copied().step_by(step).collect();
        cut(values, &edges)
    }
}

/// The parts of `values` between neighbouring `edges`, which ascend from 0.
pub(super) fn cut<'v, T>(mut values: &'v mut [T], edges: &[usize]) -> Vec<&'v mut [T]> {
    edges
        .windows(2)
        .map(|edge| {
            let (part, rest) = std::mem::take(&mut values).split_at_mut(edge[1] - edge[0]);
            values = rest;
            part
        })
        .collect()
}

/// The samples of a mini-batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// The samples.
    pub samples: Vec<PreparedSample>,
    /// Sides (2 x sample + side) by their own king, 45 groups.
    pub by_king: KeyGroups,
    keys: Vec<usize>,
}

impl Batch {
    /// Takes in the samples with these numbers; the number is twice that of the sample, plus 1 for
    /// its mirror image.
    pub fn fill(&mut self, samples: &[Sample], numbers: &[u32]) {
        numbers
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&number| PreparedSample::new(&samples[number as usize / 2], number % 2 == 1))
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

    /// Pieces in the view of a side (2 x sample + side), ascending.
    #[inline]
    pub fn pieces(&self, side: u32) -> &[PieceIndex] {
        self.samples[side as usize / 2].pieces(side as usize % 2)
    }
}

/// Which sign a side's (2 x sample + side) sum has in the value.
#[inline]
pub(super) fn sign(side: u32) -> f32 {
    if side.is_multiple_of(2) { 1.0 } else { -1.0 }
}
