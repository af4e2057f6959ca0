//! The relations of two pieces and a king: one small interface, several forms.

use super::KingView;
use super::factored::Factored;
use super::table::Table;
use crate::eval::kernel::Kernel;
use crate::eval::{PieceIndex, PieceList};

/// All pieces as one side sees them; empty slots hold [`PieceIndex::NONE`].
pub type Pieces = [PieceIndex; PieceList::SLOTS];

/// The kings and pieces as one side sees them.
#[derive(Clone, Copy, Debug)]
pub struct SideView<'a> {
    /// The kings, normalized.
    pub kings: KingView,
    /// The pieces, not mirrored.
    pub pieces: &'a Pieces,
}

impl SideView<'_> {
    /// The pieces in the normalized view.
    #[inline]
    pub fn normal_pieces(self) -> Pieces {
        if self.kings.is_mirrored() { self.pieces.map(PieceIndex::mirrored) } else { *self.pieces }
    }
}

/// A piece that went from one place to another, in one side's normalized view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its slot in the list, 0..38.
    pub slot: u8,
    /// Where it was.
    pub old: PieceIndex,
    /// Where it is.
    pub new: PieceIndex,
}

/// One form of the weights w(k, i, j) of a king k and two pieces i, j.
///
/// A *half* is the sum of w over all pairs of pieces for one side's king in its normalized view, in
/// weight units ([`UNIT`](super::UNIT)). A form may keep partial sums (*lanes*) from which the half
/// follows.
pub trait PairForm {
    /// Length of the partial sums of one half; a multiple of 32, or 0.
    fn lanes(&self) -> usize;

    /// A half from scratch. Fills `lanes`. Cost: all pieces or all pairs.
    fn refresh(&self, kernel: Kernel, side: SideView<'_>, lanes: &mut [i16]) -> i32;

    /// A half after `steps`, which led to `side`, from what half and lanes were `before`. Fills
    /// `lanes`.
    fn follow(
        &self,
        kernel: Kernel,
        side: SideView<'_>,
        steps: &[Step],
        before: (i32, &[i16]),
        lanes: &mut [i16],
    ) -> i32;

    /// w(k, i, j) in weight units, rounded; 0 for the empty slot.
    fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64;
}

/// The forms there are.
#[derive(Clone, Debug, PartialEq)]
pub enum KingPairs {
    /// No such relations.
    None,
    /// Every weight by itself.
    Table(Table),
    /// Products of piece vectors.
    Factored(Factored),
}

impl PairForm for KingPairs {
    #[inline]
    fn lanes(&self) -> usize {
        match self {
            KingPairs::None | KingPairs::Table(_) => 0,
            KingPairs::Factored(form) => form.lanes(),
        }
    }

    #[inline]
    fn refresh(&self, kernel: Kernel, side: SideView<'_>, lanes: &mut [i16]) -> i32 {
        match self {
            KingPairs::None => 0,
            KingPairs::Table(form) => form.refresh(kernel, side, lanes),
            KingPairs::Factored(form) => form.refresh(kernel, side, lanes),
        }
    }

    #[inline]
    fn follow(
        &self,
        kernel: Kernel,
        side: SideView<'_>,
        steps: &[Step],
        before: (i32, &[i16]),
        lanes: &mut [i16],
    ) -> i32 {
        match self {
            KingPairs::None => 0,
            KingPairs::Table(form) => form.follow(kernel, side, steps, before, lanes),
            KingPairs::Factored(form) => form.follow(kernel, side, steps, before, lanes),
        }
    }

    fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64 {
        match self {
            KingPairs::None => 0.0,
            KingPairs::Table(form) => form.weight(king, i, j),
            KingPairs::Factored(form) => form.weight(king, i, j),
        }
    }
}
