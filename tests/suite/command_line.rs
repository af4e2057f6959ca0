//! Exit codes of the commands, and the lines that scripts read.

use std::path::Path;

use kankei::shogi::STARTPOS;

use crate::command_support::Folder;

#[test]
fn valid_and_invalid_positions_give_their_exit_codes() {
    let folder = Folder::new();
    for line in [
        "check perft 2",
        "check perft 2 --divide --threads 2",
        "check perft 0 --divide",
        "check position 4k4/9/9/9/9/9/9/9/4K4 b - 1",
        &format!("check position '{STARTPOS}'"),
        "check position startpos moves 7g7f",
        "eval show startpos --eval material --relations 3",
    ] {
        folder.ok(line);
    }
    for (line, named) in [
        ("check perft 2 --sfen '9/9 b -'", "9/9 b -"),
        ("check perft many", "many"),
        ("check position startpos again", "again"),
        ("check position 'startpos moves 7g7e'", "7g7e"),
        // Before any search.
        ("reproduce bonanza --size full --data nowhere", "nowhere/suites"),
    ] {
        folder.fails(line, &[named]);
    }
}

#[test]
fn right_wrong_and_invalid_suites_give_their_exit_codes() {
    let folder = Folder::new();
    let line = |leaves| format!("# comment\n\n{STARTPOS} ; depth 2 ; {leaves} ; by hand\n");
    for (kind, text, code) in [
        ("perft", line("900"), 0),
        ("perft", line("901"), 1),
        ("perft", line("many"), 2),
        // The other lines are still judged.
        ("perft", line("many") + &line("900"), 2),
        ("legal", line("900"), 2),
    ] {
        folder.write("suite.txt", &text);
        let end = folder.run(&format!("check suite {kind} suite.txt --threads 1"));
        assert_eq!(end.code, Some(code), "{kind} {text}: {}", end.error);
    }
    folder.write("empty.txt", "# nothing\n");
    folder.fails("check suite tsume empty.txt", &["no line of \"empty.txt\" was judged"]);
    folder.fails("check --suite perft no/such/file", &["no/such/file"]);
}

#[test]
fn commands_end_with_the_lines_that_scripts_read() {
    let folder = Folder::new();
    folder.write("suite.txt", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 ; mate 1 ; G*5b\n");
    let searching = "suite.txt --engine search --nodes 5000";
    for (line, expected) in [
        ("check perft 3", "Nodes : 25470"),
        (&format!("check suite mate1 {searching}"), "mate1: 1 right, 0 wrong, of 1"),
        (&format!("check suite tsume {searching}"), "tsume: 1 right, 0 wrong, of 1"),
    ] {
        assert_eq!(folder.ok(line).lines().last(), Some(expected));
    }

    let bench = folder.ok("bench --depth 1 --hash 1");
    let lines: Vec<&str> = bench.lines().collect();
    let [.., nodes, rate, total] = lines[..] else { panic!("three lines") };
    let nodes = nodes.strip_prefix("Nodes searched : ").expect("the node total");
    let rate = rate.strip_prefix("nodes/s : ").expect("the speed");
    assert_eq!(total, format!("{nodes} nodes {rate} nps"));

    let check = folder.ok("check --games 1 --nodes 200");
    assert!(check.lines().last().is_some_and(|line| line.starts_with("all checks passed")));
}

/// Clap would take `-5` for an option and suggest `-- -5`.
#[test]
fn negative_numbers_are_values() {
    let folder = Folder::new();
    for (line, named) in [
        ("bench --depth -5", "'-5' for '--depth"),
        ("bench --nodes -1", "'-1' for '--nodes"),
        ("bench --hash -64", "'-64' for '--hash"),
        ("check perft -3", "'-3' for '<DEPTH>'"),
        ("match self self --nodes 10 --games -2", "'-2' for '--games"),
        ("match self self --nodes 10 --sprt 5 -5", "--sprt 5 -5"),
        ("csa localhost --name fox --margin -1", "'-1' for '--margin"),
        ("records stats -5", "\"-5\""),
        ("usi -5", "'-5'"),
    ] {
        folder.fails(line, &[named]);
        let error = folder.run(line).error;
        assert!(!error.contains("tip:") && !error.contains("-- -"), "{line}: {error}");
    }
    for elo in ["-5 5", "-5 0", "-7.5 -2.5"] {
        let line = format!("match self self --nodes 5 --games 2 --hash 1 --sprt {elo}");
        assert!(folder.ok(&line).contains("LLR"), "{line}");
    }
}

#[test]
fn sizes_beyond_every_machine_are_refused() {
    let folder = Folder::new();
    for command in [
        "bench --depth 1",
        "match self self --nodes 5",
        "mate startpos",
        "analyze games.usi",
        "selfplay --games 1 --out games.usi",
        "csa localhost --name fox",
    ] {
        folder.fails(&format!("{command} --hash 99999999"), &["\"99999999\"", "33554432 MiB"]);
    }
}

#[test]
fn completions_name_all_commands() {
    let folder = Folder::new();
    let help = folder.ok("--help");
    let commands: Vec<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
        .map(|(name, _)| name)
        .filter(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase()))
        .collect();
    assert!(commands.len() > 10 && commands.contains(&"records"), "{commands:?}");
    for target in ["bash", "elvish", "fish", "powershell", "zsh", "man"] {
        let text = folder.ok(&format!("completions {target}"));
        for name in &commands {
            assert!(text.contains(name), "{target}: {name}");
        }
        // The manual page names no options of the commands.
        assert_eq!(text.contains("sprt"), target != "man", "{target}");
    }
    folder.fails("completions cmd", &["'cmd'", "powershell"]);
}

