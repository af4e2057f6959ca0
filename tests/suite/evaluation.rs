//! The hand-made evaluation: incremental values, symmetry, piece indices and piece lists.

use std::sync::Arc;

use kankei::cli::register_papers;
use kankei::command::score_parts::parts;
use kankei::eval::hand_made;
use kankei::eval::material::PieceValues;
use kankei::eval::{Evaluation, Evaluator, Kernel, PieceIndex, PieceList};
use kankei::papers::bonanza::hoki::HokiWeights;
use kankei::papers::bonanza::searcher::piece_king_change;
use kankei::papers::pairs::form::{PairWeights, RELATIONS, TABLE_2, file};
use kankei::papers::td::features::FeatureWeights;
use kankei::rng::Rng;
use kankei::shogi::movegen::legal_moves;
use kankei::shogi::{Color, HandPiece, Move, Piece, PieceKind, Place, Position, Scope, Square};

use crate::positions::position;

/// Plays a random game of at most `plies` moves. Calls `visit` with each move before it is made.
pub fn random_game(seed: u64, plies: usize, mut visit: impl FnMut(&mut Position, Move, &mut Rng)) {
    let mut rng = Rng::from_seed(seed);
    let mut pos = Position::startpos();
    for _ in 0..plies {
        let moves = legal_moves(&pos, Scope::LEGAL);
        let captures = legal_moves(&pos, Scope::CAPTURES);
        // Prefer captures, so that hands fill.
        let pick = if rng.below(3) == 0 { rng.choose(&captures) } else { None };
        let Some(&mv) = pick.or_else(|| rng.choose(&moves)) else { return };
        visit(&mut pos, mv, &mut rng);
        pos.do_move(mv);
    }
}

fn sorted(list: &PieceList, view: Color) -> [PieceIndex; PieceList::SLOTS] {
    let mut indices = *list.list(view);
    indices.sort();
    indices
}

/// The piece values of a learned or registered form.
fn piece_values(evaluation: &Evaluation) -> Option<&PieceValues> {
    if let Evaluation::Learned(weights) = evaluation {
        return Some(weights.piece_values());
    }
    let pairs = evaluation.registered::<PairWeights>().map(|_| &TABLE_2);
    let features = || evaluation.registered().map(FeatureWeights::piece_values);
    let hoki = || evaluation.registered().map(HokiWeights::piece_values);
    pairs.or_else(features).or_else(hoki)
}

/// Compares incremental evaluation and evaluation from scratch at random plies of a random game,
/// with side lines and null moves. `tempo` is the value of having the move in
/// [`Evaluator::material`].
pub fn check_game(evaluation: &Evaluation, kernel: Kernel, tempo: i32, seed: u64) {
    let mut evaluator = Evaluator::with_kernel(evaluation, kernel, &Position::startpos());
    let check = |evaluator: &mut Evaluator, pos: &Position| {
        assert_eq!(evaluator.evaluate(pos), evaluation.evaluate(pos), "seed {seed}: {pos}");
    };
    let piece_values = piece_values(evaluation).unwrap_or(&PieceValues::ENGINE);
    random_game(seed, 120, |pos, mv, rng| {
        let us = pos.side_to_move();
        let balance = piece_values.balance(pos);
        assert_eq!(evaluator.material(us), us.sign() * balance + tempo);
        assert_eq!(evaluator.material(!us), -evaluator.material(us));
        // Some positions are not evaluated, so that several moves accumulate.
        if rng.below(3) == 0 {
            check(&mut evaluator, pos);
        }
        let passes = !pos.in_check() && rng.below(4) == 0;
        if passes {
            pos.do_null_move();
            evaluator.push_null();
        }
        // A side line whose moves are undone.
        let mut line = 0;
        for _ in 0..rng.below(9) {
            let Some(&other) = rng.choose(&legal_moves(pos, Scope::LEGAL)) else { break };
            evaluator.push(&pos.do_move(other));
            line += 1;
            if rng.below(3) == 0 {
                check(&mut evaluator, pos);
            }
        }
        for _ in 0..line {
            pos.undo_move();
            evaluator.pop();
        }
        if passes {
            check(&mut evaluator, pos);
            pos.undo_null_move();
            evaluator.pop();
        }
        if rng.below(2) == 0 {
            check(&mut evaluator, pos);
        }
        let delta = pos.do_move(mv);
        pos.undo_move();
        evaluator.push(&delta);
    });
}

