//! `kankei match`: games between engines, which are searchers of this program or USI programs.
//!
//! The file of games starts with a comment that names the settings, followed by USI lines.
//! `--resume` continues an interrupted match.

mod args;
mod engine;
mod openings;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use self::args::Args;
use self::openings::Openings;
use crate::command::output::ForceArg;
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::lab::in_order::InOrder;
use crate::lab::matches::{MatchScore, Pairing, Tournament, pgn, record};
use crate::lab::run_log;
use crate::lab::selfplay::SelfplayError;
use crate::record::{Format, Game};
use crate::search::{AlphaBeta, SearchParams};

/// The engines of a thread.
struct Table {
    /// The match that is being played, by its number, and its engines.
    pairing: Option<(usize, Pairing)>,
    /// Draws the openings.
    drawer: Box<dyn Engine>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let test = SequentialTest(args.sprt()?);
    let inputs: Vec<PathBuf> = args.openings.iter().chain(&args.out).cloned().collect();
    let outputs: Vec<&PathBuf> = args.report.iter().chain(&args.pgn).collect();
    ForceArg { force: args.force.force || args.resume }.check(&outputs, &inputs)?;
    let pool = thread_pool(args.concurrency)?;
    let openings = Openings::new(args.openings.as_deref(), args.seed)?;
    let engines = args.engines()?;
    let schedule = args.tournament();
    let (mut tournament, mut results) = (schedule.clone(), String::new());
    let mut note = |tournament: &mut Tournament, game: &Game| {
        tournament.add(game);
        results += &pgn(game, tournament.played());
    };
    let mut log = args.open_log(&engines, |game| note(&mut tournament, game))?;
    let config = args.config();
    let evaluation = Evaluation::embedded();
    let start = || Table {
        pairing: None,
        drawer: Box::new(AlphaBeta::new(SearchParams::DEFAULT, evaluation.clone())),
    };
    let play = |table: &mut Table,
                number: u64,
                is_over: &dyn Fn() -> bool|
     -> Option<Result<Game, SelfplayError>> {
        let (at, game) = schedule.place(number);
        let opening = openings.get(table.drawer.as_mut(), game / 2);
        let pairing = match table.pairing.take() {
            Some(known) if known.0 == at => table.pairing.insert(known),
            _ => {
                let pair = schedule.engines(at);
                let contestants = pair.map(|engine| engines[engine].contestant());
                let pairing = Pairing::new(contestants, args.limit.tc, args.margins(pair));
                table.pairing.insert((at, pairing))
            }
        };
        let played =
            opening.and_then(|opening| pairing.1.play(game, Some(&opening), &config, is_over));
        Some(played.transpose()?.map(|played| record(played, &schedule.names(at), game)))
    };
    let is_decided = AtomicBool::new(test.is_decided(&tournament));
    let games = InOrder {
        numbers: tournament.played()..tournament.games(),
        start: &start,
        work: &play,
        is_stopped: &|| interrupt::is_interrupted() || is_decided.load(Ordering::Relaxed),
    };
    let bar = progress_bar(tournament.games() as usize).with_position(tournament.played());
    bar.reset_eta();
    interrupt::watch();
    games.run(&pool, |game| -> Result<(), CliError> {
        let game = game?;
        if is_decided.load(Ordering::Relaxed) {
            return Ok(());
        }
        if let Some(log) = &mut log {
            log.add_game(&game, Format::Usi)?;
        }
        note(&mut tournament, &game);
        is_decided.store(test.is_decided(&tournament), Ordering::Relaxed);
        bar.set_message(tournament.current().score().to_string());
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    let text = format!("{tournament}{}", test.text(&tournament));
    print!("{text}");
    for (path, content) in [(&args.report, &text), (&args.pgn, &results)] {
        if let Some(path) = path {
            run_log::write(path, content)?;
        }
    }
    let is_done = tournament.played() >= tournament.games() || test.is_decided(&tournament);
    if !is_done && log.is_none() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(interrupt::exit_code(is_done))
}

/// The sequential test between two Elo differences, if there is one.
struct SequentialTest(Option<[f64; 2]>);

impl SequentialTest {
    fn ratio(&self, tournament: &Tournament) -> Option<f64> {
        self.0.map(|elo| tournament.current().score().log_likelihood_ratio(elo))
    }

    /// Whether the test has ended.
    fn is_decided(&self, tournament: &Tournament) -> bool {
        self.ratio(tournament).is_some_and(|ratio| ratio.abs() >= MatchScore::decision_bound())
    }

    /// A line of the report; empty without a test.
    fn text(&self, tournament: &Tournament) -> String {
        let bound = MatchScore::decision_bound();
        let line = |ratio| format!("    LLR {ratio:+.2} (-{bound:.2},{bound:.2})\n");
        self.ratio(tournament).map(line).unwrap_or_default()
    }
}
