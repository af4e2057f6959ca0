//! `kankei learn resolve` and `kankei learn value`: from games to weights.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use kankei::lab::learn::{Sample, SampleSet, SampleWriter};

const PROGRAM: &str = env!("CARGO_BIN_EXE_kankei");
/// The smallest model and the shortest run.
const SMALL: &str = "--form none --epochs 2 --batch 64";

/// A folder with games in `games.txt`, and the program running there.
struct Place {
    folder: tempfile::TempDir,
}

/// How a command ended.
struct End {
    code: Option<i32>,
    output: String,
    error: String,
}

impl End {
    fn of(output: Output) -> End {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        End { code: output.status.code(), output: text(output.stdout), error: text(output.stderr) }
    }
}

impl Place {
    fn with_games() -> Place {
        let place = Place { folder: tempfile::tempdir().expect("a temporary folder") };
        // The full-width searcher's games are the same however the other one is tuned.
        let options = "--search FullWidth --nodes 200 --hash 1 --eval material";
        place.ok(&format!("selfplay --games 12 {options} --out games.txt"));
        place
    }

    /// The same with samples made of the games.
    fn with_samples() -> Place {
        let place = Place::with_games();
        place.ok(&resolve("--out samples.bin"));
        place
    }

    /// How many files there are.
    fn files(&self) -> usize {
        fs::read_dir(self.folder.path()).expect("a folder").count()
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(line.split_whitespace()).current_dir(self.folder.path());
        command
    }

    fn run(&self, line: &str) -> End {
        End::of(self.command(line).output().expect("the program starts"))
    }

    /// Runs a command that must succeed; returns what it says.
    fn ok(&self, line: &str) -> String {
        let End { code, output, error } = self.run(line);
        assert_eq!(code, Some(0), "{line}: {error}");
        output
    }

    /// Runs a command that must fail with one error that names all of this.
    fn fails(&self, line: &str, named: &[&str]) {
        let End { code, error, .. } = self.run(line);
        assert_eq!(code, Some(2), "{line}: {error}");
        assert_eq!(error.matches("error: ").count(), 1, "{line}: {error}");
        for name in named {
            assert!(error.contains(name), "{line}: {name} is not in {error}");
        }
    }
}

fn resolve(more: &str) -> String {
    format!("learn resolve --games games.txt --held-out 40 --eval material {more}")
}

fn value(more: &str) -> String {
    format!("learn value --samples samples.bin {} {more}", SMALL)
}

#[test]
fn games_become_samples_and_samples_weights() {
    let place = Place::with_samples();
    place.ok(&resolve("--out again.bin --threads 1"));
    for [one, other] in [["samples.bin", "again.bin"], ["samples.held.bin", "again.held.bin"]] {
        assert!(place.bytes(one) == place.bytes(other), "{one}");
        assert!(place.bytes(one).len() > 20 * 88, "{one} is nearly empty");
    }

    place.ok(&value("--out a.weights"));
    assert!(place.ok("eval info a.weights").contains("no KPP"));
    assert!(!place.at("a.weights.checkpoint").exists());
    assert!(place.at("a.weights.svg").exists());
    place.ok(&value("--out b.weights --threads 1"));
    assert!(place.bytes("a.weights") == place.bytes("b.weights"), "not the same weights twice");
    for option in ["--seed 2", "--shrink 50"] {
        place.ok(&value(&format!("--out c.weights {option}")));
        assert!(place.bytes("a.weights") != place.bytes("c.weights"), "{option} does nothing");
    }

    // What is learned of the samples is wrong of the same samples turned.
    fs::copy(place.at("samples.bin"), place.at("samples.held.bin")).expect("a copy");
    reverse(&place, "samples.held.bin");
    let told = place.ok(&value("--out d.weights --patience 1"));
    assert!(told.contains("no lower held-out loss for 1 epochs"), "{told}");
    assert!(told.contains("weights of epoch 1:"), "{told}");
}

/// Makes each sample worth the opposite: the better one learns from others, the worse it gets.
fn reverse(place: &Place, name: &str) {
    change(place, name, |sample| {
        (sample.score, sample.half_points) = (-sample.score, 2 - sample.half_points);
    });
}

