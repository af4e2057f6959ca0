//! Games of an experiment, with a log of their results, so that finished games are not repeated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::command::run_log::{Earlier, RunLog};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::lab::in_order::InOrder;
use crate::lab::matches::{MatchScore, Pairing};
use crate::lab::selfplay::SelfplayConfig;
use crate::record::{Game, GameBuilder, GameHash, GameReader};

/// Games between two searchers of this program.
pub(crate) struct MatchSeries<'a> {
    /// Creates both sides, once per thread.
    pub pairing: &'a (dyn Fn() -> Pairing + Sync),
    /// Openings, each for two games; if empty, the searchers choose random ones.
    pub openings: &'a [Game],
    pub games: u64,
    pub config: SelfplayConfig,
    /// Path of the log of results.
    pub log: PathBuf,
    /// Header of the log, to which the openings are added; only results with an equal header are
    /// reused.
    pub header: String,
    pub threads: usize,
}

impl MatchSeries<'_> {
    /// Plays the remaining games; `None` if the user interrupted them.
    pub fn play(&self) -> Result<Option<MatchScore>, CliError> {
        let parse = |line: &str| line.parse().ok().filter(|result| (-1..=1).contains(result));
        let openings = GameHash::of_games(self.openings).to_u64();
        let header = format!("{}, openings {openings:016x}", self.header);
        let (mut log, done) =
            RunLog::open_steps(&self.log, &header, Earlier::Resume, "result", parse)?;
        let mut score = MatchScore::default();
        done.iter().for_each(|&result| score.add(result));
        let bar = progress_bar(self.games as usize).with_position(done.len() as u64);
        bar.reset_eta();
        let play = |pairing: &mut Pairing, game: u64, is_over: &dyn Fn() -> bool| {
            let pair = game as usize / 2;
            let opening = self.openings.get(pair % self.openings.len().max(1));
            let played = pairing.play(game, opening, &self.config, is_over).transpose()?;
            Some(played.map(|played| played.result(game)))
        };
        let series = InOrder {
            numbers: done.len() as u64..self.games,
            start: &self.pairing,
            work: &play,
            is_stopped: &interrupt::is_interrupted,
        };
        series.run(&thread_pool(self.threads)?, |result| -> Result<(), CliError> {
            let result = result?;
            log.add(format!("{result}\n").as_bytes())?;
            score.add(result);
            bar.set_message(score.to_string());
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        Ok((score.games() as u64 >= self.games).then_some(score))
    }
}

/// The first `count` distinct openings of a file, each cut to `plies` plies.
pub(crate) fn openings(path: &Path, plies: usize, count: usize) -> Result<Vec<Game>, CliError> {
    let (mut seen, mut openings) = (BTreeSet::new(), Vec::new());
    for game in GameReader::open(path)? {
        let game = game?;
        let mut builder = GameBuilder::from_position(game.start_position());
        for &mv in game.moves().iter().take(plies) {
            builder.push(mv).expect("a game's moves are legal");
        }
        if openings.len() < count && seen.insert(builder.position().key()) {
            openings.push(builder.finish());
        }
    }
    if openings.is_empty() { Err(CliError::NoOpenings(path.to_owned())) } else { Ok(openings) }
}
