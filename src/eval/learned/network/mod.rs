//! A network: hidden units of each side's view of the board with a non-linearity, and a head.
//!
//! A side's *accumulator* contains its hidden units before the non-linearity, in 2^-8. It is a bias
//! for the own king's square, plus one row for each of the 38 pieces, plus one row for the enemy
//! king's square. Pieces and squares are in the side's normalized [`KingView`]. All squares of the
//! own king share one table of rows (*king-free*), or each square has its own table
//! (*king-relative*). A move replaces a row of an accumulator per changed piece. If the side's king
//! crosses the middle file, or moves while its squares have separate rows, all rows change. A cache
//! then provides the accumulator of the last time that the king was on this square.
//!
//! The [`Head`] computes one number from both accumulators, from the side to move's view.
//!
//! If the own king is on the middle file, a side's view is not mirrored. A position and its mirror
//! image may then have different values.
//!
//! All arithmetic uses integers and
//! is exact, so that every kernel gives the same values.
//!
//! Source: the incremental first layer is that of NNUE (Nasu, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions for Computer Shogi", 2018). In addition, this network
//! supports king-free rows. Products of units: the documentation of nnue-pytorch (Stockfish
//! project), "pairwise multiplication".

mod head;
mod layer;
mod shape;

pub use head::{Head, Hidden};
pub use layer::ByteLayer;
pub use shape::{HeadActivation, HeadInput, HeadShape, NetworkShape};

use std::ops::RangeInclusive;

use super::features::Pieces;
use super::king_view::KingView;
use crate::eval::accumulators::FirstLayer;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::Aligned;
use crate::eval::kernel::portable::{MAX_UNITS, UNIT_BLOCK};
use crate::shogi::Square;

/// The weights of the hidden units, and the head.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    units: usize,
    /// Number of squares of the own king with separate rows: 1 (king-free) or 45.
    kings: usize,
    /// The rows, shape `[kings][1629][units]`, then the biases, shape `[45][units]` by
    /// [`KingView::king`].
    weights: Aligned<i16>,
    head: Head,
}

impl Network {
    /// Number of rows per table.
    pub const ROWS: usize = KingView::INPUTS;
    /// Stored value of 1.0 in rows, biases and accumulators.
    pub const ONE: i16 = 256;
    /// Largest absolute weight of a row. With 39 such weights and a bias, a hidden unit is at most
    /// 32,700 and fits in 16 bits.
    pub const LARGEST_WEIGHT: i16 = 800;
    /// Largest absolute bias.
    pub const LARGEST_BIAS: i16 = 1500;
    /// Valid numbers of hidden units: the multiples of 32 in this range.
    pub const UNITS: RangeInclusive<usize> = UNIT_BLOCK..=MAX_UNITS;

    /// Whether a network can have this number of hidden units.
    pub fn is_size(units: usize) -> bool {
        Network::UNITS.contains(&units) && units.is_multiple_of(UNIT_BLOCK)
    }

    /// Creates a network. `rows` has the shape `[1 or 45][1629][units]`: own king's square if there
    /// are 45 tables, then piece index or 1548 + enemy king's square. `biases` has the shape
    /// `[45][units]`. Returns `None` if a shape is wrong or does not fit the head, a weight or bias
    /// is too large, or the empty slot has a weight.
    pub fn new(units: usize, rows: &[i16], biases: &[i16], head: Head) -> Option<Network> {
        if !Network::is_size(units) {
            return None;
        }
        let kings = rows.len() / (Network::ROWS * units);
        let shaped = [1, KingView::KINGS].contains(&kings)
            && rows.len() == kings * Network::ROWS * units
            && biases.len() == KingView::KINGS * units
            && head.fits(units);
        let within = |numbers: &[i16], largest: i16| {
            numbers.iter().all(|number| number.unsigned_abs() <= largest.unsigned_abs())
        };
        let bounded =
            within(rows, Network::LARGEST_WEIGHT) && within(biases, Network::LARGEST_BIAS);
        if !shaped || !bounded {
            return None;
        }
        let weights = [rows, biases].concat()[..].into();
        let network = Network { units, kings, weights, head };
        let empty_slots_are_zero = (0..kings)
            .all(|king| network.table_row(king, PieceIndex::NONE.index()).iter().all(|&w| w == 0));
        empty_slots_are_zero.then_some(network)
    }

    /// Number of hidden units per side.
    #[inline]
    pub fn units(&self) -> usize {
        self.units
    }

    /// Whether every square of the own king has separate rows.
    #[inline]
    pub fn is_king_relative(&self) -> bool {
        self.kings > 1
    }

    /// All rows, shape `[1 or 45][1629][units]`.
    pub fn rows(&self) -> &[i16] {
        &self.weights[..self.kings * Network::ROWS * self.units]
    }

    /// All biases, shape `[45][units]`.
    pub fn biases(&self) -> &[i16] {
        &self.weights[self.kings * Network::ROWS * self.units..]
    }

    /// Whether every program that plays NNUE files supports all parts of the network. Such a
    /// network has a classic head, the same bias for every king, and no weights of the enemy king.
    /// Its weights and biases are even, because the unit of those programs is 2^-7.
    pub fn is_plain(&self) -> bool {
        let kings = PieceIndex::COUNT * self.units;
        let (first, others) = self.biases().split_at(self.units);
        let mut tables = self.rows().chunks_exact(Network::ROWS * self.units);
        self.head.shape().is_classic()
            && others.chunks_exact(self.units).all(|bias| bias == first)
            && tables.all(|rows| rows[kings..].iter().all(|&weight| weight == 0))
            && self.rows().iter().chain(first).all(|number| number % 2 == 0)
    }

