//! The node totals of `bench` with one thread: they change only on purpose. A commit that changes
//! that of the embedded evaluation says so in its last line.

use kankei::cli::{BenchLimit, bench};
use kankei::engine::{Engine, Settings};
use kankei::eval::Evaluation;
use kankei::search::{FullWidth, SearchParams};

/// With the embedded evaluation.
const NODES: u64 = 5_874_287;
/// With the hand-made one, on which no learning has an influence.
const NODES_BY_HAND: u64 = 6_532_678;

fn nodes(evaluation: Evaluation) -> u64 {
    let mut engine = FullWidth::new(SearchParams::DEFAULT, evaluation);
    engine.configure(&Settings { hash_mib: 64, ..Settings::default() });
    bench(&mut engine, BenchLimit::Usual, &mut std::io::sink()).expect("a sink").nodes
}

#[test]
fn bench_visits_the_same_nodes_as_ever() {
    assert_eq!(nodes(Evaluation::embedded()), NODES);
}

#[test]
fn bench_of_the_hand_made_evaluation_visits_the_same_nodes_as_ever() {
    assert_eq!(nodes(Evaluation::HandMade), NODES_BY_HAND);
}
