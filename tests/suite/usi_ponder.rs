//! USI: `ponderhit`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::usi_play::last_two;
use crate::usi_support::{Client, Script, first_move, wait};

#[test]
fn u_20_ponderhit_starts_the_clock() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    // The clock of the `go` is much too short for pondering itself.
    client.send("go ponder btime 0 wtime 0 byoyomi 40");
    script.wait_for_searches(1);
    std::thread::sleep(Duration::from_millis(80));
    client.expect_silence();
    client.play("ponderhit");
    // The clock of `ponderhit` replaces a long one.
    client.send("go ponder btime 900000 wtime 900000");
    client.play("ponderhit btime 0 wtime 0 byoyomi 10");
    // The clock comes only with `ponderhit`.
    client.play("go ponder\nponderhit btime 0 wtime 0 byoyomi 10");
    // Without any clock, the answer is immediate.
    client.play("go ponder\nponderhit");
    // A second `ponderhit` is ignored; the search uses the long clock.
    client.send("go ponder\nponderhit btime 900000 wtime 900000\nponderhit");
    client.expect_silence();
    client.play("stop");
}

#[test]
fn u_20_ponderhit_after_the_search_is_answered_immediately() {
    let mut client = Client::ready(&Script::at_once());
    client.send("go ponder btime 900000 wtime 900000");
    client.expect_silence();
    // The line reported while pondering is repeated as that of the move.
    let lines = client.play("ponderhit");
    assert!(last_two(&lines).0.contains(" score "), "{lines:?}");
}

#[test]
fn u_20_stochastic_ponder_searches_the_previous_position() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    client.send("setoption name Stochastic_Ponder value true");
    client.send("position startpos moves 7g7f 3c3d\ngo ponder searchmoves 2g2f");
    script.wait_for_searches(1);
    client.expect_silence();
    let lines = client.play("ponderhit byoyomi 20");
    assert!(lines.iter().any(|line| line.contains(" pv ")), "{lines:?}");
    client.send("go ponder");
    script.wait_for_searches(3);
    // The position itself was not searched, but the move must be legal there.
    let lines = client.play("stop");
    assert!(lines[0].starts_with("info string") && lines.len() == 2, "{lines:?}");
    client.expect_silence();
    let roots = script.searches();
    let [before, after, again] = &roots[..] else { panic!("{roots:?}") };
    assert!(before.contains(" w - 2 ") && !before.contains("2g2f"), "{before}");
    assert!(after.contains(" b - 3 ") && after.contains("search_moves: [2g2f]"), "{after}");
    assert!(again.contains(" w - 2 "), "{again}");
}

#[test]
fn u_20_stochastic_ponder_without_a_clock_searches_the_position() {
    let is_stopped = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&is_stopped);
    let script = Script::new(move |pos, _, control, report| {
        noted.lock().unwrap().push(control.is_stopped());
        wait(control);
        first_move(pos, report)
    });
    let mut client = Client::ready(&script);
    client.send("setoption name Stochastic_Ponder value true");
    client.send("position startpos moves 7g7f 3c3d\ngo ponder");
    script.wait_for_searches(1);
    let lines = client.play("ponderhit");
    assert!(lines.iter().any(|line| line.contains(" pv ")), "{lines:?}");
    // The second search has no time, but it may search every move once.
    assert_eq!(*is_stopped.lock().unwrap(), [false, false]);
}
