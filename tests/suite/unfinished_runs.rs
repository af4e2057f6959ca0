//! Runs that were killed: the message of the next start has the command that continues them.

use crate::command_support::{Folder, PROGRAM};

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d | winner=b | scores=20 -10 30 -20\n";

/// Commands that can be resumed, with the file that an unfinished run leaves.
const COMMANDS: [(&str, &str); 13] = [
    ("learn value --samples samples.bin --epochs 1 --out x", "x.checkpoint"),
    ("learn label --samples samples.bin --keep --out x", "x.checkpoint"),
    ("learn yardstick --games games.usi --evals material=900 --out x", "x.checkpoint"),
    ("learn ratings --games games.usi --held-out 0 --out x", "x.checkpoint"),
    ("learn policy --games games.usi --held-out 0 --passes 1 --out x", "x.checkpoint"),
    ("learn hoki --samples samples.bin --out x", "x.checkpoint"),
    ("learn pairs --games games.usi --held-out 0 --model parent --out x", "x.checkpoint"),
    ("learn td --weights all --games 1 --out x", "x.checkpoint"),
    ("selfplay --games 1 --nodes 10 --out x", "x"),
    ("match self 'self skill=3' --games 2 --nodes 10 --out x", "x"),
    ("ablate --vary null-move --pairs 2 --nodes 10 --out x", "x"),
    ("book search book.db --nodes 10 --out x", "x.checkpoint"),
    ("analyze games.usi --nodes 10 --hash 1 --html 'a b'", "a b.checkpoint"),
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    folder.ok("learn resolve --games games.usi --eval material --held-out 0 --out samples.bin");
    folder.copy("samples.bin", "samples.held.bin");
    folder.ok("book build games.usi --out book.db");
    folder
}

#[test]
fn the_command_that_continues_is_named() {
    let folder = folder();
    for (line, file) in COMMANDS {
        folder.write(file, "a state");
        folder.fails(line, &[file, &format!("continue it with: {PROGRAM} {line} --resume\n")]);
        assert_eq!(folder.text(file), "a state", "{line}");
        std::fs::remove_file(folder.at(file)).expect("the file");
    }
}

#[cfg(unix)]
#[test]
fn the_named_command_continues_a_killed_run() {
    use std::process::{Command, Stdio};

    let folder = folder();
    let samples = ["samples.bin"; 400].join(" ");
    let line = format!("learn label --samples {samples} --search-nodes 4000 --out 'my samples'");
    let mut command = folder.command(&line);
    let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut process = process.expect("the program starts");
    while !folder.at("my samples.checkpoint").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    process.kill().expect("the program runs");
    process.wait().expect("the program ends");
    let error = folder.run(&line).error;
    let (_, named) = error.split_once("continue it with: ").expect("a command");
    let mut shell = Command::new("sh");
    shell.args(["-c", named]).current_dir(folder.at("")).stdout(Stdio::null());
    assert!(shell.status().expect("a shell").success(), "{named}");
    let left = ["my samples", "my samples.held", "my samples.checkpoint", "my samples.part"];
    assert_eq!(left.map(|name| folder.at(name).exists()), [true, true, false, false]);
}
