//! The USI option `DebugLogFile`.

#[cfg(unix)]
use std::process::Command;

use crate::usi_session::remarks;
use crate::usi_support::{Client, Script, transcript};

#[test]
fn the_debug_log_contains_both_directions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("usi log.txt");
    let mut client = Client::ready(&Script::at_once());
    client.get_ready(&format!("setoption name DebugLogFile value {}", path.display()));
    client.send("setoption name DebugLogFile value <empty>\nusi");
    client.until("usiok");
    drop(client);
    let log = std::fs::read_to_string(&path).expect("a log");
    let words: Vec<&str> =
        log.lines().filter_map(|line| line.split_once(' ')).map(|p| p.1).collect();
    assert_eq!(words, ["> isready", "< readyok", "> setoption name DebugLogFile value <empty>"]);
    assert!(
        log.lines().all(|line| line.split('.').next().is_some_and(|s| s.parse::<u64>().is_ok()))
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_debug_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().expect("a command").success());
    let script = format!("setoption name DebugLogFile value {}\nisready\n", path.display());
    let lines = transcript(script, &Script::at_once());
    let [message] = remarks(&lines)[..] else { panic!("{lines:?}") };
    assert!(message.ends_with("pipe: it is a pipe; logging is off"), "{message}");
    assert_eq!(lines.last().map(String::as_str), Some("readyok"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_debug_log_with_one_message() {
    let script = "setoption name DebugLogFile value /dev/full\nisready\ngo depth 1\nisready\n";
    let lines = transcript(script, &Script::at_once());
    let [message] = remarks(&lines)[..] else { panic!("{lines:?}") };
    assert!(message.starts_with("DebugLogFile /dev/full: No space left"), "{message}");
    assert!(message.ends_with("; logging is off"), "{message}");
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 2);
}
