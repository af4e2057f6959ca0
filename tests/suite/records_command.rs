//! `kankei records`: files in, files out.

use std::fs;

use crate::command_support::Folder;

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f | winner=b | class=pro | black=A\n\
                     startpos moves 7g7f 3c3d | winner=w | class=pro | black=B\n\
                     startpos moves 7g7e\n\
                     startpos moves 2g2f 8c8d | winner=? | class=amateur | black=C\n\
                     startpos moves 2g2f 8c8d | winner=d | class=pro | black=D\n";

fn players(folder: &Folder, name: &str) -> String {
    folder.games(name).iter().filter_map(|game| game.header.get("black")).collect()
}

#[test]
fn files_are_converted_filtered_split_and_counted() {
    let folder = Folder::new();
    fs::create_dir(folder.at("in")).expect("a folder");
    folder.write("in/games.usi", GAMES);
    folder.write("in/readme.txt", "no games here\n");
    for (line, written) in [
        ("convert in/games.usi --out all.csa", &[("all.csa", "ABCD")][..]),
        ("convert in --to csa --out all.txt", &[("all.txt", "ABCD")]),
        ("convert all.csa all.txt --out twice.usi.zst", &[("twice.usi.zst", "ABCDABCD")]),
        ("filter in --result-known --match class=pro --out pro.usi", &[("pro.usi", "ABD")]),
        ("filter in --min-plies 3 --out long.usi", &[("long.usi", "A")]),
        ("dedup twice.usi.zst --out single.usi", &[("single.usi", "AC")]),
        (
            "split in --held-out 0 --held-out-file none.usi --out whole.usi",
            &[("none.usi", ""), ("whole.usi", "ABCD")],
        ),
        ("split in --held-out 50 --held-out-file held.csa --out rest.usi", &[]),
        ("stats in", &[]),
    ] {
        folder.ok(&format!("records {line}"));
        for (name, expected) in written {
            assert_eq!(players(&folder, name), *expected, "{line}: {name}");
        }
    }
    // The name of each file decides its format.
    assert!(folder.text("held.csa").contains("\nN+"));
    let parts = players(&folder, "held.csa") + &players(&folder, "rest.usi");
    let mut letters: Vec<char> = parts.chars().collect();
    letters.sort_unstable();
    assert_eq!(letters, ['A', 'B', 'C', 'D']);
}

#[cfg(unix)]
#[test]
fn unreadable_files_of_a_folder_are_skipped() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    fs::create_dir(folder.at("in")).expect("a folder");
    folder.write("in/b.usi", "startpos moves 7g7f 3c3d 2g2f | winner=b | black=A | white=B\n");
    let packed = zstd::encode_all(&folder.bytes("in/b.usi")[..], 1).expect("memory");
    folder.write("in/a.usi.zst", &packed[..packed.len() - 5]);
    for (target, name) in [("nowhere", "gone"), ("itself", "itself"), (".", "loop"), ("..", "up")] {
        symlink(target, folder.at("in").join(name)).expect("a link");
    }
    let made = std::process::Command::new("mkfifo").arg(folder.at("in/pipe")).status();
    assert!(made.expect("the program starts").success());
    let end = folder.run("records stats in");
    assert_eq!(end.code, Some(0), "{}", end.error);
    assert!(end.output.contains("1 game read from 5 files, 4 skipped\n"), "{}", end.output);
    for name in ["a.usi.zst", "gone", "itself", "pipe"] {
        let named = format!("cannot read in/{name}: ");
        assert_eq!(end.error.matches(&named).count(), 1, "{name}: {}", end.error);
    }
    folder.ok("book build in --out x.db");
    folder.ok("records score in");
    // A file that the user names must be readable.
    for line in ["stats in in/gone", "stats in/a.usi.zst", "score in/a.usi.zst"] {
        folder.fails(&format!("records {line}"), &["cannot read \"in/"]);
    }
}

