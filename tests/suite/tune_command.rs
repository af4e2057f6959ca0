//! `kankei tune`, `kankei ablate`, and the switches of the searcher on the command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn kankei(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kankei"));
    command.current_dir(folder).args(line.split_whitespace());
    command.output().expect("the program starts")
}

const TUNE: &str = "tune --numbers late_base,aspiration --steps 4 --pairs 1 --nodes 100 \
                    --threads 1 --eval material --out steps.txt";

#[test]
fn a_broken_off_tuning_ends_like_an_unbroken_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("steps.txt");
    let unbroken = kankei(folder.path(), TUNE);
    assert_eq!(unbroken.status.code(), Some(0));
    let told = String::from_utf8(unbroken.stdout).expect("UTF-8");
    assert!(told.contains("--set late_base=") && told.contains("--set aspiration="), "{told}");
    let whole = fs::read_to_string(&file).expect("the steps");
    assert_eq!(whole.lines().count(), 5, "{whole}");
    assert!(folder.path().join("steps.txt.svg").exists());

    check_resuming(TUNE, &file, 3, "1 2");
}

/// A run broken off after some lines of its file goes on to the same file and is told the same; it
/// is never begun anew over them, nor taken up behind a line that is `wrong`. The last answer.
fn check_resuming(command: &str, file: &Path, lines: usize, wrong: &str) -> String {
    let folder = file.parent().expect("a folder");
    let whole = fs::read_to_string(file).expect("the results");
    let kept: Vec<&str> = whole.lines().take(lines).collect();
    let kept = kept.join("\n");
    for end in ["\n", ""] {
        fs::write(file, format!("{kept}{end}")).expect("written");
        let again = kankei(folder, command);
        assert_eq!(again.status.code(), Some(2), "results are never written over");
        let resumed = kankei(folder, &format!("{command} --resume"));
        assert_eq!(resumed.status.code(), Some(0));
        assert_eq!(fs::read_to_string(file).expect("the results"), whole);
    }
    let told = kankei(folder, &format!("{command} --resume")).stdout;

    fs::write(file, format!("{kept}\n{wrong}\n")).expect("written");
    let broken = kankei(folder, &format!("{command} --resume"));
    let error = String::from_utf8(broken.stderr).expect("UTF-8");
    let named = format!("line {}: {wrong:?}", lines + 1);
    assert!(broken.status.code() == Some(2) && error.contains(&named), "{error}");
    String::from_utf8(told).expect("UTF-8")
}

#[test]
fn wrong_wishes_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for (line, named) in [
        ("tune --numbers magic --out steps.txt", "magic"),
        ("tune --reach NaN --out steps.txt", "NaN"),
        ("tune --rate -1 --out steps.txt", "-1"),
        ("ablate --vary magic=1..2 --out steps.txt", "magic"),
        ("ablate --vary aspiration=1 --out steps.txt", "aspiration=1"),
        ("ablate --out steps.txt", "--vary"),
        ("bench --depth 1 --without magic", "magic"),
        ("bench --depth 1 --set aspiration=0", "aspiration=0"),
        ("bench --depth 1 --search FullWidth --without null-move", "without=null-move"),
        ("usi --set magic=1", "magic"),
    ] {
        let output = kankei(folder.path(), line);
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(output.status.code() == Some(2) && error.contains(named), "{line}: {error}");
    }
    assert!(!folder.path().join("steps.txt").exists());
}

const ABLATION: &str = "ablate --vary late_base=6..14 --vary null-move --share 0.3 --pairs 12 --nodes 100 \
                      --threads 1 --eval material --out pairs.txt";

#[test]
fn a_broken_off_ablation_ends_like_an_unbroken_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pairs.txt");
    let unbroken = kankei(folder.path(), ABLATION);
    assert_eq!(unbroken.status.code(), Some(0));
    let told = String::from_utf8(unbroken.stdout).expect("UTF-8");
    for name in ["12 pairs", "late_base=6..14", "null-move"] {
        assert!(told.contains(name), "{told}");
    }
    let whole = fs::read_to_string(&file).expect("the pairs");
    assert_eq!(whole.lines().count(), 13, "{whole}");

    assert_eq!(check_resuming(ABLATION, &file, 6, "7"), told);
}
