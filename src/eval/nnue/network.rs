//! The content of a file, prepared for evaluation.

use std::fmt;

use arrayvec::ArrayVec;

use super::calibration::Calibration;
use super::feature_set::FeatureView;
use super::form::{Family, NnueForm};
use super::head::Head;
use crate::eval::accumulators::FirstLayer;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::refresh_cache::MAX_ROWS;
use crate::shogi::Square;

/// A network from a file. It is immutable, and all threads share it.
#[derive(Clone, Debug)]
pub struct Nnue {
    form: NnueForm,
    text: String,
    file_bytes: u64,
    /// Shape `[stride]`.
    bias: Aligned<i16>,
    /// Shape `[rows][stride]`.
    rows: Aligned<i16>,
    heads: Vec<Head>,
    calibration: Calibration,
}

/// The divisor of raw values that the author of a file recommends, 1 to 128: `FV_SCALE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FvScale(u8);

impl FvScale {
    /// The scale of files without a recommendation.
    pub const DEFAULT: FvScale = FvScale(16);
    /// The largest scale.
    pub const MAX: u8 = 128;

    /// Creates a scale. Returns `None` if it is not from 1 to 128.
    pub fn new(scale: u8) -> Option<FvScale> {
        (1..=FvScale::MAX).contains(&scale).then_some(FvScale(scale))
    }

    /// The scale as a number.
    pub fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for FvScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Nnue {
    /// Largest absolute value in the network's own unit.
    pub const LARGEST_OWN_VALUE: i32 = 31_753;

    /// `bias` and `rows` have the shapes `[stride]` and `[rows][stride]`.
    pub(super) fn new(
        form: NnueForm,
        (text, file_bytes): (String, u64),
        (bias, rows): (Aligned<i16>, Aligned<i16>),
        heads: Vec<Head>,
    ) -> Nnue {
        debug_assert!(bias.len() == form.stride() && heads.len() == form.heads());
        debug_assert_eq!(rows.len(), form.features.rows() * form.stride());
        Nnue { form, text, file_bytes, bias, rows, heads, calibration: Calibration::NOMINAL }
    }

    /// The same network with another calibration.
    pub(super) fn with_calibration(self, calibration: Calibration) -> Nnue {
        Nnue { calibration, ..self }
    }

    /// The feature set and the sizes.
    #[inline]
    pub fn form(&self) -> NnueForm {
        self.form
    }

    /// The architecture text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Length of the file.
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// The conversion of raw values to centipawns.
    pub fn calibration(&self) -> Calibration {
        self.calibration
    }

    /// The scale that the file's text recommends (`fv_scale=24`), or 16 without a recommendation.
    pub fn recommended_fv_scale(&self) -> FvScale {
        let number = self
            .text
            .split_once("fv_scale=")
            .map(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
        let scale = number.and_then(|number| number.parse().ok()).and_then(FvScale::new);
        scale.unwrap_or(FvScale::DEFAULT)
    }

    /// A raw value in the network's own unit, as its author's program computes it. The value is
    /// divided by the scale, rounded towards zero, and clamped to +-31,753.
    pub fn own_value(&self, raw: i32, scale: FvScale) -> i32 {
        let largest = Nnue::LARGEST_OWN_VALUE;
        (raw / i32::from(scale.get())).clamp(-largest, largest)
    }

    /// Length of an accumulator in memory, a multiple of 32.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.bias.len()
    }

    /// Computes an accumulator from scratch.
    pub(super) fn accumulate(
        &self,
        kernel: Kernel,
        view: FeatureView,
        pieces: &[PieceIndex],
        accumulator: &mut [i16],
    ) {
        let rows = self.rows(view, pieces);
        let rows: ArrayVec<&[i16], MAX_ROWS> = rows.iter().map(|&row| self.row(row)).collect();
        kernel.sum_rows(accumulator, &self.bias, &rows);
    }

    /// Creates a buffer for [`raw`](Nnue::raw).
    pub(super) fn input_buffer(&self) -> Aligned<u8> {
        Aligned::zeros(2 * self.form.padded_part())
    }

    /// The raw value from the side to move's view. That side's accumulator is first. `input` is an
    /// [`input_buffer`](Nnue::input_buffer), which is overwritten.
    #[inline]
    pub(super) fn raw(
        &self,
        kernel: Kernel,
        views: [FeatureView; 2],
        [own, other]: [&[i16]; 2],
        input: &mut [u8],
    ) -> i32 {
        let (own_input, other_input) = input.split_at_mut(input.len() / 2);
        for (input, accumulator) in [(own_input, own), (other_input, other)] {
            match self.form.family {
                Family::Classic => kernel.clamp_units(input, accumulator),
                Family::Sfnn => kernel.pair_products(input, accumulator),
            }
        }
        self.head(views).raw(self.form, kernel, input)
    }

    /// The head for the kings of these views, the side to move's first. Each king is in one of
    /// three thirds of the board, seen from its own side (k3k3).
    #[inline]
    fn head(&self, [own, other]: [FeatureView; 2]) -> &Head {
        match self.form.family {
            Family::Classic => &self.heads[0],
            Family::Sfnn => &self.heads[3 * own.king_zone() + other.king_zone()],
        }
    }
}

impl FirstLayer for Nnue {
    type View = FeatureView;

    /// `None` also if the choice of a head needs a king that is missing.
    #[inline]
    fn view(&self, own: Option<Square>, enemy: Option<Square>) -> Option<FeatureView> {
        let chooses = self.form.family == Family::Sfnn;
        if chooses && (own.is_none() || enemy.is_none()) {
            return None;
        }
        FeatureView::new(self.form.features, own, enemy)
    }

    #[inline]
    fn piece_row(&self, view: FeatureView, index: PieceIndex) -> u32 {
        view.piece(index)
    }

    #[inline]
    fn king_rows(&self, view: FeatureView) -> Option<[u32; 2]> {
        view.kings()
    }

    #[inline]
    fn shares_rows(&self, before: FeatureView, after: FeatureView) -> bool {
        before.shares_rows(after)
    }

    #[inline]
    fn row(&self, row: u32) -> &[i16] {
        &self.rows[row as usize * self.stride()..][..self.stride()]
    }

    #[inline]
    fn bias(&self) -> &[i16] {
        &self.bias
    }
}
