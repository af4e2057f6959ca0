//! Values are those of the format, from scratch and along a line of moves.

use kankei::eval::nnue::{FeatureSet, FvScale, full};
use kankei::eval::{Evaluator, Kernel};
use kankei::lab::nnue_file::synthetic;
use kankei::shogi::Position;

use super::naive::Naive;
use super::{FORMS, evaluation, network, read};
use crate::evaluation::check_game;
use crate::positions::{position, random_positions};

#[test]
fn values_match_the_format() {
    for (seed, form) in (1..).zip(FORMS) {
        let bytes = synthetic::file(form, seed);
        let network = read(&bytes).expect("the file is valid");
        let naive = Naive::new(form, &bytes);
        let mut signs = [0; 2];
        random_positions(seed, 400, |pos| {
            let has_kings = pos.kings().is_some();
            if !has_kings && (form.features != FeatureSet::Kp || form.heads() > 1) {
                assert_eq!(full::raw(&network, Kernel::Portable, pos), None);
                return;
            }
            let expected = naive.raw(pos);
            for kernel in Kernel::available() {
                let raw = full::raw(&network, kernel, pos).map(i64::from);
                assert_eq!(raw, Some(expected), "{form}, {kernel:?}: {pos}");
            }
            signs[usize::from(expected < 0)] += 1;
        });
        assert!(signs.iter().all(|&count| count > 0), "{form}: {signs:?}");
    }
}

#[test]
fn incremental_equals_full() {
    for (seed, form) in (1..).zip(FORMS) {
        let evaluation = evaluation(form, seed);
        for game in 0..200 {
            for kernel in Kernel::available() {
                check_game(&evaluation, kernel, 0, game);
            }
        }
    }
}

#[test]
fn pieces_and_positions_have_the_same_values() {
    let network = network(FORMS[3], 5);
    random_positions(3, 300, |pos| {
        let (Some(kings), side) = (pos.kings(), pos.side_to_move()) else { return };
        let list = kankei::eval::PieceList::new(pos);
        let seen = |color: kankei::shogi::Color| kings[color.index()].relative(side);
        let kernel = Kernel::detect();
        let raw = full::raw_of_pieces(&network, kernel, list.list(side), seen(side), seen(!side));
        assert_eq!(Some(raw), full::raw(&network, Kernel::Portable, pos));
    });
}

#[test]
fn without_a_king_the_value_is_material_except_with_kp() {
    let mut pos = position("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    for form in FORMS {
        let evaluation = evaluation(form, 1);
        let mut evaluator = Evaluator::new(&evaluation, &pos);
        let value = evaluator.evaluate(&pos).to_cp();
        assert_eq!(value, evaluation.evaluate(&pos).to_cp());
        let is_material = value == evaluator.material(pos.side_to_move());
        let has_value = form.features == FeatureSet::Kp && form.heads() == 1;
        assert_eq!(is_material, !has_value, "{form}");
        evaluator.push(&pos.do_move("G*5b".parse().expect("a move")));
        assert_eq!(evaluator.evaluate(&pos), evaluation.evaluate(&pos));
        pos.undo_move();
    }
}

#[test]
fn own_values_are_rounded_towards_zero_and_clamped() {
    let network = network(FORMS[1], 1);
    let scale = |scale: u8| FvScale::new(scale).expect("in range");
    for (raw, by, value) in [(-33, 16, -2), (33, 16, 2), (-15, 16, 0), (i32::MAX, 128, 31_753)] {
        assert_eq!(network.own_value(raw, scale(by)), value);
    }
    assert_eq!(network.own_value(i32::MIN, scale(1)), -31_753);
    assert_eq!([0, 129].map(FvScale::new), [None; 2]);
}

#[test]
fn shares_are_differences_of_values() {
    let network = network(FORMS[2], 2);
    let with = position("4k4/9/4p4/9/9/2S6/4P4/9/4K4 b P 1");
    let without = position("4k4/9/4p4/9/9/9/4P4/9/4K4 b P 1");
    let value = |pos: &Position| full::evaluate(&network, pos).to_cp();
    let shares = full::shares(&network, &with);
    assert_eq!(shares.len(), 4);
    let silver = shares.iter().find(|(place, _)| format!("{place:?}").contains("7f"));
    assert_eq!(silver.expect("a silver").1, value(&with) - value(&without));
}
