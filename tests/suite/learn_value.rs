//! `kankei learn resolve` and `kankei learn value`: from games to weights.

use kankei::eval::material::PieceValues;
use kankei::lab::learn::{Sample, SampleSet, write_samples};

use crate::command_support::Folder;
use crate::learn_support::{resolve, with_samples};
use crate::positions::BEGINNINGS;

/// The smallest model and the shortest run.
const SMALL: &str = r#""form": "none", "has_pairs": true, "epochs": 2, "batch": 64"#;

/// A run with these samples and this configuration.
fn run(samples: &str, config: &str) -> String {
    format!(r#"{{ "samples": [{samples}], "config": {{ {config} }} }}"#)
}

const SAMPLES: &str = r#"{ "file": "samples.bin" }"#;

/// Writes a small run of a file of samples, with more values of its configuration.
fn write_run(folder: &Folder, more: &str) {
    folder.write("run.json", run(SAMPLES, &format!("{SMALL}{more}")));
}

/// A run of a network of this shape.
fn network(form: &str, units: u32, is_king_relative: bool, head: [&str; 3]) -> String {
    let [width, input, activation] = head;
    let head =
        format!(r#"{{ "width": {width}, "input": "{input}", "activation": "{activation}" }}"#);
    let shape =
        format!(r#"{{ "units": {units}, "king_relative": {is_king_relative}, "head": {head} }}"#);
    run(SAMPLES, &format!(r#""form": {{ "{form}": {shape} }}, "epochs": 1, "batch": 64"#))
}

#[test]
fn games_give_samples_and_samples_give_weights() {
    let folder = with_samples();
    folder.ok(&resolve("--out again.bin --threads 1"));
    for [one, other] in [["samples.bin", "again.bin"], ["samples.held.bin", "again.held.bin"]] {
        assert!(folder.bytes(one) == folder.bytes(other), "{one}");
        assert!(folder.bytes(one).len() > 20 * 88, "{one} is nearly empty");
    }
    // The scores in CSA comments are from Black's view, and are converted to the mover's view. CSA
    // has no depths.
    folder.ok("records convert games.txt --out games.csa");
    folder.ok("learn resolve --games games.csa --held-out 40 --eval material --out csa.bin");
    let read = |name| SampleSet::read(&folder.at(name)).expect("samples").samples;
    let without_depth = |sample| Sample { depth: 0, ..sample };
    let samples: Vec<Sample> = read("samples.bin").into_iter().map(without_depth).collect();
    assert!(samples == read("csa.bin"), "CSA gives other samples");

    write_run(&folder, "");
    folder.ok("learn value --run run.json --out a.weights");
    assert!(folder.ok("eval info a.weights").contains("no KPP"));
    assert!(!folder.at("a.weights.checkpoint").exists());
    assert!(folder.at("a.weights.svg").exists());
    // The run next to the weights gives the same weights again.
    folder.ok("learn value --run a.weights.json --out b.weights --threads 1");
    assert!(folder.bytes("a.weights") == folder.bytes("b.weights"), "the weights differ");
    assert_eq!(folder.text("a.weights.json"), folder.text("b.weights.json"));
    for option in ["--seed 2", "--epochs 1"] {
        folder.ok(&format!("learn value --run run.json --out c.weights --force {option}"));
        assert!(folder.bytes("a.weights") != folder.bytes("c.weights"), "{option} does nothing");
        assert_ne!(folder.text("a.weights.json"), folder.text("c.weights.json"), "{option}");
    }

    // Weights learned from the samples are wrong for the reversed samples.
    folder.copy("samples.bin", "samples.held.bin");
    reverse(&folder, "samples.held.bin");
    write_run(&folder, r#", "patience": 1"#);
    let printed = folder.ok("learn value --run run.json --out d.weights");
    assert!(printed.contains("no lower held-out loss for 1 epochs"), "{printed}");
    assert!(printed.contains("weights of epoch 1:"), "{printed}");
    assert!(printed.contains("held out ") && !printed.contains("moves "), "no moves to compare");
}

#[test]
fn standalone_networks_are_learned_and_exported() {
    let folder = with_samples();
    let classic = ["32", "clipped", "clipped"];
    folder.write("run.json", network("standalone", 32, true, classic));
    let learn = "learn value --run run.json --out s.weights";
    folder.ok(learn);
    assert!(folder.ok("eval info s.weights").contains("parts: network, standalone"));
    let printed = folder.ok("eval export s.weights --out nn.bin");
    assert!(
        printed.contains("HalfKP 32x2-32-32") && printed.contains("set FV_SCALE to "),
        "{printed}"
    );
    let bound = printed.split("less than ").nth(1).and_then(|rest| rest.split(' ').next());
    let bound: f64 = bound.and_then(|number| number.parse().ok()).expect("a number");

    folder.write("list.txt", BEGINNINGS[..5].join("\n"));
    let values = |eval: &str| -> Vec<f64> {
        let printed = folder.ok(&format!("eval values list.txt --eval {eval}"));
        printed.lines().map(|line| line.parse().expect("an integer")).collect()
    };
    for (learned, own) in values("s.weights").into_iter().zip(values("nn.bin --raw")) {
        assert!((learned - own / 0.9).abs() <= bound, "{learned} {own}, at most {bound}");
    }
    let further = format!("{learn} --from s.weights");
    folder.fails(&format!("{further} --force"), &["s.weights", "is an input file"]);
    folder.ok(&further.replace("--out s", "--out t"));
    folder.fails("eval export s.weights --out nn.bin", &["nn.bin", "--force"]);

    for head in [["32", "products", "clipped"], ["32", "clipped", "dual"]] {
        folder.write("run.json", network("standalone", 32, true, head));
        let files = folder.files();
        folder.fails(&learn.replace("--out s", "--out u"), &["run.json", "head of a standalone"]);
        assert_eq!(folder.files(), files, "no file is left");
    }
    let before = folder.files();
    for eval in ["internal", "material"] {
        folder.fails(&format!("eval export {eval} --out x.bin"), &[eval, "standalone"]);
    }
    folder.fails("eval export s.weights --out nowhere/x.bin", &["nowhere/x.bin"]);
    assert_eq!(folder.files(), before, "no other file is left");
}

#[test]
fn networks_of_all_shapes_are_learned() {
    let folder = with_samples();
    let learn = |units: u32, is_king_relative: bool, head: [&str; 3], more: &str| {
        folder.write("run.json", network("network", units, is_king_relative, head));
        format!("learn value --run run.json {more}")
    };
    let shape = |is_king_relative: bool, head: [&str; 3], out: &str| {
        folder.ok(&learn(96, is_king_relative, head, &format!("--out {out}.weights")));
        let info = folder.ok(&format!("eval info {out}.weights"));
        let form = info.lines().next().and_then(|line| line.strip_prefix("form: network, "));
        form.expect(&info).to_owned()
    };
    let free = "96 hidden units, king-free rows,";
    let [small, products] = [["32", "clipped", "clipped"], ["16", "products", "clipped"]];
    let large = ["32", "clipped", "dual"];
    assert_eq!(shape(false, small, "small"), format!("{free} head 192-32-32-1"));
    assert_eq!(shape(false, products, "products"), format!("{free} head 96-16-32-1 of products"));
    assert_eq!(
        shape(true, large, "large"),
        "96 hidden units, king-relative rows, head 192-32-32-1, dual"
    );
    for eval in ["small", "products", "large"] {
        folder.ok(&format!("bench --depth 3 --eval {eval}.weights"));
    }
    let before = folder.files();
    let fails =
        |units: u32, is_king_relative: bool, head: [&str; 3], from: &str, parts: &[&str]| {
            let more = format!("{from} --out x.weights");
            folder.fails(&learn(units, is_king_relative, head, &more), parts);
        };
    fails(96, false, small, "--from large.weights", &["large.weights", "form of the run"]);
    fails(96, true, large, "--from small.weights", &["small.weights", "form of the run"]);
    fails(100, false, small, "", &["run.json", "units is 100"]);
    fails(96, false, ["24", "clipped", "clipped"], "", &["run.json", "width is 24"]);
    fails(96, false, ["32", "squared", "clipped"], "", &["run.json", "squared"]);
    folder.fails("eval export products.weights --out nn.bin", &["products", "--form standalone"]);
    assert_eq!(folder.files(), before, "no other file is left");
}

/// Reverses the value of each sample. Better fits to other samples then give worse fits to these.
fn reverse(folder: &Folder, name: &str) {
    change(folder, name, |sample| {
        (sample.score, sample.half_points) = (-sample.score, 2 - sample.half_points);
    });
}

fn change(folder: &Folder, name: &str, how: impl Fn(&mut Sample)) {
    let mut samples = SampleSet::read(&folder.at(name)).expect("samples").samples;
    samples.iter_mut().for_each(how);
    write_samples(&folder.at(name), samples.chunks(4_096)).expect("the file can be written");
}

#[test]
fn a_bias_is_subtracted_from_the_scores_of_its_file() {
    let folder = with_samples();
    for [from, to] in [["samples.bin", "biased.bin"], ["samples.held.bin", "biased.held.bin"]] {
        folder.copy(from, to);
        change(&folder, to, |sample| sample.score += 84);
    }
    let learn = |other: &str, bias: &str, out: &str| {
        let first = r#"{ "file": "samples.bin", "score_scale": 900 }"#;
        let other = format!(r#"{{ "file": "{other}", "score_scale": 900{bias} }}"#);
        folder.write("run.json", run(&format!("{first}, {other}"), SMALL));
        folder.ok(&format!("learn value --run run.json --out {out}"));
        folder.bytes(out)
    };
    let expected = learn("samples.bin", "", "same.weights");
    assert_eq!(learn("biased.bin", r#", "score_bias": 84"#, "unbiased.weights"), expected);
    assert_ne!(learn("biased.bin", "", "biased.weights"), expected);

    // The bias that the results show is larger by what was added to the scores.
    let printed = |name: &str| {
        let line = format!("learn losses material --samples {name} --score-scale 900");
        let table = folder.ok(&line);
        let bias = table.split("favour the side to move by ").nth(1).expect("the bias");
        bias.split(' ').next().and_then(|number| number.parse::<f32>().ok()).expect("a number")
    };
    assert!((printed("biased.bin") - printed("samples.bin") - 84.0).abs() <= 1.0);
}

#[test]
fn samples_with_different_centipawn_scales_are_combined() {
    let folder = with_samples();
    for [from, to] in [["samples.bin", "other.bin"], ["samples.held.bin", "other.held.bin"]] {
        folder.copy(from, to);
        change(&folder, to, |sample| sample.score *= 2);
    }
    let both = |scales: [&str; 2]| {
        let files = [["samples.bin", scales[0]], ["other.bin", scales[1]]]
            .map(|[file, scale]| format!(r#"{{ "file": "{file}", "score_scale": {scale} }}"#));
        folder.write("run.json", run(&files.join(", "), SMALL));
        "learn value --run run.json --out both.weights --force"
    };
    for (scales, factor) in
        [(["null", "null"], "0.500"), (["800", "800"], "1.000"), (["800", "1000"], "0.800")]
    {
        let printed = folder.ok(both(scales));
        assert!(printed.contains(&format!("scores by {factor}")), "{printed}");
    }

    let printed = folder.ok(&format!("{} --score-scale 800", both(["700", "1000"])));
    assert!(printed.contains("scores by 1.000"), "{printed}");

    change(&folder, "other.bin", |sample| sample.score = -sample.score);
    folder.fails(both(["null", "null"]), &["other.bin", "score_scale"]);
}

#[test]
fn a_rate_of_zero_leaves_the_piece_values() {
    let folder = with_samples();
    for (rate, is_zero) in [("0", true), ("0.01", false)] {
        write_run(
            &folder,
            &format!(
                r#", "rates": {{ "relations": {{ "learning_rate": {rate} }}, "threats": {{ "learning_rate": {rate} }} }}"#
            ),
        );
        folder.ok("learn value --run run.json --out new.weights --force");
        let printed = folder.ok("eval info new.weights");
        let rows: Vec<&str> = printed.lines().filter(|line| line.contains('%')).skip(1).collect();
        assert_eq!(rows.len(), 5, "KK, tempo, KKP, PP and threats: {printed}");
        let zero = rows.iter().filter(|row| row.contains(" 0.00 %")).count();
        assert_eq!(zero, if is_zero { 5 } else { 0 }, "rate {rate}: {printed}");
    }
}

#[test]
fn piece_values_are_learned_from_nothing() {
    let folder = with_samples();
    let learn = |rate: &str| {
        let rates = format!(
            r#", "equal_pieces": 0, "rates": {{ "relations": {{ "learning_rate": 0 }},
                "piece_values": {{ "learning_rate": {rate} }} }}"#
        );
        write_run(&folder, &rates);
        folder.ok("learn value --run run.json --out new.weights --force");
        let printed = folder.ok("eval info new.weights");
        let lines = printed.lines().filter(|line| line.contains("G "));
        let numbers = lines.flat_map(|line| line.split([' ', ',']));
        numbers.filter_map(|number| number.parse().ok()).collect::<Vec<i32>>()
    };
    assert_eq!(learn("0"), [0; PieceValues::COUNT]);
    let values = learn("0.01");
    assert_eq!(values.len(), PieceValues::COUNT);
    assert_ne!(values, [0; PieceValues::COUNT]);
    // The next run goes on from these values.
    let before = folder.ok("eval info new.weights");
    folder.copy("new.weights", "first.weights");
    write_run(&folder, r#", "rates": { "relations": { "learning_rate": 0 } }"#);
    folder.ok("learn value --run run.json --from first.weights --out new.weights --force");
    assert_eq!(folder.ok("eval info new.weights"), before);
}

#[test]
fn failures_are_reported_in_one_line() {
    let folder = with_samples();
    folder.copy("samples.bin", "alone.bin");
    folder.write("broken.bin", &folder.bytes("samples.bin")[..500]);
    write_run(&folder, "");
    let before = folder.files();
    for (more, named) in [
        ("--samples none.bin", "none.bin"),
        ("--samples alone.bin", "alone.held.bin"),
        ("--samples broken.bin", "broken.bin"),
        ("--samples samples.bin --resume", "x.weights.checkpoint"),
        ("--samples samples.bin --from none.weights --resume", "x.weights.checkpoint"),
        ("--samples samples.bin --from none.weights", "none.weights"),
        ("--samples samples.bin --from internal", "\"internal\" does not have the form"),
    ] {
        folder.fails(&format!("learn value --run run.json --out x.weights {more}"), &[named]);
    }
    for (option, bad) in [("--epochs", "0"), ("--learning-rate", "-1"), ("--seed", "x")] {
        let line = format!("learn value --samples samples.bin --out x.weights {option}={bad}");
        folder.fails(&line, &[option, bad]);
    }
    for (name, bad, printed) in [
        ("lambda", "2", "2.0"),
        ("patience", "0", "Some(0)"),
        ("scale", "0", "0.0"),
        ("equal_pieces", "-1", "-1.0"),
        ("tempo", "-1001", "-1001.0"),
        ("warm_up", "-1", "-1.0"),
        ("averaging", "2", "2.0"),
        ("initial_deviation", "-1", "-1.0"),
        ("snapshot", "3", "unknown field `snapshot`"),
    ] {
        write_run(&folder, &format!(r#", "{name}": {bad}"#));
        folder.fails("learn value --run run.json --out x.weights", &["run.json", name, printed]);
    }
    write_run(&folder, ", \"warm_up\": \"much\"");
    folder.fails("learn value --run run.json --out x.weights", &["run.json", "much", "column"]);
    for (samples, parts) in [
        ("[]", ["no samples", "--samples"]),
        (r#"[{ "file": "samples.bin", "score_bias": -20000 }]"#, ["score_bias", "-20000"]),
        (r#"[{ "file": "samples.bin", "score_scale": 0 }]"#, ["score_scale", "0.0"]),
    ] {
        folder.write("run.json", format!(r#"{{ "samples": {samples} }}"#));
        folder.fails("learn value --run run.json --out x.weights", &parts);
    }
    folder.fails("learn value --run run.json --form factored --out x", &["--run", "--form"]);
    folder.fails("learn value --run none.json --out x.weights", &["none.json"]);
    folder.fails("learn value --out x.weights", &["--samples"]);
    folder.fails("learn resolve --out x.bin", &["--games"]);
    folder.fails("learn resolve --games none.txt --out x.bin", &["none.txt"]);
    folder.fails(&resolve("--out nowhere/x.bin"), &["nowhere/x.bin"]);
    folder.fails(&resolve("--out x.bin --max-score much"), &["--max-score", "much"]);
    assert_eq!(folder.files(), before, "no other file is left");
}

#[cfg(unix)]
mod without_end {
    use std::io::Write;
    use std::process::Stdio;

    use crate::command_support::{End, Folder, signal};
    use crate::learn_support::with_games;

    /// Runs `learn resolve` on endless games. Calls `meanwhile` with the process ID.
    fn resolve_endlessly(folder: &Folder, more: &str, meanwhile: impl FnOnce(u32)) -> End {
        let games = folder.bytes("games.txt");
        let line = format!("learn resolve --games /dev/stdin --eval material --out x.bin {more}");
        let mut command = folder.command(&line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("the program starts");
        let mut input = process.stdin.take().expect("a pipe");
        // Writes until the program no longer reads.
        let feeder = std::thread::spawn(move || while input.write_all(&games).is_ok() {});
        meanwhile(process.id());
        let output = process.wait_with_output().expect("the program ends");
        feeder.join().expect("the games end with the program");
        End::of(output)
    }

    #[test]
    fn reading_ends_with_the_limit_or_an_interruption() {
        let folder = with_games();
        let End { code, output, error } = resolve_endlessly(&folder, "--limit 20", |_| ());
        assert_eq!(code, Some(0), "{error}");
        assert!(output.contains("20 games read") && output.contains("of 20 games"), "{output}");

        let before = folder.files();
        let interrupt = |id: u32| {
            // The unfinished files exist once the program is ready for a signal.
            while folder.files() < before + 2 {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            signal(id, "INT");
        };
        let End { code, output, .. } = resolve_endlessly(&folder, "--force", interrupt);
        assert_eq!(code, Some(130));
        assert_eq!(output.trim(), "interrupted; no samples were written");
        assert_eq!(folder.files(), before, "no other file is left");
    }
}
