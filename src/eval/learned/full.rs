//! The learned evaluation computed from scratch. It is slow and simple, and the reference for the
//! incremental one.

use super::features::{SideView, pairs};
use super::kpp::Kpp;
use super::network::Network;
use super::unit::UNIT;
use super::weights::Weights;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::Kernel;
use crate::eval::material;
use crate::eval::piece_list::PieceList;
use crate::eval::score::Score;
use crate::shogi::{Color, Position};

/// Parts of the relations in weight units, from Black's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    /// KK: both kings.
    pub kk: i32,
    /// KKP: both kings and a piece.
    pub kkp: i32,
    /// PP: two pieces.
    pub pp: i32,
    /// KPP: a king and two pieces, from the view of the king's side.
    pub kpp: [i32; 2],
    /// The tempo, from the side to move's view.
    pub tempo: i32,
    /// The network, from the side to move's view.
    pub network: i32,
}

impl Relations {
    /// The sum in centipawns from the view of `side`, which is to move. Rounded towards zero.
    #[inline]
    pub(super) fn to_centipawns(self, side: Color) -> i32 {
        let black = self.kk + self.kkp + self.pp + self.kpp[0] - self.kpp[1];
        (side.sign() * black + self.tempo + self.network) / UNIT
    }
}

/// Value of a position from the side to move's view.
pub fn evaluate(weights: &Weights, pos: &Position) -> Score {
    let (side, balance) = (pos.side_to_move(), material::balance(pos));
    Score::cp(match relations(weights, pos) {
        Some(parts) => side.sign() * weights.material(balance) + parts.to_centipawns(side),
        None => side.sign() * balance,
    })
}

/// All relations of a position. `None` if a king is missing.
pub fn relations(weights: &Weights, pos: &Position) -> Option<Relations> {
    let list = PieceList::new(pos);
    let views = SideView::both(pos.kings()?, &list);
    let [black, _] = views;
    let side = pos.side_to_move();
    let kkp = weights.kkp_row(black.kings);
    let pp = |(i, others): (PieceIndex, &[PieceIndex])| -> i32 {
        others.iter().map(|j| i32::from(weights.pp_row(i)[j.index()])).sum()
    };
    let half = |kpp: &Kpp, view| kpp.refresh(Kernel::Portable, view, &mut vec![0; kpp.rank()]);
    Some(Relations {
        kk: weights.kk(black.kings),
        kkp: black.normal_pieces().iter().map(|index| i32::from(kkp[index.index()])).sum(),
        pp: pairs(black.pieces).map(pp).sum(),
        kpp: weights.kpp().map_or([0; 2], |kpp| views.map(|view| half(kpp, view))),
        tempo: weights.tempo(views[side.index()].kings),
        network: weights.network().map_or(0, |network| network_value(network, views, side, &[])),
    })
}

/// The network's value of a position in weight units, from the view of `side`, which is to move.
/// `without` contains the slots of omitted pieces.
pub(super) fn network_value(
    network: &Network,
    views: [SideView<'_>; 2],
    side: Color,
    without: &[usize],
) -> i32 {
    let accumulators = views.map(|view| {
        let mut pieces = view.normal_pieces();
        without.iter().for_each(|&slot| pieces[slot] = PieceIndex::NONE);
        network.accumulator(view.kings, &pieces)
    });
    let [own, enemy] = [side, !side].map(|side| &accumulators[side.index()]);
    network.top().evaluate(Kernel::Portable, own, enemy)
}
