//! Speed of the rules: perft, legal moves, making moves, static exchange evaluation, and mate in
//! one. The first three are compared with two other libraries, used as their documentation
//! recommends.
//!
//! All perfts build a move list at every node, and count the moves of the last ply without making
//! them.

mod positions;

use std::hint::black_box;

use arrayvec::ArrayVec;
use criterion::{Criterion, criterion_group, criterion_main};
use haitaka::Board;
use kankei::shogi::{
    Move, MoveList, PieceKind, Position, STARTPOS, Scope, SeeValues, movegen, perft,
};
use rsshogi::board::{Move32List, generate_legal_all_move32, position_from_sfen};

use positions::POSITIONS;

const DEPTH: u32 = 5;
const LEAVES: u64 = 19_861_490;

type HaitakaList = ArrayVec<haitaka::Move, 600>;
type RsshogiPosition = rsshogi::board::Position;

fn ours() -> Vec<Position> {
    POSITIONS.iter().map(|sfen| Position::from_sfen(sfen).expect(sfen)).collect()
}

fn boards() -> Vec<Board> {
    POSITIONS.iter().map(|sfen| Board::from_sfen(sfen).expect(sfen)).collect()
}

fn rsshogis() -> Vec<RsshogiPosition> {
    POSITIONS.iter().map(|sfen| position_from_sfen(sfen).expect(sfen)).collect()
}

/// Uses one preallocated vector per ply.
fn haitaka_vec_perft(board: &Board, depth: u32, lists: &mut [Vec<haitaka::Move>]) -> u64 {
    let Some((list, deeper)) = lists.split_first_mut() else { return 1 };
    list.clear();
    board.generate_moves(|moves| {
        list.extend(moves);
        false
    });
    if depth == 1 {
        return list.len() as u64;
    }
    let mut leaves = 0;
    for &mv in list.iter() {
        let mut next = board.clone();
        next.play_unchecked(mv);
        leaves += haitaka_vec_perft(&next, depth - 1, deeper);
    }
    leaves
}

/// Uses a list on the stack.
fn haitaka_array_perft(board: &Board, depth: u32) -> u64 {
    let mut list = HaitakaList::new();
    board.generate_moves(|moves| {
        for mv in moves {
            list.push(mv);
        }
        false
    });
    if depth == 1 {
        return list.len() as u64;
    }
    let mut leaves = 0;
    for mv in list {
        let mut next = board.clone();
        next.play_unchecked(mv);
        leaves += haitaka_array_perft(&next, depth - 1);
    }
    leaves
}

fn rsshogi_perft(pos: &mut RsshogiPosition, depth: u32) -> u64 {
    let mut list = Move32List::new();
    generate_legal_all_move32(pos, &mut list);
    if depth == 1 {
        return list.len() as u64;
    }
    let mut leaves = 0;
    for &mv in list.iter() {
        pos.apply_move32(mv);
        leaves += rsshogi_perft(pos, depth - 1);
        pos.undo_move32(mv).expect("the move was made");
    }
    leaves
}

fn perfts(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft 5");
    group.sample_size(15);
    group.bench_function("kankei", |b| {
        let mut pos = Position::startpos();
        b.iter(|| assert_eq!(perft::perft(&mut pos, black_box(DEPTH)), LEAVES));
    });
    group.bench_function("haitaka, vectors", |b| {
        let mut lists = vec![Vec::with_capacity(600); DEPTH as usize];
        let board = Board::startpos();
        b.iter(|| assert_eq!(haitaka_vec_perft(&board, black_box(DEPTH), &mut lists), LEAVES));
    });
    group.bench_function("haitaka, arrays", |b| {
        let board = Board::startpos();
        b.iter(|| assert_eq!(haitaka_array_perft(&board, black_box(DEPTH)), LEAVES));
    });
    group.bench_function("rsshogi", |b| {
        let mut pos = position_from_sfen(STARTPOS).expect(STARTPOS);
        b.iter(|| assert_eq!(rsshogi_perft(&mut pos, black_box(DEPTH)), LEAVES));
    });
    group.finish();
}

