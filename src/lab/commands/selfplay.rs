//! `kankei selfplay`: labelled games of the engine against itself.
//!
//! The file starts with a comment that names the settings and grows game by game, in the order of
//! the games' numbers. It is complete after every game. `--resume` continues an interrupted run;
//! with node limits the file is the same as that of an uninterrupted run.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::output::{ForceArg, check_distinct};
use crate::command::run_log::{Earlier, RunLog};
use crate::command::searcher::SearcherArgs;
use crate::command::{CliError, EngineFactory, interrupt, number_in, progress_bar, thread_pool};
use crate::engine::Settings;
use crate::engines::bench::{BenchLimit, bench};
use crate::lab::learn::GrowingSamples;
use crate::lab::selfplay::{Opening, PlayedGame, SearchBudget, SelfplayConfig, Series, Starts};
use crate::quote::count;
use crate::record::{Ending, Format, GameReader, Statistics};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Number of games in the file at the end
    #[arg(long, value_parser = crate::command::whole_number::<u64>)]
    games: u64,
    /// Nodes per move: random from A to B for each move (`A..B`), or constant (`A`)
    #[arg(long, default_value = "5000..10000", value_parser = parse_range)]
    nodes: RangeInclusive<u64>,
    /// As `--nodes`, but the search completes the iteration in which it reaches them
    #[arg(long, value_name = "NODES", conflicts_with = "nodes", value_parser = parse_range)]
    soft_nodes: Option<RangeInclusive<u64>>,
    /// Milliseconds per move instead of nodes; such games cannot be reproduced
    #[arg(
        long,
        value_name = "MS",
        conflicts_with_all = ["nodes", "soft_nodes"],
        value_parser = crate::command::at_least_one::<u64>
    )]
    time: Option<u64>,
    /// Seed of the games
    #[arg(long, default_value_t = 1, value_parser = crate::command::whole_number::<u64>)]
    seed: u64,
    /// Number of concurrent games, 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
    /// Search threads of each game; with more than one, games cannot be reproduced
    #[arg(long, default_value_t = 1, value_parser = number_in::<u16>(1..=512))]
    search_threads: u16,
    /// Transposition table of each game, MiB
    #[arg(long, default_value_t = 16, value_parser = crate::command::hash_mib::<u64>)]
    hash: u64,
    /// File of labelled games, plain text
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Start positions of the games
    #[arg(long, value_enum, default_value = "usual")]
    starts: Starts,
    /// Number of varied moves among the first plies: random from A to B for each game
    #[arg(long, value_name = "A..B", default_value = "3..12", value_parser = parse_varied)]
    varied: RangeInclusive<usize>,
    /// Share of the games played to the end without resignation
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = number_in::<f64>(0.0..=1.0))]
    played_out: f64,
    /// File of samples from the search trees, to learn from
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// Keep one of N positions of the trees
    #[arg(
        long,
        visible_alias = "sample-rate",
        value_name = "N",
        default_value = "64",
        requires = "samples",
        value_parser = number_in(NonZeroU32::MIN..=NonZeroU32::MAX)
    )]
    sample_interval: NonZeroU32,
    /// Continue after the last complete game of the file
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    searcher: SearcherArgs,
}

pub(crate) fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most => Ok(least..=most),
        _ => Err(format!("{text:?} is not a range A..B of positive numbers")),
    }
}

