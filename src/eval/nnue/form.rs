//! The feature set and the sizes of a network.

use std::fmt;

use super::feature_set::FeatureSet;
use crate::eval::kernel::portable::UNIT_BLOCK;

/// The connection between the first layer and the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Clipped accumulators, one head.
    Classic,
    /// Products of clipped halves, and nine heads, selected by the ranks of both kings (k3k3).
    Sfnn,
}

/// The form of a network. It determines all sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NnueForm {
    /// The family.
    pub family: Family,
    /// The features of the rows.
    pub features: FeatureSet,
    /// Length of a side's accumulator (L1).
    pub units: usize,
    /// Number of units in each of the two hidden layers of the head (H1, H2).
    pub hidden: [usize; 2],
}

/// Number of outputs and number of inputs of a layer.
pub(super) type LayerSize = (usize, usize);

impl NnueForm {
    /// Largest number of units.
    pub const MAX_UNITS: usize = 4_096;
    /// Largest number of units of a hidden layer.
    pub const MAX_HIDDEN: usize = 128;
    /// Number of heads of the SFNN family.
    pub const SFNN_HEADS: usize = 9;

    /// Whether this program can read a network with these sizes. No size is zero or too large. Rows
    /// padded to whole blocks of the kernels take at most twice the space of the file.
    pub fn is_possible(self) -> bool {
        let units = match self.family {
            Family::Classic => (UNIT_BLOCK..=NnueForm::MAX_UNITS).contains(&self.units),
            Family::Sfnn => NnueForm::are_sfnn_units(self.units as u64),
        };
        units && self.hidden.iter().all(|hidden| (1..=NnueForm::MAX_HIDDEN).contains(hidden))
    }

    /// Whether an SFNN network can have `units` units. Each half must be whole blocks of the
    /// kernels.
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

    /// Whether one output of the first hidden layer skips the other layers and is added to the
    /// result.
    pub fn has_skip(self) -> bool {
        self.family == Family::Sfnn && self.hidden[0] % 8 == 7
    }

    /// Number of outputs and inputs of each layer of a head.
    pub fn layers(self) -> [LayerSize; 3] {
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

    /// Number of bytes of a head in a file, including its hash.
    pub(super) fn head_bytes(self) -> u64 {
        let layer = |(outputs, inputs): LayerSize| outputs * (4 + columns(inputs));
        4 + self.layers().into_iter().map(layer).sum::<usize>() as u64
    }

    /// Number of bytes of the first layer of the classic family, without its hash.
    pub(super) fn classic_rows_bytes(self) -> u64 {
        2 * (self.units * (self.features.rows() + 1)) as u64
    }

    /// Length of the part of an accumulator that one input of the head needs: the whole or a half.
    pub(super) fn part(self) -> usize {
        match self.family {
            Family::Classic => self.units,
            Family::Sfnn => self.units / 2,
        }
    }

    /// Length of [`part`](NnueForm::part) in memory, padded to whole blocks of the kernels.
    pub(super) fn padded_part(self) -> usize {
        self.part().next_multiple_of(UNIT_BLOCK)
    }

    /// Length of an accumulator in memory.
    pub(super) fn stride(self) -> usize {
        self.units / self.part() * self.padded_part()
    }
}

/// Number of columns of a layer in a file.
pub const fn columns(inputs: usize) -> usize {
    inputs.next_multiple_of(32)
}

/// Formats as players write it: `HalfKP 256x2-32-32`, `SFNN HalfKA_hm2 1536-15-32 k3k3`.
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
    fn sizes_match_known_files() {
        let classic =
            |features, units, hidden| NnueForm { family: Family::Classic, features, units, hidden };
        // The size includes the text's header of 12 bytes and both hashes.
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
    fn fifteen_units_with_a_skip_have_the_size_of_sixteen_units() {
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
