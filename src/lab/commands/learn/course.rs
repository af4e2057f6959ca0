//! Courses of imitation as commands run them: games read and split, passes made, checkpoints kept.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::ProgressBar;

use super::value;
use crate::command::games::each_game_while;
use crate::command::{CliError, interrupt};
use crate::lab::learn::policy::{
    Course, Games, History, Improved, ImprovedConfig, Learner, Online, OnlineConfig, PolicyTable,
    checkpoint,
};
use crate::record::{Game, GameHash};

/// How to split games.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HeldOutArgs {
    /// Percent of the games to hold out, by a hash of their moves
    #[arg(long, value_name = "PERCENT", default_value_t = 2.5, value_parser = crate::command::percent)]
    held_out: f64,
    /// Most held-out games to judge by
    #[arg(long, value_name = "GAMES", default_value_t = 500)]
    held_out_limit: usize,
}

/// Games to learn from and to judge by.
pub(crate) struct GameSet {
    pub training: Vec<Game>,
    pub held_out: Vec<Game>,
}

impl HeldOutArgs {
    /// Reads games; of those to learn from the first `limit`.
    pub fn read(&self, files: &[PathBuf], limit: usize) -> Result<GameSet, CliError> {
        let mut set = GameSet { training: Vec::new(), held_out: Vec::new() };
        each_game_while(files, |game| {
            let (part, most) = match GameHash::of(&game).is_held_out(self.held_out) {
                true => (&mut set.held_out, self.held_out_limit),
                false => (&mut set.training, limit),
            };
            if part.len() < most {
                part.push(game);
            }
            Ok(set.training.len() < limit || set.held_out.len() < self.held_out_limit)
        })?;
        Ok(set)
    }
}

impl GameSet {
    pub fn games(&self) -> Games<'_> {
        Games { training: &self.training, held_out: &self.held_out }
    }
}

/// A way of learning with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    /// As the paper has it.
    Paper(OnlineConfig),
    /// As one would do it.
    Improved(ImprovedConfig),
}

impl Method {
    fn learner(self) -> Box<dyn Learner> {
        match self {
            Method::Paper(rates) => Box::new(Online::new(rates, PolicyTable::zero())),
            Method::Improved(config) => Box::new(Improved::new(config)),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Paper(OnlineConfig { learning_rate, temperature }) => {
                write!(f, "online rate {learning_rate} temperature {temperature}")
            }
            Method::Improved(ImprovedConfig { learning_rate, temperature, batch, window }) => {
                write!(
                    f,
                    "improved rate {learning_rate} temperature {temperature} batch {batch} window {window}"
                )
            }
        }
    }
}

/// A course to be run.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub method: Method,
    pub games: Games<'a>,
    /// Shuffles the games of each pass.
    pub seed: Option<u64>,
    /// Passes in all, those of an earlier run counted in.
    pub passes: usize,
    /// Ends the course after so many passes without a better held-out agreement.
    pub patience: Option<usize>,
    /// No pass is begun that would not end before this.
    pub deadline: Option<Instant>,
    /// Where the course is kept after each pass.
    pub checkpoint: &'a Path,
}

impl Plan<'_> {
    /// The line that tells courses apart.
    pub fn settings(&self) -> String {
        format!(
            "{} seed {} games {} held out {}",
            self.method,
            self.seed.map_or("none".to_owned(), |seed| seed.to_string()),
            self.games.training.len(),
            self.games.held_out.len()
        )
    }

    /// The history kept by an earlier run; empty if there is none.
    pub fn history(&self) -> Result<History, CliError> {
        if !self.checkpoint.exists() {
            return Ok(History::default());
        }
        Ok(checkpoint::load(self.checkpoint, &self.settings(), &mut [])?)
    }

    /// Whether nothing is left to do behind `history`.
    pub fn is_done(&self, history: &History) -> bool {
        let made = history.passes.len();
        let longest = history.passes.iter().map(|pass| pass.seconds).fold(0.0, f64::max);
        let is_late = |deadline: Instant| {
            deadline.saturating_duration_since(Instant::now()).as_secs_f64() < longest.max(1e-3)
        };
        let since_best = history.best_pass().map_or(0, |best| made - 1 - best);
        made >= self.passes
            || self.deadline.is_some_and(is_late)
            || self.patience.is_some_and(|patience| since_best >= patience)
    }

    /// Makes the passes that are left behind the checkpoint, if there is one. `after_pass` is
    /// called before the first pass and after each. `None` if the user broke it off.
    pub fn run(
        &self,
        bar: &ProgressBar,
        mut after_pass: impl FnMut(&Course) -> Result<(), CliError>,
    ) -> Result<Option<History>, CliError> {
        let mut learner = self.method.learner();
        let mut history = History::default();
        if self.checkpoint.exists() {
            let mut tables = learner.tables_mut();
            history = checkpoint::load(self.checkpoint, &self.settings(), &mut tables)?;
        }
        let mut course = Course::new(self.games, self.seed, learner, history);
        let go_on = || {
            bar.inc(1);
            !interrupt::is_interrupted()
        };
        if course.measure_before(&go_on).is_none() {
            return Ok(None);
        }
        let save = |course: &Course| {
            let tables = course.learner().tables();
            checkpoint::save(self.checkpoint, &self.settings(), course.history(), &tables)
        };
        if self.passes == 0 {
            // The unlearned weights, to be compared with.
            save(&course)?;
        }
        after_pass(&course)?;
        while !self.is_done(course.history()) {
            if course.pass(&go_on).is_none() {
                return Ok(None);
            }
            save(&course)?;
            after_pass(&course)?;
        }
        Ok(Some(course.history().clone()))
    }

    /// The weights of the checkpoint.
    pub fn load_table(&self) -> Result<PolicyTable, CliError> {
        let mut table = PolicyTable::zero();
        checkpoint::load(self.checkpoint, &self.settings(), &mut [&mut table])?;
        Ok(table)
    }
}

/// Writes learned weights as the evaluation reads them; returns how many were too large and were
/// cut.
pub(crate) fn write_weights(table: &PolicyTable, path: &Path) -> Result<usize, CliError> {
    let quantized = table.to_real().quantize();
    value::write_weights(path, &quantized.weights)?;
    Ok(quantized.clipped)
}

/// One line on the last pass of a course, or on what there was before it.
pub(crate) fn describe(history: &History) -> String {
    let pass = history.passes.last().unwrap_or(&history.before);
    let (training, held_out) = (pass.training, pass.held_out);
    format!(
        "pass {:>3}: {:5.2} % of {} training moves, {:5.2} % of {} held-out moves, {:.0} s",
        history.passes.len(),
        training.percent(),
        training.positions,
        held_out.percent(),
        held_out.positions,
        pass.seconds
    )
}
