//! The large suites outside the repository, in `$KANKEI_SHARED/data/suites`.

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use kankei::cli::Cli;

fn all_right(kind: &str, file: &str) {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    let path = Path::new(&shared).join("data/suites").join(file);
    let path = path.to_str().expect("a plain path");
    let cli =
        Cli::try_parse_from(["kankei", "check", "suite", kind, path]).expect("good arguments");
    assert_eq!(cli.run(), ExitCode::SUCCESS, "{kind} {file}");
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data; counts 1.3 billion leaves: cargo test --release -- --ignored"]
fn perft_counts() {
    all_right("perft", "perft.txt");
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn legal_moves() {
    all_right("legal", "legal_moves.txt");
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn legal_checks() {
    all_right("checks", "legal_checks.txt");
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn pawn_drop_mates() {
    all_right("uchifuzume", "uchifuzume.txt");
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn mates_in_one() {
    all_right("mate1", "mate_in_1.txt");
    all_right("nomate1", "no_mate_in_1.txt");
}