fn change(place: &Place, name: &str, how: impl Fn(&mut Sample)) {
    let mut samples = SampleSet::read(&place.at(name)).expect("samples").samples;
    let mut writer = SampleWriter::create(&place.at(name)).expect("a file");
    for sample in &mut samples {
        how(sample);
        writer.write(sample).expect("space");
    }
    writer.finish().expect("space");
}

#[test]
fn engines_with_other_centipawns_are_learned_from_together() {
    let place = Place::with_samples();
    for [from, to] in [["samples.bin", "other.bin"], ["samples.held.bin", "other.held.bin"]] {
        fs::copy(place.at(from), place.at(to)).expect("a copy");
        change(&place, to, |sample| sample.score *= 2);
    }
    let both = "learn value --samples samples.bin other.bin";
    let told = place.ok(&format!("{both} {SMALL} --out both.weights"));
    assert!(told.contains("scores by 0.500"), "{told}");
    let told = place.ok(&format!("{both} {SMALL} --out both.weights --score-scale 800"));
    assert!(told.contains("scores by 1.000"), "{told}");
    let told = place.ok(&format!("{both} {SMALL} --out both.weights --score-scale 800,1000"));
    assert!(told.contains("scores by 0.800"), "{told}");
    place.fails(
        &format!("{both} {SMALL} --out both.weights --score-scale 7,8,9"),
        &["--score-scale has 3 numbers for 2 files"],
    );

    change(&place, "other.bin", |sample| sample.score = -sample.score);
    place.fails(&format!("{both} {SMALL} --out both.weights"), &["other.bin", "--score-scale"]);
}

#[test]
fn failures_are_told_in_one_line() {
    let place = Place::with_samples();
    fs::copy(place.at("samples.bin"), place.at("alone.bin")).expect("a copy");
    fs::write(place.at("broken.bin"), &place.bytes("samples.bin")[..500]).expect("a written file");
    let before = place.files();
    for (more, named) in [
        ("--samples none.bin", "none.bin"),
        ("--samples alone.bin", "alone.held.bin"),
        ("--samples broken.bin", "broken.bin"),
        ("--samples samples.bin --resume", "x.weights.checkpoint"),
        ("--samples samples.bin --from none.weights --resume", "x.weights.checkpoint"),
        ("--samples samples.bin --from none.weights", "none.weights"),
        ("--samples samples.bin --from internal", "\"internal\" has not the form"),
    ] {
        place.fails(&format!("learn value --out x.weights {SMALL} {more}"), &[named]);
    }
    for (option, bad) in [
        ("--lambda", "2"),
        ("--patience", "0"),
        ("--shrink", "-1"),
        ("--form", "some"),
        ("--scale", "none"),
    ] {
        let line = format!("learn value --samples samples.bin --out x.weights {option}={bad}");
        place.fails(&line, &[option, bad]);
    }
    place.fails("learn value --out x.weights", &["--samples"]);
    place.fails("learn resolve --out x.bin", &["--games"]);
    place.fails("learn resolve --games none.txt --out x.bin", &["none.txt"]);
    place.fails(&resolve("--out nowhere/x.bin"), &["nowhere/x.bin"]);
    place.fails(&resolve("--out x.bin --max-score much"), &["--max-score", "much"]);
    assert_eq!(place.files(), before, "nothing is left behind");
}

