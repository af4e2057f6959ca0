//! The node totals of `bench` with one thread: they change only on purpose. A commit that changes
//! that of the embedded evaluation says so in its last line.

use kankei::cli::{BenchLimit, bench};
use kankei::engine::{Engine, Settings};
use kankei::eval::Evaluation;
use kankei::search::{AlphaBeta, FullWidth, FullWidthParams};

/// With the embedded evaluation.
const NODES: u64 = 3_094_958;
/// Of the full-width searcher with the hand-made evaluation, on which no learning has an influence.
const NODES_FULL_WIDTH: u64 = 6_532_678;

fn nodes(engine: &mut dyn Engine, limit: BenchLimit) -> u64 {
    engine.configure(&Settings { hash_mib: 64, ..Settings::default() });
    bench(engine, limit, &mut std::io::sink()).expect("a sink").nodes
}

#[test]
fn bench_visits_the_same_nodes_as_ever() {
    assert_eq!(nodes(&mut AlphaBeta::default(), BenchLimit::ALPHA_BETA), NODES);
}

#[test]
fn full_width_bench_visits_the_same_nodes_as_ever() {
    let mut engine = FullWidth::new(FullWidthParams::DEFAULT, Evaluation::HandMade);
    assert_eq!(nodes(&mut engine, BenchLimit::FULL_WIDTH), NODES_FULL_WIDTH);
}
