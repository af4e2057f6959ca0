//! `kankei records`: converts, filters, splits, counts and scores game records.
//!
//! The input is any number of files of any format. A folder means all files in it
//! ([`games`](crate::command::games)). Corrupt games are reported on standard error with file, line
//! and reason, counted, and skipped. Games that were not understood completely are kept with a
//! warning, or skipped with `--strict`. Output files are written atomically. They replace existing
//! files only with `--force`, and never an input file ([`output`](super::output)). KIF, KI2 and JKF
//! have one game a file, so several games are written to a folder. Parts that the output format
//! cannot store are reported on standard error.

mod filter;
mod score;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use self::filter::FilterArgs;
use super::output::{OutputArgs, OutputFile};
use crate::command::CliError;
use crate::command::games::{Tally, each_game_strictly};
use crate::command::output::check_distinct;
use crate::quote::count;
use crate::record::{Game, GameHash, Statistics, dedup};

#[derive(Debug, Subcommand)]
pub(super) enum Task {
    /// Write records in another format; times, comments and scores are kept if the format has them
    Convert(Conversion),
    /// Keep the games that match a filter
    Filter {
        #[command(flatten)]
        filter: FilterArgs,
        #[command(flatten)]
        conversion: Conversion,
    },
    /// Drop duplicates and games that are a prefix of a longer one; reads all games into memory
    Dedup(Conversion),
    /// Split off a held-out part, selected by a hash of the moves: the same games in every run
    Split {
        /// Percent of the games to split off
        #[arg(long, value_name = "PERCENT", value_parser = crate::command::percent)]
        held_out: f64,
        /// File for the games that are split off; the others go to --out
        #[arg(long, value_name = "FILE")]
        held_out_file: PathBuf,
        #[command(flatten)]
        conversion: Conversion,
    },
    /// Count games, results, lengths, scores and times
    Stats {
        #[command(flatten)]
        input: Input,
    },
    /// Score and Elo of a match between two engines from several files of `kankei match --out`,
    /// such as those of several machines with a seed each
    Score {
        #[command(flatten)]
        input: Input,
    },
}

#[derive(Debug, clap::Args)]
pub(super) struct Input {
    /// Files or folders of records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Skip games that were not understood completely instead of keeping their legal prefix
    #[arg(long)]
    strict: bool,
}

impl Input {
    fn each_game(&self, take: impl FnMut(Game) -> Result<(), CliError>) -> Result<Tally, CliError> {
        each_game_strictly(&self.files, self.strict, take)
    }
}

/// Input and output of a conversion.
#[derive(Debug, clap::Args)]
pub(super) struct Conversion {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(task: &Task) -> Result<ExitCode, CliError> {
    match task {
        Task::Convert(conversion) => keep(conversion, &FilterArgs::default())?,
        Task::Filter { filter, conversion } => keep(conversion, filter)?,
        Task::Dedup(conversion) => drop_copies(conversion)?,
        Task::Split { held_out, held_out_file, conversion } => {
            split(conversion, *held_out, held_out_file)?;
        }
        Task::Stats { input } => stats(input)?,
        Task::Score { input } => score::score(&input.files, input.strict)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn keep(conversion: &Conversion, filter: &FilterArgs) -> Result<(), CliError> {
    let Conversion { input, output } = conversion;
    let mut out = OutputFile::create(output, &input.files)?;
    let tally =
        input.each_game(|game| if filter.accepts(&game) { out.write(&game) } else { Ok(()) })?;
    finish(input, &tally, [out])
}

fn drop_copies(conversion: &Conversion) -> Result<(), CliError> {
    let Conversion { input, output } = conversion;
    let mut out = OutputFile::create(output, &input.files)?;
    let mut games = Vec::new();
    let tally = input.each_game(|game| {
        games.push(game);
        Ok(())
    })?;
    let left = dedup(games);
    left.games.iter().try_for_each(|game| out.write(game))?;
    let [copies, beginnings] =
        [count(left.copies, "duplicate"), count(left.beginnings, "beginning")];
    println!("{copies} and {beginnings} dropped");
    finish(input, &tally, [out])
}

fn split(conversion: &Conversion, percent: f64, held_out: &Path) -> Result<(), CliError> {
    let Conversion { input, output } = conversion;
    check_distinct(&[held_out, &output.out])?;
    let mut out = OutputFile::create(output, &input.files)?;
    let mut apart = OutputFile::create(&output.for_file(held_out), &input.files)?;
    let tally = input.each_game(|game| {
        let is_apart = GameHash::of(&game).is_held_out(percent);
        if is_apart { apart.write(&game) } else { out.write(&game) }
    })?;
    finish(input, &tally, [out, apart])
}

fn stats(input: &Input) -> Result<(), CliError> {
    let mut statistics = Statistics::default();
    let tally = input.each_game(|game| {
        statistics.add(&game);
        Ok(())
    })?;
    print!("{statistics}");
    println!("{tally}");
    Ok(())
}

/// Finishes the output files if there is something to write, and prints a summary.
fn finish<const N: usize>(
    input: &Input,
    tally: &Tally,
    output: [OutputFile; N],
) -> Result<(), CliError> {
    if tally.games == 0 {
        return Err(CliError::NoGames(input.files.clone()));
    }
    output.iter().try_for_each(OutputFile::check)?;
    if let Some(file) = output.first().filter(|_| output.iter().all(OutputFile::is_empty)) {
        return Err(file.empty());
    }
    println!("{tally}");
    for file in output {
        println!("{}", file.finish()?);
    }
    Ok(())
}
