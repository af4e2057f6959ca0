//! `kankei mate`: positions and files of problems.

use kankei::record::{Format, GameWriter, TextEncoding};
use serde_json::Value;

use crate::command_support::Folder;

const MATE: &str = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
const NO_MATE: &str = "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1";

fn with_files() -> Folder {
    let folder = Folder::new();
    folder.write("lines.txt", format!("# problems\nsfen {MATE} ; one\n\n{NO_MATE}\n"));
    // The problem without moves, and with its solution.
    folder.write("a.usi", format!("sfen {MATE}\nsfen {MATE} moves G*5b\n"));
    // Files with several records of one game each are read, though not written by a command.
    for name in ["a.kif", "a.ki2", "a.csa", "a.jkf"] {
        let format = Format::from_file_name(name.as_ref()).expect(name);
        let encoding = TextEncoding::from_file_name(name.as_ref());
        let mut writer = GameWriter::new(Vec::new(), format).encoded(encoding);
        folder.games("a.usi").iter().for_each(|game| writer.write(game).expect("memory"));
        folder.write(name, writer.into_inner());
    }
    folder
}

#[test]
fn records_are_problems() {
    let folder = with_files();
    for name in ["a.kif", "a.ki2", "a.csa", "a.jkf"] {
        let text = folder.ok(&format!("mate {name}"));
        assert!(
            text.starts_with(
                "game 1: mate in 1, the shortest: G*5b\ngame 2: mate in 1, the shortest: G*5b\n"
            ),
            "{text}"
        );
        assert!(text.contains("2 mates, 0 without mate, 0 open, 0 unreadable"), "{name}: {text}");
    }
    let diagram = folder.text("a.kif");
    let diagram: Vec<&str> = diagram.split("手数").next().expect("a board").lines().collect();
    folder.write("a.bod", diagram.join("\n"));
    assert!(folder.ok("mate a.bod").contains("1 mate,"));
    // Of a game from the usual start, the last position.
    folder.write("game.csa", "PI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    assert!(folder.ok("mate game.csa").contains("1 without mate"));
}

#[test]
fn lines_are_problems() {
    let folder = with_files();
    let text = folder.ok("mate lines.txt");
    assert!(
        text.contains("line 2: mate in 1, the shortest: G*5b\nline 4: no mate by checks\n"),
        "{text}"
    );
    let text = folder.ok("mate lines.txt --from 3");
    assert!(text.contains("0 mates, 1 without mate"), "{text}");
    folder.fails("mate lines.txt --from 99", &["lines.txt", "positions is 2", "99"]);
    folder.fails("mate nowhere.kif", &["nowhere.kif", "No such file"]);
    folder.fails("mate 4k4/9/9/9/9/9/9/9/9", &["bad position", "4k4/9"]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_files_may_have_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let folder = with_files();
    let name = std::ffi::OsStr::from_bytes(b"\x8d\xec.sfen");
    let path = folder.at("lines.txt").with_file_name(name);
    std::fs::copy(folder.at("lines.txt"), &path).expect("a copy");
    let output = folder.command("mate").arg(name).output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("1 mate, 1 without"), "{text}");
}

/// Texts as Windows saves them.
#[test]
fn lists_may_have_a_mark_or_be_shift_jis() {
    let folder = Folder::new();
    folder.write("mark.sfen", format!("\u{feff}{MATE} ; mate 1 ; G*5b\n"));
    let mut bytes = format!("{MATE} ; mate 1 ; G*5b # ").into_bytes();
    bytes.extend(b"\x8b\x6c\x8f\xab\x8a\xfb\n");
    folder.write("japanese.sfen", bytes);
    for name in ["mark.sfen", "japanese.sfen"] {
        assert!(folder.ok(&format!("mate {name}")).contains("1 mate, 0 without"), "{name}");
        assert!(folder.ok(&format!("check suite mate1 {name}")).contains("1 right, 0 wrong"));
        assert_eq!(folder.ok(&format!("eval values {name}")).lines().count(), 1);
    }
    folder.write("random.kif", [0, 1, 2, 3]);
    folder.fails("mate random.kif", &["random.kif", "it is a binary file"]);
}

#[test]
fn unreadable_records_are_counted() {
    let folder = with_files();
    std::fs::create_dir(folder.at("d")).expect("a folder");
    folder.copy("a.csa", "d/a.csa");
    folder.write("d/b.jkf", "{");
    folder.write("two.csa", folder.text("a.csa") + "/\nPI\n+\n+7775FU\n+7775FU\n");
    for name in ["d", "two.csa"] {
        let end = folder.run(&format!("mate {name}"));
        assert!(
            end.output.contains("2 mates, 0 without mate, 0 open, 1 unreadable"),
            "{}",
            end.output
        );
        assert_eq!(end.code, Some(2), "{}", end.error);
    }
}

#[test]
fn files_are_solved_one_at_a_time_and_pipes_are_read_once() {
    let folder = with_files();
    folder.fails("mate lines.txt a.kif", &["lines.txt", "a.kif", "at a time"]);
    #[cfg(unix)]
    for (name, solved) in [("lines.txt", "1 mate, 1 without"), ("a.kif", "2 mates, 0 without")] {
        let mut command = folder.command("mate /dev/stdin");
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        std::io::Write::write_all(&mut writer, &folder.bytes(name)).expect("it fits");
        drop(writer);
        let output = command.stdin(reader).output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(solved), "{name}: {text}");
    }
}

