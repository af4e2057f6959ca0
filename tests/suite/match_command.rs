//! `kankei match`: games between searchers of the program and USI programs.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use kankei::shogi::Move;

use crate::command_support::{Folder, PROGRAM};

const OPENINGS: &str = "startpos moves 7g7f 3c3d 2g2f\n\
                        lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n";
const FEW_NODES: &str = "--nodes 60 --hash 1 --max-plies 50 --openings openings.sfen";

fn with_openings() -> Folder {
    let folder = Folder::new();
    folder.write("openings.sfen", OPENINGS);
    folder
}

fn moves(folder: &Folder, name: &str) -> Vec<Vec<Move>> {
    folder.games(name).iter().map(|game| game.moves().to_vec()).collect()
}

#[test]
fn a_program_plays_like_its_own_searcher() {
    let folder = with_openings();
    let play = |first: &str, options: &str| {
        let opponent = "'self eval=material without=null-move'";
        folder.ok(&format!("match '{first}' {opponent} {FEW_NODES} --games 4 {options}"))
    };
    let options = "--concurrency 2 --out inside.usi --report report.txt";
    let text = play("self eval=material", options);
    assert!(text.contains(": 4 games, ") && text.contains(" LOS "), "{text}");
    assert_eq!(folder.text("report.txt"), text);

    let options = "--option1 USI_Hash=1 --option1 EvalFile=<material> --option1 Threads=1";
    let text = play(&format!("{PROGRAM} usi"), &format!("--out outside.usi {options}"));
    assert!(text.contains("illegal=0 crash=0 hang=0 time=0"), "{text}");
    let games = moves(&folder, "inside.usi");
    assert_eq!(games, moves(&folder, "outside.usi"));
    // Both games of a pair have the same opening.
    assert_eq!((games.len(), &games[0][..3]), (4, &games[1][..3]));
    assert_eq!(games[0][0].to_string(), "7g7f");
}

#[test]
fn without_a_terminal_each_game_has_a_line() {
    let folder = with_openings();
    let line = format!("match 'self eval=material' self {FEW_NODES} --games 2");
    let error = folder.run(&line).error;
    let lines: Vec<&str> = error.lines().collect();
    let [first, second] = lines[..] else { panic!("{error}") };
    assert!(first.starts_with("game 1 of 2: self eval=material (Black) against self: "), "{first}");
    assert!(second.starts_with("game 2 of 2: self (Black) against self eval=material: "));
    assert!(first.contains(" plies, "), "{first}");
    let score = |line: &str| -> u32 {
        let (_, counts) = line.split_once("; self eval=material +").expect("a score");
        counts.split([' ', '=', '-']).filter_map(|count| count.parse::<u32>().ok()).sum()
    };
    assert_eq!([score(first), score(second)], [1, 2]);
}

#[cfg(unix)]
#[test]
fn a_killed_match_keeps_its_finished_games_as_pgn() {
    let folder = with_openings();
    let line = format!("match self self {FEW_NODES} --games 1000 --pgn games.pgn");
    let mut command = folder.command(&line);
    let mut process = command.stderr(Stdio::piped()).spawn().expect("the program starts");
    let lines = BufReader::new(process.stderr.take().expect("piped")).lines();
    let mut lines = lines.map(|line| line.expect("text"));
    assert!(lines.any(|line| line.starts_with("game 3 of 1000: ")));
    process.kill().expect("it runs");
    process.wait().expect("it was killed");
    let pgn = folder.text("games.pgn");
    let games = pgn.matches("[Result \"").count();
    let comments = pgn.matches("\n{position startpos moves 7g7f 3c3d 2g2f ").count();
    assert!((3..1000).contains(&games) && comments >= 2, "{pgn}");
    assert!(pgn.ends_with("\n\n"), "the last game is whole");
}

