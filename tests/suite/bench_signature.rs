//! The node total of `bench` with one thread: it changes only on purpose. A commit that changes it
//! says so in its last line.

use kankei::cli::{BenchLimit, bench};
use kankei::engine::{Engine, Settings};
use kankei::eval::Evaluation;
use kankei::search::{FullWidth, SearchParams};

/// With the hand-made evaluation.
const NODES: u64 = 6_532_678;

#[test]
fn bench_visits_the_same_nodes_as_ever() {
    let mut engine = FullWidth::new(SearchParams::DEFAULT, Evaluation::HandMade);
    engine.configure(&Settings { hash_mib: 64, ..Settings::default() });
    let total = bench(&mut engine, BenchLimit::Usual, &mut std::io::sink()).expect("a sink");
    assert_eq!(total.nodes, NODES);
}
