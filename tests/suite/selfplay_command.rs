//! `kankei selfplay`: files of games are reproducible and resumable.

use kankei::eval::Evaluation;
use kankei::lab::learn::{GrowingSamples, Sample, SampleSet};
use kankei::record::{Bound, Format, GameReader};

use crate::command_support::Folder;

const NODES: &str = "--nodes 100..150";

fn line(out: &str, games: u64, more: &str) -> String {
    format!("selfplay --games {games} --hash 1 --threads 2 --out {out} {more}")
}

#[test]
fn games_are_written_and_resumed() {
    let folder = Folder::new();
    let resume = format!("{NODES} --resume");
    folder.ok(&line("whole", 5, NODES));
    assert_eq!(folder.games("whole").len(), 5);
    let reader = GameReader::open(&folder.at("whole")).expect("a readable file");
    assert_eq!(reader.format(), Format::Labelled);
    folder.ok(&line("resumed", 2, &resume));
    folder.ok(&line("resumed", 5, &resume));
    assert_eq!(folder.text("resumed"), folder.text("whole"));

    let before = folder.text("whole");
    let other_seed = format!("{resume} --seed 2");
    for more in [NODES, "--resume", "--resume --time 5", &other_seed] {
        folder.fails(&line("whole", 6, more), &["whole"]);
    }
    assert_eq!(folder.text("whole"), before);
    folder.ok(&line("whole", 3, &resume));
    assert_eq!(folder.text("whole"), before, "no game is removed");

    folder.ok(&line("timed", 1, "--time 1"));
    assert_eq!(folder.games("timed").len(), 1);

    folder.fails("selfplay --games 1", &["--out"]);
    for (more, named) in [
        ("--nodes 0", "0"),
        ("--nodes 7..5", "7..5"),
        ("--time 0", "0"),
        ("--nodes 5 --time 5", "--time"),
        ("--nodes 5 --soft-nodes 5", "--soft-nodes"),
        ("--soft-nodes 5 --time 5", "--soft-nodes"),
        ("--varied 3..25", "3..25"),
    ] {
        folder.fails(&line("x", 1, more), &[named]);
    }
}

#[test]
fn soft_limits_give_exact_scores_with_depths() {
    let folder = Folder::new();
    let soft = "--soft-nodes 100..150 --varied 2..2 --resume";
    folder.ok(&line("whole", 3, soft));
    folder.ok(&line("resumed", 1, soft));
    folder.ok(&line("resumed", 3, soft));
    let text = folder.text("whole");
    assert_eq!(folder.text("resumed"), text);
    let header = text.lines().next().expect("a header");
    assert!(header.contains("--soft-nodes 100..150") && header.contains("--varied 2..2"));
    for game in folder.games("whole") {
        let scores: Vec<_> = (0..game.moves().len()).map(|ply| game.searched_score(ply)).collect();
        assert_eq!(scores.iter().filter(|score| score.is_none()).count(), 2);
        assert!(scores.iter().flatten().all(|score| score.bound == Bound::Exact));
        assert!(scores.iter().flatten().any(|score| score.depth > 1));
    }
    // The header omits the default.
    folder.ok(&line("usual", 1, "--nodes 100 --varied 3..12"));
    assert!(!folder.text("usual").contains("--varied"));
}

#[test]
fn tree_samples_are_written_and_resumed() {
    let folder = Folder::new();
    let line = |name: &str, games: u64, more: &str| {
        let varied = "--starts varied --played-out 0.5 --sample-interval 16";
        let samples = format!("--nodes 400..600 {varied} --samples {name}.bin {more}");
        line(name, games, &samples)
    };
    let samples = |name: &str| SampleSet::read(&folder.at(name)).expect("samples").samples;
    folder.ok(&line("whole", 4, ""));
    let whole = samples("whole.bin");
    assert!(whole.len() > 100, "{}", whole.len());
    for sample in &whole {
        let pos = sample.position.unpack().expect("a position");
        assert!(!pos.in_check(), "only evaluated positions");
        let value = Evaluation::embedded().evaluate(&pos).to_cp();
        assert_eq!(sample.score, Sample::clamp_score(value));
    }

    folder.ok(&line("resumed", 2, ""));
    // Samples of a game that the file of games does not contain.
    let mut growing = GrowingSamples::open(&folder.at("resumed.bin"), 2).expect("two games");
    growing.write(&whole[..9]).expect("the file can be written");
    drop(growing);
    folder.ok(&line("resumed", 4, "--resume"));
    assert_eq!(folder.bytes("resumed.bin"), folder.bytes("whole.bin"));
    // A run that was stopped before its first game ended.
    let header = folder.text("whole").lines().next().expect("a header").to_owned();
    folder.write("stopped", header + "\n");
    drop(GrowingSamples::open(&folder.at("stopped.bin"), 0).expect("a new file"));
    folder.ok(&line("stopped", 4, "--resume"));
    assert_eq!(folder.bytes("stopped.bin"), folder.bytes("whole.bin"));
    folder.fails(&line("whole", 5, "--resume --varied 2..2"), &["whole"]);
}

/// Starts a run, waits for its second game, ends it, and continues with another run.
#[cfg(unix)]
#[test]
fn interrupted_and_killed_runs_lose_no_game() {
    let folder = Folder::new();
    folder.ok(&line("whole", 8, NODES));
    for (signal, code) in [("INT", Some(130)), ("KILL", None)] {
        let mut process =
            folder.command(&line(signal, 1_000_000, NODES)).spawn().expect("the program starts");
        while !folder.at(signal).exists() || folder.text(signal).lines().count() < 3 {
            assert_eq!(process.try_wait().expect("a child"), None);
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        crate::command_support::signal(process.id(), signal);
        assert_eq!(process.wait().expect("the program ends").code(), code, "{signal}");
        folder.ok(&line(signal, 8, &format!("{NODES} --resume")));
        // More than eight games may have been played before the signal.
        assert!(folder.text(signal).starts_with(&folder.text("whole")), "{signal}");
    }
}
