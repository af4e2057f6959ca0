//! `kankei check suite`: judges the test positions of a file.
//!
//! Each line of the file is one position with fields separated by ` ; `; comments start with `#`
//! ([`suite_line`]). [`rules`] judges lines about the rules, [`problems`] problems for a searcher,
//! and [`mates`] mates for the solver. The last printed line is `KIND: R right, W wrong, of T`.

mod mates;
mod problems;
mod rules;
mod verdict;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use rayon::prelude::*;

use self::problems::Budget;
use self::verdict::Verdict;
use crate::command::language::Language;
use crate::command::searcher::SearcherArgs;
use crate::command::suite_line::{self, BadLine, Line};
use crate::command::{CliError, EngineFactory, MateCosts, progress_bar, thread_pool};
use crate::engine::Engine;
use crate::file;
use crate::quote::count;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Kind of the lines
    kind: Kind,
    /// File of positions
    file: PathBuf,
    /// perft: skip lines with more leaves than this
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    max_nodes: Option<u64>,
    /// tsume, nextmove: nodes per position
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    nodes: Option<u64>,
    /// tsume, nextmove: milliseconds per position
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    ms: Option<u64>,
    /// Positions judged in parallel, 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
    /// tsume: what searches for mates
    #[arg(long, default_value = "mate")]
    engine: MateFinder,
    #[command(flatten)]
    searcher: SearcherArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MateFinder {
    /// The mate solver
    Mate,
    /// The searcher
    Search,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// `depth d ; leaves`
    Perft,
    /// `n k ; all legal moves`
    Legal,
    /// `n k ; all legal checks`
    Checks,
    /// `illegal P*xx`: the drop would mate
    Uchifuzume,
    /// `mate 1 ; move`: a mate in one exists
    Mate1,
    /// `nomate1`: no mate in one exists
    Nomate1,
    /// `mate n ; ...`: a searcher finds a mate
    Tsume,
    /// `best move ; ...`: a searcher finds the move
    Nextmove,
}

impl Kind {
    /// Whether a searcher is needed. Otherwise a wrong line is an error in the rules.
    fn needs_engine(self) -> bool {
        matches!(self, Kind::Tsume | Kind::Nextmove)
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let text = file::read_to_string(&args.file)
        .map_err(|source| CliError::Read { path: args.file.clone(), source })?;
    let lines: Vec<Line> = suite_line::lines(&text).collect();
    let (verdicts, costs) = thread_pool(args.threads)?.install(|| judge_all(args, &lines))?;

    for (line, verdict) in lines.iter().zip(&verdicts) {
        match verdict {
            Verdict::Wrong { expected, got } => {
                println!("wrong, line {}: {}", line.number, line.sfen);
                println!("  expected {expected}");
                println!("  got      {got}");
            }
            Verdict::Unreadable(reason) => println!("unreadable, line {}: {reason}", line.number),
            Verdict::Right | Verdict::Skipped => {}
        }
    }
    let number = |wanted: fn(&Verdict) -> bool| verdicts.iter().filter(|v| wanted(v)).count();
    let right = number(|v| *v == Verdict::Right);
    let wrong = number(|v| matches!(v, Verdict::Wrong { .. }));
    let skipped = number(|v| *v == Verdict::Skipped);
    let unreadable = number(|v| matches!(v, Verdict::Unreadable(_)));
    for (number, what) in [(skipped, "skipped"), (unreadable, "unreadable")] {
        if number > 0 {
            println!("{what}: {}", count(number, "line"));
        }
    }
    if let Some(costs) = costs {
        println!("{}", costs.text(Language::English));
    }
    let kind = args.kind.to_possible_value().expect("every kind can be chosen");
    println!("{}: {right} right, {wrong} wrong, of {}", kind.get_name(), right + wrong);
    if unreadable > 0 {
        return Ok(ExitCode::from(2));
    }
    if right + wrong == 0 {
        return Err(CliError::NothingJudged(args.file.clone()));
    }
    Ok(if wrong > 0 && !args.kind.needs_engine() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Number of lines that share a searcher, because building one takes the time of a short search.
const ENGINE_LINES: usize = 16;

/// The verdicts in the order of the lines, and the costs of the mate solver if it was used. The
/// lines are distributed over rayon's threads.
fn judge_all(args: &Args, lines: &[Line]) -> Result<(Vec<Verdict>, Option<MateCosts>), CliError> {
    let bar = progress_bar(lines.len());
    let right = AtomicUsize::new(0);
    let note = |verdict: Result<Verdict, BadLine>| {
        if matches!(verdict, Ok(Verdict::Right)) {
            bar.set_message(format!("{} right", right.fetch_add(1, Ordering::Relaxed) + 1));
        }
        bar.inc(1);
        verdict.unwrap_or_else(Verdict::Unreadable)
    };
    let shared = lines.par_iter().with_max_len(ENGINE_LINES);
    let budget = Budget::new(args.nodes, args.ms);
    let judged = match args.kind {
        Kind::Tsume if args.engine == MateFinder::Mate => {
            let costs = Mutex::new(MateCosts::default());
            let verdicts = shared.map_init(mates::solver, |solver, line| {
                let judged = mates::judge(line, solver, &budget);
                note(judged.map(|(verdict, cost)| {
                    costs.lock().unwrap_or_else(PoisonError::into_inner).add(&cost);
                    verdict
                }))
            });
            let verdicts = verdicts.collect();
            (verdicts, Some(costs.into_inner().unwrap_or_else(PoisonError::into_inner)))
        }
        Kind::Tsume | Kind::Nextmove => {
            let new_engine: EngineFactory = args.searcher.factory()?;
            let judge =
                if args.kind == Kind::Tsume { problems::tsume } else { problems::next_move };
            let judge =
                |engine: &mut Box<dyn Engine>, line| note(judge(line, engine.as_mut(), &budget));
            (shared.map_init(new_engine, judge).collect(), None)
        }
        _ => {
            let judge = |line: &Line| match args.kind {
                Kind::Perft => rules::perft(line, args.max_nodes),
                Kind::Legal => rules::legal(line),
                Kind::Checks => rules::checks(line),
                Kind::Uchifuzume => rules::pawn_drop_mate(line),
                Kind::Mate1 => rules::mate_in_one(line),
                Kind::Nomate1 => rules::no_mate_in_one(line),
                Kind::Tsume | Kind::Nextmove => unreachable!("a searcher judges these kinds"),
            };
            (lines.par_iter().with_max_len(1).map(|line| note(judge(line))).collect(), None)
        }
    };
    bar.finish_and_clear();
    Ok(judged)
}
