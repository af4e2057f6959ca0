//! The shape of a network.

use std::fmt;

use super::top::Head;
use crate::eval::learned::king_view::KingView;

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Number of hidden units per side, a multiple of 32.
    pub units: usize,
    /// Whether every square of the own king has separate rows.
    pub king_relative: bool,
    /// The kind of the top.
    pub top: TopShape,
}

/// The kind of a network's top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopShape {
    /// One weight per clipped hidden unit.
    Clipped,
    /// One weight per squared hidden unit.
    Squared,
    /// Two more hidden layers. The first has this width: 16 or 32.
    Head(usize),
}

impl NetworkShape {
    /// Number of tables of rows.
    pub fn tables(self) -> usize {
        if self.king_relative { KingView::KINGS } else { 1 }
    }
}

/// Formats like `256 hidden units, king-free rows, head 512-32-32-1`.
impl fmt::Display for NetworkShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = if self.king_relative { "king-relative" } else { "king-free" };
        write!(f, "{} hidden units, {rows} rows, ", self.units)?;
        match self.top {
            TopShape::Clipped => write!(f, "clipped"),
            TopShape::Squared => write!(f, "squared"),
            TopShape::Head(width) => {
                write!(f, "head {}-{width}-{}-1", 2 * self.units, Head::SECOND)
            }
        }
    }
}
