//! `kankei match`: games between two engines, which are searchers of this program or USI programs.
//!
//! The file of games starts with a comment that names the settings, followed by USI lines.
//! `--resume` continues an interrupted match.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::command::bench::{BenchLimit, bench};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::{Engine, Settings};
use crate::eval::Evaluation;
use crate::lab::in_order::InOrder;
use crate::lab::matches::{
    Contestant, MatchReport, MatchScore, Pairing, Program, ProgramSpec, TimeControl, draw_opening,
    record,
};
use crate::lab::run_log::{self, RunLog};
use crate::lab::selfplay::{Resignation, SearchBudget, SelfplayConfig, SelfplayError};
use crate::record::{Format, Game, GameReader};
use crate::rng::Rng;
use crate::search::{AlphaBeta, EngineSpec, SearchParams};

/// Play a match between two engines.
///
/// An engine is the command line of a USI program, or `self` for this one. Words after `self`
/// configure its searcher, as in 'self FullWidth eval=material', 'self without=null-move
/// set=aspiration=80' or 'self skill=5'. Every opening is played twice, with colours changed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The first engine; results are reported from its side
    #[arg(value_name = "A")]
    first: String,
    /// The second engine
    #[arg(value_name = "B")]
    second: String,
    /// Number of games, even
    #[arg(long, default_value_t = 20, value_parser = parse_games)]
    games: u64,
    #[command(flatten)]
    limit: LimitArgs,
    /// File of openings, one per line: `startpos moves ...` or an SFEN; without it openings are
    /// random
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the random openings, or of the order of those in the file; without it the file's
    /// order is kept
    #[arg(long)]
    seed: Option<u64>,
    /// Number of concurrent games, 0 for all cores
    #[arg(long, value_name = "GAMES", default_value_t = 1)]
    concurrency: usize,
    /// An option of the first engine, if it is a USI program; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    option1: Vec<String>,
    /// An option of the second engine; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    option2: Vec<String>,
    /// The first engine's `go` line, such as 'go movetime {ms}'; also {nodes}, {btime}, {wtime},
    /// {inc}, {byoyomi}
    #[arg(long, value_name = "LINE")]
    go1: Option<String>,
    /// The second engine's `go` line
    #[arg(long, value_name = "LINE")]
    go2: Option<String>,
    /// Before the first engine resigns, ask it again with this `go` line
    #[arg(long, value_name = "LINE")]
    ask_again1: Option<String>,
    /// The same for the second engine
    #[arg(long, value_name = "LINE")]
    ask_again2: Option<String>,
    /// The first engine also loses by a second answer and by an illegal line in an `info`
    #[arg(long)]
    strict1: bool,
    /// The same for the second engine
    #[arg(long)]
    strict2: bool,
    /// Transposition table of this program's searchers, MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    hash: u64,
    /// A game that reaches this number of plies is drawn
    #[arg(long, default_value_t = 512)]
    max_plies: usize,
    /// The first engine loses on time if it exceeds the limit by more than this, milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    margin1: u64,
    /// The same for the second engine
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    margin2: u64,
    /// A side loses if it is behind by this many centipawns for four moves, by both engines' scores
    #[arg(long, value_name = "CP")]
    adjudicate: Option<i32>,
    /// A side that may declare a win does so automatically
    #[arg(long)]
    declare: bool,
    /// Stop when the results decide between these two Elo differences (sequential test, 5 % errors)
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// File of the games
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue after the last game in the file; the options must be the same
    #[arg(long, requires = "out")]
    resume: bool,
    /// File for the report printed at the end
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct LimitArgs {
    /// Nodes per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    ms: Option<u64>,
    /// Clock in milliseconds: BASE+INCREMENT or BASEbBYOYOMI
    #[arg(long, value_name = "CLOCK", value_parser = parse_clock)]
    tc: Option<TimeControl>,
}

fn parse_games(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games: &u64| *games > 0 && games.is_multiple_of(2));
    games.ok_or_else(|| format!("{text:?} is not an even number above 0"))
}

fn parse_clock(text: &str) -> Result<TimeControl, String> {
    let ms = |text: &str| text.parse().map(Duration::from_millis).ok();
    let (mut increment, mut byoyomi) = (Duration::ZERO, Duration::ZERO);
    let base = if let Some((base, more)) = text.split_once('b') {
        ms(more).map(|time| byoyomi = time).and_then(|()| ms(base))
    } else if let Some((base, more)) = text.split_once('+') {
        ms(more).map(|time| increment = time).and_then(|()| ms(base))
    } else {
        ms(text)
    };
    let base = base.filter(|base| !(*base + byoyomi).is_zero());
    let base = base.ok_or_else(|| format!("{text:?} is not BASE+INCREMENT or BASEbBYOYOMI"))?;
    Ok(TimeControl { base, increment, byoyomi })
}

/// One of the engines, from which each thread makes its own instance.
enum MatchEngine {
    Searcher(Box<EngineSpec>, Evaluation),
    Program(ProgramSpec),
}

