//! The weights of a learned evaluation, ready for use.

use super::king_pairs::PairForm;
use super::{KingPairs, KingView, Network, TRIANGLE, triangle_index};
use crate::eval::PieceIndex;
use crate::eval::kernel::Row;

/// All weights of one learned evaluation, in fixed point: [`UNIT`](super::UNIT) of a centipawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    single: SingleWeights,
    /// Shape `[1548][1548]`, symmetric, Black's view.
    pairs: Vec<Row<i16>>,
    /// Whether any of them is not zero.
    has_pairs: bool,
    king_pairs: KingPairs,
    network: Option<Network>,
}

/// The weights of the kings and of one piece with them.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleWeights {
    /// Both kings. Shape `[3645]` by [`KingView::pair`], Black's view.
    pub kings: Vec<i16>,
    /// Having the move, by the kings as the side to move sees them. Shape `[3645]`.
    pub turn: Vec<i16>,
    /// Both kings and a piece. Shape `[3645][1548]`, Black's view.
    pub king_pieces: Vec<Row<i16>>,
}

impl Weights {
    /// `pairs`: the king-free pairs, shape `[TRIANGLE]`, Black's view. `None` if a shape is wrong or
    /// an empty slot has a weight.
    pub fn new(single: SingleWeights, pairs: &[i16], king_pairs: KingPairs) -> Option<Weights> {
        let shaped = single.kings.len() == KingView::PAIRS
            && single.turn.len() == KingView::PAIRS
            && single.king_pieces.len() == KingView::PAIRS
            && pairs.len() == TRIANGLE;
        if !shaped {
            return None;
        }
        let mut rows = vec![[0; PieceIndex::COUNT]; PieceIndex::COUNT];
        for j in PieceIndex::all() {
            for i in PieceIndex::all().take(j.index()) {
                let weight = pairs[triangle_index(i, j)];
                rows[i.index()][j.index()] = weight;
                rows[j.index()][i.index()] = weight;
            }
        }
        let empty = PieceIndex::NONE.index();
        let empty_slots_are_zero = rows[empty].iter().all(|&w| w == 0)
            && single.king_pieces.iter().all(|row| row[empty] == 0);
        let has_pairs = pairs.iter().any(|&weight| weight != 0);
        let weights = Weights { single, pairs: rows, has_pairs, king_pairs, network: None };
        empty_slots_are_zero.then_some(weights)
    }

    /// The same weights with a network. `None` if they have king-relative pairs: a value has one or
    /// the other.
    pub fn with_network(self, network: Network) -> Option<Weights> {
        let network = Some(network);
        (self.king_pairs == KingPairs::None).then_some(Weights { network, ..self })
    }

    /// The weights of the kings and of one piece with them.
    pub fn single(&self) -> &SingleWeights {
        &self.single
    }

    /// The weights of a king and two pieces.
    #[inline]
    pub fn king_pairs(&self) -> &KingPairs {
        &self.king_pairs
    }

    /// The network in place of weights of a king and two pieces.
    #[inline]
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Length of what is kept for each side of a position: the lanes of the factored form or the
    /// hidden units of the network.
    #[inline]
    pub(super) fn lanes(&self) -> usize {
        self.network.as_ref().map_or_else(|| self.king_pairs.lanes(), Network::units)
    }

    /// Both kings, Black's view.
    #[inline]
    pub(super) fn kings(&self, view: KingView) -> i32 {
        i32::from(self.single.kings[view.pair()])
    }

    /// Having the move. `view`: of the side to move.
    #[inline]
    pub(super) fn turn(&self, view: KingView) -> i32 {
        i32::from(self.single.turn[view.pair()])
    }

    /// Both kings with every piece, Black's view.
    #[inline]
    pub(super) fn king_piece_row(&self, view: KingView) -> &Row<i16> {
        &self.single.king_pieces[view.pair()]
    }

    /// Whether pieces are worth anything to each other, whatever the kings do.
    #[inline]
    pub(super) fn has_pairs(&self) -> bool {
        self.has_pairs
    }

    /// A piece with every other piece, Black's view.
    #[inline]
    pub(super) fn pair_row(&self, index: PieceIndex) -> &Row<i16> {
        &self.pairs[index.index()]
    }

    /// The king-free pairs, shape `[TRIANGLE]`, Black's view.
    pub fn pair_triangle(&self) -> Vec<i16> {
        let mut triangle = vec![0; TRIANGLE];
        for j in PieceIndex::all().skip(1) {
            let row = &self.pairs[j.index()][..j.index()];
            triangle[triangle_index(PieceIndex::NONE, j)..][..row.len()].copy_from_slice(row);
        }
        triangle
    }
}