#[test]
fn incremental_equals_full_in_random_games() {
    for seed in 0..1_000 {
        check_game(&Evaluation::HandMade, Kernel::detect(), hand_made::TEMPO, seed);
    }
}

#[test]
fn incremental_pairs_equal_full() {
    let mut rng = Rng::from_seed(1);
    let weights: Vec<i8> = (0..RELATIONS).map(|_| rng.below(256) as u8 as i8).collect();
    let weights = PairWeights::new(&weights).expect("one weight per relation");
    let evaluation = Evaluation::Registered(Arc::new(weights));
    for seed in 0..300 {
        check_game(&evaluation, Kernel::detect(), 0, seed);
    }
}

#[test]
fn files_of_registered_forms_are_read() {
    register_papers();
    register_papers();
    let weights = PairWeights::zero();
    let mut file = Vec::new();
    file::write(&weights, &mut file, 1).expect("writing to a Vec cannot fail");
    let read = Evaluation::from_bytes(&file).expect("the form is registered");
    assert_eq!(read.registered(), Some(&weights));
    assert!(read.registered::<HokiWeights>().is_none());
    assert!(Evaluation::HandMade.registered::<PairWeights>().is_none());
}

#[test]
fn piece_list_equals_list_from_scratch() {
    for seed in 0..200 {
        let mut list = PieceList::new(&Position::startpos());
        random_game(seed, 150, |pos, mv, rng| {
            let moves = legal_moves(pos, Scope::LEGAL);
            let other = rng.choose(&moves).copied().unwrap_or(mv);
            let deltas = [other, mv].map(|mv| {
                let delta = pos.do_move(mv);
                pos.undo_move();
                delta
            });
            let before = Color::ALL.map(|view| *list.list(view));
            list.apply(&deltas[0]);
            list.revert(&deltas[0]);
            assert_eq!(before, Color::ALL.map(|view| *list.list(view)), "seed {seed}: {pos}");
            list.apply(&deltas[1]);
            pos.do_move(mv);
            let scratch = PieceList::new(pos);
            for view in Color::ALL {
                assert_eq!(sorted(&list, view), sorted(&scratch, view), "seed {seed}: {pos}");
            }
            for (black, white) in list.list(Color::Black).iter().zip(list.list(Color::White)) {
                assert_eq!(black.to_place(Color::Black), white.to_place(Color::White));
            }
            pos.undo_move();
        });
    }
}

#[test]
fn piece_list_of_a_mate_problem_has_empty_slots() {
    let pos = position("4k4/9/4P4/9/9/9/9/9/9 b 2G 1");
    let list = PieceList::new(&pos);
    let used = list.list(Color::White).iter().filter(|&&index| index != PieceIndex::NONE);
    assert_eq!(used.count(), 3);
}

/// The position rotated by 180 degrees with the colors swapped has the same value.
pub fn check_turned(evaluation: &Evaluation, games: u64) {
    for seed in 0..games {
        random_game(seed, 150, |pos, _, _| {
            let turned = evaluation.evaluate(&pos.turned());
            assert_eq!(evaluation.evaluate(pos), turned, "seed {seed}: {pos}");
        });
    }
}

#[test]
fn turned_board_has_the_same_value_for_the_side_to_move() {
    check_turned(&Evaluation::HandMade, 200);
}

/// Positions and their mirror images.
pub const MIRRORED: [[&str; 2]; 5] = [
    ["4k4/9/9/9/9/9/9/1B5R1/4K4 b - 1", "4k4/9/9/9/9/9/9/1R5B1/4K4 b - 1"],
    ["3k5/9/9/4p4/4B4/9/9/7G1/4K4 w P2g 1", "5k3/9/9/4p4/4B4/9/9/1G7/4K4 w P2g 1"],
    ["k8/9/9/4p4/9/9/9/7G1/8K b - 1", "8k/9/9/4p4/9/9/9/1G7/K8 b - 1"],
    ["3k5/9/9/4p4/4B4/9/9/7G1/5K3 w P2g 1", "5k3/9/9/4p4/4B4/9/9/1G7/3K5 w P2g 1"],
    [
        "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1",
        "ln1g1g1nl/3r2sk1/ppb1pppp1/2pps3p/9/PP1PS1P1P/2P1PPSP1/3RG1KB1/LN1G3NL b - 1",
    ],
];

