//! Sessions without threads: the engine runs where the lines are handled.

use std::thread;

use kankei::engine::Report;
use kankei::usi::SessionInTurn;

use crate::usi_support::{Script, first_move, shown};

#[test]
fn each_line_is_answered_before_the_next() {
    let (screen, replies) = shown();
    let caller = thread::current().id();
    let script = Script::new(move |pos, _, _, report| {
        assert_eq!(thread::current().id(), caller);
        first_move(pos, report)
    });
    let mut session = SessionInTurn::new(screen, script.backend());
    let mut ask = |line: &str| {
        assert!(session.handle(line), "{line}");
        replies.try_iter().collect::<Vec<String>>()
    };
    assert_eq!(ask("usi").last().map(String::as_str), Some("usiok"));
    assert_eq!(ask("isready"), ["readyok"]);
    assert!(ask("position startpos moves 7g7f").is_empty());
    let lines = ask("go nodes 1");
    assert!(lines[0].starts_with("info depth 1"), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert_eq!(ask("eval").len(), 1);
    assert_eq!(ask("isready"), ["readyok"]);
    assert!(!session.handle("quit"));
}

#[test]
fn lines_of_a_search_are_written_while_it_runs() {
    let (screen, replies) = shown();
    let replies = std::sync::Mutex::new(replies);
    let script = Script::new(move |pos, _, _, report| {
        let outcome = first_move(pos, report);
        let line = replies.lock().unwrap().try_iter().last().expect("the line is written");
        assert!(line.starts_with("info depth 1"), "{line}");
        report(Report::Remark("checked".to_owned()));
        outcome
    });
    let mut session = SessionInTurn::new(screen, script.backend());
    assert!(session.handle("go nodes 1"));
    assert_eq!(script.count("search"), 1);
}

#[test]
fn a_panic_ends_only_its_search() {
    let (screen, replies) = shown();
    let script = Script::new(|pos, limits, _, report| {
        assert!(limits.nodes != Some(2), "on purpose");
        first_move(pos, report)
    });
    let mut session = SessionInTurn::new(screen, script.backend());
    assert!(session.handle("go nodes 2"));
    let lines: Vec<String> = replies.try_iter().collect();
    assert!(lines.iter().any(|line| line.contains("internal error in the search")), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert!(session.handle("go nodes 1"));
    let answer = replies.try_iter().last().expect("an answer");
    assert!(answer.starts_with("bestmove ") && answer != "bestmove resign", "{answer}");
}