fn legal_moves(c: &mut Criterion) {
    let mut group = c.benchmark_group("legal moves of 11 positions");
    group.bench_function("kankei", |b| {
        let positions = ours();
        let mut list = MoveList::new();
        b.iter(|| {
            for pos in &positions {
                list.clear();
                movegen::generate(black_box(pos), Scope::LEGAL, &mut list);
                black_box(&list);
            }
        });
    });
    group.bench_function("haitaka", |b| {
        let positions = boards();
        let mut list = Vec::with_capacity(600);
        b.iter(|| {
            for board in &positions {
                list.clear();
                black_box(board).generate_moves(|moves| {
                    list.extend(moves);
                    false
                });
                black_box(&list);
            }
        });
    });
    group.bench_function("rsshogi", |b| {
        let positions = rsshogis();
        let mut list = Move32List::new();
        b.iter(|| {
            for pos in &positions {
                generate_legal_all_move32(black_box(pos), &mut list);
                black_box(&list);
            }
        });
    });
    group.finish();
}

fn do_and_undo(c: &mut Criterion) {
    let mut group = c.benchmark_group("every legal move of 11 positions made and unmade");
    group.bench_function("kankei", |b| {
        let mut positions: Vec<(Position, MoveList)> = ours()
            .into_iter()
            .map(|pos| {
                let moves = movegen::legal_moves(&pos, Scope::LEGAL);
                (pos, moves)
            })
            .collect();
        b.iter(|| {
            for (pos, moves) in &mut positions {
                for &mv in moves.iter() {
                    black_box(pos.do_move(mv));
                    pos.undo_move();
                }
            }
        });
    });
    group.bench_function("haitaka", |b| {
        let positions: Vec<(Board, Vec<haitaka::Move>)> = boards()
            .into_iter()
            .map(|board| {
                let mut list = Vec::new();
                board.generate_moves(|moves| {
                    list.extend(moves);
                    false
                });
                (board, list)
            })
            .collect();
        b.iter(|| {
            for (board, moves) in &positions {
                for &mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    black_box(&next);
                }
            }
        });
    });
    group.bench_function("rsshogi", |b| {
        let mut positions: Vec<(RsshogiPosition, Vec<rsshogi::types::Move32>)> = rsshogis()
            .into_iter()
            .map(|pos| {
                let mut list = Move32List::new();
                generate_legal_all_move32(&pos, &mut list);
                (pos, list.iter().copied().collect())
            })
            .collect();
        b.iter(|| {
            for (pos, moves) in &mut positions {
                for &mv in moves.iter() {
                    pos.apply_move32(mv);
                    black_box(&mut *pos);
                    pos.undo_move32(mv).expect("the move was made");
                }
            }
        });
    });
    group.finish();
}

/// Plain piece values: a pawn is 1.
fn see_values() -> SeeValues {
    let points = [1, 3, 3, 5, 6, 8, 10, 1000, 4, 5, 5, 6, 11, 13];
    let mut values = SeeValues { capture: points, promotion: [0; 14] };
    for kind in PieceKind::ALL {
        if let Some(promoted) = kind.promoted() {
            values.promotion[kind.index()] = points[promoted.index()] - points[kind.index()];
        }
    }
    values
}

/// Legal moves of one kind at a time.
fn kinds(c: &mut Criterion) {
    let mut group = c.benchmark_group("kankei, legal moves by kind, 11 positions");
    for (name, scope) in [
        ("captures", Scope::CAPTURES),
        ("captures and promotions", Scope::CAPTURES | Scope::PROMOTIONS),
        ("quiet moves", Scope::QUIETS),
        ("drops", Scope::DROPS),
    ] {
        let positions = ours();
        group.bench_function(name, |b| {
            b.iter(|| {
                for pos in &positions {
                    black_box(movegen::legal_moves(black_box(pos), scope));
                }
            });
        });
    }
    group.finish();
}

fn tactics(c: &mut Criterion) {
    let mut group = c.benchmark_group("kankei, 11 positions");
    group.bench_function("exchanges of all captures", |b| {
        let values = see_values();
        let positions: Vec<(Position, Vec<Move>)> = ours()
            .into_iter()
            .map(|pos| {
                let list = movegen::legal_moves(&pos, Scope::CAPTURES);
                (pos, list.into_iter().collect())
            })
            .collect();
        b.iter(|| {
            for (pos, moves) in &positions {
                for &mv in moves {
                    black_box(pos.see(black_box(mv), &values));
                }
            }
        });
    });
    group.bench_function("mate in one", |b| {
        let mut positions = ours();
        b.iter(|| {
            for pos in &mut positions {
                black_box(pos.mate_in_one());
            }
        });
    });
    group.bench_function("gives check, all legal moves", |b| {
        let positions = ours();
        b.iter(|| {
            for pos in &positions {
                black_box(movegen::legal_checks(black_box(pos), Scope::USEFUL).count());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, perfts, legal_moves, kinds, do_and_undo, tactics);
criterion_main!(benches);
