//! Converts files of labelled games to files of samples.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::command::games::{Tally, each_game_while};
use crate::command::{CliError, interrupt};
use crate::eval::Evaluation;
use crate::lab::QuiescenceLeaf;
use crate::lab::learn::resolve::{ResolveConfig, resolve};
use crate::lab::learn::{GrowingSplit, LearnError, Sample};
use crate::record::{Game, GameHash};

/// Number of games resolved at a time; their samples are written in order.
const GAMES_AT_ONCE: usize = 256;

/// Input and configuration of the conversion.
pub(crate) struct GamesToResolve<'a> {
    /// Files or folders of labelled games.
    pub games: &'a [PathBuf],
    /// Largest number of games to take.
    pub limit: usize,
    /// Percentage of the games to hold out.
    pub held_out: f64,
    pub config: ResolveConfig,
    /// The evaluation used by quiescence search.
    pub evaluation: Evaluation,
    /// File of the training samples; those held out go to the same folder.
    pub out: &'a Path,
}

/// Result of the conversion.
pub(crate) struct ResolvedGames {
    pub tally: Tally,
    /// Number of games taken, and of their positions.
    pub games: usize,
    pub positions: usize,
    /// Files with their numbers of samples: training, held out.
    pub files: [(PathBuf, u64); 2],
}

struct Resolving {
    samples: GrowingSplit,
    config: ResolveConfig,
    evaluation: Evaluation,
    positions: usize,
}

impl GamesToResolve<'_> {
    /// Resolves the games on all threads of the pool; `None` without any file if the user
    /// interrupted it.
    pub fn resolve(self) -> Result<Option<ResolvedGames>, CliError> {
        let out = self.out;
        let resolved = self.resolve_all();
        if !matches!(resolved, Ok(Some(_))) {
            GrowingSplit::remove_remains(out);
        }
        resolved
    }

    fn resolve_all(self) -> Result<Option<ResolvedGames>, CliError> {
        let mut output = Resolving {
            samples: GrowingSplit::create(self.out, self.held_out, "resolve".to_owned())?,
            config: self.config,
            evaluation: self.evaluation,
            positions: 0,
        };
        let (mut waiting, mut games) = (Vec::new(), 0);
        let tally = each_game_while(self.games, |game| {
            if games < self.limit {
                games += 1;
                waiting.push(game);
            }
            if waiting.len() == GAMES_AT_ONCE {
                output.take(&waiting)?;
                waiting.clear();
            }
            Ok(games < self.limit && !interrupt::is_interrupted())
        })?;
        output.take(&waiting)?;
        if interrupt::is_interrupted() {
            return Ok(None);
        }
        let (positions, files) = (output.positions, output.samples.finish()?);
        Ok(Some(ResolvedGames { tally, games, positions, files }))
    }
}

impl Resolving {
    /// Resolves games and writes their samples in order. After an interruption it skips them,
    /// because no file will be written.
    fn take(&mut self, games: &[Game]) -> Result<(), LearnError> {
        let (evaluation, config) = (&self.evaluation, &self.config);
        let samples = |leaf: &mut QuiescenceLeaf, game: &Game| match interrupt::is_interrupted() {
            true => Vec::new(),
            false => resolve(game, config, leaf),
        };
        let resolved: Vec<Vec<Sample>> =
            games.par_iter().map_init(|| QuiescenceLeaf::new(evaluation), samples).collect();
        for (game, samples) in games.iter().zip(&resolved) {
            self.positions += game.moves().len();
            self.samples.write(GameHash::of(game), samples)?;
        }
        Ok(())
    }
}