#[test]
fn samples_get_new_scores_and_are_judged_by_them() {
    let place = Place::with_samples();
    let read = |name: &str| SampleSet::read(&place.at(name)).expect("samples").samples;
    let said = place.ok("learn label --samples samples.bin --keep --held-out 50 --out kept.bin");
    assert!(said.contains("kept.held.bin"), "{said}");
    assert_eq!([read("kept.bin"), read("kept.held.bin")].concat().len(), read("samples.bin").len());

    let search = "--search-nodes 60 --eval material --held-out 0";
    place.ok(&format!("learn label --samples samples.bin {search} --out searched.bin"));
    // So many that two engines share them.
    let five_times = ["samples.bin"; 5].join(" ");
    assert!(5 * read("samples.bin").len() > 2 * 256);
    for (threads, out) in [(1, "one.bin"), (2, "two.bin")] {
        let search = format!("{search} --threads {threads} --out {out}");
        place.ok(&format!("learn label --samples {five_times} {search}"));
    }
    assert_eq!(place.bytes("one.bin"), place.bytes("two.bin"));
    let (old, new) = (read("samples.bin"), read("searched.bin"));
    // Those in check or with something to take are left out.
    assert!((1..old.len()).contains(&new.len()), "{} of {}", new.len(), old.len());
    let mut rest = old.iter();
    let differs = |sample: &&Sample| {
        let old = rest.find(|old| old.position == sample.position).expect("the same order");
        assert!(sample.position.unpack().is_ok_and(|pos| !pos.in_check()));
        old.score != sample.score
    };
    assert!(new.iter().filter(differs).count() > 0);

    // Material is nearer to its own searches than nothing learned from random weights could be.
    let table = place.ok("learn losses material --samples searched.bin --score-scale 700");
    let all = table.lines().find(|line| line.starts_with("| all |")).expect("a row");
    let loss = all.rsplit('|').nth(1).and_then(|cell| cell.trim().parse::<f64>().ok());
    assert!(loss.is_some_and(|loss| (0.0..0.1).contains(&loss)), "{all}");

    let table = place.ok("learn pieces --samples samples.bin --score-scale 700");
    assert!(["| Pawn | ", "| Dragon | "].iter().all(|row| table.contains(row)), "{table}");
    fs::copy(place.at("samples.bin"), place.at("reversed.bin")).expect("a copy");
    reverse(&place, "reversed.bin");
    for (name, reason) in [("none.bin", "cannot read"), ("reversed.bin", "no values of pieces")] {
        place.fails(&format!("learn pieces --samples {name} --score-scale 700"), &[name, reason]);
    }

    fs::write(place.at("some.nnue"), b"no network at all").expect("written");
    place
        .fails("learn label --samples samples.bin --network some.nnue --out x.bin", &["some.nnue"]);
    place.fails("learn label --samples samples.bin --network no.nnue --out x.bin", &["no.nnue"]);
    place.fails("learn label --samples none.bin --keep --out x.bin", &["none.bin"]);
    place.fails("learn label --samples samples.bin --out x.bin", &["--network"]);
    place.fails("learn losses material --samples samples.bin", &["--score-scale"]);
    place.fails(
        "learn losses none.weights --samples samples.bin --score-scale 9",
        &["none.weights"],
    );
    assert!(!place.at("x.bin").exists());
}

/// Runs `learn resolve` on games that never end; `meanwhile` is called with its process's number.
#[cfg(unix)]
fn resolve_endlessly(place: &Place, more: &str, meanwhile: impl FnOnce(u32)) -> End {
    use std::io::Write;
    use std::process::Stdio;

    let games = place.bytes("games.txt");
    let line = format!("learn resolve --games /dev/stdin --eval material --out x.bin {more}");
    let mut command = place.command(&line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the program starts");
    let mut input = process.stdin.take().expect("a pipe");
    // Until the program no longer reads.
    let feeder = std::thread::spawn(move || while input.write_all(&games).is_ok() {});
    meanwhile(process.id());
    let output = process.wait_with_output().expect("an end");
    feeder.join().expect("the games end with the program");
    End::of(output)
}

#[cfg(unix)]
#[test]
fn reading_ends_with_the_limit_or_an_interruption() {
    let place = Place::with_games();
    let End { code, output, error } = resolve_endlessly(&place, "--limit 20", |_| ());
    assert_eq!(code, Some(0), "{error}");
    assert!(output.contains("20 games read") && output.contains("of 20 games"), "{output}");

    let before = place.files();
    let interrupt = |id: u32| {
        // The unfinished files appear when the program is ready for a signal.
        while place.files() < before + 2 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = Command::new("kill").args(["-s", "INT", &id.to_string()]).status();
        assert!(kill.expect("a shell's kill").success());
    };
    let End { code, output, .. } = resolve_endlessly(&place, "", interrupt);
    assert_eq!(code, Some(130));
    assert_eq!(output.trim(), "interrupted; no samples were written");
    assert_eq!(place.files(), before, "nothing is left behind");
}
