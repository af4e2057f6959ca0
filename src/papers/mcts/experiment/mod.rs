//! Monte-Carlo tree search with the evaluation function: Tables 1, 2 and 4, and Kankei's own
//! searchers for comparison.

mod report;

use std::process::ExitCode;
use std::time::Duration;

use self::report::Report;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt};
use crate::engine::{Engine, Settings};
use crate::eval::Evaluation;
use crate::lab::matches::{MatchScore, Pairing};
use crate::lab::selfplay::{SearchBudget, SelfplayConfig};
use crate::papers::experiment::{ExperimentArgs, Size, interrupted};
use crate::papers::match_series::{MatchSeries, openings};
use crate::papers::problems::{self, Budget, Selection, Solved, Solver};
use crate::search::mcts::Method;
use crate::search::{AlphaBeta, Mcts, MctsParams, SearchParams};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    #[command(flatten)]
    eval: EvalArgs,
    /// Number of problems and games in parallel
    #[arg(long, default_value_t = 2)]
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

/// A searcher that solves problems and plays games.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Player {
    AlphaBeta,
    Mcts(Method),
}

impl Player {
    fn name(self) -> &'static str {
        match self {
            Player::AlphaBeta => "AlphaBeta",
            Player::Mcts(method) => method.name,
        }
    }

    /// The method of this name.
    fn of(name: &str) -> Player {
        Player::Mcts(name.parse().expect("a method's name"))
    }

    fn build(self, evaluation: &Evaluation) -> Box<dyn Engine> {
        let evaluation = evaluation.clone();
        match self {
            Player::AlphaBeta => Box::new(AlphaBeta::new(SearchParams::DEFAULT, evaluation)),
            Player::Mcts(method) => {
                Box::new(Mcts::new(MctsParams::DEFAULT.with(method), evaluation))
            }
        }
    }

    fn solver(self, evaluation: &Evaluation) -> Solver {
        let label = match self {
            Player::AlphaBeta => format!("{:?}", SearchParams::DEFAULT),
            Player::Mcts(method) => format!("{:?}", MctsParams::DEFAULT.with(method)),
        };
        let evaluation = evaluation.clone();
        Solver { label, build: Box::new(move || self.build(&evaluation)) }
    }
}

/// The paper's methods in the order of its Table 1, with the problems solved of 432 at 10 s.
const TABLE_1: [(&str, usize); 5] = [
    ("playout", 136),
    ("ef-leaf", 186),
    ("ef-cutoff", 223),
    ("qs-leaf-diff", 256),
    ("qs-cutoff-diff", 274),
];

/// The pairings of its Table 2: won, drawn and lost by the first, in 48 games at 10 s a move.
const TABLE_2: [(&str, &str, [usize; 3]); 6] = [
    ("ef-leaf", "playout", [26, 5, 17]),
    ("ef-cutoff", "playout", [23, 1, 24]),
    ("ef-cutoff", "ef-leaf", [17, 1, 30]),
    ("qs-leaf-diff", "ef-leaf", [43, 0, 5]),
    ("qs-cutoff-diff", "ef-cutoff", [41, 0, 7]),
    ("qs-cutoff-diff", "qs-leaf-diff", [23, 1, 24]),
];

/// Its Table 4: problems solved by EF alone, and the additional problems with Diff, with QS, and
/// with both.
const TABLE_4: [([&str; 4], [i32; 4]); 2] = [
    (["ef-leaf", "ef-leaf-diff", "qs-leaf", "qs-leaf-diff"], [186, 52, 43, 70]),
    (["ef-cutoff", "ef-cutoff-diff", "qs-cutoff", "qs-cutoff-diff"], [223, -5, 17, 52]),
];

/// Kankei's own method, and the paper's best one as its opponent.
const OURS: (&str, &str) = ("value", "qs-cutoff-diff");

/// Problems solved by each player.
struct SolvedSet {
    count: usize,
    ms: u64,
    solved: Vec<(Player, Solved)>,
}

/// Games of a pairing.
struct PlayedPairing {
    players: [Player; 2],
    score: MatchScore,
    /// Won, drawn, lost.
    paper: Option<[usize; 3]>,
}

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
        let ExperimentArgs { data: Some(data), out, .. } = &self.experiment else {
            return Ok(Some(Vec::new()));
        };
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
            let solved = problems::solve(data, out, budget, evaluation, &solvers)?;
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
        let openings = match &self.experiment.data {
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
                header: format!("# {ms} ms, {} openings, {}", openings.len(), labels.join(" | ")),
                threads: self.threads,
            };
            let Some(score) = series.play()? else { return Ok(None) };
            played.push(PlayedPairing { players, score, paper });
        }
        Ok(Some(played))
    }
}