#[test]
fn mirrored_positions_have_the_same_value() {
    for pair in MIRRORED {
        let [left, right] = pair.map(|sfen| hand_made::evaluate(&position(sfen)));
        assert_eq!(left, right, "{pair:?}");
    }
}

/// Without a king, the value is material only, before and after a move.
pub fn check_without_king(evaluation: &Evaluation) {
    let mut pos = position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    let mut evaluator = Evaluator::new(evaluation, &pos);
    assert_eq!(evaluator.evaluate(&pos).to_cp(), evaluator.material(Color::Black));
    let mv: Move = "G*5b".parse().expect("a move");
    assert_eq!(piece_king_change(evaluation, &pos, mv), 0);
    evaluator.push(&pos.do_move(mv));
    assert_eq!(evaluator.evaluate(&pos), evaluation.evaluate(&pos));
    pos.undo_move();
    evaluator.pop();
    assert_eq!(evaluator.evaluate(&pos), evaluation.evaluate(&pos));
}

#[test]
fn without_a_king_the_value_is_material() {
    check_without_king(&Evaluation::HandMade);
}

/// The change of a quiet move is that of `part`, divided by `unit`.
pub fn check_piece_king_change(
    evaluation: &Evaluation,
    games: u64,
    unit: i32,
    part: impl Fn(&Position) -> i32,
) {
    for seed in 0..games {
        random_game(seed, 150, |pos, _, _| {
            let us = pos.side_to_move();
            let before = part(pos);
            for mv in legal_moves(pos, Scope::LEGAL) {
                let change = piece_king_change(evaluation, pos, mv);
                if pos.moved_piece(mv) == PieceKind::King {
                    assert_eq!(change, 0);
                } else if !pos.is_capture(mv) {
                    pos.do_move(mv);
                    let after = part(pos);
                    pos.undo_move();
                    let expected = us.sign() * (after - before) / unit;
                    assert_eq!(change, expected, "seed {seed}: {mv} in {pos}");
                }
            }
        });
    }
}

#[test]
fn piece_king_change_is_the_difference_of_full_values() {
    check_piece_king_change(&Evaluation::HandMade, 100, 1, hand_made::relations);
}

#[test]
fn indices_and_places_round_trip() {
    let mut seen = vec![false; PieceIndex::COUNT];
    let mut check = |place: Place, canonical: Place| {
        for view in Color::ALL {
            let index = PieceIndex::new(place, view).expect("no king");
            assert_eq!(PieceIndex::from_index(index.index()), Some(index));
            assert_eq!(index.to_place(view), Some(canonical));
            seen[index.index()] = true;
        }
    };
    for color in Color::ALL {
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King) {
            let is_gold =
                kind.is_promoted() && !matches!(kind, PieceKind::Horse | PieceKind::Dragon);
            let movement = if is_gold { PieceKind::Gold } else { kind };
            for sq in Square::all() {
                check(
                    Place::Board(sq, Piece::new(color, kind)),
                    Place::Board(sq, Piece::new(color, movement)),
                );
            }
        }
        for held in HandPiece::ALL {
            for n in 1..=held.set_size() {
                let place = Place::Hand(color, held, n);
                check(place, place);
            }
        }
    }
    // All indices except the 14 that no piece in hand has.
    assert_eq!(seen.iter().filter(|&&seen| seen).count(), PieceIndex::COUNT - 14);
    for (number, seen) in seen.into_iter().enumerate() {
        let index = PieceIndex::from_index(number).expect("in range");
        assert_eq!(index.to_place(Color::Black).is_some(), seen, "index {number}");
    }
}

/// The parts of an explanation add up to the value. `rounding`: largest difference, centipawns.
pub fn check_explained(evaluation: &Evaluation, rounding: i32) {
    random_game(7, 150, |pos, _, _| {
        let sum: i32 = parts(evaluation, pos).into_iter().map(|(_, part)| part).sum();
        let value = evaluation.evaluate(pos).to_cp();
        assert!((sum - value).abs() <= rounding, "{pos}: {sum} {value}");
    });
}

#[test]
fn explained_parts_add_up() {
    check_explained(&Evaluation::HandMade, 0);
}
