//! Speed of the searcher: a fixed number of nodes from an empty table.

mod positions;

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kankei::engine::{Control, Engine, Limits, Settings};
use kankei::search::FullWidth;
use kankei::shogi::Position;

use positions::POSITIONS;

const NODES: u64 = 20_000;

fn full_width(criterion: &mut Criterion) {
    let positions: Vec<Position> =
        POSITIONS.iter().map(|sfen| Position::from_sfen(sfen).expect(sfen)).collect();
    let mut engine = FullWidth::default();
    engine.configure(&Settings { hash_mib: 1, ..Settings::default() });
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES * positions.len() as u64));
    group.sample_size(20);
    group.bench_function("full-width, 20,000 nodes of 11 positions", |bencher| {
        bencher.iter(|| {
            for pos in &positions {
                engine.new_game();
                let control = Control::new(Instant::now());
                black_box(engine.search(pos, &limits, &control, &mut |_| ()));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, full_width);
criterion_main!(benches);