    /// The head, which computes a value from both accumulators.
    #[inline]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The shape of the network.
    pub fn shape(&self) -> NetworkShape {
        NetworkShape {
            units: self.units,
            king_relative: self.is_king_relative(),
            head: self.head.shape(),
        }
    }

    /// Computes an accumulator from scratch in a slow and simple way. `pieces` are in the
    /// normalized view.
    pub fn accumulator(&self, view: KingView, pieces: &Pieces) -> Vec<i16> {
        let bias = &self.biases()[view.king() * self.units..][..self.units];
        let mut units = bias.to_vec();
        for row in view.inputs(pieces) {
            for (unit, weight) in units.iter_mut().zip(self.table_row(self.table(view), row)) {
                *unit += weight;
            }
        }
        units
    }

    /// Index of the table of rows for these kings.
    #[inline]
    fn table(&self, view: KingView) -> usize {
        if self.is_king_relative() { view.king() } else { 0 }
    }

    #[inline]
    fn table_row(&self, table: usize, row: usize) -> &[i16] {
        self.row((table * Network::ROWS + row) as u32)
    }
}

/// The bias of an own king's square counts as the row of this king.
impl FirstLayer for Network {
    type View = KingView;

    #[inline]
    fn view(&self, own: Option<Square>, enemy: Option<Square>) -> Option<KingView> {
        Some(KingView::from_own_view(own?, enemy?))
    }

    #[inline]
    fn piece_row(&self, view: KingView, index: PieceIndex) -> u32 {
        (self.table(view) * Network::ROWS + view.normal(index).index()) as u32
    }

    #[inline]
    fn king_rows(&self, view: KingView) -> Option<[u32; 2]> {
        let bias = self.kings * Network::ROWS + view.king();
        let enemy = self.table(view) * Network::ROWS + view.enemy_input();
        Some([bias as u32, enemy as u32])
    }

    #[inline]
    fn shares_rows(&self, before: KingView, after: KingView) -> bool {
        before.is_mirrored() == after.is_mirrored() && self.table(before) == self.table(after)
    }

    #[inline]
    fn row(&self, row: u32) -> &[i16] {
        &self.weights[row as usize * self.units..][..self.units]
    }

    /// Zeros: the row of an empty slot.
    #[inline]
    fn bias(&self) -> &[i16] {
        self.row(PieceIndex::NONE.index() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::SideView;
    use super::*;
    use crate::eval::accumulators::Accumulators;
    use crate::eval::kernel::Kernel;
    use crate::eval::material::PieceValues;
    use crate::eval::piece_list::PieceList;
    use crate::eval::recorded_line::RecordedLine;
    use crate::shogi::{Color, Position};

    /// A head for this number of units, without weights.
    fn head(units: usize) -> Head {
        let layer = |inputs: usize, outputs: usize| {
            ByteLayer::new(inputs, &vec![0; inputs * outputs], vec![0; outputs]).expect("a layer")
        };
        let (first, second) = (layer(2 * units, 16), layer(16, Head::SECOND));
        Head::new(HeadInput::Clipped, first, second, vec![0; Head::SECOND], 0).expect("a head")
    }

    fn network(weight: i16, bias: i16) -> Option<Network> {
        let mut rows = vec![weight; Network::ROWS * 32];
        rows[..32].fill(0);
        Network::new(32, &rows, &vec![bias; KingView::KINGS * 32], head(32))
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        let largest = network(Network::LARGEST_WEIGHT, Network::LARGEST_BIAS)
            .expect("the weights are in bounds");
        let pos = Position::startpos();
        let list = PieceList::new(&pos);
        let [side, _] = SideView::both(pos.kings().expect("both kings exist"), &list);
        let slow = largest.accumulator(side.kings, &side.normal_pieces());
        assert_eq!(slow, [32_700; 32]);
        for kernel in Kernel::available() {
            let mut line = RecordedLine::<()>::new(PieceValues::ENGINE, &pos);
            let mut accumulators = Accumulators::new(kernel, 32);
            let at = accumulators.catch_up(&largest, &mut line, Color::Black);
            assert_eq!(accumulators.get(at, Color::Black), slow);
        }
        assert!(network(-Network::LARGEST_WEIGHT, -Network::LARGEST_BIAS).is_some());
        assert!(network(Network::LARGEST_WEIGHT + 1, 0).is_none());
        assert!(network(0, -Network::LARGEST_BIAS - 1).is_none());
        assert!(network(i16::MIN, 0).is_none());
    }

    #[test]
    fn wrong_shapes_are_refused() {
        let made = |units: usize, rows: usize, kings: usize, inputs: usize| {
            let rows = vec![0; rows * units];
            Network::new(units, &rows, &vec![0; kings * units], head(inputs))
        };
        assert!(made(64, Network::ROWS, 45, 64).is_some());
        assert!(made(64, 45 * Network::ROWS, 45, 64).is_some());
        assert!(made(0, Network::ROWS, 45, 32).is_none());
        assert!(made(48, Network::ROWS, 45, 48).is_none());
        assert!(made(544, Network::ROWS, 45, 512).is_none());
        assert!(made(64, 2 * Network::ROWS, 45, 64).is_none());
        assert!(made(64, Network::ROWS + 1, 45, 64).is_none());
        assert!(made(64, Network::ROWS, 44, 64).is_none());
        assert!(made(64, Network::ROWS, 45, 32).is_none());
        let mut rows = vec![0; 45 * Network::ROWS * 32];
        rows[7 * Network::ROWS * 32] = 1;
        let refused = Network::new(32, &rows, &[0; 45 * 32], head(32)).is_none();
        assert!(refused, "an empty slot has a weight");
    }
}
