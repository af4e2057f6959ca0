//! `kankei learn label`, `learn yardstick` and `learn losses`: scores of positions, and evaluations
//! judged by them.

use kankei::lab::learn::{Sample, SampleSet};

use crate::learn_support::{with_games, with_samples};

#[test]
fn samples_get_new_scores_and_losses_use_them() {
    let folder = with_samples();
    let read = |name: &str| SampleSet::read(&folder.at(name)).expect("samples").samples;
    let output = folder.ok("learn label --samples samples.bin --keep --held-out 50 --out kept.bin");
    assert!(output.contains("kept.held.bin"), "{output}");
    assert_eq!([read("kept.bin"), read("kept.held.bin")].concat().len(), read("samples.bin").len());

    let search = "--search-nodes 60 --eval material --held-out 0";
    folder.ok(&format!("learn label --samples samples.bin {search} --out searched.bin"));
    // There are enough samples for both engines.
    let five_times = ["samples.bin"; 5].join(" ");
    assert!(5 * read("samples.bin").len() > 2 * 256);
    for (threads, out) in [(1, "one.bin"), (2, "two.bin")] {
        let search = format!("{search} --threads {threads} --out {out}");
        folder.ok(&format!("learn label --samples {five_times} {search}"));
    }
    assert_eq!(folder.bytes("one.bin"), folder.bytes("two.bin"));
    let (old, new) = (read("samples.bin"), read("searched.bin"));
    // Samples in check and with a mate are omitted. Most others are quiet, and remain.
    assert!((1..old.len()).contains(&new.len()), "{} of {}", new.len(), old.len());
    let unchecked = |sample: &Sample| sample.position.unpack().is_ok_and(|pos| !pos.in_check());
    assert!(new.iter().all(unchecked));
    let differs = |new: &&Sample| {
        old.iter().any(|old| old.position == new.position && old.score != new.score)
    };
    assert!(new.iter().filter(differs).count() > 0);
    let remain = new.iter().filter(|new| old.iter().any(|old| old.position == new.position));
    assert!(2 * remain.count() > new.len());

    // Quiet positions keep their place. Only a search has a best move.
    let search = search.replace("--search-nodes", "--soft-nodes");
    folder.ok(&format!("learn label --samples samples.bin {search} --out soft.bin"));
    folder.ok(&format!("learn label --samples samples.bin {search} --quiet --out quiet.bin"));
    let (soft, quiet) = (read("soft.bin"), read("quiet.bin"));
    assert!((1..soft.len()).contains(&quiet.len()), "{} of {}", quiet.len(), soft.len());
    assert!(quiet.iter().all(|quiet| quiet.depth > 0 && unchecked(quiet)));
    assert!(quiet.iter().all(|quiet| old.iter().any(|old| old.position == quiet.position)));
    folder.fails("learn label --samples samples.bin --keep --quiet --out x.bin", &["--quiet"]);

    // Material fits its own searches better than weights learned from random weights.
    let table = folder.ok("learn losses material --samples searched.bin --score-scale 700");
    let all = table.lines().find(|line| line.starts_with("| all |")).expect("a row");
    let cell: Vec<&str> = all.rsplit('|').nth(1).expect("a cell").split_whitespace().collect();
    let [loss, bias, "%)"] = cell[..] else { panic!("{all}") };
    assert!(loss.parse().is_ok_and(|loss: f64| (0.0..0.1).contains(&loss)), "{all}");
    let bias = bias.strip_prefix('(').and_then(|bias| bias.parse::<f64>().ok());
    assert!(bias.is_some_and(|bias| bias.abs() < 10.0), "{all}");

    folder.write("some.nnue", "no network at all");
    let before = folder.files();
    folder
        .fails("learn label --samples samples.bin --network some.nnue --out x.bin", &["some.nnue"]);
    folder.fails("learn label --samples samples.bin --network no.nnue --out x.bin", &["no.nnue"]);
    folder.fails("learn label --samples none.bin --keep --out x.bin", &["none.bin"]);
    folder.fails("learn label --samples samples.bin --out x.bin", &["--network"]);
    folder.fails("learn losses material --samples samples.bin", &["--score-scale"]);
    folder.fails(
        "learn losses none.weights --samples samples.bin --score-scale 9",
        &["none.weights"],
    );
    assert_eq!(folder.files(), before, "no file is left");
}