#[cfg(unix)]
#[test]
fn a_program_that_does_not_speak_usi_is_named() {
    let folder = with_openings();
    for (program, reason) in
        [("/bin/cat", "sent no usiok within 4 s"), ("/bin/true", "sent no usiok before it exited")]
    {
        folder.fails(&format!("match self {program} --nodes 5"), &[program, reason]);
    }
}

#[test]
fn an_interrupted_match_ends_like_an_uninterrupted_one() {
    let folder = Folder::new();
    // Openings drawn at random.
    let players = "match 'self eval=material' 'self eval=material without=see-pruning'";
    let options = "--hash 1 --max-plies 40 --seed 3 --games 4 --out games.usi";
    let line = format!("{players} --nodes 60 {options}");
    let unbroken = folder.ok(&line);
    let whole = moves(&folder, "games.usi");
    let text = folder.text("games.usi");
    let signatures = text.lines().next().expect("a header").split(", bench ").skip(1);
    assert_eq!(signatures.filter(|nodes| nodes.parse::<u64>().is_ok()).count(), 2, "{text}");
    let kept: Vec<&str> = text.lines().take(3).collect();
    folder.write("games.usi", format!("{}\nstartpos moves 7g7", kept.join("\n")));
    // Existing output is never overwritten.
    folder.fails(&line, &["games.usi", "--resume"]);
    let resumed = folder.ok(&format!("{line} --resume"));
    assert_eq!(moves(&folder, "games.usi"), whole);
    assert_eq!(resumed.lines().nth(1), unbroken.lines().nth(1));
    folder.fails(&format!("{players} --nodes 61 {options} --resume"), &["another run"]);
}

#[test]
fn a_match_continues_only_with_its_openings() {
    let folder = with_openings();
    let line = format!("match 'self eval=material' self {FEW_NODES} --games 4 --out games.usi");
    folder.ok(&line);
    let games = folder.text("games.usi");
    folder.write("openings.sfen", OPENINGS.replace("2g2f", "6g6f"));
    folder.fails(&format!("{line} --resume"), &["games.usi", "another run", "openings.sfen"]);
    assert_eq!(folder.text("games.usi"), games);
}

#[test]
fn repeated_openings_are_reported() {
    let folder = with_openings();
    let warning = |games: u32| {
        let line = format!("match 'self eval=material' self {FEW_NODES} --games {games}");
        let error = folder.run(&line).error;
        error.lines().find(|line| line.starts_with("warning")).map(str::to_owned)
    };
    assert_eq!(warning(4), None);
    let repeated = warning(6).expect("a warning");
    assert!(repeated.contains("2 openings for 3 pairs of games"), "{repeated}");
}

#[cfg(unix)]
#[test]
fn paths_with_blanks_are_quoted() {
    let folder = with_openings();
    std::fs::create_dir(folder.at("my engines")).expect("a folder");
    let program = folder.at("my engines/kankei 1");
    std::os::unix::fs::symlink(PROGRAM, program).expect("a link");
    // Weights of no feature.
    folder.write("my weights", "KANKEI features 1\n");
    let option = "--option1 'EvalFile=my weights'";
    for first in [r#""my engines/kankei 1" usi"#, r"my\ engines/kankei\ 1 usi"] {
        let second = "self eval=\"my weights\"";
        let text = folder.ok(&format!("match '{first}' '{second}' {FEW_NODES} --games 2 {option}"));
        assert!(text.contains(": 2 games, ") && text.contains("illegal=0 crash=0"), "{text}");
    }
    folder.fails("match '\"my engines' self --nodes 5", &["my engines", "is not closed"]);
    folder.fails("match 'self eval=\"my' self --nodes 5", &["self eval=", "is not closed"]);
}

