//! Cost of an evaluation: after a move, after a king move, from scratch.

mod positions;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use kankei::eval::{Evaluator, full, piece_king_change};
use kankei::shogi::{Position, Scope, movegen};

use positions::POSITIONS;

fn all() -> Vec<Position> {
    POSITIONS.iter().map(|sfen| Position::from_sfen(sfen).expect(sfen)).collect()
}

fn incremental(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation, all moves of 11 positions");
    group.bench_function("make, push, evaluate, pop, unmake", |bencher| {
        let mut games: Vec<_> = all().into_iter().map(|pos| (Evaluator::new(&pos), pos)).collect();
        bencher.iter(|| {
            for (evaluator, pos) in &mut games {
                for mv in movegen::legal_moves(pos, Scope::USEFUL) {
                    let delta = pos.do_move(mv);
                    evaluator.push(&delta);
                    black_box(evaluator.evaluate(pos));
                    evaluator.pop();
                    pos.undo_move();
                }
            }
        });
    });
    group.bench_function("make, unmake", |bencher| {
        let mut positions = all();
        bencher.iter(|| {
            for pos in &mut positions {
                for mv in movegen::legal_moves(pos, Scope::USEFUL) {
                    black_box(pos.do_move(mv));
                    pos.undo_move();
                }
            }
        });
    });
    group.bench_function("piece-king change", |bencher| {
        let positions = all();
        bencher.iter(|| {
            for pos in &positions {
                for mv in movegen::legal_moves(pos, Scope::USEFUL) {
                    black_box(piece_king_change(pos, mv));
                }
            }
        });
    });
    group.finish();
}

fn from_scratch(criterion: &mut Criterion) {
    let positions = all();
    criterion.bench_function("evaluation from scratch, 11 positions", |bencher| {
        bencher.iter(|| {
            for pos in &positions {
                black_box(full::evaluate(pos));
            }
        });
    });
}

criterion_group!(benches, incremental, from_scratch);
criterion_main!(benches);