#[test]
fn a_yardstick_has_one_position_of_each_game() {
    let folder = with_games();
    let games = folder.text("games.txt");
    let first: Vec<&str> = games.lines().filter(|line| !line.starts_with('#')).take(2).collect();
    folder.write("few.txt", first.join("\n"));
    let yardstick = |more: &str| {
        let evals = "--evals internal=900 material=700 --nodes 300 --count 7";
        format!("learn yardstick --games few.txt games.txt {evals} {more}")
    };
    folder.ok(&yardstick("--out one.bin --threads 1"));
    folder.ok(&yardstick("--out two.bin --threads 2"));
    assert_eq!(folder.bytes("one.bin"), folder.bytes("two.bin"));
    folder.ok(&yardstick("--out other.bin --seed 2"));
    assert_ne!(folder.bytes("one.bin"), folder.bytes("other.bin"));
    assert!(!folder.at("one.bin.checkpoint").exists());
    let samples = SampleSet::read(&folder.at("one.bin")).expect("samples").samples;
    assert_eq!(samples.len(), 7, "two of the small file, five of the other");
    assert!(samples.iter().all(|sample| sample.ply >= 8 && sample.same_side));
    assert!(samples.iter().any(|sample| sample.score != 0));

    // Each group has one sample.
    folder.ok("learn label --samples one.bin --keep --held-out 50 --out kept.bin");
    let halves = ["kept.bin", "kept.held.bin"]
        .map(|name| SampleSet::read(&folder.at(name)).expect("samples").samples.len());
    assert!(halves.iter().all(|&count| count > 0), "{halves:?}");

    let losses = "learn losses internal material --samples one.bin --score-scale 900";
    let table = folder.ok(&format!("{losses} --search-nodes 1,200"));
    assert!(table.contains("| score 0-799 | "), "{table}");
    let differences = table.split("Excess less that of internal").nth(1).expect(&table);
    // One node gives the static value, and no difference.
    assert!(differences.contains("| internal, 1 nodes | +0.0000 ± 0.0000 |"), "{differences}");
    assert!(differences.contains("| material | "), "{differences}");
    assert!(differences.contains("| internal, 200 nodes | "), "{differences}");

    let before = folder.files();
    folder.fails(&yardstick("--out one.bin"), &["one.bin", "--force"]);
    folder.fails(&yardstick("--out few.txt --force"), &["few.txt", "is an input file"]);
    folder.fails(&yardstick("--out x.bin --resume"), &["x.bin.checkpoint"]);
    folder.fails(&yardstick("--out x.bin --evals internal"), &["--evals", "internal=900"]);
    folder.fails(&yardstick("--out x.bin --evals none.bin=900"), &["none.bin"]);
    folder.fails("learn yardstick --evals internal=900 --out x.bin", &["--games"]);
    assert_eq!(folder.files(), before, "no file is left");
}

#[cfg(unix)]
mod interrupted {
    use std::process::Stdio;

    use super::{with_games, with_samples};
    use crate::command_support::{End, Folder, signal};

    /// Runs `line` for `whole.bin`, and for `broken.bin` until its `files` unfinished files exist.
    /// `kept`: the file that the message names. `other`: the same line with another option, and the
    /// option that the error names.
    fn interrupt(folder: &Folder, line: &str, (files, kept): (usize, &str), other: [&str; 2]) {
        folder.ok(&format!("{line} --out whole.bin"));
        let before = folder.files();
        let mut command = folder.command(&format!("{line} --out broken.bin"));
        let process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let process = process.expect("the program starts");
        // Then the program is ready for a signal.
        while folder.files() < before + files {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        signal(process.id(), "INT");
        let End { code, output, .. } =
            End::of(process.wait_with_output().expect("the program ends"));
        assert_eq!(code, Some(130), "{output}");
        let message = format!("{kept} can be continued with --resume");
        assert!(output.contains(&message), "{output}");
        folder.fails(&format!("{line} --out broken.bin"), &["broken.bin", "--force"]);
        let [changed, option] = other;
        let other = format!("{changed} --out broken.bin --resume");
        folder.fails(&other, &["broken.bin", option]);
    }

    /// Resumes the run and compares its result with that of the uninterrupted one.
    fn resume(folder: &Folder, line: &str) {
        folder.ok(&format!("{line} --out broken.bin --resume"));
        assert_eq!(folder.bytes("broken.bin"), folder.bytes("whole.bin"));
    }

    #[test]
    fn labels_can_be_continued() {
        let folder = with_samples();
        let before = folder.files();
        let samples = ["samples.bin"; 20].join(" ");
        let line = format!("learn label --samples {samples} --search-nodes 600 --held-out 50");
        // The samples, those held out, and the checkpoint.
        interrupt(&folder, &line, (3, "broken.bin"), [&line.replace("600", "601"), "601"]);
        resume(&folder, &line);
        assert_eq!(folder.files(), before + 4, "both files of samples, twice");
        assert_eq!(folder.bytes("broken.held.bin"), folder.bytes("whole.held.bin"));
    }

    #[test]
    fn a_yardstick_can_be_continued() {
        let folder = with_games();
        let before = folder.files();
        let line = "learn yardstick --games games.txt --evals material=900 --nodes 200000";
        let other = format!("{line} --seed 2");
        interrupt(&folder, line, (1, "broken.bin.checkpoint"), [&other, "--seed 1"]);
        let games = folder.text("games.txt");
        let shorter: Vec<&str> = games.lines().skip(2).collect();
        folder.write("games.txt", shorter.join("\n"));
        folder.fails(&format!("{line} --out broken.bin --resume"), &["broken.bin", "another run"]);
        folder.write("games.txt", games);
        resume(&folder, line);
        assert_eq!(folder.files(), before + 2, "the samples, twice");
    }
}
