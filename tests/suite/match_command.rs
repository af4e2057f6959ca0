//! `kankei match`: games between searchers of the program and programs that speak USI.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use kankei::record::{Game, GameReader};
use kankei::shogi::Move;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kankei");
const OPENINGS: &str = "startpos moves 7g7f 3c3d 2g2f\n\
                        lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n";
const FEW_NODES: &str = "--nodes 60 --hash 1 --max-plies 50 --openings openings.sfen";

fn play(folder: &Path, players: [&str; 2], options: &str) -> Output {
    fs::write(folder.join("openings.sfen"), OPENINGS).expect("written");
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder).arg("match").args(players).args(options.split_whitespace());
    command.output().expect("the program starts")
}

fn told(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn moves(path: &Path) -> Vec<Vec<Move>> {
    let games: Result<Vec<Game>, _> = GameReader::open(path).expect("a file").collect();
    games.expect("whole games").iter().map(|game| game.moves().to_vec()).collect()
}

#[test]
fn a_program_plays_like_the_searcher_inside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [inside, outside] = ["inside.usi", "outside.usi"].map(|name| folder.path().join(name));
    let opponent = "self eval=material without=null-move";
    let common = format!("{FEW_NODES} --games 4");
    let options = format!("{common} --concurrency 2 --out inside.usi --report report.txt");
    let text = told(&play(folder.path(), ["self eval=material", opponent], &options));
    assert!(text.contains(": 4 games, ") && text.contains(" LOS "), "{text}");
    assert_eq!(fs::read_to_string(folder.path().join("report.txt")).expect("a report"), text);

    let program = format!("{PROGRAM} usi");
    let options = format!(
        "{common} --out outside.usi --option1 USI_Hash=1 --option1 EvalFile=<material> \
         --option1 Threads=1"
    );
    let text = told(&play(folder.path(), [&program, opponent], &options));
    assert!(text.contains("illegal=0 crash=0 hang=0 time=0"), "{text}");
    assert_eq!(moves(&inside), moves(&outside));
    // Both games of a pair begin alike.
    let games = moves(&inside);
    assert_eq!((games.len(), &games[0][..3]), (4, &games[1][..3]));
    assert_eq!(games[0][0].to_string(), "7g7f");
}

#[test]
fn a_broken_off_match_ends_like_an_unbroken_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.usi");
    // Openings drawn by chance.
    let players = ["self eval=material", "self eval=material without=see-pruning"];
    let options = "--nodes 60 --hash 1 --max-plies 40 --seed 3 --games 4 --out games.usi";
    let unbroken = told(&play(folder.path(), players, options));
    let whole = moves(&path);
    let text = fs::read_to_string(&path).expect("games");
    let signatures = text.lines().next().expect("a header").split(", bench ").skip(1);
    assert_eq!(signatures.filter(|nodes| nodes.parse::<u64>().is_ok()).count(), 2, "{text}");
    let kept: Vec<&str> = text.lines().take(3).collect();
    fs::write(&path, format!("{}\nstartpos moves 7g7", kept.join("\n"))).expect("written");
    assert_eq!(play(folder.path(), players, options).status.code(), Some(2), "never written over");
    let resumed = told(&play(folder.path(), players, &format!("{options} --resume")));
    assert_eq!(moves(&path), whole);
    assert_eq!(resumed.lines().nth(1), unbroken.lines().nth(1));
    let other = format!("{options} --resume --nodes 61").replace("--nodes 60 ", "");
    assert_eq!(play(folder.path(), players, &other).status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_program_that_does_wrong_loses() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("wrong");
    let name = script.to_str().expect("a plain path");
    for (answer, counted) in [
        ("echo bestmove 5i5b", "illegal=2 crash=0 hang=0 time=0"),
        ("echo bestmove win", "illegal=2 crash=0 hang=0 time=0"),
        ("echo bestmove resign", "illegal=0 crash=0 hang=0 time=0"),
        ("exit 1", "illegal=0 crash=2 hang=0 time=0"),
    ] {
        let text = format!(
            "#!/bin/sh\nwhile read line; do case $line in usi) echo usiok;; isready) echo readyok;; \
             go*) {answer};; quit) exit;; esac; done\n"
        );
        fs::write(&script, text).expect("written");
        fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("allowed");
        let options = format!("{FEW_NODES} --games 2");
        let text = told(&play(folder.path(), [name, "self eval=material"], &options));
        assert!(text.contains("+0 =0 -2"), "{text}");
        assert!(text.contains(&format!("{name}: {counted}")), "{text}");
    }
}

#[test]
fn wrong_wishes_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for (players, options, named) in [
        (["self", "self"], "--games 2", "--nodes"),
        (["self", "self"], "--nodes 5 --games 3", "\"3\""),
        (["self", "self"], "--tc 5x7 --games 2", "5x7"),
        (["self without=magic", "self"], "--nodes 5", "magic"),
        (["self wihtout=magic", "self"], "--nodes 5", "wihtout"),
        (["self", "self"], "--nodes 5 --option2 Threads=1", "self"),
        (["self", "no-such-program"], "--nodes 5", "no-such-program"),
        (["self", "self"], "--nodes 5 --openings nowhere.sfen", "nowhere.sfen"),
    ] {
        let output = play(folder.path(), players, options);
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(output.status.code() == Some(2) && error.contains(named), "{options}: {error}");
    }
}
