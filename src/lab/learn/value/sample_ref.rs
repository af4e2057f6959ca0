//! References to samples and to their sides, one word each.

/// A reference to a training sample or to its mirror image, which has the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SampleRef(u32);

impl SampleRef {
    /// References the sample with this index in its set.
    pub fn new(number: usize) -> SampleRef {
        SampleRef(2 * number as u32)
    }

    /// References the sample, or its mirror image if `is_mirrored`.
    pub fn mirrored_if(self, is_mirrored: bool) -> SampleRef {
        SampleRef(self.0 & !1 | u32::from(is_mirrored))
    }

    /// Index of the sample in its set.
    #[inline]
    pub fn number(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether it references the mirror image.
    #[inline]
    pub fn is_mirrored(self) -> bool {
        self.0 % 2 == 1
    }
}

/// One side of a sample of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SideRef(u32);

impl SideRef {
    /// Index in an array of shape samples of the batch x 2.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Index of the sample in its batch.
    #[inline]
    pub fn sample(self) -> usize {
        self.0 as usize / 2
    }

    /// The side: 0 is to move, 1 is the other.
    #[inline]
    pub fn side(self) -> usize {
        self.0 as usize % 2
    }

    /// The sign of the side's sum in the value.
    #[inline]
    pub fn sign(self) -> f32 {
        if self.side() == 0 { 1.0 } else { -1.0 }
    }
}

impl From<u32> for SideRef {
    /// The side at this [`index`](SideRef::index).
    fn from(index: u32) -> SideRef {
        SideRef(index)
    }
}
