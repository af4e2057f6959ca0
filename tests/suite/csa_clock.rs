//! The clocks of the CSA client: the times of the server, and searches that end late.

use std::sync::Arc;
use std::time::Duration;

use kankei::csa::{ClientLine, Event, Task};
use kankei::eval::Score;

use crate::csa_session::{Bench, MARGIN, options};
use crate::usi_support::outcome;

const CLOCK: &str = "BEGIN Time\nTime_Unit:1sec\nTotal_Time:60\nEND Time";

const fn ms(value: u64) -> Duration {
    Duration::from_millis(value)
}

#[test]
fn time_is_counted_by_the_server() {
    let options = options();
    let mut bench = Bench::playing(&options, '+', CLOCK);
    let first = bench.search();
    bench.found(&first, Score::ZERO, "7g7f");
    // Much more than the time measured by the client.
    bench.lines("+7776FU,T58\n-3334FU,T1");
    let second = bench.search();
    assert!(second.control.hard_limit() <= Some(Duration::from_secs(2) - MARGIN));
    assert!(first.control.hard_limit() > Some(Duration::from_secs(2)));
}

/// The search reports this line.
fn report(bench: &mut Bench<'_>, task: &Task, line: &str) {
    let better = outcome(4, Score::cp(9), line).info.expect("a line");
    bench.event(Event::Better(Arc::clone(&task.control), better));
}

/// The time from the start of the search to its deadline.
fn hard(task: &Task) -> Duration {
    task.control.hard_limit().expect("a clock runs")
}

#[test]
fn a_search_that_does_not_end_is_answered() {
    let options = options();
    let mut bench = Bench::playing(&options, '+', CLOCK);
    let task = bench.search();
    report(&mut bench, &task, "7g7f 3c3d");
    report(&mut bench, &task, "2g2f 8c8d");
    bench.pass(hard(&task));
    bench.expect_sent(&[]);
    bench.pass(ms(3));
    bench.expect_move("+2726FU", None);
    assert!(task.control.is_stopped());
    // The result comes too late.
    bench.found(&task, Score::ZERO, "5g5f");
    bench.expect_sent(&[]);

    // Without a report, the search has some more time.
    bench.lines("+2726FU,T9\n-8384FU,T1");
    let task = bench.search();
    bench.pass(hard(&task) + ms(3));
    bench.expect_sent(&[]);
    bench.pass(ms(20));
    assert!(matches!(bench.sent[..], [ClientLine::Move { .. }]), "{:?}", bench.sent);
}

#[test]
fn late_answers_shorten_the_next_searches() {
    let options = options();
    let byoyomi = "BEGIN Time\nTime_Unit:1sec\nTotal_Time:0\nByoyomi:10\nEND Time";
    let mut bench = Bench::playing(&options, '+', byoyomi);
    let mut search = bench.search();
    let first = hard(&search);
    // One late answer is chance, but not three.
    for (line, ours, theirs) in [
        ("7g7f 3c3d", "+7776FU", "-3334FU"),
        ("2g2f 8c8d", "+2726FU", "-8384FU"),
        ("2f2e 8d8e", "+2625FU", "-8485FU"),
    ] {
        assert!(hard(&search) + ms(50) > first, "{first:?} {:?}", hard(&search));
        report(&mut bench, &search, line);
        bench.pass(hard(&search) + ms(100));
        bench.expect_move(ours, None);
        bench.lines(&format!("{ours},T9\n{theirs},T1"));
        search = bench.search();
    }
    assert!(hard(&search) + ms(90) < first, "{first:?} {:?}", hard(&search));
}

#[test]
fn a_search_on_the_time_of_the_opponent_is_never_late() {
    let mut options = options();
    options.play.ponder = true;
    let mut bench = Bench::playing(&options, '+', CLOCK);
    let ahead = bench.ponder();
    report(&mut bench, &ahead, "2g2f 8c8d");
    bench.pass(ms(20_000));
    bench.expect_sent(&[]);
    bench.lines("+7776FU,T1\n-3334FU,T20");
    bench.pass(hard(&ahead) - ms(20_000) + ms(3));
    // The line that was reported while pondering is the answer.
    bench.expect_move("+2726FU", None);
}
