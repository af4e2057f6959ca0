//! The shape of a network.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::eval::learned::king_view::KingView;

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkShape {
    /// Number of hidden units per side, a multiple of 32.
    pub units: usize,
    /// Whether every square of the own king has separate rows.
    pub king_relative: bool,
    /// The layers above the hidden units.
    pub head: HeadShape,
}

/// The shape of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadShape {
    /// Width of the first hidden layer: 16 or 32.
    pub width: usize,
    /// The input.
    pub input: HeadInput,
    /// The activation of the first hidden layer.
    pub activation: HeadActivation,
}

/// The numbers that a head reads from each side's hidden units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadInput {
    /// All clipped units.
    Clipped,
    /// The product of each unit of the first half and its partner in the second half, both clipped.
    /// A head then has half the inputs.
    Products,
}

/// The numbers that the second hidden layer reads from the sums z of the first.
///
/// Source: the documentation of nnue-pytorch (Stockfish project), "SqrCReLU".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadActivation {
    /// Each z clipped.
    Clipped,
    /// All clipped z, then all squares of z, bounded.
    Dual,
}

impl NetworkShape {
    /// Number of tables of rows.
    pub fn tables(self) -> usize {
        if self.king_relative { KingView::KINGS } else { 1 }
    }
}

impl HeadShape {
    /// Width of the second hidden layer.
    pub const SECOND: usize = 32;

    /// A head as in other programs: its input is all clipped units, and its activations are
    /// clipped.
    pub const fn classic(width: usize) -> HeadShape {
        HeadShape { width, input: HeadInput::Clipped, activation: HeadActivation::Clipped }
    }

    /// Whether it is a head as in other programs.
    pub fn is_classic(self) -> bool {
        self == HeadShape::classic(self.width)
    }

    /// Number of inputs of both sides together, for this number of hidden units per side.
    pub const fn inputs(self, units: usize) -> usize {
        match self.input {
            HeadInput::Clipped => 2 * units,
            HeadInput::Products => units,
        }
    }

    /// Number of inputs of the second hidden layer.
    pub const fn activations(self) -> usize {
        match self.activation {
            HeadActivation::Clipped => self.width,
            HeadActivation::Dual => 2 * self.width,
        }
    }
}

/// Formats like `512 hidden units, king-free rows, head 512-32-32-1 of products, dual`.
impl fmt::Display for NetworkShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetworkShape { units, king_relative, head } = *self;
        let rows = if king_relative { "king-relative" } else { "king-free" };
        let (inputs, width, second) = (head.inputs(units), head.width, HeadShape::SECOND);
        write!(f, "{units} hidden units, {rows} rows, head {inputs}-{width}-{second}-1")?;
        if let HeadInput::Products = head.input {
            f.write_str(" of products")?;
        }
        if let HeadActivation::Dual = head.activation {
            f.write_str(", dual")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_named() {
        let shape = |head| NetworkShape { units: 256, king_relative: false, head };
        let name = "256 hidden units, king-free rows, head 512-32-32-1";
        assert_eq!(shape(HeadShape::classic(32)).to_string(), name);
        let (input, activation) = (HeadInput::Products, HeadActivation::Dual);
        let head = HeadShape { width: 16, input, activation };
        let name = "256 hidden units, king-free rows, head 256-16-32-1 of products, dual";
        assert_eq!(shape(head).to_string(), name);
        assert!(HeadShape::classic(16).is_classic() && !head.is_classic());
        assert!(!HeadShape { activation, ..HeadShape::classic(16) }.is_classic());
        assert_eq!((head.inputs(256), head.activations()), (256, 32));
    }
}
