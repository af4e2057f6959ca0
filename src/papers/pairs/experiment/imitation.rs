//! Tables 4 and 5: the models' values of the moves of held-out games.

use std::ops::AddAssign;

use rayon::prelude::*;

use crate::papers::pairs::form::{PairList, PairWeights};
use crate::papers::pairs::learner::{CaptureSearch, each_choice};
use crate::record::Game;
use crate::shogi::{Move, Position, Scope, movegen};

/// First plies of the rows.
pub(super) const PLIES: [usize; 6] = [0, 20, 40, 60, 80, 100];

/// Counts over some moves of records.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moves {
    /// Number of moves that were chosen for their strength.
    pub all: u64,
    /// Number of these that are compared; the others win or lose material.
    pub compared: u64,
    /// Number of legal moves in the positions of the compared moves, including them.
    pub legal: u64,
    /// Number of these that neither win nor lose material.
    pub neutral: u64,
    /// Number of compared moves that raise the value for the mover, by model.
    pub rises: [u64; 2],
    /// Sum of the ranks among the neutral moves in halves, 0 = best, by model.
    pub half_ranks: [u64; 2],
}

/// Rows of [`PLIES`].
#[derive(Clone, Debug, Default)]
pub(super) struct Imitation(pub [Moves; PLIES.len()]);

impl AddAssign for Moves {
    fn add_assign(&mut self, other: Moves) {
        self.all += other.all;
        self.compared += other.compared;
        self.legal += other.legal;
        self.neutral += other.neutral;
        for n in 0..2 {
            self.rises[n] += other.rises[n];
            self.half_ranks[n] += other.half_ranks[n];
        }
    }
}

impl Imitation {
    /// Counts the moves of games. Calls `go_on` before each game; once it returns false, the result
    /// is `None`.
    pub fn of_games(
        games: &[Game],
        models: &[&PairWeights; 2],
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Imitation> {
        let of_game = |game| {
            let mut rows = Imitation::default();
            each_choice(game, |pos, list, mv| {
                let ply = pos.moves_made();
                let row = PLIES.iter().rposition(|&first| first <= ply).unwrap_or(0);
                rows.0[row] += Moves::of(pos, list, mv, models);
            });
            rows
        };
        let add = |mut sum: Imitation, rows: Imitation| {
            sum.0.iter_mut().zip(rows.0).for_each(|(sum, row)| *sum += row);
            Some(sum)
        };
        let games = games.par_iter().map(|game| go_on().then(|| of_game(game)));
        games.try_reduce(Imitation::default, add)
    }

    /// The sum of all rows.
    pub fn total(&self) -> Moves {
        let mut total = Moves::default();
        self.0.iter().for_each(|&row| total += row);
        total
    }
}

impl Moves {
    fn of(pos: &mut Position, list: &PairList, played: Move, models: &[&PairWeights; 2]) -> Moves {
        let search = CaptureSearch::default();
        let neutral = search.neutral_moves(pos);
        if !neutral.contains(&played) {
            return Moves { all: 1, ..Moves::default() };
        }
        let of_model = |weights: &&PairWeights| {
            let rise = |mv| rise(weights, pos, list, mv);
            let record = rise(played);
            let half_rank = neutral
                .iter()
                .filter(|&&mv| mv != played)
                .map(|&mv| match rise(mv).cmp(&record) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                })
                .sum();
            (u64::from(record > 0), half_rank)
        };
        let [parent, sibling] = models.each_ref().map(of_model);
        Moves {
            all: 1,
            compared: 1,
            legal: movegen::legal_moves(pos, Scope::LEGAL).len() as u64,
            neutral: neutral.len() as u64,
            rises: [parent.0, sibling.0],
            half_ranks: [parent.1, sibling.1],
        }
    }
}

/// Change of the relations' value by a move, mover's view.
pub(super) fn rise(weights: &PairWeights, pos: &Position, list: &PairList, mv: Move) -> i32 {
    pos.side_to_move().sign() * weights.follow(&mut list.clone(), &pos.delta_of(mv))
}
