//! Dominance: the hands for which a proof or a disproof holds.
//!
//! A larger hand of the attacker is a smaller hand of the defender, and a held piece need not be
//! used. So a mate with fewer pieces in hand is also a mate with more, and a disproof with more
//! pieces holds with fewer. A proof is therefore stored with the smallest hand that it needs (proof
//! pieces), a disproof with the largest hand that it allows (disproof pieces; Nagai 2002, section
//! 3.3).

use super::node_proof::Basis;
use super::proof::{MateChild, ProofSearch};
use crate::shogi::{Hand, Move, Origin, attacks};

impl ProofSearch<'_> {
    /// The attacker's hand before `mv` that gives the hand `after`, or a superset of it, after the
    /// move.
    pub(super) fn before(&self, mv: Move, after: Hand) -> Hand {
        match mv.origin() {
            Origin::Hand(piece) => after.with(piece),
            Origin::Board(_) => {
                let taken = self.pos.piece_on(mv.to()).and_then(|piece| piece.kind.hand_piece());
                taken.filter(|&piece| after.has(piece)).map_or(after, |piece| after.without(piece))
            }
        }
    }

    /// All pieces in hand of both sides.
    pub(super) fn all_in_hand(&self) -> Hand {
        self.pos.hand(self.attacker).joined(self.pos.hand(!self.attacker))
    }

    /// In check, the pieces that the attacker must keep so that the defender gains no new pieces to
    /// interpose: all pieces of the kinds that the defender lacks.
    pub(super) fn kept_from_drops(&self) -> Hand {
        let (checkers, king) = (self.pos.checkers(), self.pos.king(!self.attacker));
        match (king, checkers.first()) {
            (Some(king), Some(checker))
                if !checkers.has_many() && !attacks::between(king, checker).is_empty() =>
            {
                let held = self.pos.hand(self.attacker);
                held.of_kinds_not_in(self.pos.hand(!self.attacker))
            }
            _ => Hand::EMPTY,
        }
    }

    /// The hand and basis of a disproof by the disproofs of all checks. A piece kind that the
    /// attacker lacks could give other checks, so the hand excludes it.
    pub(super) fn disproved_by_all(&self, children: &[MateChild]) -> (Hand, Basis) {
        let all = self.all_in_hand().of_kinds_in(self.pos.hand(self.attacker));
        children.iter().fold((all, Basis::POSITION), |(hand, basis), MateChild { mv, known }| {
            (hand.least(self.before(*mv, known.hand)), basis.min(known.basis))
        })
    }
}
