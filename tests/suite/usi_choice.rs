//! Searches that are answered before their end: moves by choice, with the options `SkillLevel` and
//! `OpeningVariety`, and the nodes of the answer.

use std::collections::BTreeSet;
use std::sync::Arc;

use kankei::engine::{Bound, Info, Leeway, Report};
use kankei::engines::Choosing;
use kankei::eval::Score;

use crate::usi_support::{Client, Script, gate, outcome};

const LINES: [(&str, i32); 4] = [("7g7f", 50), ("2g2f", 40), ("6i7h", -10), ("1g1f", -900)];

/// The moves of 20 searches that report four lines and do not end in time.
fn played(option: &str) -> BTreeSet<String> {
    let (open, pass) = gate();
    let script = Script::new(move |_, _, _, report| {
        for (number, (mv, score)) in LINES.into_iter().enumerate() {
            let mut info = outcome(4, Score::cp(score), mv).info.expect("a line");
            info.multi_pv = number + 1;
            report(Report::Line(info));
        }
        pass();
        outcome(5, Score::cp(60), "5g5f")
    });
    let mut backend = script.backend();
    let fake = script.clone();
    backend.build =
        Arc::new(move |_, _| Box::new(Choosing::new(fake.engine(), Leeway::default(), 1)));
    let mut client = Client::of(backend);
    client.get_ready(option);
    let mut played = BTreeSet::new();
    for _ in 0..20 {
        let lines = client.play("go byoyomi 60");
        let best = lines.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move");
        let info = &lines[lines.len() - 2];
        assert!(info.ends_with(&format!(" pv {best}")), "{lines:?}");
        played.insert(best.to_owned());
        open.send(()).expect("the engine waits");
        client.expect_silence();
    }
    played
}

#[test]
fn u_27_a_late_search_is_answered_with_a_move_by_choice() {
    let set = |moves: &[&str]| moves.iter().map(|&mv| mv.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(played("setoption name OpeningVariety value 0"), set(&["7g7f"]));
    assert_eq!(played("setoption name OpeningVariety value 20"), set(&["2g2f", "7g7f"]));
    assert!(played("setoption name SkillLevel value 0").len() > 2);
}

#[test]
fn the_last_info_has_no_fewer_nodes_than_an_earlier_one() {
    let (open, pass) = gate();
    let script = Script::new(move |_, _, _, report| {
        let line = outcome(4, Score::cp(9), "2g2f 8c8d").info.expect("a line");
        let bound = Info { depth: 5, bound: Bound::Upper, nodes: 500, ..line.clone() };
        report(Report::Line(line));
        report(Report::Line(bound));
        pass();
        outcome(5, Score::cp(60), "5g5f")
    });
    let mut client = Client::ready(&script);
    let lines = client.play("go byoyomi 60");
    let nodes = |line: &String| line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok();
    let nodes: Vec<u64> = lines.iter().filter_map(nodes).collect();
    assert_eq!(nodes, [10, 500, 500], "{lines:?}");
    open.send(()).expect("the engine waits");
    client.expect_silence();
}
