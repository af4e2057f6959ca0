//! The node totals of `bench` with one thread, which change only on purpose. A commit that changes
//! the total of the embedded evaluation gives it in its last line.

use kankei::engine::{Engine, Settings};
use kankei::engines::bench::{BenchLimit, bench};
use kankei::eval::Evaluation;
use kankei::papers::bonanza::{FullWidth, FullWidthParams};
use kankei::search::AlphaBeta;

/// With the embedded evaluation.
const NODES: u64 = 1_276_102;
/// Full-width searcher with the embedded evaluation.
const NODES_FULL_WIDTH: u64 = 7_518_998;
/// Full-width searcher with the hand-made evaluation, which learning does not change.
const NODES_BY_HAND: u64 = 6_462_918;

fn nodes(engine: &mut dyn Engine, limit: BenchLimit) -> u64 {
    engine.configure(&Settings { hash_mib: 64, ..Settings::default() });
    bench(engine, limit, &mut |_| ()).nodes
}

#[test]
fn bench_node_total_is_unchanged() {
    assert_eq!(nodes(&mut AlphaBeta::default(), BenchLimit::of(&AlphaBeta::SEARCHER)), NODES);
}

#[test]
fn full_width_bench_node_total_is_unchanged() {
    for (evaluation, expected) in
        [(Evaluation::embedded(), NODES_FULL_WIDTH), (Evaluation::HandMade, NODES_BY_HAND)]
    {
        let mut engine = FullWidth::new(FullWidthParams::DEFAULT, evaluation);
        assert_eq!(nodes(&mut engine, BenchLimit::of(&FullWidth::SEARCHER)), expected);
    }
}
