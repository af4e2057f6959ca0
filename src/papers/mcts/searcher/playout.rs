//! Results of leaves: by playouts as in the paper, or by the value alone.
//!
//! A playout ends where the rules end the game, or when the side to move has a mate in one. Without
//! an evaluation, its moves are drawn from the recaptures, else from all captures, else from all
//! moves. With an evaluation, they are drawn from the best-rated moves (section 4.2). The paper
//! gives no limit of the length. Here, a playout without an evaluation is a draw after
//! [`playout_limit`](super::MctsParams::playout_limit) plies (one game in 125 from the start
//! position). A playout with an evaluation is then decided by its value, or earlier at [`MAX_PLY`],
//! where the evaluator's stack ends.

use super::params::{LeafResult, MctsParams, MctsTechniques};
use super::rating;
use super::win_rate::win_rate;
use super::worker::{Stopped, Worker};
use crate::eval::Score;
use crate::papers::mcts::ratings::MoveRatings;
use crate::search::depth::MAX_PLY;
use crate::shogi::{Move, MoveList, Scope, movegen};

impl Worker<'_> {
    /// The result of the current position for its side to move, 0 to 1. The caller ensures that the
    /// rules have not ended the game and that there is no mate in one.
    pub(super) fn result(&mut self) -> Result<f32, Stopped> {
        match self.params.leaf {
            LeafResult::Value => Ok(win_rate(self.score()?, self.params.scale)),
            _ => self.playout(),
        }
    }

    fn playout(&mut self) -> Result<f32, Stopped> {
        let mut made = 0;
        let result = loop {
            match self.playout_step(made) {
                Ok(Some(result)) => break Ok(result),
                Ok(None) => made += 1,
                Err(Stopped) => break Err(Stopped),
            }
        };
        (0..made).for_each(|_| self.unmake_in_playout());
        result.map(|result| if made % 2 == 0 { result } else { 1.0 - result })
    }

    /// The result for the side to move if the playout ends after `made` plies. Otherwise makes a
    /// move.
    fn playout_step(&mut self, made: i32) -> Result<Option<f32>, Stopped> {
        if made > 0 {
            if let Some(result) = self.result_by_rules(false) {
                return Ok(Some(result));
            }
            let checks = self.thread.pos.check_squares();
            if self.thread.win_at_once(Some(&checks)).is_some() {
                return Ok(Some(1.0));
            }
        }
        let MctsParams { leaf, leaf_plies, cutoff_margin, playout_limit, .. } = *self.params;
        let is_deep = leaf != LeafResult::Playout && self.thread.ply + 2 >= MAX_PLY;
        let is_long = made >= playout_limit || is_deep;
        match leaf {
            LeafResult::Leaf if made >= leaf_plies || is_long => {
                return self.standing().map(|value| Some(judged(value)));
            }
            LeafResult::Cutoff => {
                let value = self.standing()?;
                if value.abs() >= cutoff_margin || is_long {
                    return Ok(Some(judged(value)));
                }
            }
            _ if is_long => return Ok(Some(0.5)),
            _ => {}
        }
        let Some(mv) = self.playout_move() else { return Ok(Some(0.0)) };
        self.make_in_playout(mv);
        Ok(None)
    }

    /// Makes a move. The evaluator is updated only if the playout uses it.
    fn make_in_playout(&mut self, mv: Move) {
        if self.params.leaf == LeafResult::Playout {
            self.thread.pos.do_move(mv);
        } else {
            self.thread.make(mv);
        }
    }

    /// Takes the last move back.
    fn unmake_in_playout(&mut self) {
        if self.params.leaf == LeafResult::Playout {
            self.thread.pos.undo_move();
        } else {
            self.thread.unmake();
        }
    }

    /// Advantage of the side to move in centipawns, relative to zero or to the root's value (Diff).
    fn standing(&mut self) -> Result<i32, Stopped> {
        let score = self.score()?.to_cp();
        let is_roots = self.thread.pos.side_to_move() == self.thread.root_side;
        Ok(if is_roots { score - self.reference } else { score + self.reference })
    }

    /// The value of the current position for its side to move.
    pub(super) fn score(&mut self) -> Result<Score, Stopped> {
        let score = match self.params.uses(MctsTechniques::QUIESCENCE) {
            true => self.thread.quiescence_value(),
            false => self.thread.evaluate(),
        };
        if self.thread.stopped { Err(Stopped) } else { Ok(score) }
    }

    /// The next move of a playout; `None` if no move is legal.
    fn playout_move(&mut self) -> Option<Move> {
        let pos = &self.thread.pos;
        let moves = movegen::legal_moves(pos, Scope::USEFUL);
        if self.params.leaf != LeafResult::Playout {
            let rated = MoveRatings::embedded().rate(pos, &moves);
            let rated = rating::best(rated, self.params.best_moves as usize);
            return self.rng.choose(&rated).map(|rated| rated.0);
        }
        let captures: MoveList = moves.iter().copied().filter(|&mv| pos.is_capture(mv)).collect();
        let last = pos.last_move().filter(|_| pos.last_captured().is_some()).map(Move::to);
        let back: MoveList = captures.iter().copied().filter(|mv| Some(mv.to()) == last).collect();
        let chosen = [back, captures, moves].into_iter().find(|moves| !moves.is_empty())?;
        self.rng.choose(&chosen).copied()
    }
}

/// 1 for a positive value, 0.5 for zero, 0 for a negative value.
fn judged(value: i32) -> f32 {
    match value.cmp(&0) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}
