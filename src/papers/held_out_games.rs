//! Training games and held-out games.

use std::path::PathBuf;

use crate::command::CliError;
use crate::command::games::each_game_while;
use crate::record::{Game, GameHash};

/// How to split the games.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HeldOutArgs {
    /// Percentage of the games to hold out, by a hash of their moves
    #[arg(long, value_name = "PERCENT", default_value_t = 2.5, value_parser = crate::command::percent)]
    held_out: f64,
    /// Largest number of held-out games to use
    #[arg(long, value_name = "GAMES", default_value_t = 500, value_parser = crate::command::whole_number::<usize>)]
    held_out_limit: usize,
}

/// The games to learn from.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LearnedGamesArgs {
    /// Files or folders of games to learn from
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub games: Vec<PathBuf>,
    #[command(flatten)]
    held_out: HeldOutArgs,
    /// Largest number of games to learn from
    #[arg(long, value_name = "GAMES", value_parser = crate::command::whole_number::<usize>)]
    limit: Option<usize>,
}

/// Training games and held-out games.
pub(crate) struct GameSet {
    pub training: Vec<Game>,
    pub held_out: Vec<Game>,
}

impl HeldOutArgs {
    /// Reads games and splits them; `limit` is the largest number of training games.
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

impl LearnedGamesArgs {
    /// Reads the games and splits them.
    pub fn read(&self) -> Result<GameSet, CliError> {
        self.held_out.read(&self.games, self.limit.unwrap_or(usize::MAX))
    }
}
