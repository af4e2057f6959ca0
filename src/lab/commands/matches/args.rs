//! Options of the command.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;

use super::engine::MatchEngine;
use super::openings::Openings;
use crate::command::output::ForceArg;
use crate::command::run_log::{Earlier, RunLog};
use crate::command::{CliError, number_in};
use crate::engine::Settings;
use crate::lab::matches::{ProgramSpec, Schedule, TimeControl, Tournament};
use crate::lab::selfplay::{Resignation, SearchBudget, SelfplayConfig};
use crate::record::{Game, GameHash, GameReader};

/// Play a match between two engines.
///
/// An engine is the command line of a USI program, or `self` for this one. Words after `self`
/// configure its searcher, as in 'self FullWidth eval=material', 'self without=null-move
/// set=aspiration=80' or 'self skill=5'. A word with blanks is quoted as in a shell: '"my engine"
/// usi', 'self eval="my file"'. Every opening is played twice, with colours changed.
/// Of more than two engines, each pair plays a match.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The first engine; results are reported from its side
    #[arg(value_name = "A")]
    first: String,
    /// The second engine
    #[arg(value_name = "B")]
    second: String,
    /// More engines, for a tournament
    #[arg(value_name = "MORE")]
    more: Vec<String>,
    /// Which of more than two engines play each other
    #[arg(long, value_enum, default_value = "round-robin")]
    schedule: Schedule,
    /// Number of games of each match, even
    #[arg(long, default_value_t = 20, value_parser = parse_games)]
    games: u64,
    #[command(flatten)]
    pub(super) limit: LimitArgs,
    /// File of openings, one per line: `startpos moves ...` or an SFEN; without it openings are
    /// random
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// Seed of the random openings, or of the order of those in the file; without it the file's
    /// order is kept
    #[arg(long, value_parser = crate::command::whole_number::<u64>)]
    pub(super) seed: Option<u64>,
    /// Number of concurrent games, 0 for all cores
    #[arg(long, value_name = "GAMES", default_value_t = 1, value_parser = crate::command::whole_number::<usize>)]
    pub(super) concurrency: usize,
    /// An option of the first engine, if it is a USI program; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    option1: Vec<String>,
    /// An option of all engines but the first; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    option2: Vec<String>,
    /// An option of engine N, counted from 1; repeatable
    #[arg(long, value_name = "N:NAME=VALUE", value_parser = parse_option)]
    option: Vec<EngineOption>,
    /// The first engine's `go` line, such as 'go movetime {ms}'; also {nodes}, {btime}, {wtime},
    /// {inc}, {byoyomi}
    #[arg(long, value_name = "LINE")]
    go1: Option<String>,
    /// The `go` line of all other engines
    #[arg(long, value_name = "LINE")]
    go2: Option<String>,
    /// Before the first engine resigns, ask it again with this `go` line
    #[arg(long, value_name = "LINE")]
    ask_again1: Option<String>,
    /// The same for all other engines
    #[arg(long, value_name = "LINE")]
    ask_again2: Option<String>,
    /// The first engine also loses by a second answer and by an illegal line in an `info`
    #[arg(long)]
    strict1: bool,
    /// The same for all other engines
    #[arg(long)]
    strict2: bool,
    /// Transposition table of this program's searchers, MiB
    #[arg(long, default_value_t = 64, value_parser = crate::command::hash_mib::<u64>)]
    hash: u64,
    /// A game that reaches this number of plies is drawn
    #[arg(long, default_value_t = 512, value_parser = crate::command::at_least_one::<usize>)]
    max_plies: usize,
    /// The first engine loses on time if it exceeds the limit by more than this, milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = crate::command::whole_number::<u64>)]
    margin1: u64,
    /// The same for all other engines
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = crate::command::whole_number::<u64>)]
    margin2: u64,
    /// A side loses if it is behind by this many centipawns for four moves, by both engines' scores
    #[arg(long, value_name = "CP", value_parser = crate::command::at_least_one::<i32>)]
    adjudicate: Option<i32>,
    /// A program that may declare a win does so automatically; searchers of this program always
    /// declare
    #[arg(long)]
    declare: bool,
    /// With two engines, stop when the pairs of games decide between these two Elo differences
    /// (sequential test, 5 % errors)
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], value_parser = number_in::<f64>(-1e4..=1e4))]
    sprt: Option<Vec<f64>>,
    /// File of the games
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Continue after the last game in the file; the options must be the same
    #[arg(long, requires = "out")]
    pub(super) resume: bool,
    /// File for the report printed at the end
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// File of the games as PGN, for rating programs; the moves are in comments. Like the file of
    /// --out, it grows game by game
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    #[command(flatten)]
    pub(super) force: ForceArg,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct LimitArgs {
    /// Nodes per move
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    nodes: Option<u64>,
    /// Milliseconds per move
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    ms: Option<u64>,
    /// Clock in milliseconds: BASE+INCREMENT or BASEbBYOYOMI
    #[arg(long, value_name = "CLOCK", value_parser = parse_clock)]
    pub(super) tc: Option<TimeControl>,
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

/// A USI option of one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EngineOption {
    /// Number of the engine, from 0.
    engine: usize,
    name: String,
    value: String,
}

impl fmt::Display for EngineOption {
    /// As on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}={}", self.engine + 1, self.name, self.value)
    }
}

fn parse_option(text: &str) -> Result<EngineOption, String> {
    let (number, option) = text.split_once(':').unwrap_or_default();
    let number = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let engine = number.ok_or_else(|| format!("{text:?} is not N:NAME=VALUE"))?;
    let (name, value) = split_option(option);
    Ok(EngineOption { engine, name, value })
}

