//! `kankei records`: files in, files out.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use kankei::cli::Cli;
use kankei::record::{Game, GameReader};

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f | winner=b | class=pro | black=A\n\
                     startpos moves 7g7f 3c3d | winner=w | class=pro | black=B\n\
                     startpos moves 7g7e\n\
                     startpos moves 2g2f 8c8d | winner=? | class=amateur | black=C\n\
                     startpos moves 2g2f 8c8d | winner=d | class=pro | black=D\n";

/// Runs the words of a command; `@` stands for the folder.
fn run(folder: &Path, args: &str) -> ExitCode {
    let args = args.split(' ').map(|arg| match arg.strip_prefix('@') {
        Some(name) => folder.join(name).to_str().expect("a plain path").to_owned(),
        None => arg.to_owned(),
    });
    let all = ["kankei", "records"].map(str::to_owned).into_iter().chain(args);
    Cli::try_parse_from(all).expect("good arguments").run()
}

fn games(path: &Path) -> Vec<Game> {
    let reader = GameReader::open(path).expect("a readable file");
    reader.map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn players(path: &Path) -> String {
    games(path).iter().filter_map(|game| game.header.get("black")).collect()
}

#[test]
fn files_are_converted_filtered_split_and_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let at = |name: &str| folder.join(name);
    fs::create_dir(at("in")).expect("a folder");
    fs::write(at("in/games.usi"), GAMES).expect("a written file");
    fs::write(at("in/readme.txt"), "no games here\n").expect("a written file");
    let ok = |args: &str| assert_eq!(run(folder, args), ExitCode::SUCCESS, "{args:?}");

    ok("convert @in/games.usi --out @all.kif");
    ok("convert @in --to csa --out @all.txt");
    ok("convert @all.kif @all.txt --out @twice.usi.zst");
    for (name, expected) in
        [("all.kif", "ABCD"), ("all.txt", "ABCD"), ("twice.usi.zst", "ABCDABCD")]
    {
        assert_eq!(players(&at(name)), expected, "{name}");
    }

    ok("filter @in --result-known --match class=pro --out @pro.usi");
    assert_eq!(players(&at("pro.usi")), "ABD");
    ok("filter @in --min-plies 3 --out @long.usi");
    assert_eq!(players(&at("long.usi")), "A");

    ok("dedup @twice.usi.zst --out @single.usi");
    assert_eq!(players(&at("single.usi")), "AC");

    ok("split @in --held-out 50 --held-out-file @held.usi --out @rest.usi");
    let parts = players(&at("held.usi")) + &players(&at("rest.usi"));
    let mut letters: Vec<char> = parts.chars().collect();
    letters.sort_unstable();
    assert_eq!(letters, ['A', 'B', 'C', 'D']);
    ok("split @in --held-out 0 --held-out-file @held.usi --out @rest.usi");
    assert_eq!(
        (players(&at("held.usi")), players(&at("rest.usi"))),
        (String::new(), "ABCD".to_owned())
    );

    ok("stats @in");
}

#[test]
fn failures_leave_old_files_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let at = |name: &str| folder.join(name);
    fs::write(at("games.usi"), GAMES).expect("a written file");
    fs::write(at("old.usi"), "startpos moves 7g7f | winner=? | black=Old\n").expect("written");
    let broken = [&[0x28, 0xb5, 0x2f, 0xfd][..], b"not compressed"].concat();
    fs::write(at("broken.usi.zst"), broken).expect("a written file");
    fs::write(at("empty.kif"), "").expect("a written file");
    let bad = |args: &str| assert_eq!(run(folder, args), ExitCode::from(2), "{args:?}");
    bad("convert @empty.kif --out @old.usi");
    bad("convert @games.usi @nowhere.usi --out @old.usi");
    bad("convert @games.usi @broken.usi.zst --out @old.usi");
    bad("convert @games.usi --out @old");
    bad("convert @games.usi --out @nowhere/new.usi");
    bad("split @games.usi --held-out 5 --held-out-file @x.usi --out @x.usi");
    assert_eq!(players(&at("old.usi")), "Old");
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), 4, "nothing is left behind");

    let parse =
        |args: &str| Cli::try_parse_from(["kankei", "records"].into_iter().chain(args.split(' ')));
    assert!(parse("convert --out x.usi").is_err());
    assert!(parse("convert x.usi --out y --to pdf").is_err());
    assert!(parse("split x --held-out 101 --held-out-file y --out z").is_err());
}
