//! `kankei selfplay`: files of games that can be made again and taken up again.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Parser;
use kankei::cli::Cli;
use kankei::eval::Evaluation;
use kankei::lab::learn::{GrowingSamples, Sample, SampleSet};
use kankei::record::{Format, Game, GameReader};

const PROGRAM: &str = env!("CARGO_BIN_EXE_kankei");
const NODES: [&str; 2] = ["--nodes", "100..150"];

fn arguments<'a>(path: &'a Path, games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let path = path.to_str().expect("a plain path");
    let args = ["selfplay", "--games", games, "--hash", "1", "--threads", "2", "--out", path];
    [&args, more].concat()
}

fn run(path: &Path, games: &str, more: &[&str]) -> ExitCode {
    let args = [vec!["kankei"], arguments(path, games, more)].concat();
    Cli::try_parse_from(args).expect("good arguments").run()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn games(path: &Path) -> Vec<Game> {
    let reader = GameReader::open(path).expect("a readable file");
    assert_eq!(reader.format(), Format::Labelled);
    reader.map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn files_are_made_and_taken_up_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [whole, resumed] = ["whole", "resumed"].map(|name| folder.path().join(name));
    let ok = |path: &Path, games: &str, more: &[&str]| {
        assert_eq!(run(path, games, &[&NODES, more].concat()), ExitCode::SUCCESS, "{more:?}");
    };
    ok(&whole, "5", &[]);
    assert_eq!(games(&whole).len(), 5);
    ok(&resumed, "2", &["--resume"]);
    ok(&resumed, "5", &["--resume"]);
    assert_eq!(text(&resumed), text(&whole));

    let bad = |more: &[&str]| assert_eq!(run(&whole, "6", more), ExitCode::from(2), "{more:?}");
    let before = text(&whole);
    bad(&[NODES[0], NODES[1]]);
    bad(&["--resume"]);
    bad(&["--resume", "--time", "5"]);
    bad(&[NODES[0], NODES[1], "--resume", "--seed", "2"]);
    assert_eq!(text(&whole), before);
    ok(&whole, "3", &["--resume"]);
    assert_eq!(text(&whole), before, "no game is taken away");

    let timed = folder.path().join("timed");
    assert_eq!(run(&timed, "1", &["--time", "1"]), ExitCode::SUCCESS);
    assert_eq!(games(&timed).len(), 1);

    let parse = |args: &[&str]| Cli::try_parse_from([&["kankei", "selfplay"], args].concat());
    assert!(parse(&["--games", "1"]).is_err(), "no file");
    for bad in [["--nodes", "0"], ["--nodes", "7..5"], ["--time", "0"]] {
        assert!(parse(&[&["--games", "1", "--out", "x"], &bad[..]].concat()).is_err(), "{bad:?}");
    }
    assert!(parse(&["--games", "1", "--out", "x", "--nodes", "5", "--time", "5"]).is_err());
}

#[test]
fn samples_of_the_trees_are_made_and_taken_up_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let play = |name: &str, games: &str, more: &[&str]| {
        let samples = at(&format!("{name}.bin"));
        let samples = ["--samples", samples.to_str().expect("a plain path")];
        let varied = ["--starts", "varied", "--played-out", "0.5", "--sample-interval", "16"];
        run(&at(name), games, &[&["--nodes", "400..600"][..], &varied, &samples, more].concat())
    };
    assert_eq!(play("whole", "4", &[]), ExitCode::SUCCESS);
    let whole = SampleSet::read(&at("whole.bin")).expect("samples").samples;
    assert!(whole.len() > 100, "{}", whole.len());
    for sample in &whole {
        let pos = sample.position.unpack().expect("a position");
        assert!(!pos.in_check(), "only evaluated positions");
    }

    assert_eq!(play("resumed", "2", &[]), ExitCode::SUCCESS);
    // Samples of a game that never came into its file.
    let mut samples = GrowingSamples::open(&at("resumed.bin"), 2).expect("samples of two games");
    samples.write(&whole[..9]).expect("space");
    drop(samples);
    assert_eq!(play("resumed", "4", &["--resume"]), ExitCode::SUCCESS);
    let bytes = |name| fs::read(at(name)).expect("a file");
    assert_eq!(bytes("resumed.bin"), bytes("whole.bin"));
    assert_eq!(play("whole", "5", &["--resume", "--sample-depth", "2"]), ExitCode::from(2));

    // Values of deeper searches differ from the evaluation.
    assert_eq!(play("deep", "2", &["--sample-depth", "1"]), ExitCode::SUCCESS);
    let deep = SampleSet::read(&at("deep.bin")).expect("samples").samples;
    let differs = |sample: &&Sample| {
        let pos = sample.position.unpack().expect("a position");
        Evaluation::embedded().evaluate(&pos).to_cp() != i32::from(sample.score)
    };
    let different = deep.iter().filter(differs).count();
    assert!(different > deep.len() / 4, "{different} of {}", deep.len());
}

/// Starts a run, waits for its second game, ends it, and has another run go on.
#[cfg(unix)]
#[test]
fn interrupted_and_killed_runs_lose_no_game() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = folder.path().join("whole");
    assert_eq!(run(&whole, "8", &NODES), ExitCode::SUCCESS);
    for (signal, code) in [("INT", Some(130)), ("KILL", None)] {
        let path = folder.path().join(signal);
        let endless = arguments(&path, "1000000", &NODES);
        let mut process = Command::new(PROGRAM).args(endless).spawn().expect("the program starts");
        while text(&path).lines().count() < 3 {
            assert_eq!(process.try_wait().expect("a child"), None);
            std::thread::sleep(Duration::from_millis(10));
        }
        let kill = Command::new("kill").args(["-s", signal, &process.id().to_string()]).status();
        assert!(kill.expect("a shell's kill").success());
        assert_eq!(process.wait().expect("an end").code(), code, "{signal}");
        assert_eq!(run(&path, "8", &[&NODES[..], &["--resume"]].concat()), ExitCode::SUCCESS);
        // More than eight may have been played before the signal came.
        assert!(text(&path).starts_with(&text(&whole)), "{signal}");
    }
}
