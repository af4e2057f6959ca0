//! Exit codes of the commands.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use kankei::cli::Cli;
use kankei::shogi::STARTPOS;

fn run(args: &[&str]) -> ExitCode {
    Cli::try_parse_from([&["kankei"], args].concat()).expect("good arguments").run()
}

fn suite(kind: &str, text: &str) -> ExitCode {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(text.as_bytes()).expect("a written file");
    run(&["check", "suite", kind, file.path().to_str().expect("a plain path"), "--threads", "1"])
}

#[test]
fn good_and_bad_positions() {
    assert_eq!(run(&["check", "perft", "2"]), ExitCode::SUCCESS);
    assert_eq!(run(&["check", "perft", "2", "--divide", "--threads", "2"]), ExitCode::SUCCESS);
    assert_eq!(run(&["check", "perft", "0", "--divide"]), ExitCode::SUCCESS);
    assert_eq!(run(&["check", "perft", "2", "--sfen", "9/9 b -"]), ExitCode::from(2));
    assert_eq!(
        run(&["check", "position", "4k4/9/9/9/9/9/9/9/4K4", "b", "-", "1"]),
        ExitCode::SUCCESS
    );
    assert_eq!(run(&["check", "position", STARTPOS]), ExitCode::SUCCESS);
    assert_eq!(run(&["check", "position", "startpos", "again"]), ExitCode::from(2));
    assert_eq!(run(&["check", "position", "startpos", "moves", "7g7f"]), ExitCode::SUCCESS);
    assert_eq!(run(&["check", "position", "startpos moves 7g7e"]), ExitCode::from(2));
    let eval = ["eval", "show", "startpos", "--eval", "material", "--relations", "3"];
    assert_eq!(run(&eval), ExitCode::SUCCESS);
    assert!(Cli::try_parse_from(["kankei", "check", "perft", "many"]).is_err());
}

#[test]
fn right_wrong_and_unreadable_suites() {
    let line = |leaves| format!("# comment\n\n{STARTPOS} ; depth 2 ; {leaves} ; by hand\n");
    assert_eq!(suite("perft", &line("900")), ExitCode::SUCCESS);
    assert_eq!(suite("perft", &line("901")), ExitCode::FAILURE);
    assert_eq!(suite("perft", &line("many")), ExitCode::from(2));
    // The other lines are judged all the same.
    assert_eq!(suite("perft", &(line("many") + &line("900"))), ExitCode::from(2));
    assert_eq!(suite("legal", &line("900")), ExitCode::from(2));
    assert_eq!(run(&["check", "--suite", "perft", "/no/such/file"]), ExitCode::from(2));
}