/// Name and value of an option; a button has no value.
fn split_option(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    (name.to_owned(), value.to_owned())
}

impl Args {
    /// The command lines of all engines.
    fn commands(&self) -> Vec<&str> {
        let pair = [self.first.as_str(), self.second.as_str()];
        pair.into_iter().chain(self.more.iter().map(String::as_str)).collect()
    }

    /// The engines.
    ///
    /// # Errors
    /// [`CliError`] for an engine that cannot be started, or options of an engine that does not exist.
    pub(super) fn engines(&self) -> Result<Vec<MatchEngine>, CliError> {
        let commands = self.commands();
        if let Some(other) = self.option.iter().find(|option| option.engine >= commands.len()) {
            let (engine, count) = (other.engine + 1, commands.len());
            return Err(CliError::NoEngine { option: other.name.clone(), engine, count });
        }
        let engine =
            |(number, text): (usize, &&str)| MatchEngine::parse(text, self.program(number));
        commands.iter().enumerate().map(engine).collect()
    }

    /// How to control engine `number` if it is a program.
    fn program(&self, number: usize) -> ProgramSpec {
        let (usual, go, again, strict) = match number {
            0 => (&self.option1, &self.go1, &self.ask_again1, self.strict1),
            _ => (&self.option2, &self.go2, &self.ask_again2, self.strict2),
        };
        let own = self.option.iter().filter(|option| option.engine == number);
        let own = own.map(|option| (option.name.clone(), option.value.clone()));
        ProgramSpec {
            command: Vec::new(),
            options: usual.iter().map(|text| split_option(text)).chain(own).collect(),
            go: go.clone(),
            ask_again: again.clone(),
            strict,
        }
    }

    /// Tolerance of each engine of a match beyond a time limit.
    pub fn margins(&self, engines: [usize; 2]) -> [Duration; 2] {
        let margin = |engine| if engine == 0 { self.margin1 } else { self.margin2 };
        engines.map(|engine| Duration::from_millis(margin(engine)))
    }

    /// The engines by name, their matches and no games.
    pub fn tournament(&self) -> Tournament {
        let mut names: Vec<String> = Vec::new();
        for command in self.commands() {
            let earlier = names.iter().filter(|name| *name == command).count();
            let mark = match earlier {
                0 => String::new(),
                1 if self.more.is_empty() => " (second)".to_owned(),
                _ => format!(" ({})", names.len() + 1),
            };
            names.push(format!("{command}{mark}"));
        }
        Tournament::new(names, self.schedule, self.games)
    }

    /// The conditions of the games.
    pub fn config(&self) -> SelfplayConfig {
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

    /// A warning if games are repeated.
    pub(super) fn repeated_openings(&self, openings: &Openings) -> Option<String> {
        self.limit.nodes.and_then(|_| openings.repeated(self.games / 2))
    }

    /// Opens the file of games, if there is one, and passes the games in it to `note`.
    pub(super) fn open_log(
        &self,
        engines: &[MatchEngine],
        openings: &Openings,
        note: impl FnMut(&Game) -> Result<(), CliError>,
    ) -> Result<Option<RunLog>, CliError> {
        let Some(path) = &self.out else { return Ok(None) };
        let earlier = Earlier::of(self.resume, self.force);
        if earlier == Earlier::Discard {
            self.force.check(&[path], self.openings.as_slice())?;
        }
        let read = |input| {
            let games: Result<Vec<Game>, _> = GameReader::new(path, input)?.collect();
            Ok(games?)
        };
        let (log, games) = RunLog::open(path, &self.header(engines, openings), earlier, read)?;
        games.iter().try_for_each(note)?;
        Ok(Some(log))
    }

    /// The comment at the head of the file: everything that determines the games.
    fn header(&self, engines: &[MatchEngine], openings: &Openings) -> String {
        let commands: String = self.commands().iter().map(|text| format!(" {text:?}")).collect();
        let mut header = format!("# kankei match{commands}");
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                header += &format!(" --{name} {value}");
            }
        };
        let text = |value: &String| format!("{value:?}");
        if !self.more.is_empty() {
            let schedule = self.schedule.to_possible_value();
            add("schedule", schedule.map(|schedule| schedule.get_name().to_owned()));
            add("games", Some(self.games.to_string()));
        }
        add("nodes", self.limit.nodes.map(|nodes| nodes.to_string()));
        add("ms", self.limit.ms.map(|ms| ms.to_string()));
        add("tc", self.limit.tc.map(|times| times.to_string()));
        let hash = openings.hash().map(GameHash::to_u64).unwrap_or_default();
        add(
            "openings",
            self.openings.as_deref().map(|path: &Path| format!("{path:?} {hash:016x}")),
        );
        add("seed", self.seed.map(|seed| seed.to_string()));
        self.option1.iter().for_each(|option| add("option1", Some(text(option))));
        self.option2.iter().for_each(|option| add("option2", Some(text(option))));
        self.option
            .iter()
            .for_each(|option| add("option", Some(format!("{:?}", option.to_string()))));
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

    /// The differences of the sequential test, if there is one.
    ///
    /// # Errors
    /// [`CliError::Sprt`] unless the first is below the second; [`CliError::SprtEngines`] with more
    /// than two engines.
    pub fn sprt(&self) -> Result<Option<[f64; 2]>, CliError> {
        let Some(&[low, high]) = self.sprt.as_deref() else { return Ok(None) };
        if !self.more.is_empty() {
            return Err(CliError::SprtEngines(self.commands().len()));
        }
        if low < high { Ok(Some([low, high])) } else { Err(CliError::Sprt(low, high)) }
    }
}
