//! The move generator compared with a slow generator and with another library.

use std::collections::BTreeSet;

use kankei::rng::Rng;
use kankei::shogi::{Move, MoveList, PieceKind, Position, Scope, movegen};
use rayon::prelude::*;

use crate::positions::random_positions;

fn set(moves: impl IntoIterator<Item = Move>) -> BTreeSet<u16> {
    moves.into_iter().map(Move::to_bits).collect()
}

fn generated(pos: &Position, scope: Scope) -> BTreeSet<u16> {
    let list = movegen::legal_moves(pos, scope);
    let moves = set(list.iter().copied());
    assert_eq!(moves.len(), list.len(), "a move twice in {pos}");
    moves
}

/// The slow, simple generator: every conceivable move, tested by [`Position::is_legal`].
fn by_trial(pos: &Position) -> BTreeSet<u16> {
    let all = (0..=u16::MAX).filter_map(Move::from_bits);
    set(all.filter(|&mv| pos.is_legal(mv)))
}

#[test]
fn fast_generator_equals_trial() {
    random_positions(11, 2_000, |pos| {
        let fast = generated(pos, Scope::LEGAL);
        assert_eq!(fast, by_trial(pos), "{pos}");
        assert_eq!(movegen::has_legal_move(pos), !fast.is_empty(), "{pos}");
    });
}

#[test]
fn generated_checks_are_the_moves_that_give_check() {
    let mut seen = 0;
    random_positions(13, 5_000, |pos| {
        let checks = pos.check_squares();
        for scope in [Scope::USEFUL, Scope::LEGAL] {
            let mut list = MoveList::new();
            movegen::generate_checks(pos, scope, &checks, &mut list);
            let expected = set(movegen::legal_checks(pos, scope));
            assert_eq!(list.len(), expected.len(), "a move twice in {pos}");
            assert_eq!(set(list), expected, "{pos}");
            seen += expected.len();
        }
        let expected = set(movegen::legal_checks(pos, Scope::LEGAL));
        for mv in movegen::legal_moves(pos, Scope::LEGAL) {
            pos.do_move(mv);
            let check = pos.in_check();
            pos.undo_move();
            assert_eq!(expected.contains(&mv.to_bits()), check, "{mv} in {pos}");
        }
    });
    assert!(seen > 5_000, "{seen}");
}

/// The documented definition of [`Scope::POINTLESS`].
fn is_pointless(pos: &Position, mv: Move) -> bool {
    let Some(from) = mv.from() else { return false };
    let us = pos.side_to_move();
    let may_promote = from.is_promotion_zone(us) || mv.to().is_promotion_zone(us);
    !mv.is_promotion()
        && match pos.moved_piece(mv) {
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => may_promote,
            PieceKind::Lance => mv.to().relative(us).rank() == 1,
            _ => false,
        }
}

#[test]
fn scopes_agree_with_their_documentation() {
    let (mut in_check, mut pointless) = (0, 0);
    random_positions(12, 5_000, |pos| {
        let legal = movegen::legal_moves(pos, Scope::LEGAL);
        let expect = |scope, wanted: &dyn Fn(Move) -> bool| {
            let expected = set(legal.iter().copied().filter(|&mv| wanted(mv)));
            assert_eq!(generated(pos, scope), expected, "{scope:?} in {pos}");
        };
        let king = |mv: Move| mv.from().is_some() && pos.moved_piece(mv) == PieceKind::King;
        let useful = |mv: Move| !is_pointless(pos, mv);
        let quiet = |mv: Move| mv.from().is_some() && !pos.is_capture(mv);
        expect(Scope::USEFUL, &useful);
        expect(Scope::CAPTURES, &|mv| useful(mv) && pos.is_capture(mv));
        expect(Scope::QUIETS, &|mv| useful(mv) && quiet(mv));
        expect(Scope::DROPS, &|mv| mv.from().is_none());
        expect(Scope::PROMOTIONS, &|mv| quiet(mv) && mv.is_promotion());
        expect(Scope::KING, &|mv| quiet(mv) && king(mv));
        expect(Scope::CAPTURES | Scope::PROMOTIONS, &|mv| {
            useful(mv) && (pos.is_capture(mv) || mv.is_promotion())
        });
        expect(Scope::CAPTURES | Scope::KING, &|mv| useful(mv) && (pos.is_capture(mv) || king(mv)));
        expect(Scope::CAPTURES | Scope::POINTLESS, &|mv| pos.is_capture(mv));
        expect(Scope::QUIETS | Scope::POINTLESS, &quiet);
        in_check += usize::from(pos.in_check());
        pointless += legal.iter().filter(|&&mv| is_pointless(pos, mv)).count();
    });
    assert!(in_check > 150 && pointless > 300, "{in_check} checks, {pointless} pointless moves");
}

/// The moves as another library generates them.
fn foreign(pos: &Position) -> BTreeSet<u16> {
    let other = rsshogi::board::position_from_sfen(&pos.to_sfen())
        .expect("both libraries accept the position");
    let mut list = rsshogi::board::Move32List::new();
    rsshogi::board::generate_legal_all_move32(&other, &mut list);
    set(list.iter().map(|mv| mv.to_usi().parse::<Move>().expect("both libraries accept the move")))
}

fn compare_with_foreign(seed: u64, positions: usize) {
    random_positions(seed, positions, |pos| {
        assert_eq!(generated(pos, Scope::LEGAL), foreign(pos), "{pos}");
    });
}

#[test]
fn equals_another_library() {
    compare_with_foreign(14, 4_000);
}

#[test]
#[ignore = "a million positions take minutes: cargo test --release -- --ignored"]
fn equals_another_library_a_million_times() {
    let mut rng = Rng::from_seed(15);
    let seeds: Vec<u64> = (0..100).map(|_| rng.next_u64()).collect();
    seeds.par_iter().for_each(|&seed| compare_with_foreign(seed, 10_000));
}
