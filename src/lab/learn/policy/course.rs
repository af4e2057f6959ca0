//! A course: passes over the training games, each judged on held-out games.

use std::time::Instant;

use super::boltzmann::Agreement;
use super::policy_table::PolicyTable;
use crate::record::Game;
use crate::rng::Rng;

/// Most training games on which the agreement before learning is measured.
const GAMES_BEFORE: usize = 5_000;

/// A way of learning to imitate games.
pub trait Learner: Send {
    /// Learns one game; says how far the policy agreed with it before it was learned.
    fn learn(&mut self, game: &Game) -> Agreement;
    /// Brings what is still held back into the weights.
    fn finish_pass(&mut self);
    /// How far the policy agrees with a game. Learns nothing.
    fn judge(&mut self, game: &Game) -> Agreement;
    /// The weights, and after them whatever else a resumed learner needs.
    fn tables(&self) -> Vec<&PolicyTable>;
    /// The same to be filled from a checkpoint.
    fn tables_mut(&mut self) -> Vec<&mut PolicyTable>;
}

/// What one pass brought.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pass {
    /// Each position judged just before it was learned.
    pub training: Agreement,
    /// After the pass.
    pub held_out: Agreement,
    /// Time for both, seconds.
    pub seconds: f64,
}

/// How a course went so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Before any learning: training games (5,000 at most) and held-out games.
    pub before: Pass,
    /// First to last.
    pub passes: Vec<Pass>,
}

impl History {
    /// Which pass has the best held-out agreement, 0 = first, the earliest of equal ones; `None`
    /// if there is none.
    pub fn best_pass(&self) -> Option<usize> {
        let held_out = |n: &usize| self.passes[*n].held_out.percent();
        (0..self.passes.len()).rev().max_by(|a, b| held_out(a).total_cmp(&held_out(b)))
    }

    /// Time of all passes, seconds.
    pub fn seconds(&self) -> f64 {
        self.passes.iter().map(|pass| pass.seconds).sum()
    }
}

/// The games of a course.
#[derive(Clone, Copy)]
pub struct Games<'a> {
    /// Learned in each pass.
    pub training: &'a [Game],
    /// Never learned.
    pub held_out: &'a [Game],
}

/// Passes over games by one learner.
pub struct Course<'a> {
    games: Games<'a>,
    /// Shuffles the games anew for each pass; without it they come in their order.
    seed: Option<u64>,
    learner: Box<dyn Learner>,
    history: History,
}

impl<'a> Course<'a> {
    /// A course whose `learner` has gone through `history`.
    pub fn new(
        games: Games<'a>,
        seed: Option<u64>,
        learner: Box<dyn Learner>,
        history: History,
    ) -> Course<'a> {
        Course { games, seed, learner, history }
    }

    /// How it went so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Who learns.
    pub fn learner(&self) -> &dyn Learner {
        self.learner.as_ref()
    }

    /// Measures the agreement before any learning, unless it is known.
    ///
    /// Here and in [`pass`](Course::pass) `go_on` is asked after each game; once it says no, the
    /// answer is `None`, and the course is of no more use.
    pub fn measure_before(&mut self, go_on: &dyn Fn() -> bool) -> Option<()> {
        if self.history == History::default() {
            let start = Instant::now();
            let Games { training, held_out } = self.games;
            let training = &training[..training.len().min(GAMES_BEFORE)];
            let training = self.judge(training, go_on)?;
            let held_out = self.judge(held_out, go_on)?;
            let seconds = start.elapsed().as_secs_f64();
            self.history.before = Pass { training, held_out, seconds };
        }
        Some(())
    }

    /// One more pass.
    pub fn pass(&mut self, go_on: &dyn Fn() -> bool) -> Option<()> {
        let start = Instant::now();
        let mut order: Vec<&Game> = self.games.training.iter().collect();
        if let Some(seed) = self.seed {
            shuffle(&mut order, seed.wrapping_add(self.history.passes.len() as u64));
        }
        let mut training = Agreement::default();
        for game in order {
            training += self.learner.learn(game);
            go_on().then_some(())?;
        }
        self.learner.finish_pass();
        let held_out = self.judge(self.games.held_out, go_on)?;
        let seconds = start.elapsed().as_secs_f64();
        self.history.passes.push(Pass { training, held_out, seconds });
        Some(())
    }

    fn judge(&mut self, games: &[Game], go_on: &dyn Fn() -> bool) -> Option<Agreement> {
        let mut agreement = Agreement::default();
        for game in games {
            agreement += self.learner.judge(game);
            go_on().then_some(())?;
        }
        Some(agreement)
    }
}

/// Fisher-Yates.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut rng = Rng::from_seed(seed);
    for n in (1..items.len()).rev() {
        items.swap(n, rng.below(n + 1));
    }
}
