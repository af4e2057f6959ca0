//! Speed of the searchers: a fixed number of nodes with an empty table.

mod positions;

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kankei::engine::{Control, Engine, Limits, Query, Settings};
use kankei::papers::bonanza::FullWidth;
use kankei::search::{AlphaBeta, TranspositionTable};
use kankei::shogi::Position;

use positions::POSITIONS;

const NODES: u64 = 20_000;

/// Searches all positions with an empty table.
fn measure(criterion: &mut Criterion, name: &str, mut engine: impl Engine) {
    let positions: Vec<Position> =
        POSITIONS.iter().map(|sfen| Position::from_sfen(sfen).expect(sfen)).collect();
    engine.configure(&Settings { hash_mib: 1, ..Settings::default() });
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES * positions.len() as u64));
    group.sample_size(20);
    group.bench_function(format!("{name}, 20,000 nodes of 11 positions"), |bencher| {
        bencher.iter(|| {
            for pos in &positions {
                engine.new_game();
                let control = Control::new(Instant::now());
                black_box(engine.search(Query::new(pos, &limits, &control), &mut |_| ()));
            }
        });
    });
    group.finish();
}

fn searchers(criterion: &mut Criterion) {
    measure(criterion, "AlphaBeta", AlphaBeta::default());
    measure(criterion, "FullWidth", FullWidth::default());
}

/// Probes at random keys, which miss the caches, and clearing.
fn table(criterion: &mut Criterion) {
    let mut table = TranspositionTable::new(64);
    let mut group = criterion.benchmark_group("transposition table of 64 MiB");
    let keys: Vec<u64> = (1..=4_096_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function("probe", |bencher| {
        bencher.iter(|| {
            for &key in &keys {
                black_box(table.probe(black_box(key), 0));
            }
        });
    });
    group.finish();
    criterion.bench_function("clear a transposition table of 64 MiB", |bencher| {
        bencher.iter(|| table.clear());
    });
}

criterion_group!(benches, searchers, table);
criterion_main!(benches);
