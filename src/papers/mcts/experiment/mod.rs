//! Monte-Carlo tree search with the evaluation function: Tables 1, 2 and 4, and Kankei's own
//! searchers for comparison.

mod players;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use self::players::{OURS, PlayedPairing, Player, SolvedSet, TABLE_1, TABLE_2};
use self::report::Report;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt};
use crate::engine::Settings;
use crate::eval::Evaluation;
use crate::lab::description::identity;
use crate::lab::matches::Pairing;
use crate::lab::selfplay::{SearchBudget, SelfplayConfig};
use crate::papers::experiment::{ExperimentArgs, Size, interrupted};
use crate::papers::match_series::{MatchSeries, openings};
use crate::papers::mcts::searcher::Method;
use crate::papers::problems::{self, Budget, Selection, Solver};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    /// Folder of data: `suites/` with problems, `openings/`
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    eval: EvalArgs,
    /// Number of problems and games in parallel
    #[arg(long, default_value_t = 2, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

/// Amount of work.
struct Extent {
    /// Number of problems and time per problem, ms: for Tables 1 and 4, and for a repetition of
    /// part of Table 1.
    problems: [(usize, u64); 2],
    /// Number of games of each pairing, and the time per move, ms.
    games: (u64, u64),
}

impl Extent {
    fn of(size: Size) -> Extent {
        match size {
            Size::Full => Extent { problems: [(432, 1_000), (100, 10_000)], games: (48, 200) },
            Size::Small => Extent { problems: [(24, 100), (4, 1_000)], games: (2, 10) },
        }
    }
}

/// Length of the openings in plies, and their file.
const OPENINGS: (usize, &str) = (24, "openings/start_24ply_2016.txt");
const HASH_MIB: usize = 64;

/// Where an interrupted experiment continues.
const STEP: &str = " after the last problem and the last game";

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let (extent, out) = (Extent::of(args.experiment.size), &args.experiment.out);
    std::fs::create_dir_all(out).map_err(|source| CliError::Write { path: out.clone(), source })?;
    let evaluation = args.eval.load()?;
    let Some(played) = args.play(&extent, &evaluation)? else { return interrupted(STEP) };
    let Some(solved) = args.solve(&extent, &evaluation)? else { return interrupted(STEP) };
    let report = Report { solved: &solved, played: &played, games: extent.games, eval: &args.eval };
    if let Some((file, svg)) = report.drawing() {
        args.experiment.write(file, &svg)?;
    }
    let code = args.experiment.publish(&report.text())?;
    for (_, ms) in extent.problems {
        problems::forget(out, Duration::from_millis(ms));
    }
    Ok(code)
}

impl Args {
    /// The problems solved by all methods and by alpha-beta; the longer searches are without the
    /// ablations. Empty without data.
    fn solve(
        &self,
        extent: &Extent,
        evaluation: &Evaluation,
    ) -> Result<Option<Vec<SolvedSet>>, CliError> {
        let Some(data) = &self.data else { return Ok(Some(Vec::new())) };
        let all = Method::ALL.map(Player::Mcts).into_iter().chain([Player::AlphaBeta]);
        let some = TABLE_1.iter().map(|(name, _)| Player::of(name));
        let some = some.chain([Player::of(OURS.0), Player::AlphaBeta]);
        let players: [Vec<Player>; 2] = [all.collect(), some.collect()];
        let mut sets = Vec::new();
        for (players, (count, ms)) in players.into_iter().zip(extent.problems) {
            let solvers: Vec<Solver> =
                players.iter().map(|player| player.solver(evaluation)).collect();
            let budget = Budget {
                selection: Selection::Spread(count),
                time: Duration::from_millis(ms),
                threads: self.threads,
            };
            let solved = problems::solve(data, &self.experiment.out, budget, evaluation, &solvers)?;
            let Some(solved) = solved else { return Ok(None) };
            sets.push(SolvedSet { count, ms, solved: players.into_iter().zip(solved).collect() });
        }
        Ok(Some(sets))
    }

    /// Plays the pairings of Table 2, and Kankei's.
    fn play(
        &self,
        extent: &Extent,
        evaluation: &Evaluation,
    ) -> Result<Option<Vec<PlayedPairing>>, CliError> {
        let (games, ms) = extent.games;
        let (plies, file) = OPENINGS;
        let openings = match &self.data {
            Some(data) => openings(&data.join(file), plies, games as usize / 2)?,
            None => Vec::new(),
        };
        let ours = (OURS.0, OURS.1, None);
        let pairings = TABLE_2.map(|(one, other, paper)| (one, other, Some(paper)));
        let mut played = Vec::new();
        for (one, other, paper) in pairings.into_iter().chain([ours]) {
            let players = [one, other].map(Player::of);
            let labels = players.map(|player| player.solver(evaluation).label);
            let series = MatchSeries {
                pairing: &|| Pairing::of_searchers(players.map(|player| player.build(evaluation))),
                openings: &openings,
                games,
                config: SelfplayConfig {
                    budget: SearchBudget::Time(Duration::from_millis(ms)),
                    resignation: None,
                    settings: Settings { hash_mib: HASH_MIB, ..Settings::default() },
                    ..SelfplayConfig::default()
                },
                log: self.experiment.out.join(format!("{one}-{other}.games")),
                header: format!("# {ms} ms, {}, {}", labels.join(" | "), identity(evaluation)),
                threads: self.threads,
            };
            let Some(score) = series.play()? else { return Ok(None) };
            played.push(PlayedPairing { players, score, paper });
        }
        Ok(Some(played))
    }
}
