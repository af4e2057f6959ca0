//! Files of labelled games made into files of samples.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::command::games::{Tally, each_game_while};
use crate::command::{CliError, interrupt};
use crate::eval::Evaluation;
use crate::lab::learn::resolve::{ResolveConfig, resolve};
use crate::lab::learn::{LearnError, Sample, SplitWriter};
use crate::record::{Game, GameHash};
use crate::search::{LeafResources, QuiescenceLeaf};

/// Games that are resolved at a time; their samples are written in order.
const GAMES_AT_ONCE: usize = 256;

/// What is to be resolved, and how.
pub(crate) struct GamesToResolve<'a> {
    /// Files or folders of labelled games.
    pub games: &'a [PathBuf],
    /// Most games to take.
    pub limit: usize,
    /// Percent of the games to hold out.
    pub held_out: f64,
    pub config: ResolveConfig,
    /// What values positions in quiescence.
    pub evaluation: Evaluation,
    /// File of the training samples; those held out go beside it.
    pub out: &'a Path,
}

/// What came of it.
pub(crate) struct ResolvedGames {
    pub tally: Tally,
    /// Games that were taken, and their positions.
    pub games: usize,
    pub positions: usize,
    /// Files with their numbers of samples: training, held out.
    pub files: Vec<(PathBuf, u64)>,
}

struct Resolving {
    samples: SplitWriter,
    config: ResolveConfig,
    resources: LeafResources,
    positions: usize,
}

impl GamesToResolve<'_> {
    /// Resolves the games on all threads of the pool; `None` if the user broke it off, and then no
    /// file is written.
    pub fn resolve(self) -> Result<Option<ResolvedGames>, CliError> {
        let mut output = Resolving {
            samples: SplitWriter::create(self.out, self.held_out)?,
            config: self.config,
            resources: LeafResources::new(self.evaluation),
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
    /// Resolves games and writes their samples in order. After an interruption, which leaves no file,
    /// it hurries over them.
    fn take(&mut self, games: &[Game]) -> Result<(), LearnError> {
        let (resources, config) = (&self.resources, &self.config);
        let samples = |leaf: &mut QuiescenceLeaf, game: &Game| match interrupt::is_interrupted() {
            true => Vec::new(),
            false => resolve(game, config, leaf),
        };
        let resolved: Vec<Vec<Sample>> =
            games.par_iter().map_init(|| QuiescenceLeaf::new(resources), samples).collect();
        for (game, samples) in games.iter().zip(&resolved) {
            self.positions += game.moves().len();
            let writer = self.samples.of(GameHash::of(game));
            samples.iter().try_for_each(|sample| writer.write(sample))?;
        }
        Ok(())
    }
}
