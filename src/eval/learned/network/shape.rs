//! The shape of a network.

use std::fmt;

use crate::eval::index::PieceIndex;
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
    /// Two more hidden layers.
    Head(HeadShape),
}

/// The shape of one or several heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadShape {
    /// Width of the first hidden layer: 16 or 32.
    pub width: usize,
    /// The input.
    pub input: HeadInput,
    /// The number of heads, and the rule that selects one.
    pub choice: HeadChoice,
}

/// The numbers that a head reads from each side's hidden units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadInput {
    /// All clipped units.
    Clipped,
    /// The product of each unit of the first half and its partner in the second half, both clipped.
    /// A head then has half the inputs.
    Products,
}

/// The rule that selects a position's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadChoice {
    /// One head for all positions.
    One,
    /// Nine heads, by the third of the board that contains the own king, and the enemy king: the
    /// enemy's camp, the middle, or the own camp of the side to move.
    Kings,
    /// Four heads, by the number of pieces in both hands: 0 to 3, 4 to 7, 8 to 11, or more.
    Hands,
}

impl NetworkShape {
    /// Number of tables of rows.
    pub fn tables(self) -> usize {
        if self.king_relative { KingView::KINGS } else { 1 }
    }
}

impl TopShape {
    /// A single head whose input is all clipped units, with a first hidden layer of this width.
    pub const fn head(width: usize) -> TopShape {
        TopShape::Head(HeadShape { width, input: HeadInput::Clipped, choice: HeadChoice::One })
    }

    /// The rule that selects a position's head. A top without heads counts as one.
    pub const fn choice(self) -> HeadChoice {
        match self {
            TopShape::Head(head) => head.choice,
            TopShape::Clipped | TopShape::Squared => HeadChoice::One,
        }
    }

    /// Whether it is a single head whose input is all clipped units, as in other programs.
    pub fn is_classic(self) -> bool {
        matches!(self, TopShape::Head(HeadShape { width, .. }) if self == TopShape::head(width))
    }
}

impl HeadShape {
    /// Width of the second hidden layer.
    pub const SECOND: usize = 32;

    /// Number of inputs of both sides together, for this number of hidden units per side.
    pub const fn inputs(self, units: usize) -> usize {
        match self.input {
            HeadInput::Clipped => 2 * units,
            HeadInput::Products => units,
        }
    }
}

impl HeadChoice {
    /// Pieces in hand per head.
    const HELD: usize = 4;

    /// Number of heads.
    pub const fn count(self) -> usize {
        match self {
            HeadChoice::One => 1,
            HeadChoice::Kings => 9,
            HeadChoice::Hands => 4,
        }
    }

    /// Index of the head for a position. `kings` is the view of the side to move. `pieces` contains
    /// all pieces in the view of any side.
    #[inline]
    pub fn select(self, kings: KingView, pieces: &[PieceIndex]) -> usize {
        match self {
            HeadChoice::One => 0,
            HeadChoice::Kings => {
                let [own, enemy] = kings.ranks().map(|rank| rank / 3);
                3 * own + enemy
            }
            HeadChoice::Hands => {
                let held = pieces.iter().filter(|piece| piece.is_in_hand()).count();
                (held / HeadChoice::HELD).min(self.count() - 1)
            }
        }
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
            TopShape::Head(head) => {
                match head.choice {
                    HeadChoice::One => {}
                    HeadChoice::Kings => write!(f, "{} by the kings: ", head.choice.count())?,
                    HeadChoice::Hands => write!(f, "{} by the hands: ", head.choice.count())?,
                }
                let (inputs, width) = (head.inputs(self.units), head.width);
                write!(f, "head {inputs}-{width}-{}-1", HeadShape::SECOND)?;
                match head.input {
                    HeadInput::Clipped => Ok(()),
                    HeadInput::Products => write!(f, " of products"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::piece_list::PieceList;
    use crate::shogi::{Color, Position};

    /// The heads of a position for the side to move, by the kings and by the hands.
    fn heads(sfen: &str) -> [usize; 2] {
        let pos = Position::from_sfen(sfen).expect(sfen);
        let kings = KingView::new(pos.kings().expect(sfen), pos.side_to_move());
        let list = PieceList::new(&pos);
        let by_list = |choice: HeadChoice| {
            let [black, white] = Color::ALL.map(|color| choice.select(kings, list.list(color)));
            assert_eq!(black, white, "{sfen}");
            assert!(black < choice.count());
            black
        };
        assert_eq!(by_list(HeadChoice::One), 0);
        [HeadChoice::Kings, HeadChoice::Hands].map(by_list)
    }

    #[test]
    fn heads_depend_on_the_kings_and_on_the_hands() {
        assert_eq!(
            heads("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
            [6, 0]
        );
        // An entered king, seen by its side and by the other.
        assert_eq!(heads("4k4/9/4K4/9/9/9/9/9/9 b 3P 1"), [0, 0]);
        assert_eq!(heads("4k4/9/4K4/9/9/9/9/9/9 w 2P2p 1"), [8, 1]);
        assert_eq!(heads("9/9/9/4k4/9/9/4K4/9/9 b R2b4P 1"), [7, 1]);
        assert_eq!(heads("9/9/9/9/9/4k4/9/9/K8 w 8P 1"), [3, 2]);
        assert_eq!(heads("9/9/9/9/9/9/4k4/9/K8 b RB2G2S2N2L9Prb2g2s2n2l9p 1"), [8, 3]);
    }

    #[test]
    fn shapes_are_named() {
        let shape = |top| NetworkShape { units: 256, king_relative: false, top };
        let name = "256 hidden units, king-free rows, head 512-32-32-1";
        assert_eq!(shape(TopShape::head(32)).to_string(), name);
        let head = HeadShape { width: 16, input: HeadInput::Products, choice: HeadChoice::Kings };
        let top = TopShape::Head(head);
        let name = "256 hidden units, king-free rows, 9 by the kings: head 256-16-32-1 of products";
        assert_eq!(shape(top).to_string(), name);
        assert!(TopShape::head(16).is_classic());
        for other in [TopShape::Clipped, TopShape::Squared, top] {
            assert!(!other.is_classic());
        }
    }
}