#[test]
fn empty_outputs_are_errors() {
    let folder = Folder::new();
    folder.write("bare.usi", "startpos moves 7g7f 3c3d | winner=w | class=pro\n");
    folder.write("open.usi", "startpos moves 7g7f 3c3d | winner=? | scores=20 -10\n");
    folder.write("scored.usi", "startpos moves 7g7f 3c3d | winner=w | scores=20 .\n");
    let files = folder.files();
    for (line, named) in [
        ("records convert bare.usi --out x.psv", "x.psv"),
        ("records convert open.usi --out x.hcpe", "x.hcpe"),
        ("records convert bare.usi open.usi --to psv --out x.zst", "x.zst"),
        ("records filter bare.usi --match class=amateur --out x.usi", "x.usi"),
        ("records split bare.usi --held-out 0 --held-out-file y.psv --out x.psv", "x.psv"),
        ("records split bare.usi --held-out 100 --held-out-file y.psv --out x.psv", "y.psv"),
        ("book build bare.usi --min-count 2 --out x.db", "x.db"),
        ("learn resolve --games open.usi --eval material --out x.bin", "x.bin"),
        ("learn yardstick --games bare.usi --evals material=900 --out x.bin", "x.bin"),
    ] {
        folder.fails(line, &[named, "nothing to write"]);
        assert_eq!(folder.files(), files, "{line} leaves a file");
    }
    let printed = folder.ok("records convert bare.usi scored.usi --out x.psv");
    assert!(printed.contains("1 position of 2 games written to x.psv"), "{printed}");
    assert_eq!(folder.bytes("x.psv").len(), 40);
}

#[test]
fn words_after_the_position_of_a_line_are_not_dropped() {
    let folder = Folder::new();
    let start = kankei::shogi::STARTPOS;
    folder.write("x.usi", format!("sfen {start} move 7g7f\nsfen {start} 7g7f 3c3d\n{start}\n"));
    let end = folder.run("records convert x.usi --out y.usi");
    for line in ["x.usi:1: ", "x.usi:2: ", "unexpected \"move\"", "unexpected \"7g7f\""] {
        assert!(end.error.contains(line), "{}", end.error);
    }
    assert!(end.output.contains("1 game read from 1 file, 2 skipped"), "{}", end.output);
    for command in ["check position", "eval show", "mate", "book show book.db"] {
        folder.fails(&format!("{command} '{start} move 7g7f'"), &["unexpected \"move\""]);
    }
}

#[test]
fn data_that_the_format_cannot_store_is_reported_once() {
    let folder = Folder::new();
    folder.write(
        "game.usi",
        "startpos moves 7g7f 3c3d | winner=w | ending=resignation | black=A | event=B | times=1 2.5 | \
         comment0=first | comment2=last | scores=. 30 | line2=2g2f\n",
    );
    for (format, printed) in [
        ("usi", None),
        ("csa", None),
        ("kif", Some("1 fraction of a second")),
        ("ki2", Some("2 times")),
        ("labelled", Some("2 header fields, 1 ending, 2 times, 2 comments, 1 expected line")),
    ] {
        let end = folder.run(&format!("records convert game.usi --out game2.{format}"));
        let printed =
            printed.map(|printed| format!("game2.{format}: the format cannot store {printed}\n"));
        assert_eq!((end.code, end.error), (Some(0), printed.unwrap_or_default()));
    }
    folder.ok("records convert game.usi --to csa --out first.csa");
    folder.ok("records convert first.csa --to kif --out second.kif");
    folder.ok("records convert second.kif --out third.usi");
    let expected = folder.text("game.usi").replace("times=1 2.5", "times=1 2");
    assert_eq!(folder.games("third.usi").len(), 1);
    folder.write("expected.usi", expected);
    assert_eq!(folder.games("third.usi"), folder.games("expected.usi"));
    let stats = folder.ok("records stats first.csa");
    for part in
        ["scored", "50.0 %", "Black timed          1    1.0 s", "White timed          1    2.5 s"]
    {
        assert!(stats.contains(part), "{stats}");
    }
}

#[test]
fn files_are_not_overwritten_without_force() {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    folder.write("old.usi", "startpos moves 7g7f | winner=? | black=Old\n");
    folder.fails("records convert games.usi --out old.usi", &["old.usi", "--force"]);
    folder.fails(
        "records split games.usi --held-out 50 --held-out-file old.usi --out x.usi",
        &["old.usi", "--force"],
    );
    // Input files are never overwritten, also if they are in a folder or have another path.
    for line in ["games.usi --out games.usi", ". --out games.usi", "games.usi --out ./games.usi"] {
        folder
            .fails(&format!("records convert {line} --force"), &["games.usi", "is an input file"]);
    }
    assert_eq!(
        (folder.text("games.usi").as_str(), players(&folder, "old.usi")),
        (GAMES, "Old".into())
    );
    folder.ok("records convert games.usi --out old.usi --force");
    assert_eq!(players(&folder, "old.usi"), "ABCD");
    assert_eq!(folder.files(), 2, "no other file is left");
}

