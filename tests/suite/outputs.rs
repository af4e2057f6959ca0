//! No command overwrites a file unasked, and none overwrites a file that it reads.

use crate::command_support::{End, Folder};

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d | winner=b | scores=20 -10 30 -20\n";

/// Commands that write OUT, with the inputs they read.
const COMMANDS: [(&str, &[&str]); 9] = [
    ("records convert games.usi --to usi --out OUT", &["games.usi"]),
    ("analyze games.usi --nodes 10 --hash 1 --out OUT", &["games.usi"]),
    ("book build games.usi --out OUT", &["games.usi"]),
    ("learn resolve --games games.usi --eval material --held-out 0 --out OUT", &["games.usi"]),
    ("learn label --samples samples.bin --keep --held-out 0 --out OUT", &["samples.bin"]),
    ("learn value --samples samples.bin --epochs 1 --out OUT", &["samples.bin"]),
    ("learn yardstick --games games.usi --evals material=900 --out OUT", &["games.usi"]),
    ("learn ratings --games games.usi --held-out 0 --out OUT", &["games.usi"]),
    ("learn policy --games games.usi --held-out 0 --passes 1 --out OUT", &["games.usi"]),
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    folder.ok("learn resolve --games games.usi --eval material --held-out 0 --out samples.bin");
    folder
}

#[test]
fn existing_files_and_inputs_are_not_overwritten() {
    let folder = folder();
    folder.write("old.usi", "my notes");
    for (command, inputs) in COMMANDS {
        let with = |out: &str| command.replace("OUT", out);
        folder.fails(&with("old.usi"), &["old.usi", "--force"]);
        assert_eq!(folder.text("old.usi"), "my notes", "{command}");
        for input in inputs {
            let before = folder.bytes(input);
            folder.fails(&with(input), &[input, "is an input file"]);
            folder.fails(&(with(input) + " --force"), &[input, "is an input file"]);
            assert!(folder.bytes(input) == before, "{command}");
        }
    }
}

#[test]
fn books_are_not_written_under_names_of_other_formats() {
    let folder = Folder::new();
    folder.write("a.db", format!("sfen {}\n7g7f 8c8d 40 10 2\n", kankei::shogi::STARTPOS));
    for name in ["x.ybb", "x.SBK", "x.db.zst"] {
        for line in ["merge a.db", "minimax a.db", "search a.db --nodes 10", "build a.db"] {
            folder.fails(&format!("book {line} --out {name}"), &[name, "end the name in .db"]);
        }
    }
    assert_eq!(folder.files(), 1);
}

#[test]
fn folders_are_not_replaced() {
    let folder = folder();
    std::fs::create_dir(folder.at("out.usi")).expect("a folder");
    for (command, _) in COMMANDS {
        let line = command.replace("OUT", "out.usi");
        folder.fails(&line, &["out.usi", "is a folder"]);
        folder.fails(&(line + " --force"), &["out.usi", "is a folder"]);
    }
    assert!(folder.at("out.usi").is_dir());
}

/// A shell whose programs cannot write files simulates a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_does_not_harm_the_old_file() {
    let folder = folder();
    folder.write("old.usi", "my notes");
    folder.copy("samples.bin", "samples.held.bin");
    let files = folder.files();
    for (command, _) in COMMANDS {
        let command = folder.command(&command.replace("OUT", "old.usi --force"));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""]);
        shell.arg(command.get_program()).args(command.get_args());
        let folder_of_command = command.get_current_dir().expect("the folder");
        let end = End::of(shell.current_dir(folder_of_command).output().expect("a shell"));
        assert_eq!(end.code, Some(2), "{command:?}: {}", end.error);
        assert_eq!(end.error.matches("error: ").count(), 1, "{command:?}: {}", end.error);
        assert!(end.error.contains("old.usi"), "{command:?}: {}", end.error);
        assert_eq!(folder.text("old.usi"), "my notes", "{command:?}");
        assert_eq!(folder.files(), files, "{command:?} leaves a file");
    }
}

