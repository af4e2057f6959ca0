//! Feature set and sizes of a network.

use std::fmt;

use super::feature_set::FeatureSet;
use crate::eval::kernel::portable::UNIT_BLOCK;

/// What comes between the first layer and the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Clipped accumulators, one head.
    Classic,
    /// Products of clipped halves, nine heads chosen by the ranks of both kings (k3k3).
    Sfnn,
}

/// The form of a network: all that its sizes depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NnueForm {
    /// Family.
    pub family: Family,
    /// What the rows stand for.
    pub features: FeatureSet,
    /// Values of a side's accumulator (L1).
    pub units: usize,
    /// Units of the head's two hidden layers (H1, H2).
    pub hidden: [usize; 2],
}

/// Outputs and inputs of a layer.
pub(super) type LayerSize = (usize, usize);

impl NnueForm {
    /// Greatest number of units.
    pub const MAX_UNITS: usize = 4_096;
    /// Greatest number of units of a hidden layer.
    pub const MAX_HIDDEN: usize = 128;
    /// Heads of the SFNN family.
    pub const SFNN_HEADS: usize = 9;

    /// Whether the sizes can be read: none is zero or too large, and rows that are padded to whole
    /// blocks of the kernels take no more than twice the room of the file.
    pub fn is_possible(self) -> bool {
        let units = match self.family {
            Family::Classic => (UNIT_BLOCK..=NnueForm::MAX_UNITS).contains(&self.units),
            Family::Sfnn => NnueForm::are_sfnn_units(self.units as u64),
        };
        units && self.hidden.iter().all(|hidden| (1..=NnueForm::MAX_HIDDEN).contains(hidden))
    }

    /// Whether an SFNN network may have so many units: halves of whole blocks of the kernels.
    pub(super) fn are_sfnn_units(units: u64) -> bool {
        let (block, most) = (2 * UNIT_BLOCK as u64, NnueForm::MAX_UNITS as u64);
        units.is_multiple_of(block) && (block..=most).contains(&units)
    }

    /// Number of heads.
    pub fn heads(self) -> usize {
        match self.family {
            Family::Classic => 1,
            Family::Sfnn => NnueForm::SFNN_HEADS,
        }
    }

    /// Whether an output of the first hidden layer goes past the others into the result.
    pub fn has_skip(self) -> bool {
        self.family == Family::Sfnn && self.hidden[0] % 8 == 7
    }

    /// Outputs and inputs of the layers of a head.
    pub(super) fn layers(self) -> [LayerSize; 3] {
        let [first, second] = self.hidden;
        match self.family {
            Family::Classic => [(first, 2 * self.units), (second, first), (1, second)],
            Family::Sfnn => [
                (first + usize::from(self.has_skip()), self.units),
                (second, 2 * first),
                (1, second),
            ],
        }
    }

    /// Bytes of a head in a file, its hash included.
    pub(super) fn head_bytes(self) -> u64 {
        let layer = |(outputs, inputs): LayerSize| outputs * (4 + columns(inputs));
        4 + self.layers().into_iter().map(layer).sum::<usize>() as u64
    }

    /// Bytes of the first layer of the classic family, its hash not included.
    pub(super) fn classic_rows_bytes(self) -> u64 {
        2 * (self.units * (self.features.rows() + 1)) as u64
    }

    /// Values of an accumulator that pass into the head together: all of them, or a half.
    pub(super) fn part(self) -> usize {
        match self.family {
            Family::Classic => self.units,
            Family::Sfnn => self.units / 2,
        }
    }

    /// The same in memory: whole blocks of the kernels.
    pub(super) fn padded_part(self) -> usize {
        self.part().next_multiple_of(UNIT_BLOCK)
    }

    /// Length of an accumulator in memory.
    pub(super) fn stride(self) -> usize {
        self.units / self.part() * self.padded_part()
    }
}

/// Columns of a layer in a file.
pub(super) const fn columns(inputs: usize) -> usize {
    inputs.next_multiple_of(32)
}

/// As players name it: `HalfKP 256x2-32-32`, `SFNN HalfKA_hm2 1536-15-32 k3k3`.
impl fmt::Display for NnueForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NnueForm { family, features, units, hidden: [first, second] } = self;
        match family {
            Family::Classic => write!(f, "{features} {units}x2-{first}-{second}"),
            Family::Sfnn => write!(f, "SFNN {features} {units}-{first}-{second} k3k3"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_known_files() {
        let classic =
            |features, units, hidden| NnueForm { family: Family::Classic, features, units, hidden };
        // Behind the header of 12 bytes and its text, with both hashes.
        let bytes = |form: NnueForm| 12 + 4 + form.classic_rows_bytes() + form.head_bytes();
        use FeatureSet::{HalfKp, HalfKpVm, Kp};
        for (form, expected) in [
            (classic(HalfKp, 256, [32, 32]), 64_216_888),
            (classic(HalfKp, 512, [8, 96]), 128_410_136),
            (classic(HalfKp, 768, [16, 64]), 192_624_536),
            (classic(HalfKp, 1024, [8, 32]), 256_814_296),
            (classic(HalfKpVm, 256, [32, 32]), 35_684_152),
            (classic(Kp, 256, [32, 32]), 893_752),
        ] {
            assert_eq!(bytes(form), expected, "{form}");
        }
    }

    #[test]
    fn fifteen_units_with_a_skip_have_the_size_of_sixteen() {
        let form = |first| NnueForm {
            family: Family::Sfnn,
            features: FeatureSet::HalfKaHm2,
            units: 1536,
            hidden: [first, 32],
        };
        assert!(form(15).has_skip() && !form(16).has_skip());
        assert_eq!(form(15).head_bytes(), form(16).head_bytes());
        assert_eq!(form(15).to_string(), "SFNN HalfKA_hm2 1536-15-32 k3k3");
        assert!(!NnueForm { units: 1535, ..form(15) }.is_possible());
        assert!(!NnueForm { hidden: [0, 32], ..form(15) }.is_possible());
        assert!(!NnueForm { units: 5000, ..form(15) }.is_possible());
    }
}