#[test]
fn several_games_are_written_to_a_folder() {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    for format in ["kif", "ki2", "jkf"] {
        let line = format!("records convert games.usi --out {format}/new/ --to {format}");
        let printed = folder.ok(&line);
        assert!(printed.contains(&format!("4 games written to {format}/new/")), "{printed}");
        let names: Vec<String> =
            (1..=4).map(|number| format!("{format}/new/{number:06}.{format}")).collect();
        let found: String = names.iter().map(|name| players(&folder, name)).collect();
        assert_eq!(found, "ABCD");
        assert_eq!(fs::read_dir(folder.at(&format!("{format}/new"))).expect("a folder").count(), 4);
        // A folder with files is used only if asked, and its files are never an input as well.
        folder.fails(&line, &["is not empty", "--force"]);
        folder.write(&names[3], "mine");
        folder.ok(&format!("{line} --force"));
        assert_eq!(players(&folder, &names[3]), "D");
        let same = format!("records convert {format} --out {format}/new --to {format} --force");
        folder.fails(&same, &["000001", "is an input file"]);
        let back = format!("records convert {format}/new --out {format}.usi");
        folder.ok(&back);
        assert_eq!(players(&folder, &format!("{format}.usi")), "ABCD");
    }
    // JSON lines are made for several objects.
    folder.ok("records convert games.usi --out all.jsonl");
    assert_eq!(players(&folder, "all.jsonl"), "ABCD");
    folder.ok("records split games.usi --to kif --held-out 50 --held-out-file a/ --out b/");
    let count = |name: &str| fs::read_dir(folder.at(name)).expect("a folder").count();
    assert_eq!(count("a") + count("b"), 4);
}

#[test]
fn variations_are_converted_or_counted() {
    let folder = Folder::new();
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n変化：2手\n   2 ８四歩(83)\n変化：1手\n   1 ２六歩(27)\n";
    folder.write("x.kifu", kif);
    let printed = folder.ok("records convert x.kifu --out x.jkf");
    assert!(printed.contains("1 game read from 1 file, 0 skipped, 2 variations\n"), "{printed}");
    folder.ok("records convert x.jkf --out y.ki2");
    assert_eq!(folder.games("y.ki2"), folder.games("x.kifu"));
    for name in ["x.csa", "x.usi", "x.labelled"] {
        let end = folder.run(&format!("records convert x.kifu --out {name}"));
        assert_eq!(end.error, format!("{name}: the format cannot store 2 variations\n"));
    }
}

#[test]
fn failures_do_not_change_old_files() {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    folder.write("old.usi", "startpos moves 7g7f | winner=? | black=Old\n");
    let broken = [&[0x28, 0xb5, 0x2f, 0xfd][..], b"not compressed"].concat();
    folder.write("broken.usi.zst", broken);
    folder.write("empty.kif", "");
    for (line, named) in [
        ("convert empty.kif --out old.usi --force", "empty.kif"),
        ("convert games.usi nowhere.usi --out old.usi --force", "nowhere.usi"),
        ("convert games.usi broken.usi.zst --out old.usi --force", "broken.usi.zst"),
        ("convert games.usi --out old", ".kif"),
        ("convert games.usi --out nowhere/new.usi", "nowhere/new.usi"),
        ("split games.usi --held-out 5 --held-out-file x.usi --out x.usi", "x.usi"),
        ("convert --out x.usi", "required"),
        ("convert x.usi --out y --to pdf", "pdf"),
        ("convert games.usi --out new.kif", "--out new/ --to kif"),
        ("convert games.usi --out new.jkf.zst", "--to jkf"),
        ("convert games.usi --out new/", "add --to"),
        ("convert games.usi --out new/ --to csa", "is a folder"),
        ("split x --held-out 101 --held-out-file y --out z", "101"),
    ] {
        folder.fails(&format!("records {line}"), &[named]);
    }
    assert_eq!(players(&folder, "old.usi"), "Old");
    assert_eq!(folder.files(), 4, "no other file is left");
}