impl MatchEngine {
    fn parse(text: &str, program: ProgramSpec) -> Result<MatchEngine, CliError> {
        let refuse = |reason: String| CliError::MatchEngine { text: text.to_owned(), reason };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if let Some((&"self", options)) = words.split_first() {
            if program != ProgramSpec::default() {
                return Err(refuse("words after `self` configure it, not options".to_owned()));
            }
            let spec: EngineSpec = options.join(" ").parse()?;
            let evaluation = spec.evaluation.load().map_err(|error| refuse(error.to_string()))?;
            return Ok(MatchEngine::Searcher(Box::new(spec), evaluation));
        }
        let command = words.into_iter().map(str::to_owned).collect();
        let spec = ProgramSpec { command, ..program };
        // A program that cannot start is reported now, not by a hundred lost games.
        Program::new(spec.clone())
            .new_game()
            .map_err(|failure| refuse(format!("cannot be started as a USI engine ({failure})")))?;
        Ok(MatchEngine::Program(spec))
    }

    fn contestant(&self) -> Contestant {
        match self {
            MatchEngine::Searcher(spec, evaluation) => Contestant::Searcher(spec.build(evaluation)),
            MatchEngine::Program(spec) => Contestant::Program(Program::new(spec.clone())),
        }
    }

    /// Nodes of a small bench, which change with this program or its weights.
    fn signature(&self) -> Option<u64> {
        match self {
            MatchEngine::Searcher(spec, evaluation) => {
                let mut engine = spec.build(evaluation);
                Some(bench(engine.as_mut(), BenchLimit::Depth(3), &mut |_| ()).nodes)
            }
            MatchEngine::Program(_) => None,
        }
    }
}

/// Start positions of the games.
enum Openings {
    /// The openings of a file, in turn.
    File(Vec<Game>),
    /// Random openings, selected by this program's searcher.
    Drawn(SelfplayConfig),
}

/// Nodes of each search during the selection of an opening.
const OPENING_NODES: u64 = 500;