#[cfg(unix)]
#[test]
fn a_faulty_program_loses() {
    use std::os::unix::fs::PermissionsExt;
    let folder = with_openings();
    let script = folder.at("wrong");
    let name = script.to_str().expect("a plain path");
    for (answer, more, counted) in [
        ("echo bestmove 5i5b", "", "illegal=2 crash=0 hang=0 time=0"),
        ("echo bestmove win", "", "illegal=2 crash=0 hang=0 time=0"),
        ("echo bestmove resign", "", "illegal=0 crash=0 hang=0 time=0"),
        ("exit 1", "", "illegal=0 crash=2 hang=0 time=0"),
        ("sleep 1.5; echo bestmove resign", "--margin2 9000", "illegal=0 crash=0 hang=0 time=2"),
        ("sleep 1.5; echo bestmove resign", "--margin1 9000", "illegal=0 crash=0 hang=0 time=0"),
        // A second query costs no time.
        (
            "case $line in *again) sleep 1.5;; esac; echo bestmove resign",
            "",
            "illegal=0 crash=0 hang=0 time=0",
        ),
    ] {
        let text = format!(
            "#!/bin/sh\nwhile read line; do case $line in usi) echo usiok;; isready) echo readyok;; \
             go*) {answer};; quit) exit;; esac; done\n"
        );
        folder.write("wrong", text);
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755))
            .expect("the mode can be set");
        let limit = "--ms 20 --ask-again1 'go again' --games 2";
        let line = format!("match {name} 'self eval=material' {FEW_NODES} {limit} {more}");
        let line = line.replace("--nodes 60 ", "");
        let text = folder.ok(&line);
        assert!(text.contains("+0 =0 -2"), "{text}");
        assert!(text.contains(&format!("{name}: {counted}")), "{text}");
    }
}

