//! `kankei ablate`, and the switches of the searcher on the command line.

use crate::command_support::Folder;

const ABLATE: &str = "ablate --vary late_base=6..14 --vary null-move --share 0.3 --pairs 12 \
                      --nodes 100 --concurrency 1 --eval material --out results.txt";

#[test]
fn an_interrupted_ablation_ends_like_an_uninterrupted_one() {
    let folder = Folder::new();
    let output = folder.ok(ABLATE);
    for name in ["12 pairs", "late_base=6..14", "null-move"] {
        assert!(output.contains(name), "{output}");
    }
    assert_eq!(check_resuming(&folder, ABLATE, 12, 6, "7"), output);
}

/// A run with `results` lines that stops after some `lines` of its file continues to the same file
/// and prints the same. It is never restarted over these lines, and never continued after a `wrong`
/// line. Returns the last output.
fn check_resuming(
    folder: &Folder,
    command: &str,
    results: usize,
    lines: usize,
    wrong: &str,
) -> String {
    let whole = folder.text("results.txt");
    assert_eq!(whole.lines().count(), 1 + results, "{whole}");
    let kept: Vec<&str> = whole.lines().take(lines).collect();
    let kept = kept.join("\n");
    let resume = format!("{command} --resume");
    for end in ["\n", ""] {
        folder.write("results.txt", format!("{kept}{end}"));
        // Results are never overwritten.
        folder.fails(command, &["results.txt", "--resume"]);
        folder.ok(&resume);
        assert_eq!(folder.text("results.txt"), whole);
    }
    let output = folder.ok(&resume);
    folder.write("results.txt", format!("{kept}\n{wrong}\n"));
    folder.fails(&resume, &[&format!("line {}: {wrong:?}", lines + 1)]);
    output
}

#[test]
fn invalid_arguments_are_named() {
    let folder = Folder::new();
    for (line, named) in [
        ("ablate --vary null-move --share NaN --out results.txt", "NaN"),
        ("ablate --vary null-move --share -1 --out results.txt", "-1"),
        ("ablate --vary null-move --share 1 --out results.txt", "\"1\""),
        (
            "ablate --vary null-move --vary null-move --out results.txt",
            "\"null-move\" is varied twice",
        ),
        ("ablate --vary aspiration=40..40 --out results.txt", "aspiration=40..40"),
        ("ablate --vary magic=1..2 --out results.txt", "magic"),
        ("ablate --vary aspiration=1 --out results.txt", "aspiration=1"),
        ("ablate --out results.txt", "--vary"),
        ("bench --depth 1 --without magic", "magic"),
        ("bench --depth 1 --set aspiration=0", "aspiration=0"),
        ("bench --depth 1 --search FullWidth --without null-move", "without=null-move"),
        ("usi --set magic=1", "magic"),
    ] {
        folder.fails(line, &[named]);
    }
    assert_eq!(folder.files(), 0);
}
