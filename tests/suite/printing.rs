//! Output that nobody reads, as in `kankei records stats games | head -1`, or that cannot be written.

use std::process::{Output, Stdio};

use crate::command_support::Folder;

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d | winner=b | scores=20 -10 30 -20\n";

/// Runs a command whose output is closed before it prints.
fn run_without_reader(folder: &Folder, line: &str) -> Output {
    let mut command = folder.command(line);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the program starts");
    drop(process.stdout.take());
    process.wait_with_output().expect("the program ends")
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    folder.ok("book build games.usi --out book.db");
    folder
}

#[test]
fn commands_end_quietly_without_a_reader() {
    let folder = folder();
    for line in [
        "--help",
        "analyze games.usi --nodes 10 --hash 1",
        "bench --depth 1 --hash 1",
        "book show book.db startpos",
        "book stats book.db",
        "check perft 2 --divide",
        "check position startpos",
        "completions bash",
        "completions man",
        "eval info",
        "eval show startpos",
        "eval depths --help",
        "eval values --help",
        "mate '4k4/9/4P4/9/9/9/9/9/4K4 b G 1'",
        "records convert games.usi --out games.csa",
        "records stats games.usi",
        "learn resolve --games games.usi --eval material --held-out 0 --out samples.bin",
    ] {
        let Output { status, stderr, .. } = run_without_reader(&folder, line);
        assert_eq!(String::from_utf8_lossy(&stderr), "", "{line}");
        // On Unix, a signal ends the process.
        assert!([None, Some(0), Some(141)].contains(&status.code()), "{line}: {status}");
    }
}

/// Commands that communicate with other programs ignore the signal.
#[test]
fn a_match_without_a_reader_writes_its_files() {
    let folder = folder();
    let line = "match self self --nodes 5 --games 2 --hash 1 --report report.txt --pgn games.pgn";
    let Output { status, stderr, .. } = run_without_reader(&folder, line);
    let stderr = String::from_utf8_lossy(&stderr);
    let is_game = |line: &str| line.starts_with("game ");
    assert!(stderr.lines().count() == 2 && stderr.lines().all(is_game), "{stderr}");
    assert!(status.success(), "{status}");
    assert!(folder.text("report.txt").contains("2 games") && folder.at("games.pgn").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn output_to_a_full_disk_is_an_error() {
    let folder = folder();
    for line in ["check perft 2 --divide", "records stats games.usi", "completions fish"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let output = folder.command(line).stdout(full).output().expect("the program starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("error: cannot print: "), "{line}: {error}");
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{line}: {error}");
    }
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let mut line =
        folder.command("match self self --nodes 5 --games 2 --hash 1 --report report.txt");
    let output = line.stdout(full).output().expect("the program starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("error: cannot print: "), "{error}");
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(folder.text("report.txt").contains("2 games"));
}
