//! Units of a network that carry information: those whose activation varies.

use std::fmt;

use crate::eval::kernel::LARGEST_FACTOR;
use crate::eval::learned::Network;
use crate::eval::learned::features::SideView;
use crate::eval::learned::network::{Head, Hidden};
use crate::eval::{Kernel, PieceList};
use crate::shogi::{Color, Position};

/// What the units of a layer do in some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerUnits {
    /// Units whose activation varies.
    pub live: u32,
    /// Units that are always zero.
    pub dead: u32,
    /// Units with the same other activation in all positions.
    pub saturated: u32,
}

impl LayerUnits {
    /// Number of units.
    pub fn count(self) -> u32 {
        self.live + self.dead + self.saturated
    }
}

/// The units of all layers: the hidden units, and both layers of the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveUnits {
    /// In the order of [`NAMES`](LiveUnits::NAMES).
    pub layers: [LayerUnits; 3],
}

impl LiveUnits {
    /// Names of the layers.
    pub const NAMES: [&str; 3] = ["hidden units", "first layer", "second layer"];

    /// Counts the live units of a network in these positions; those without both kings do not
    /// count.
    pub fn of<'p>(
        network: &Network,
        positions: impl IntoIterator<Item = &'p Position>,
    ) -> LiveUnits {
        let head = network.head();
        let width = head.shape().width;
        let (mut units, mut first) = (Ranges::new(network.units()), Ranges::new(width));
        let mut second = Ranges::new(Head::SECOND);
        for pos in positions {
            let Some(kings) = pos.kings() else { continue };
            let list = PieceList::new(pos);
            let sides = SideView::both(kings, &list).map(|side| {
                let sums = network.accumulator(side.kings, &side.normal_pieces());
                units.add(sums.iter().map(|&sum| sum.clamp(0, LARGEST_FACTOR)));
                sums
            });
            let us = pos.side_to_move();
            let both = [us, !us].map(|side: Color| &sides[side.index()][..]);
            let mut input = vec![0; head.inputs()];
            let hidden = head.hidden(Kernel::detect(), both, &mut input);
            // A unit with dual activations varies if one of them does.
            let Hidden { first: activations, second: last } = hidden;
            let squares = &activations[width..2 * width];
            first.add(
                activations.iter().zip(squares).map(|(&x, &y)| 128 * i16::from(x) + i16::from(y)),
            );
            second.add(last.iter().map(|&x| i16::from(x)));
        }
        LiveUnits { layers: [units, first, second].map(|ranges| ranges.count()) }
    }

    /// Largest number of units of a layer that are not live, over the layers.
    pub fn most_lost(&self) -> u32 {
        self.layers.iter().map(|layer| layer.dead + layer.saturated).max().unwrap_or(0)
    }
}

/// Formats a line like `live units, first layer: 30 of 32 (1 dead, 1 saturated)` for each layer.
impl fmt::Display for LiveUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, layer) in LiveUnits::NAMES.iter().zip(self.layers) {
            let LayerUnits { live, dead, saturated } = layer;
            write!(f, "live units, {name}: {live} of {}", layer.count())?;
            if live < layer.count() {
                write!(f, " ({dead} dead, {saturated} saturated)")?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// The smallest and the largest value of each unit.
struct Ranges(Vec<(i16, i16)>);

impl Ranges {
    fn new(units: usize) -> Ranges {
        Ranges(vec![(i16::MAX, i16::MIN); units])
    }

    fn add(&mut self, values: impl Iterator<Item = i16>) {
        for (range, value) in self.0.iter_mut().zip(values) {
            *range = (range.0.min(value), range.1.max(value));
        }
    }

    fn count(&self) -> LayerUnits {
        let mut layer = LayerUnits::default();
        for &(least, most) in &self.0 {
            match (least, most) {
                (0, 0) => layer.dead += 1,
                _ if least == most => layer.saturated += 1,
                _ => layer.live += 1,
            }
        }
        layer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::PieceIndex;
    use crate::eval::learned::KingView;
    use crate::eval::learned::network::{ByteLayer, HeadInput, HeadShape};

    #[test]
    fn units_that_never_vary_are_counted() {
        // Every piece adds 1/32 to the first unit; the second is always 1, the others 0.
        let mut rows = vec![0; Network::ROWS * 32];
        for piece in PieceIndex::all().skip(1) {
            rows[piece.index() * 32] = 8;
        }
        let mut biases = vec![0; KingView::KINGS * 32];
        biases.chunks_exact_mut(32).for_each(|biases| biases[1] = 256);
        let mut weights = vec![0; 64 * 16];
        weights[0] = 64;
        let mut first_biases = vec![-8_192; 16];
        (first_biases[0], first_biases[1]) = (-2_000, 9_000);
        let first = ByteLayer::new(64, &weights, first_biases).expect("a layer");
        let second = ByteLayer::new(16, &[32; 16 * 32], vec![-4_064; 32]).expect("a layer");
        let head = Head::new(HeadInput::Clipped, first, second, vec![0; 32], 0).expect("a head");
        assert!(head.shape() == HeadShape::classic(16));
        let network = Network::new(32, &rows, &biases, head).expect("a network");
        let positions = ["4k4/9/9/9/9/9/9/9/4K4 b 2P 1", "4k4/9/9/9/9/9/9/9/4K4 b 9P9p 1"];
        let positions = positions.map(|sfen| Position::from_sfen(sfen).expect(sfen));
        let live = LiveUnits::of(&network, &positions);
        let counts = |live, dead, saturated| LayerUnits { live, dead, saturated };
        assert_eq!(live.layers[0], counts(1, 30, 1));
        assert_eq!(live.layers[1], counts(1, 14, 1));
        assert_eq!(live.layers[2], counts(32, 0, 0));
        assert_eq!(live.most_lost(), 31);
        let text = live.to_string();
        assert!(
            text.contains("live units, first layer: 1 of 16 (14 dead, 1 saturated)\n"),
            "{text}"
        );
        assert_eq!(LiveUnits::of(&network, &positions[..1]).layers[0].live, 0);
    }
}
