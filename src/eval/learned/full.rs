//! The learned evaluation from scratch: slow and obvious, the oracle of the incremental one.

use super::king_pairs::{PairForm, SideView};
use super::{KingView, Network, UNIT, Weights};
use crate::eval::kernel::Kernel;
use crate::eval::{PieceIndex, PieceList, Score, material};
use crate::shogi::{Color, Position, Square};

/// Parts of the relations in weight units, from Black's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    /// Both kings.
    pub kings: i32,
    /// Both kings and a piece.
    pub king_pieces: i32,
    /// Two pieces.
    pub pairs: i32,
    /// A king and two pieces, from the view of the side whose king it is.
    pub halves: [i32; 2],
    /// Having the move, as the side to move sees it.
    pub turn: i32,
    /// The network, as the side to move sees it.
    pub network: i32,
}

impl Relations {
    /// The sum in centipawns from the view of `side`, which is to move; rounded towards zero.
    #[inline]
    pub(super) fn to_centipawns(self, side: Color) -> i32 {
        let halves = self.halves[0] - self.halves[1];
        let black = self.kings + self.king_pieces + self.pairs + halves;
        (side.sign() * black + self.turn + self.network) / UNIT
    }
}

/// Value of a position from the side to move's view.
pub fn evaluate(weights: &Weights, pos: &Position) -> Score {
    let side = pos.side_to_move();
    let relations = relations(weights, pos).map_or(0, |parts| parts.to_centipawns(side));
    Score::cp(side.sign() * balance(pos) + relations)
}

/// Material balance, Black's view.
pub fn balance(pos: &Position) -> i32 {
    material::side_total(pos, Color::Black) - material::side_total(pos, Color::White)
}

/// All relations of a position. `None` if a king is missing.
pub fn relations(weights: &Weights, pos: &Position) -> Option<Relations> {
    let kings = [pos.king(Color::Black)?, pos.king(Color::White)?];
    let list = PieceList::new(pos);
    let side_view =
        |side: Color| SideView { kings: KingView::new(kings, side), pieces: list.list(side) };
    let half = |side: Color| {
        let mut lanes = vec![0; weights.king_pairs().lanes()];
        weights.king_pairs().refresh(Kernel::Portable, side_view(side), &mut lanes)
    };
    let side = pos.side_to_move();
    let black = side_view(Color::Black);
    let row = weights.king_piece_row(black.kings);
    let king_pieces = black.normal_pieces().map(|index| i32::from(row[index.index()]));
    let with_earlier_ones = |(n, &i): (usize, &PieceIndex)| {
        let row = weights.pair_row(i);
        black.pieces[..n].iter().map(|j| i32::from(row[j.index()])).sum::<i32>()
    };
    Some(Relations {
        kings: weights.kings(black.kings),
        king_pieces: king_pieces.into_iter().sum(),
        pairs: black.pieces.iter().enumerate().map(with_earlier_ones).sum(),
        halves: Color::ALL.map(half),
        turn: weights.turn(KingView::new(kings, side)),
        network: weights.network().map_or(0, |net| network_value(net, kings, &list, side, &[])),
    })
}

/// What the network says of a position as `side`, which is to move, sees it, in weight units.
/// `without`: the slots of pieces that are left out.
pub(super) fn network_value(
    network: &Network,
    kings: [Square; 2],
    list: &PieceList,
    side: Color,
    without: &[usize],
) -> i32 {
    let accumulator = |side: Color| {
        let view = SideView { kings: KingView::new(kings, side), pieces: list.list(side) };
        let mut pieces = view.normal_pieces();
        without.iter().for_each(|&slot| pieces[slot] = PieceIndex::NONE);
        network.accumulator(view.kings, &pieces)
    };
    network.evaluate(Kernel::Portable, &accumulator(side), &accumulator(!side))
}
