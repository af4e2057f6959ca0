//! Which other hands a proof or a disproof holds for.
//!
//! More in the attacker's hand is less in the defender's, and a piece need not be used: a mate with
//! fewer pieces is one with more, and no mate with more is none with fewer. So a proof is remembered
//! with the least hand that it needs (proof pieces), a disproof with the greatest that it allows
//! (disproof pieces; Nagai 2002, section 3.3).

use super::node_proof::Basis;
use super::proof::{MateChild, ProofSearch};
use crate::shogi::{Hand, Move, Origin, attacks};

impl ProofSearch<'_> {
    /// The hand before the attacker's move that becomes, or covers, this hand after it.
    pub(super) fn before(&self, mv: Move, after: Hand) -> Hand {
        match mv.origin() {
            Origin::Hand(piece) => after.with(piece),
            Origin::Board(_) => {
                let taken = self.pos.piece_on(mv.to()).and_then(|piece| piece.kind.hand_piece());
                taken.filter(|&piece| after.has(piece)).map_or(after, |piece| after.without(piece))
            }
        }
    }

    /// What both sides hold.
    pub(super) fn all_in_hand(&self) -> Hand {
        self.pos.hand(self.attacker).joined(self.pos.hand(!self.attacker))
    }

    /// In check, what the attacker must keep lest the defender have other pieces to put between: all
    /// of the kinds that the defender lacks.
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

    /// The hand and the basis of a disproof by the disproofs of all checks. With a kind that the
    /// attacker lacks there might be other checks.
    pub(super) fn disproved_by_all(&self, children: &[MateChild]) -> (Hand, Basis) {
        let all = self.all_in_hand().of_kinds_in(self.pos.hand(self.attacker));
        children.iter().fold((all, Basis::POSITION), |(hand, basis), MateChild { mv, known }| {
            (hand.least(self.before(*mv, known.hand)), basis.min(known.basis))
        })
    }
}