impl Openings {
    fn get(&self, engine: &mut dyn Engine, pair: u64) -> Result<Game, SelfplayError> {
        match self {
            Openings::File(openings) => {
                Ok(openings[(pair % openings.len() as u64) as usize].clone())
            }
            Openings::Drawn(config) => draw_opening(engine, config, pair),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let pool = thread_pool(args.concurrency)?;
    let openings = args.openings()?;
    let engines = args.engines()?;
    let names = args.names();
    let (mut log, mut report) = args.open_log(&names, &engines)?;
    let config = args.config();
    let evaluation = Evaluation::embedded();
    let start = || -> (Pairing, Box<dyn Engine>) {
        let contestants = engines.each_ref().map(MatchEngine::contestant);
        let margins = [args.margin1, args.margin2].map(Duration::from_millis);
        let pairing = Pairing::new(contestants, args.limit.tc, margins);
        (pairing, Box::new(AlphaBeta::new(SearchParams::DEFAULT, evaluation.clone())))
    };
    let play = |(pairing, drawer): &mut (Pairing, Box<dyn Engine>),
                number: u64,
                is_over: &dyn Fn() -> bool|
     -> Option<Result<Game, SelfplayError>> {
        let opening = openings.get(drawer.as_mut(), number / 2);
        let played =
            opening.and_then(|opening| pairing.play(number, Some(&opening), &config, is_over));
        Some(played.transpose()?.map(|played| record(played, &names, number)))
    };
    let is_decided = AtomicBool::new(args.is_decided(report.score()));
    let games = InOrder {
        numbers: report.score().games() as u64..args.games,
        start: &start,
        work: &play,
        is_stopped: &|| interrupt::is_interrupted() || is_decided.load(Ordering::Relaxed),
    };
    let bar = progress_bar(args.games as usize).with_position(report.score().games() as u64);
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
        report.add(&game);
        is_decided.store(args.is_decided(report.score()), Ordering::Relaxed);
        bar.set_message(report.score().to_string());
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    let text = args.told(&report);
    print!("{text}");
    if let Some(path) = &args.report {
        run_log::write(path, &text)?;
    }
    let is_done = report.score().games() as u64 >= args.games || args.is_decided(report.score());
    if !is_done && log.is_none() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(interrupt::exit_code(is_done))
}

impl Args {
    fn engines(&self) -> Result<[MatchEngine; 2], CliError> {
        let engine = |text: &str,
                      options: &[String],
                      go: &Option<String>,
                      again: &Option<String>,
                      strict: bool| {
            let pair = |option: &String| match option.split_once('=') {
                Some((name, value)) => (name.to_owned(), value.to_owned()),
                None => (option.clone(), String::new()),
            };
            let options = options.iter().map(pair).collect();
            let (go, ask_again) = (go.clone(), again.clone());
            MatchEngine::parse(
                text,
                ProgramSpec { command: Vec::new(), options, go, ask_again, strict },
            )
        };
        Ok([
            engine(&self.first, &self.option1, &self.go1, &self.ask_again1, self.strict1)?,
            engine(&self.second, &self.option2, &self.go2, &self.ask_again2, self.strict2)?,
        ])
    }

    /// Names of the engines.
    fn names(&self) -> [String; 2] {
        let second = &self.second;
        let mark = if *second == self.first { " (second)" } else { "" };
        [self.first.clone(), format!("{second}{mark}")]
    }

    fn openings(&self) -> Result<Openings, CliError> {
        let Some(path) = &self.openings else {
            let nodes = OPENING_NODES..=OPENING_NODES;
            let seed = self.seed.unwrap_or(1);
            let budget = SearchBudget::Nodes(nodes);
            return Ok(Openings::Drawn(SelfplayConfig { seed, budget, ..Default::default() }));
        };
        let games: Result<Vec<Game>, _> = GameReader::open(path)?.collect();
        let mut games = games?;
        if games.is_empty() {
            return Err(CliError::NoOpenings(path.clone()));
        }
        if let Some(seed) = self.seed {
            Rng::from_seed(seed).shuffle(&mut games);
        }
        Ok(Openings::File(games))
    }

    fn config(&self) -> SelfplayConfig {
        SelfplayConfig {
            budget: match (self.limit.nodes, self.limit.ms) {
                (Some(nodes), _) => SearchBudget::Nodes(nodes..=nodes),
                (None, Some(ms)) => SearchBudget::Time(Duration::from_millis(ms)),
                (None, None) => SearchBudget::Own,
            },
            resignation: self.adjudicate.map(|score| Resignation { score, plies: 8 }),
            declares: self.declare,
            max_plies: self.max_plies,
            settings: Settings { hash_mib: self.hash as usize, ..Settings::default() },
            ..SelfplayConfig::default()
        }
    }

    /// Opens the file of games, if there is one, and reads the results of the games in it.
    fn open_log(
        &self,
        names: &[String; 2],
        engines: &[MatchEngine; 2],
    ) -> Result<(Option<RunLog>, MatchReport), CliError> {
        let mut report = MatchReport::new(names.clone());
        let Some(path) = &self.out else { return Ok((None, report)) };
        let read = |input| {
            let games: Result<Vec<Game>, _> = GameReader::new(path, input)?.collect();
            Ok(games?)
        };
        let (log, games) = RunLog::open(path, &self.header(engines), self.resume, read)?;
        games.iter().for_each(|game| report.add(game));
        Ok((Some(log), report))
    }

    /// The comment at the head of the file: everything that determines the games.
    fn header(&self, engines: &[MatchEngine; 2]) -> String {
        let mut header = format!("# kankei match {:?} {:?}", self.first, self.second);
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                header += &format!(" --{name} {value}");
            }
        };
        let text = |value: &String| format!("{value:?}");
        add("nodes", self.limit.nodes.map(|nodes| nodes.to_string()));
        add("ms", self.limit.ms.map(|ms| ms.to_string()));
        add("tc", self.limit.tc.map(|times| times.to_string()));
        add("openings", self.openings.as_deref().map(|path: &Path| format!("{path:?}")));
        add("seed", self.seed.map(|seed| seed.to_string()));
        self.option1.iter().for_each(|option| add("option1", Some(text(option))));
        self.option2.iter().for_each(|option| add("option2", Some(text(option))));
        add("go1", self.go1.as_ref().map(text));
        add("go2", self.go2.as_ref().map(text));
        add("ask-again1", self.ask_again1.as_ref().map(text));
        add("ask-again2", self.ask_again2.as_ref().map(text));
        add("strict1", self.strict1.then(String::new));
        add("strict2", self.strict2.then(String::new));
        add("hash", Some(self.hash.to_string()));
        add("max-plies", Some(self.max_plies.to_string()));
        add("margin1", Some(self.margin1.to_string()));
        add("margin2", Some(self.margin2.to_string()));
        add("adjudicate", self.adjudicate.map(|score| score.to_string()));
        add("declare", self.declare.then(String::new));
        let signatures = engines.iter().filter_map(MatchEngine::signature);
        let signatures: String = signatures.map(|nodes| format!(", bench {nodes}")).collect();
        header.trim_end().to_owned() + &signatures
    }

    fn ratio(&self, score: &MatchScore) -> Option<f64> {
        let elo = self.sprt.as_deref()?.try_into().ok()?;
        Some(score.log_likelihood_ratio(elo))
    }

    /// Whether the sequential test has ended.
    fn is_decided(&self, score: &MatchScore) -> bool {
        self.ratio(score).is_some_and(|ratio| ratio.abs() >= MatchScore::decision_bound())
    }

    /// The text printed at the end.
    fn told(&self, report: &MatchReport) -> String {
        let bound = MatchScore::decision_bound();
        let ratio = self.ratio(report.score());
        let ratio = ratio.map(|ratio| format!("    LLR {ratio:+.2} (-{bound:.2},{bound:.2})\n"));
        format!("{report}{}", ratio.unwrap_or_default())
    }
}
