//! The interface of the imitation learners.

use super::boltzmann::Agreement;
use super::move_choice::each_example;
use super::policy_table::PolicyTable;
use crate::eval::PieceList;
use crate::record::Game;
use crate::shogi::{Move, Position};

/// A learner that imitates games.
pub trait Learner: Send {
    /// Evaluates all moves of a position in which the record has `played`; `list` is its piece
    /// list. Returns the agreement with the policy, as [`credit`](super::credit); `None` if a king
    /// is missing.
    fn look(&mut self, pos: &Position, list: &PieceList, played: Move) -> Option<f64>;

    /// Learns the position of the last [`look`](Learner::look).
    fn imitate(&mut self);

    /// Applies updates that are still pending.
    fn finish_pass(&mut self) {}

    /// The weights.
    fn table(&self) -> &PolicyTable;

    /// The state needed to resume, the weights first.
    fn state(&mut self) -> Vec<&mut PolicyTable>;

    /// Learns one game; returns the agreement of the policy with each position before it was
    /// learned.
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

    /// Agreement of the policy with a game. Learns nothing.
    fn judge(&mut self, game: &Game) -> Agreement {
        let mut agreement = Agreement::default();
        each_example(game, |pos, list, mv| {
            self.look(pos, list, mv).into_iter().for_each(|credit| agreement.add(credit));
        });
        agreement
    }
}