#[test]
fn long_help_explains_the_arguments() {
    let folder = Folder::new();
    for (command, explained) in [
        ("csa", "KANKEI_CSA_PASSWORD"),
        ("mate", "a problem is sound if"),
        ("match", "command line of a USI program"),
        ("book build", "derived from the points"),
        ("book search", "the result is reproducible"),
        ("book merge", "the deeper search is kept"),
        ("book minimax", "best line that follows"),
        ("book stats", "the default rules"),
        ("book show", "rotated or not"),
    ] {
        for line in [format!("{command} --help"), format!("help {command}")] {
            assert!(folder.ok(&line).contains(explained), "{line}");
        }
    }
}

/// Checks that all lines of a suite outside the repository are right.
fn check_shared(kind: &str, file: &str) {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    let path = Path::new(&shared).join("data/suites").join(file);
    Folder::new().ok(&format!("check suite {kind} '{}'", path.display()));
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data; counts 1.3 billion leaves: cargo test --release -- --ignored"]
fn shared_perft_counts() {
    check_shared("perft", "perft.txt");
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn shared_moves_and_mates() {
    for (kind, file) in [
        ("legal", "legal_moves.txt"),
        ("checks", "legal_checks.txt"),
        ("uchifuzume", "uchifuzume.txt"),
        ("mate1", "mate_in_1.txt"),
        ("nomate1", "no_mate_in_1.txt"),
    ] {
        check_shared(kind, file);
    }
}

/// A blunder that a search of some nodes does not repeat, and a forced move whose score turns out
/// much too low.
#[test]
fn wrong_scores_of_games_are_searched_again() {
    let folder = Folder::new();
    folder.write(
        "games.usi",
        "startpos moves 7g7f 8c8d 8h3c+ 2a3c 2g2f | winner=w | black=a | scores=. . 50 900 -900\n\
         sfen 4k3r/9/9/9/9/9/9/9/7PK b - 1 moves 1i2h 1a1b 2h2g | winner=? | scores=-999 . 2000\n",
    );
    let falls = "check falls games.usi --within 1000 --nodes 500,2000 --eval material";
    let printed = folder.ok(falls);
    assert!(printed.contains("; 1 fall and 1 rise of at least 400 centipawns"), "{printed}");
    let rows: Vec<Vec<&str>> =
        printed.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
    let counts = |nodes| vec![nodes, "0", "0.0", "%", "1", "100.0", "%"];
    assert_eq!(rows, [counts("500"), counts("2000")]);

    assert!(folder.ok(&format!("{falls} --by 2000")).contains("; 0 falls and 1 rise"));
    assert!(folder.ok(&format!("{falls} --player a")).contains("; 1 fall and 0 rises"));
    folder.fails("check falls none.usi", &["none.usi"]);
    folder.fails("check falls games.usi --nodes 0", &["0"]);
}
