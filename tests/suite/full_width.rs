//! The rules of the full-width searcher, each in a position where it applies.

use std::time::{Duration, Instant};

use kankei::engine::{Control, Engine, Limits, Query, Settings};
use kankei::eval::Evaluation;
use kankei::papers::bonanza::{FullWidth, FullWidthParams, Rules};

use crate::positions::position;
use crate::search_support::{MATES, OPENING, QUIET, SHARP, depth, nodes, search};

fn engine(params: FullWidthParams) -> FullWidth {
    let mut engine = FullWidth::new(params, Evaluation::HandMade);
    engine.configure(&Settings { hash_mib: 16, ..Settings::default() });
    engine
}

fn count(params: FullWidthParams, sfen: &str, plies: u32) -> u64 {
    search(&mut engine(params), &position(sfen), &depth(plies)).nodes
}

/// Each rule changes the tree where it can apply, and no rule hides a mate.
#[test]
fn every_rule_applies_and_none_hides_a_mate() {
    // Internal iterative deepening rarely meets a PV node without a TT move, so it has its own
    // position.
    let trees = [(SHARP, 5), (QUIET, 7), (OPENING, 7)];
    let with = trees.map(|(sfen, plies)| count(FullWidthParams::DEFAULT, sfen, plies));
    for (name, rule) in Rules::all().iter_names() {
        let params = FullWidthParams::DEFAULT.without(rule);
        let mut pairs = trees.into_iter().zip(with);
        let fires = pairs.any(|((sfen, plies), nodes)| count(params, sfen, plies) != nodes);
        assert!(fires, "{name} never fires");
        // Without extensions, the mates in five need more nodes than this limit.
        let reach = if rule == Rules::EXTENSIONS { 3 } else { 5 };
        for (plies, sfen) in MATES.into_iter().filter(|&(plies, _)| plies <= reach) {
            let limits = Limits { mate: true, ..nodes(300_000) };
            let outcome = search(&mut engine(params), &position(sfen), &limits);
            let score = outcome.info.expect("an iteration").score;
            assert_eq!(score.mate_plies(), Some(plies as i32), "without {name}: {sfen}");
        }
    }
}

#[test]
fn iterations_are_shallower_after_half_of_the_time() {
    let hour = Duration::from_secs(3_600);
    let nodes_with = |soft, hard| {
        let now = Instant::now();
        let control = Control::new(now.checked_sub(hour).unwrap_or(now));
        control.set_deadlines(control.started(), soft, hard);
        let (mut engine, pos) = (engine(FullWidthParams::DEFAULT), position(QUIET));
        engine.search(Query::new(&pos, &depth(5), &control), &mut |_| ()).nodes
    };
    let full = count(FullWidthParams::DEFAULT, QUIET, 5);
    assert_eq!(nodes_with(3 * hour, 9 * hour), full, "a third is used");
    assert!(nodes_with(hour * 3 / 2, 9 * hour) < full / 2, "two thirds are used");
    assert_eq!(nodes_with(hour * 3 / 2, hour * 3 / 2), full, "a fixed time");
}

#[test]
fn futility_pruning_saves_nodes() {
    for (sfen, plies) in [(QUIET, 6), (SHARP, 4)] {
        let with = count(FullWidthParams::DEFAULT, sfen, plies);
        let without = FullWidthParams::DEFAULT.without(Rules::ALL_FUTILITY);
        let without = count(without, sfen, plies);
        assert!(with < without, "{with} {without}");
    }
}