fn parse_varied(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (range, plies) = (parse_range(text)?, Opening::default().plies);
    match usize::try_from(*range.end()) {
        Ok(most) if most <= plies => Ok(*range.start() as usize..=most),
        _ => Err(format!("{text:?} is not within the first {plies} plies")),
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.check()?;
    let pool = thread_pool(args.threads)?;
    let build = args.searcher.factory()?;
    let (mut log, mut statistics) = open(&args.out, &args.header(&build), args.resume)?;
    let done = statistics.games() as u64;
    let mut samples = args.samples(done)?;
    let bar = progress_bar(args.games as usize).with_position(done);
    bar.reset_eta();
    interrupt::watch();

    let start = Instant::now();
    let (mut plies, mut kept, mut endings) = (0, 0, BTreeMap::new());
    let series = Series {
        config: &args.config(),
        numbers: done..args.games,
        build: &build,
        is_stopped: &interrupt::is_interrupted,
    };
    let played = series.play(&pool, |PlayedGame { game, samples: sampled }| {
        // Samples are written first, so that a game in the file always has its samples, even if the
        // program is killed.
        if let Some(samples) = &mut samples {
            samples.write(&sampled)?;
            kept += sampled.len();
        }
        log.add_game(&game, Format::Labelled)?;
        statistics.add(&game);
        plies += game.moves().len();
        *endings.entry(game.ending.map_or("none", Ending::name)).or_insert(0_u64) += 1;
        bar.inc(1);
        Ok::<(), CliError>(())
    });
    bar.finish_and_clear();
    played?;

    print!("{statistics}");
    let games = statistics.games() as u64;
    let (now, seconds) = (games - done, start.elapsed().as_secs_f64());
    println!(
        "{} played in this run: {:.2} games/s, {:.0} moves/s",
        count(now as usize, "game"),
        now as f64 / seconds,
        plies as f64 / seconds
    );
    if let Some(path) = &args.samples {
        println!("{kept} samples in {}, {:.0} a second", path.display(), kept as f64 / seconds);
    }
    for (ending, count) in endings {
        println!("{ending:<12} {count:>8}");
    }
    println!("{games} games in {}", args.out.display());
    Ok(interrupt::exit_code(games >= args.games))
}

/// Creates a file of labelled games with this comment. With `resume` opens one that has the comment
/// and counts its games.
fn open(path: &Path, header: &str, resume: bool) -> Result<(RunLog, Statistics), CliError> {
    RunLog::open(path, header, Earlier::of(resume, ForceArg::default()), |input| {
        let mut statistics = Statistics::default();
        for game in GameReader::new(path, input)? {
            statistics.add(&game?);
        }
        Ok(statistics)
    })
}

impl Args {
    /// Refuses an existing file of samples, unless the run is resumed.
    fn check(&self) -> Result<(), CliError> {
        check_distinct(&self.samples.iter().chain([&self.out]).collect::<Vec<_>>())?;
        let force = ForceArg::default().or_resumed(self.resume.then_some(self.out.as_path()));
        force.check(&self.samples.iter().collect::<Vec<_>>(), &[]).map_err(|error| match error {
            CliError::OutputExists(path) => CliError::NotNew(path),
            other => other,
        })
    }

    /// Opens the file of samples, with those of the first `games` games.
    fn samples(&self, games: u64) -> Result<Option<GrowingSamples>, CliError> {
        let Some(path) = &self.samples else { return Ok(None) };
        // A run that was stopped before its first game ended has left this file.
        if self.resume && games == 0 && path.exists() {
            fs::remove_file(path)
                .map_err(|source| CliError::Write { path: path.clone(), source })?;
        }
        Ok(Some(GrowingSamples::open(path, games)?))
    }

    fn config(&self) -> SelfplayConfig {
        let budget = match (self.time, &self.soft_nodes) {
            (Some(ms), _) => SearchBudget::Time(Duration::from_millis(ms)),
            (None, Some(nodes)) => SearchBudget::SoftNodes(nodes.clone()),
            (None, None) => SearchBudget::Nodes(self.nodes.clone()),
        };
        let settings = Settings {
            hash_mib: self.hash as usize,
            threads: self.search_threads.into(),
            sample_interval: self.sampling(),
            ..Settings::default()
        };
        SelfplayConfig {
            seed: self.seed,
            budget,
            starts: self.starts,
            opening: Opening { varied: self.varied.clone(), ..Opening::default() },
            played_out: self.played_out,
            settings,
            ..SelfplayConfig::default()
        }
    }

    fn sampling(&self) -> Option<NonZeroU32> {
        self.samples.as_ref().map(|_| self.sample_interval)
    }

    /// The comment at the head of the file: everything that determines the games.
    fn header(&self, build: &EngineFactory) -> String {
        let budget = match (self.time, &self.soft_nodes) {
            (Some(ms), _) => format!("--time {ms}"),
            (None, Some(nodes)) => format!("--soft-nodes {}..{}", nodes.start(), nodes.end()),
            (None, None) => format!("--nodes {}..{}", self.nodes.start(), self.nodes.end()),
        };
        // The same settings can mean another program or other weights; the node total of a bench
        // identifies them.
        let signature = bench(build().as_mut(), BenchLimit::Depth(3), &mut |_| ());
        let mut more = String::new();
        if self.starts == Starts::Varied {
            more += " --starts varied";
        }
        if self.varied != Opening::default().varied {
            more += &format!(" --varied {}..{}", self.varied.start(), self.varied.end());
        }
        if self.played_out > 0.0 {
            more += &format!(" --played-out {}", self.played_out);
        }
        if let Some(interval) = self.sampling() {
            more += &format!(" --sample-interval {interval}");
        }
        format!(
            "# kankei selfplay {budget} --seed {} --search-threads {} --hash {}{more} {}, bench {}",
            self.seed, self.search_threads, self.hash, self.searcher, signature.nodes,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed() {
        assert_eq!(parse_range("5"), Ok(5..=5));
        assert_eq!(parse_range("5..7"), Ok(5..=7));
        for bad in ["", "0", "7..5", "a..b", "5..", "5..7..9"] {
            assert!(parse_range(bad).is_err_and(|error| error.contains(bad)));
        }
        assert_eq!(parse_varied("3..12"), Ok(Opening::default().varied));
        assert!(parse_varied("3..25").is_err_and(|error| error.contains("3..25")));
    }

    const HEADER: &str = "# settings";

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).expect("readable")
    }

    #[test]
    fn a_resumed_file_continues_after_its_last_complete_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let (log, statistics) = open(&path, HEADER, true).expect("a new file");
        assert_eq!((statistics.games(), text(&path).as_str()), (0, "# settings\n"));
        assert!(open(&path, HEADER, true).is_err(), "in use");
        drop(log);

        let games = "# settings\n7g7f | 12 | b\n7g7f 3c3d | . 5 | d\n";
        for cut_off in ["", "7g7f 3c", "7g7f | . | b"] {
            std::fs::write(&path, format!("{games}{cut_off}")).expect("written");
            let (mut log, statistics) = open(&path, HEADER, true).expect("whole games");
            assert_eq!((statistics.games(), text(&path).as_str()), (2, games));
            let game = crate::record::GameBuilder::new().finish();
            log.add_game(&game, Format::Labelled).expect("written");
            assert_eq!(text(&path), format!("{games}startpos |  | ?\n"));
        }
        std::fs::write(&path, "# sett").expect("written");
        drop(open(&path, HEADER, true).expect("nothing in it"));
        assert_eq!(text(&path), "# settings\n");
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        for (content, resume, reason) in [
            ("# settings\n", false, "--resume"),
            ("# other settings\n7g7f | 12 | b\n", true, "\"# other settings\""),
            ("7g7f | 12 | b\n", true, "\"7g7f | 12 | b\""),
            ("my notes", true, "\"my notes\""),
            ("# settings\n7g7e | 12 | b\nrest", true, "games:2: move 1: 7g7e"),
        ] {
            std::fs::write(&path, content).expect("written");
            let error = open(&path, HEADER, resume).err().expect(content).to_string();
            assert!(error.contains(reason), "{error}");
            assert_eq!(text(&path), content);
        }
    }
}
