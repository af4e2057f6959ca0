//! The objective of imitation: passes over games, each measured on held-out games.

use std::io;
use std::time::Instant;

use super::boltzmann::Agreement;
use super::method::PolicyMethod;
use super::policy_learner::Learner;
use crate::lab::learn::{
    BatchNumber, CheckpointReader, CheckpointWriter, Interrupted, LearningCurve, Measured,
    Objective, Trainer,
};
use crate::record::Game;
use crate::rng::Rng;

/// Largest number of training games used to measure the agreement before learning.
const GAMES_BEFORE: usize = 5_000;

/// The games of a run.
#[derive(Clone, Copy)]
pub struct ImitatedGames<'a> {
    /// The games learned in each pass.
    pub training: &'a [Game],
    /// The games used for measurement only.
    pub held_out: &'a [Game],
}

/// Measurements of one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pass {
    /// Agreement with each training position just before it was learned.
    pub training: Agreement,
    /// Agreement with the held-out games after the pass.
    pub held_out: Agreement,
    /// Time of learning and measurement, seconds.
    pub seconds: f64,
}

/// The curve of a run. Its first point is the agreement before any learning, on training games
/// (5,000 at most) and held-out games.
pub type PassCurve = LearningCurve<Pass>;

/// A run of imitation.
pub type PolicyTrainer<'a> = Trainer<PolicyObjective<'a>>;

/// Weights of a policy that imitates games. A batch is a game, an epoch a pass.
pub struct PolicyObjective<'a> {
    name: String,
    games: ImitatedGames<'a>,
    /// Seed of the order of the games in each pass; without it they keep their order.
    seed: Option<u64>,
    learner: Box<dyn Learner>,
    /// The games in the order of the current pass.
    order: Vec<&'a Game>,
    /// Agreement in the current pass.
    agreement: Agreement,
    start: Instant,
}

impl Measured for Pass {
    fn loss(&self) -> f64 {
        -self.held_out.percent()
    }

    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        for Agreement { credit, positions } in [self.training, self.held_out] {
            out.float(credit)?;
            out.number(positions)?;
        }
        out.float(self.seconds)
    }

    fn read(input: &mut CheckpointReader) -> io::Result<Pass> {
        let mut agreement =
            || io::Result::Ok(Agreement { credit: input.float()?, positions: input.number()? });
        let (training, held_out) = (agreement()?, agreement()?);
        Ok(Pass { training, held_out, seconds: input.float()? })
    }
}

impl PassCurve {
    /// Measurements before any learning.
    pub fn before(&self) -> Pass {
        self.points.first().map_or_else(Pass::default, |point| point.measured)
    }

    /// The passes in order.
    pub fn passes(&self) -> impl ExactSizeIterator<Item = Pass> {
        self.points.iter().map(|point| point.measured).skip(1)
    }

    /// The last pass, or the measurements before learning if there is none.
    pub fn last(&self) -> Pass {
        self.points.last().map_or_else(Pass::default, |point| point.measured)
    }

    /// The pass with the best held-out agreement; the earliest one among equals.
    pub fn best(&self) -> Option<Pass> {
        self.best_epoch().map(|point| point.measured)
    }

    /// One line about the last pass, or about the measurements before learning.
    pub fn describe(&self) -> String {
        let Pass { training, held_out, seconds } = self.last();
        format!(
            "pass {:>3}: {:5.2} % of {} training moves, {:5.2} % of {} held-out moves, {seconds:.0} s",
            self.passes().len(),
            training.percent(),
            training.positions,
            held_out.percent(),
            held_out.positions
        )
    }

    /// Time of all passes, seconds.
    pub fn seconds(&self) -> f64 {
        self.passes().map(|pass| pass.seconds).sum()
    }
}

impl Objective for PolicyObjective<'_> {
    type Measured = Pass;

    fn run_name(&self) -> String {
        self.name.clone()
    }

    fn batches_per_epoch(&self) -> u64 {
        // A pass over no games counts as one batch.
        self.games.training.len().max(1) as u64
    }

    fn begin_epoch(&mut self, epoch: u64) {
        self.start = Instant::now();
        self.agreement = Agreement::default();
        self.order = self.games.training.iter().collect();
        if let Some(seed) = self.seed {
            Rng::from_seed(seed.wrapping_add(epoch)).shuffle(&mut self.order);
        }
    }

    fn learn(&mut self, batch: BatchNumber) {
        if let Some(game) = self.order.get(batch.of_epoch as usize) {
            self.agreement += self.learner.learn(game);
        }
    }

    fn measure(&mut self, go_on: &dyn Fn() -> bool) -> Option<Pass> {
        self.learner.finish_pass();
        let held_out = self.judge(self.games.held_out, go_on)?;
        let seconds = self.start.elapsed().as_secs_f64();
        Some(Pass { training: self.agreement, held_out, seconds })
    }

    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()> {
        self.learner.state().into_iter().try_for_each(|table| table.write(out))
    }

    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        self.learner.state().into_iter().try_for_each(|table| table.read(input))
    }
}

impl<'a> PolicyObjective<'a> {
    /// Creates the objective before any learning. `name`: name of the run.
    pub(super) fn new(
        name: String,
        method: PolicyMethod,
        games: ImitatedGames<'a>,
        seed: Option<u64>,
    ) -> PolicyObjective<'a> {
        PolicyObjective {
            name,
            games,
            seed,
            learner: method.learner(),
            order: Vec::new(),
            agreement: Agreement::default(),
            start: Instant::now(),
        }
    }

    /// The learner.
    pub fn learner(&self) -> &dyn Learner {
        self.learner.as_ref()
    }

    fn judge(&mut self, games: &[Game], go_on: &dyn Fn() -> bool) -> Option<Agreement> {
        let mut agreement = Agreement::default();
        for game in games {
            agreement += self.learner.judge(game);
            go_on().then_some(())?;
        }
        Some(agreement)
    }

    /// The agreement before any learning.
    fn measure_before(&mut self, go_on: &dyn Fn() -> bool) -> Option<Pass> {
        let start = Instant::now();
        let ImitatedGames { training, held_out } = self.games;
        let training = self.judge(&training[..training.len().min(GAMES_BEFORE)], go_on)?;
        let held_out = self.judge(held_out, go_on)?;
        Some(Pass { training, held_out, seconds: start.elapsed().as_secs_f64() })
    }
}

impl PolicyTrainer<'_> {
    /// Measures the agreement before any learning, unless it has been measured.
    ///
    /// # Errors
    /// [`Interrupted`] if `go_on`, which is called after each game, returns false.
    pub fn measure_before(&mut self, go_on: &dyn Fn() -> bool) -> Result<(), Interrupted> {
        if self.curve().points.is_empty() {
            let before = self.objective.measure_before(go_on).ok_or(Interrupted)?;
            self.begin_curve(before);
        }
        Ok(())
    }
}
