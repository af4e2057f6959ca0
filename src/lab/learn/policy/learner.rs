//! What ways of learning to imitate have in common.

use super::boltzmann::Agreement;
use super::move_choice::each_example;
use super::policy_table::PolicyTable;
use crate::eval::PieceList;
use crate::record::Game;
use crate::shogi::{Move, Position};

/// A way of learning to imitate games.
pub trait Learner: Send {
    /// Looks at all moves of a position of which the record has `played`; `list` stands there.
    /// Returns how far the policy agrees, as [`credit`](super::credit); `None` if a king is missing.
    fn look(&mut self, pos: &Position, list: &PieceList, played: Move) -> Option<f64>;

    /// Learns the position that was looked at last.
    fn imitate(&mut self);

    /// Brings what is still held back into the weights.
    fn finish_pass(&mut self) {}

    /// The weights.
    fn table(&self) -> &PolicyTable;

    /// All that a resumed learner needs, the weights first.
    fn state(&mut self) -> Vec<&mut PolicyTable>;

    /// Learns one game; says how far the policy agreed with each position before it was learned.
    fn learn(&mut self, game: &Game) -> Agreement {
        let mut agreement = Agreement::default();
        each_example(game, |pos, list, mv| {
            if let Some(credit) = self.look(pos, list, mv) {
                agreement.add(credit);
                self.imitate();
            }
        });
        agreement
    }

    /// How far the policy agrees with a game. Learns nothing.
    fn judge(&mut self, game: &Game) -> Agreement {
        let mut agreement = Agreement::default();
        each_example(game, |pos, list, mv| {
            self.look(pos, list, mv).into_iter().for_each(|credit| agreement.add(credit));
        });
        agreement
    }
}