/// A program that starts, but never answers `go`.
#[cfg(unix)]
#[test]
fn ctrl_c_does_not_wait_for_a_program_that_hangs() {
    use crate::command_support::signal;
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write(
        "hang",
        "#!/bin/sh\nwhile read line; do case $line in usi) echo usiok;; isready) echo readyok;; \
         go*) echo go > asked;; quit) exit;; esac; done\n",
    );
    std::fs::set_permissions(folder.at("hang"), PermissionsExt::from_mode(0o755))
        .expect("the mode can be set");
    let line = "match 'self eval=material' ./hang --nodes 10 --hash 1 --games 2 --out games.usi";
    let mut command = folder.command(line);
    let mut process = command.stderr(Stdio::null()).spawn().expect("the program starts");
    let wait_for = |is_done: &mut dyn FnMut() -> bool| {
        let start = std::time::Instant::now();
        while !is_done() && start.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    wait_for(&mut || folder.at("asked").exists());
    signal(process.id(), "INT");
    let mut code = None;
    wait_for(&mut || {
        code = process.try_wait().expect("it was started");
        code.is_some()
    });
    drop(process.kill());
    assert_eq!(code.and_then(|code| code.code()), Some(130));
    assert_eq!(folder.text("games.usi").lines().count(), 1, "the game is not lost");
}

#[test]
fn options_that_a_program_does_not_have_are_refused() {
    let folder = with_openings();
    for (options, named) in [
        ("--option2 Foo=1", ["no option \"Foo\"", "USI_Hash"]),
        ("--option 2:Threads=0", ["\"Threads\" cannot be \"0\"", "min 1"]),
        ("--option2 USI_OwnBook=maybe", ["\"maybe\"", "check"]),
    ] {
        folder.fails(&format!("match self '{PROGRAM} usi' {FEW_NODES} {options}"), &named);
    }
}

#[test]
fn several_engines_play_a_tournament() {
    let folder = with_openings();
    let program = format!("'{PROGRAM} usi'");
    let players = format!("'self eval=material' 'self eval=material set=aspiration=80' {program}");
    let options = "--option 3:EvalFile=<material> --option 3:USI_Hash=1 --games 2";
    let line = |more: &str| format!("match {players} {FEW_NODES} {options} {more}");
    let text = folder.ok(&line("--out all.usi --pgn all.pgn"));
    assert_eq!(text.matches(": 2 games, ").count(), 3, "{text}");
    let table: Vec<&str> = text.lines().rev().take(4).collect();
    assert!(table[3].starts_with("engine"), "{text}");
    assert!(table[..3].iter().all(|row| row.contains("    4 ")), "{text}");
    assert_eq!(moves(&folder, "all.usi").len(), 6);
    let pgn = folder.text("all.pgn");
    assert_eq!(pgn.matches("[Result \"").count(), 6);
    assert!(pgn.contains("[White \"self eval=material\"]"), "{pgn}");

    let resumed = folder.ok(&line("--out all.usi --pgn all.pgn --resume"));
    assert_eq!((resumed, folder.text("all.pgn")), (text, pgn));
    let text = folder.ok(&line("--schedule gauntlet"));
    assert_eq!(text.matches(": 2 games, ").count(), 2, "{text}");
}

#[test]
fn invalid_arguments_are_named() {
    let folder = with_openings();
    for (rest, named) in [
        ("self self --games 2", "--nodes"),
        ("self self --nodes 5 --games 3", "\"3\""),
        ("self self --tc 5x7 --games 2", "5x7"),
        ("'self without=magic' self --nodes 5", "magic"),
        ("'self wihtout=magic' self --nodes 5", "wihtout"),
        ("self self --nodes 5 --option2 Threads=1", "self"),
        ("self no-such-program --nodes 5", "no-such-program\": cannot be started: No such file"),
        ("self self --nodes 5 --sprt 5 0", "--sprt 5 0"),
        ("self self --nodes 5 --sprt nan 0", "\"nan\" is not a number from"),
        ("self self self --nodes 5 --sprt 0 5", "not 3"),
        ("self self --nodes 5 --adjudicate 0", "\"0\" is not a whole number from 1"),
        ("self self --nodes 5 --adjudicate -5", "\"-5\" is not a whole number from 1"),
        ("self self --nodes 5 --max-plies 0", "\"0\" is not a whole number from 1"),
        ("self self --nodes 5 --option 3:Threads=1", "engine 3, but the number of engines is 2"),
        ("self self --nodes 5 --option 0:Threads=1", "\"0:Threads=1\""),
        ("self self --nodes 5 --option 2:Threads=1", "self"),
        ("self self --nodes 5 --openings nowhere.sfen", "nowhere.sfen"),
    ] {
        folder.fails(&format!("match {rest}"), &[named]);
    }
}

#[test]
fn a_match_in_several_files_has_one_score() {
    let folder = Folder::new();
    let players = "match 'self eval=material' 'self eval=material without=see-pruning'";
    let options = "--nodes 60 --hash 1 --max-plies 40 --games 4";
    let reports = [1, 2]
        .map(|seed| folder.ok(&format!("{players} {options} --seed {seed} --out part-{seed}.usi")));
    let text = folder.ok("records score part-1.usi part-2.usi");
    assert!(text.contains("see-pruning: 8 games, ") && text.contains(" Elo "), "{text}");
    assert!(text.ends_with("2 files, 0 games without a partner left out\n"), "{text}");
    // The report of one file is that of the match itself.
    assert!(folder.ok("records score part-2.usi").starts_with(&reports[1]), "{reports:?}");

    let lines = folder.text("part-1.usi");
    let kept: Vec<&str> = lines.lines().take(4).collect();
    folder.write("cut.usi", kept.join("\n"));
    let text = folder.ok("records score cut.usi part-2.usi");
    assert!(text.contains("see-pruning: 6 games, "), "{text}");
    assert!(text.ends_with("2 files, 1 game without a partner left out\n"), "{text}");

    folder.ok(&format!("match self 'self skill=3' {options} --out other.usi"));
    let reason = "game 1 is self against self skill=3, not of the match self eval=material";
    folder.fails("records score part-1.usi other.usi", &["other.usi", reason]);
    folder.fails("records score part-1.usi ../nowhere.usi", &["nowhere.usi"]);
}