#[test]
fn a_position_may_have_the_word_of_usi() {
    let folder = Folder::new();
    for form in ["'position sfen SFEN'", "position sfen SFEN", "'position SFEN'", "'sfen SFEN'"] {
        let text = folder.ok(&format!("mate {}", form.replace("SFEN", MATE)));
        assert!(text.starts_with("mate in 1, the shortest: G*5b\n"), "{form}: {text}");
    }
}

#[test]
fn results_are_printed_in_japanese_or_as_json() {
    let folder = with_files();
    let text = folder.ok("mate lines.txt --notation japanese");
    assert!(text.contains("2行目: 1手詰(最短):▲５二金\n"), "{text}");
    let text = folder.ok("mate lines.txt --notation japanese --lang en");
    assert!(text.contains("line 2: mate in 1, the shortest: ▲５二金\n"), "{text}");
    let mut command = folder.command("mate lines.txt");
    let output = command.env("LC_ALL", "ja_JP.UTF-8").output().expect("the program starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("▲５二金"));

    let text = folder.ok("mate lines.txt --json");
    let objects: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!((&objects[0]["verdict"], &objects[0]["plies"]), (&"mate".into(), &1.into()));
    assert_eq!(objects[0]["moves"], serde_json::json!(["G*5b"]));
    assert_eq!(
        (&objects[1]["name"], &objects[1]["verdict"]),
        (&"line 4".into(), &"no mate".into())
    );
    let text = folder.ok(&format!("mate --json '{MATE}'"));
    assert!(serde_json::from_str::<Value>(&text).expect("JSON")["position"] == MATE, "{text}");
}

/// A rook mates in three, with one line.
const SOUND: &str = "8k/5s3/8G/9/9/9/9/3R5/9 b - 1";

#[test]
fn the_shortest_mate_is_printed_unless_the_first_is_wanted() {
    let folder = Folder::new();
    let long = "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1";
    let best = folder.ok(&format!("mate '{long}'"));
    assert!(best.starts_with("mate in 3, ") && best.contains("the shortest: "), "{best}");
    let first = folder.ok(&format!("mate '{long}' --first"));
    assert!(first.starts_with("mate in 3, ") && !first.contains("shortest"), "{first}");
    let text = folder.ok(&format!("mate 'position sfen {SOUND}' --shortest"));
    assert!(text.starts_with("mate in 3, the shortest: 6h6a+ "), "{text}");
    folder.fails(&format!("mate '{SOUND}' --first --check"), &["--first", "--check"]);
    folder.fails(&format!("mate '{SOUND}' --all 1"), &["1", "2 to 1000"]);
}

#[test]
fn problems_are_checked() {
    let folder = Folder::new();
    // Either rook mates.
    let cooked = "8k/5s3/8G/9/9/9/9/2RR5/9 b - 1";
    folder.write(
        "problems.txt",
        format!(
            "{SOUND}\n{SOUND} ; mate 3 ; 6h6a+ 4b5a 6a5a\n{SOUND} ; mate 5\n{SOUND} ; mate 1\n\
             {NO_MATE} ; mate 1\n{cooked}\n"
        ),
    );
    let text = folder.ok("mate problems.txt --check");
    for expected in [
        "line 1: mate in 3, the shortest: 6h6a+ 4b5a 6a5a\n  sound: the solution is unique\n",
        "line 3: mate in 3, the shortest: 6h6a+ 4b5a 6a5a\n  unsound: shorter than the given mate in 5 (hayazume)\n",
        "  unsound: longer than the given mate in 1\n",
        "line 5: no mate by checks\n  unsound: no mate (fuzume)\n",
        "line 6: mate in 3, the shortest: 7h7a+ 4b5a 7a5a\n  unsound: 1 other solution (yozume)\n    \
         from move 1, mate in 3: 6h6a+ 4b5a 6a5a\n",
        "5 mates, 1 without mate",
        "2 sound, 4 unsound, 0 undecided",
    ] {
        assert!(text.contains(expected), "{expected}{text}");
    }
    let text = folder.ok("mate problems.txt --all 2 --from 5 --json");
    let objects: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(objects.iter().map(|it| &it["sound"]).collect::<Vec<_>>(), [false, false]);
    assert_eq!(objects[1]["others"][0]["moves"][0], "6h6a+");
    // A given solution that is none is named.
    let wrong = format!("mate '{SOUND} ; 6h6a+ 4b5a 6a5b ; mate three' --check");
    let named = "the given moves 6h6a+ 4b5a 6a5b do not mate and are ignored";
    let text = folder.ok(&wrong);
    let field = "the given \"mate three\" cannot be read and is ignored";
    let expected = format!("  sound: the solution is unique\n  {named}\n  {field}\n");
    assert!(text.contains(&expected), "{text}");
    let text = folder.ok(&format!("{wrong} --json"));
    let object: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&object["sound"], &object["ignored"][0]), (&true.into(), &named.into()));
    let text = folder.ok(&format!("{wrong} --notation japanese"));
    let named = "  示された手順 ▲６一飛成 △５一銀 ▲５二龍 は詰みに至らないので無視\n";
    assert!(text.contains(named), "{text}");
    folder.write("x.usi", format!("sfen {SOUND} moves 6h6a+ 4b3a\n"));
    folder.ok("records convert x.usi --out x.kif");
    let text = folder.ok("mate x.kif --check --notation japanese");
    assert!(text.contains("  示された手順 ▲６一飛成 △３一銀 は詰みに至らないので無視\n"), "{text}");
    // The limit is too small to refute the moves of the other rook.
    let wide = "8k/5s3/8G/9/9/9/9/3RR4/9 b - 1";
    let text = folder.ok(&format!("mate '{wide}' --check --nodes 20000"));
    assert!(text.contains("  undecided: other solutions may exist\n    open: "), "{text}");
}
