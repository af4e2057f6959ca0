//! `kankei match`: games between engines, which are searchers of this program or USI programs.
//!
//! The file of games starts with a comment that names the settings, followed by USI lines.
//! `--resume` continues an interrupted match.

mod args;
mod engine;
mod openings;
mod pgn_file;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::ThreadPool;

pub(crate) use self::args::Args;
use self::engine::MatchEngine;
use self::openings::Openings;
use self::pgn_file::PgnFile;
use crate::command::output::check_distinct;
use crate::command::run_log::{self, RunLog};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::lab::in_order::InOrder;
use crate::lab::matches::{MatchScore, Pairing, Tournament, pgn, record};
use crate::lab::selfplay::{SelfplayConfig, SelfplayError};
use crate::record::{Format, Game};
use crate::search::{AlphaBeta, SearchParams};

/// The engines of a thread.
struct Table {
    /// The match that is being played, by its number, and its engines.
    pairing: Option<(usize, Pairing)>,
    /// Draws the openings.
    drawer: Box<dyn Engine>,
}

/// Everything that determines the games.
struct Conditions<'a> {
    args: &'a Args,
    engines: &'a [MatchEngine],
    openings: Openings,
    /// The matches, without games.
    schedule: Tournament,
    config: SelfplayConfig,
}

impl Conditions<'_> {
    fn table(&self) -> Table {
        let drawer = AlphaBeta::new(SearchParams::DEFAULT, Evaluation::embedded());
        Table { pairing: None, drawer: Box::new(drawer) }
    }

    /// Plays a game of the tournament; `None` if `is_over` returned true before its end.
    fn play(
        &self,
        table: &mut Table,
        number: u64,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Result<Game, SelfplayError>> {
        let (at, game) = self.schedule.place(number);
        let opening = self.openings.get(table.drawer.as_mut(), game / 2);
        let (_, pairing) = match table.pairing.take() {
            Some(known) if known.0 == at => table.pairing.insert(known),
            _ => table.pairing.insert((at, self.pairing(at))),
        };
        let played =
            opening.and_then(|opening| pairing.play(game, Some(&opening), &self.config, is_over));
        Some(played.transpose()?.map(|played| record(played, &self.schedule.names(at), game)))
    }

    /// The engines of a match.
    fn pairing(&self, number: usize) -> Pairing {
        let pair = self.schedule.engines(number);
        let contestants = pair.map(|engine| self.engines[engine].contestant());
        Pairing::new(contestants, self.args.limit.tc, self.args.margins(pair))
    }
}

/// The games so far.
struct Played {
    tournament: Tournament,
    pgn: Option<PgnFile>,
}

impl Played {
    fn add(&mut self, game: &Game) -> Result<(), CliError> {
        self.tournament.add(game);
        let played = self.tournament.played();
        self.pgn.as_mut().map_or(Ok(()), |file| file.add(&pgn(game, played)))
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let test = SequentialTest(args.sprt()?);
    let inputs: Vec<PathBuf> = args.openings.iter().chain(&args.out).cloned().collect();
    let outputs: Vec<&PathBuf> = args.report.iter().chain(&args.pgn).collect();
    let resumed = args.out.as_deref().filter(|_| args.resume);
    args.force.or_resumed(resumed).check(&outputs, &inputs)?;
    check_distinct(&outputs.into_iter().chain(&args.out).collect::<Vec<_>>())?;
    let pool = thread_pool(args.concurrency)?;
    let openings = Openings::new(args.openings.as_deref(), args.seed)?;
    if let Some(warning) = args.repeated_openings(&openings) {
        eprintln!("{warning}");
    }
    let engines = args.engines()?;
    let schedule = args.tournament();
    let pgn = args.pgn.clone().map(PgnFile::new);
    let mut played = Played { tournament: schedule.clone(), pgn };
    let mut log = args.open_log(&engines, &openings, |game| played.add(game))?;
    let config = args.config();
    let conditions = Conditions { args, engines: &engines, openings, schedule, config };
    play_games(&conditions, &pool, &test, &mut played, &mut log)?;
    let tournament = &played.tournament;
    let text = format!("{tournament}{}", test.text(tournament));
    // The files are written even if this output is closed.
    let printed = write!(io::stdout(), "{text}");
    if let Some(path) = &args.report {
        run_log::write(path, &text)?;
    }
    if let Err(error) = printed
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        return Err(CliError::Print(error));
    }
    let is_done = tournament.played() >= tournament.games() || test.is_decided(tournament);
    if !is_done && log.is_none() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(interrupt::exit_code(is_done))
}

/// Plays the remaining games, until the test has ended or the user interrupts.
fn play_games(
    conditions: &Conditions<'_>,
    pool: &ThreadPool,
    test: &SequentialTest,
    played: &mut Played,
    log: &mut Option<RunLog>,
) -> Result<(), CliError> {
    let is_decided = AtomicBool::new(test.is_decided(&played.tournament));
    let (first, last) = (played.tournament.played(), played.tournament.games());
    let games = InOrder {
        numbers: first..last,
        start: &|| conditions.table(),
        work: &|table, number, is_over| conditions.play(table, number, is_over),
        is_stopped: &|| interrupt::is_interrupted() || is_decided.load(Ordering::Relaxed),
    };
    let bar = progress_bar(last as usize).with_position(first);
    bar.reset_eta();
    interrupt::watch();
    games.run(pool, |game| -> Result<(), CliError> {
        let game = game?;
        if is_decided.load(Ordering::Relaxed) {
            return Ok(());
        }
        if let Some(log) = log {
            log.add_game(&game, Format::Usi)?;
        }
        played.add(&game)?;
        is_decided.store(test.is_decided(&played.tournament), Ordering::Relaxed);
        let report = played.tournament.current();
        bar.set_message(report.score().to_string());
        bar.inc(1);
        if bar.is_hidden() {
            let number = played.tournament.played();
            // The match continues even if nobody reads its lines.
            drop(writeln!(io::stderr(), "game {number} of {last}: {}", report.line(&game)));
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
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