#[test]
fn a_missing_folder_is_reported_before_any_work() {
    let folder = folder();
    let match_line = "match self self --games 2 --nodes 5";
    let mut lines: Vec<String> =
        COMMANDS.iter().map(|(line, _)| line.replace("OUT", "none/x.usi")).collect();
    lines.extend([
        "analyze games.usi --nodes 10 --out x.csa --svg none/x.svg".to_owned(),
        "analyze games.usi --nodes 10 --out x.csa --html games.usi/x.html".to_owned(),
        format!("{match_line} --out x --report none/x"),
        format!("{match_line} --out x --pgn none/x"),
        "selfplay --games 1 --nodes 5 --out x --samples none/x".to_owned(),
    ]);
    let files = folder.files();
    for line in lines {
        folder.fails(&line, &["cannot write", "/x", "there is no folder"]);
        assert_eq!(folder.files(), files, "{line}");
    }
}

#[test]
fn a_file_in_the_place_of_another_output_is_named() {
    let folder = folder();
    let files = folder.files();
    let csa = "csa 127.0.0.1:1 --name fox --password x --record games.usi";
    folder.fails(csa, &["\"games.usi\" is a file, not a folder"]);
    let selfplay = "selfplay --games 1 --nodes 5 --out x --samples games.usi";
    folder.fails(selfplay, &["\"games.usi\" already exists; use another file"]);
    assert_eq!((folder.files(), folder.text("games.usi").as_str()), (files, GAMES));
}

#[test]
fn further_outputs_are_not_overwritten() {
    let value = "learn value --samples samples.bin --epochs 1 --out x.weights";
    for (file, line, named) in [
        ("x.weights.checkpoint", value, "--force"),
        ("x.weights.svg", value, "--force"),
        ("x.weights.json", value, "--force"),
        ("x.held.bin", "learn resolve --games games.usi --eval material --out x.bin", "--force"),
        ("x.held.bin", "learn label --samples samples.bin --keep --out x.bin", "--force"),
        ("x.txt", "match self self --games 2 --nodes 10 --out x.usi --report x.txt", "--force"),
    ] {
        let folder = folder();
        folder.write(file, "mine");
        folder.fails(line, &[file, named]);
        assert_eq!(folder.text(file), "mine", "{line}");
    }
}

#[test]
fn resuming_no_run_overwrites_nothing() {
    let folder = folder();
    folder.write("mine", "mine");
    for line in [
        "match self self --games 2 --nodes 10 --out x --report mine",
        "match self self --games 2 --nodes 10 --out x --pgn mine",
        "learn policy --games games.usi --held-out 0 --passes 1 --out mine",
    ] {
        folder.fails(&format!("{line} --resume"), &["mine", "--force"]);
        assert_eq!(folder.text("mine"), "mine", "{line}");
    }
}

#[test]
fn two_outputs_have_two_files() {
    let folder = folder();
    for line in [
        "match self self --games 2 --nodes 10 --out same --report ./same",
        "match self self --games 2 --nodes 10 --out same --pgn same",
        "match self self --games 2 --nodes 10 --out same --report ./same --force",
        "analyze games.usi --nodes 10 --svg same.svg --html same.svg",
        "selfplay --games 1 --nodes 10 --out same --samples same",
        "records split games.usi --to usi --held-out 50 --held-out-file same --out same",
    ] {
        folder.fails(line, &["same", "two outputs"]);
    }
    assert!(!folder.at("same").exists() && !folder.at("same.svg").exists());
}

#[test]
fn openings_are_not_overwritten_by_the_report() {
    let folder = folder();
    let line = "match self self --games 2 --nodes 10 --openings games.usi --report games.usi";
    folder.fails(&format!("{line} --force"), &["games.usi", "is an input file"]);
    assert_eq!(folder.text("games.usi"), GAMES);
}

#[test]
fn a_match_is_replaced_only_if_asked() {
    let folder = folder();
    folder.write("match.usi", "mine");
    let line = "match self self --games 2 --nodes 5 --max-plies 4";
    let out = format!("{line} --out match.usi");
    folder.fails(&out, &["match.usi", "--resume"]);
    assert_eq!(folder.text("match.usi"), "mine");
    folder.ok(&format!("{out} --force"));
    assert_eq!(folder.games("match.usi").len(), 2);
    folder.write("match.usi", "mine");
    folder.fails(&format!("{out} --resume"), &["match.usi", "another run", "use another file"]);
    let same = format!("{line} --openings games.usi --out games.usi --force");
    folder.fails(&same, &["games.usi", "is an input file"]);
    assert_eq!(folder.text("games.usi"), GAMES);
}
