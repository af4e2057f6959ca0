//! The learned evaluation computed from scratch. It is slow and simple, and the reference for the
//! incremental one.

use super::UNIT;
use super::features::{SideView, pairs};
use super::network::Network;
use super::parts::{Term, TermShape, Terms};
use super::weights::Weights;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::Kernel;
use crate::eval::piece_list::PieceList;
use crate::eval::score::Score;
use crate::shogi::{Color, Position};

/// Parts of the relations in weight units, from Black's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    /// The terms; the tempo and the threats from the side to move's view.
    pub terms: Terms<i32>,
    /// KPP: a king and two pieces, from the view of the king's side.
    pub kpp: [i32; 2],
    /// The network, from the side to move's view.
    pub network: i32,
}

impl Relations {
    /// The sum in centipawns from the view of `side`, which is to move. Rounded towards zero.
    #[inline]
    pub(super) fn to_centipawns(self, side: Color) -> i32 {
        // The halves of KPP alone may differ by nearly 2^31.
        let [mut black, other, mut own] = [self.kpp[0], self.kpp[1], self.network].map(i64::from);
        black -= other;
        for term in Term::ALL {
            let total = if term.is_of_side_to_move() { &mut own } else { &mut black };
            *total += i64::from(self.terms[term]);
        }
        ((i64::from(side.sign()) * black + own) / i64::from(UNIT)) as i32
    }
}

/// Value of a position from the side to move's view.
pub fn evaluate(weights: &Weights, pos: &Position) -> Score {
    let (side, balance) = (pos.side_to_move(), weights.piece_values().balance(pos));
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
    let sum = |term: Term| -> i32 {
        match term.shape() {
            TermShape::Kings => weights.kings(term, black.kings),
            TermShape::KingsToMove => weights.kings(term, views[side.index()].kings),
            TermShape::KingsAndPiece => {
                let row = weights.kings_row(term, black.kings);
                black.normal_pieces().iter().map(|index| i32::from(row[index.index()])).sum()
            }
            TermShape::Pair => {
                let with = |(i, others): (PieceIndex, &[PieceIndex])| -> i32 {
                    let row = weights.pair_row(term, i);
                    others.iter().map(|j| i32::from(row[j.index()])).sum()
                };
                pairs(black.pieces).map(with).sum()
            }
            TermShape::Threats => weights.threats(term, pos),
        }
    };
    Some(Relations {
        terms: Terms::from_fn(sum),
        kpp: weights.kpp().map_or([0; 2], |kpp| views.map(|view| kpp.half(view))),
        network: weights.network().map_or(0, |network| network_value(network, views, side, &[])),
    })
}

/// The network's value of a position in weight units, from the view of `side`, which is to move.
/// `without` contains the slots of omitted pieces, which still count for the choice of the head.
pub fn network_value(
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
    let accumulators = [side, !side].map(|side| accumulators[side.index()].as_slice());
    let mut input = vec![0; network.head().inputs()];
    network.head().evaluate(Kernel::Portable, accumulators, &mut input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_relations_have_the_right_sign() {
        let kpp = [1_067_589_632, -1_067_589_632];
        let terms = Terms::from_fn(|_| 1 << 24);
        let relations = Relations { terms, kpp, network: 0 };
        assert!(relations.to_centipawns(Color::Black) > 0);
        assert!(relations.to_centipawns(Color::White) < 0);
    }
}
