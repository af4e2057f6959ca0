//! Inputs that are no files, and files of other kinds: each command names them and ends at once.

use std::process::Command;

use crate::command_support::Folder;

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d | winner=b | scores=20 -10 30 -20\n";

/// Commands that read IN, and whether IN may be a folder.
const COMMANDS: [(&str, bool); 19] = [
    ("records stats IN", true),
    ("records convert IN --out x.csa", true),
    ("analyze IN --nodes 10 --hash 1", true),
    ("book build IN --out x.db", true),
    ("learn resolve --games IN --eval material --out x.bin", true),
    ("learn yardstick --games IN --evals material=900 --out x.bin", true),
    ("mate IN", true),
    ("book stats IN", false),
    ("book show IN startpos", false),
    ("book minimax IN --out x.db", false),
    ("csa localhost:1 --name a --password b --book IN", false),
    ("csa localhost:1 --name a --password-file IN", false),
    ("eval show startpos --eval IN", false),
    ("eval values IN", false),
    ("check suite perft IN", false),
    ("match 'self eval=IN' self --nodes 5 --games 2", false),
    ("match self self --nodes 5 --games 2 --openings IN", false),
    ("learn label --samples IN --keep --out x.bin", false),
    ("learn label --samples samples.bin --network IN --out x.bin", false),
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    folder.ok("learn resolve --games games.usi --eval material --held-out 0 --out samples.bin");
    folder
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused() {
    let folder = folder();
    let made = Command::new("mkfifo").arg(folder.at("pipe")).status().expect("the program starts");
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", folder.at("link")).expect("a link");
    for (command, _) in COMMANDS {
        for input in ["pipe", "link", "/dev/zero"] {
            folder.fails(&command.replace("IN", input), &[input, "is a device or a pipe"]);
        }
    }
    assert_eq!(folder.files(), 5, "games, samples in two files, pipe and link");
}

#[test]
fn folders_are_refused_where_a_file_is_read() {
    let folder = folder();
    std::fs::create_dir(folder.at("here")).expect("a folder");
    for (command, _) in COMMANDS.into_iter().filter(|(_, reads_folders)| !reads_folders) {
        folder.fails(&command.replace("IN", "here"), &["here", "is a folder"]);
    }
}

#[test]
fn containers_are_named() {
    let folder = folder();
    for (name, head, kind) in [
        ("x.kif.gz", &b"\x1f\x8b\x08\0rest"[..], "gzip"),
        ("x.csa", b"PK\x03\x04\nV2.2\n", "a zip file"),
        ("x.xz", b"\xfd7zXZ\0rest", "xz"),
        ("x.7z", b"7z\xbc\xaf\x27\x1crest", "a 7z file"),
        ("x.sbk", b"\x0a\xff", "a book of ShogiGUI"),
    ] {
        folder.write(name, head);
        folder.fails(&format!("book stats {name}"), &[name, kind]);
        folder.fails(&format!("book show {name} startpos"), &[name, kind]);
        folder.fails(&format!("eval show startpos --eval {name}"), &[name, kind]);
        folder.fails(&format!("check suite perft {name}"), &[name, kind]);
        // Other files of the records are read.
        let error = folder.run(&format!("records convert {name} games.usi --out {name}.csa")).error;
        assert!(error.starts_with(&format!("{name}: ")) && error.contains(kind), "{error}");
        assert_eq!(folder.games(&format!("{name}.csa")).len(), 1);
    }
    // A record may be compressed by zstd, a book may not.
    folder.write("games.zst", zstd::encode_all(GAMES.as_bytes(), 1).expect("memory"));
    folder.ok("records stats games.zst");
    folder.fails("book stats games.zst", &["games.zst", "a zstd file"]);
}

#[test]
fn long_lines_are_cut_in_messages() {
    let folder = folder();
    let long = "x".repeat(3_000);
    folder.write("long.usi", format!("startpos moves {long}\nstartpos {long}\nsfen {long} b -\n"));
    folder.write("long.kif", format!("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩{long}\n"));
    folder.write("long.csa", format!("V2.2\nPI\n+\n+7776FU\n-{long}\n"));
    folder.write("long.jkf", format!("{{\"moves\":\"{long}\"}}\n"));
    folder.write("long.db", format!("{long}\n"));
    folder.write("moves.db", format!("sfen {}\n{long}\n", kankei::shogi::STARTPOS));
    folder.write("long.txt", format!("{long} ; depth 1 ; 30\n"));
    folder.write("log.txt", format!("# {long}\n1 2 3\n"));
    for line in [
        "records stats long.usi",
        "records stats long.kif",
        "records stats long.csa",
        "records stats long.jkf",
        "book stats long.db",
        "book stats moves.db",
        "book show moves.db startpos",
        "check suite perft long.txt",
        "mate long.txt",
        "ablate --vary null-move --pairs 2 --nodes 10 --out log.txt --resume",
        &format!("check position '{long} b - 1'"),
        &format!("match 'self without={long}' self --nodes 5"),
    ] {
        let end = folder.run(line);
        let text = end.output + &end.error;
        assert!(text.contains(&"x".repeat(50)), "{line}: {text}");
        assert!(!text.contains(&"x".repeat(81)), "{line}: {text}");
    }
}
