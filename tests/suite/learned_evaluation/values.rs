//! Properties of values: symmetries, rounding, limits and explanations.

use kankei::eval::learned::features::{SideView, pairs};
use kankei::eval::learned::kpp::Factored;
use kankei::eval::learned::network::{HeadInput, HeadShape, NetworkShape};
use kankei::eval::learned::{KingView, Kpp, Network, Term, Terms, Upper, Weights, full};
use kankei::eval::{Evaluation, Evaluator, Kernel, PieceIndex, PieceList};
use kankei::lab::learn::{RealHead, RealNetwork, RealUpper, RealWeights};
use kankei::shogi::{Color, Position};

use super::{Form, HEADS, evaluation, network, random_numbers, random_weights};
use crate::evaluation::{
    MIRRORED, check_explained, check_piece_king_change, check_turned, check_without_king,
    random_game,
};
use crate::positions::position;

#[test]
fn turned_board_has_the_same_value_for_the_side_to_move() {
    let forms = [Form::None, Form::Table, Form::Factored(64)];
    for form in forms.into_iter().chain(HEADS.map(|head| network(32, false, head))) {
        check_turned(&evaluation(form, 3), 50);
    }
}

#[test]
fn mirrored_positions_have_the_same_value() {
    let network = |head| evaluation(network(64, head == HEADS[1], head), 5);
    let networks = HEADS.map(network);
    let table = evaluation(Form::Table, 5);
    for pair in MIRRORED {
        let [left, right] = pair.map(position);
        // If its king is on the middle file, a side's view in a network is not mirrored.
        let has_middle_king =
            left.kings().expect("both kings exist").iter().any(|king| king.file() == 4);
        let networks = networks.iter().filter(|_| !has_middle_king);
        for evaluation in networks.chain([&table]) {
            assert_eq!(evaluation.evaluate(&left), evaluation.evaluate(&right), "{left}");
        }
    }
}

/// The network's value in real numbers, computed by its definition.
fn real_network_value(network: &RealNetwork, pos: &Position) -> f64 {
    let list = PieceList::new(pos);
    let views = SideView::both(pos.kings().expect("both kings exist"), &list);
    let accumulator = |side: Color| -> Vec<f64> {
        let view = views[side.index()];
        let king = view.kings.king();
        let table = if network.king_relative { king } else { 0 };
        let pieces = view.normal_pieces().map(PieceIndex::index);
        let pieces = pieces.into_iter().filter(|&index| index != 0);
        let rows: Vec<usize> = pieces.chain([PieceIndex::COUNT + view.kings.enemy()]).collect();
        let unit = |unit: usize| {
            let row = |row| network.rows[(table * Network::ROWS + row) * network.units + unit];
            let bias = network.biases[king * network.units + unit];
            f64::from(bias) + rows.iter().map(|&at| f64::from(row(at))).sum::<f64>()
        };
        (0..network.units).map(unit).collect()
    };
    let side = pos.side_to_move();
    let (own, enemy) = (accumulator(side), accumulator(!side));
    let input = network.head.input;
    let input = [own, enemy].into_iter().flat_map(|units| real_input(input, &units));
    real_head_value(&network.head, &input.collect::<Vec<_>>())
}

fn clipped(x: f64) -> f64 {
    x.clamp(0.0, 127.0 / 128.0)
}

/// The input of a head from one side's hidden units.
fn real_input(input: HeadInput, units: &[f64]) -> Vec<f64> {
    match input {
        HeadInput::Clipped => units.iter().map(|&x| clipped(x)).collect(),
        HeadInput::Products => {
            let (first, second) = units.split_at(units.len() / 2);
            let factor = |x: f64| x.clamp(0.0, 255.0 / 256.0);
            first.iter().zip(second).map(|(&a, &b)| factor(a) * factor(b)).collect()
        }
    }
}

fn real_head_value(head: &RealHead, input: &[f64]) -> f64 {
    let sum = |row: &[f32], input: &[f64]| {
        row.iter().zip(input).map(|(&weight, x)| f64::from(weight) * x).sum::<f64>()
    };
    let layer = |weights: &[f32], biases: &[f32], input: &[f64]| -> Vec<f64> {
        let rows = weights.chunks(input.len()).zip(biases);
        rows.map(|(row, &bias)| f64::from(bias) + sum(row, input)).collect()
    };
    let first = layer(&head.first, &head.first_bias, input);
    let is_dual = head.second.len() > 32 * first.len();
    let squares = first.iter().filter(|_| is_dual).map(|x| (x * x).min(127.0 / 128.0));
    let activations: Vec<f64> = first.iter().map(|&x| clipped(x)).chain(squares).collect();
    let second = layer(&head.second, &head.second_bias, &activations);
    f64::from(head.last_bias)
        + second
            .iter()
            .zip(&head.last)
            .map(|(&x, &weight)| clipped(x) * f64::from(weight))
            .sum::<f64>()
}

#[test]
fn rounded_networks_have_nearly_the_same_values() {
    let mut numbers = random_numbers(21);
    for (king_relative, head) in [false, true].into_iter().flat_map(|k| HEADS.map(|head| (k, head)))
    {
        let shape = NetworkShape { units: 64, king_relative, head };
        let mut network = RealNetwork::draw(shape, &mut numbers);
        // Round these weights, whose few bits cause most of the error, before the comparison.
        for weight in network.head.first.iter_mut().chain(&mut network.head.second) {
            *weight = (64.0 * *weight).round() / 64.0;
        }
        let upper = RealUpper::Network(network.clone());
        let quantized = RealWeights { upper, ..RealWeights::zero() }.quantize();
        assert_eq!(quantized.clipped, 0);
        let (mut error, mut size, mut count) = (0.0, 0.0, 0.0);
        for seed in 0..3 {
            random_game(seed, 100, |pos, _, _| {
                let relations = full::relations(&quantized.weights, pos).expect("both kings exist");
                let exact = real_network_value(&network, pos);
                error += (f64::from(relations.network) / 32.0 - exact).abs();
                size += exact.abs();
                count += 1.0;
            });
        }
        let (error, size) = (error / count, size / count);
        assert!(size > 50.0 && error < 0.05 * size, "{shape}: {error} of {size}");
    }
}

#[test]
fn too_large_weights_of_a_network_are_clamped() {
    let mut numbers = |count: usize, _| vec![1.0; count];
    let shape = NetworkShape { units: 32, king_relative: false, head: HeadShape::classic(16) };
    let mut network = RealNetwork::draw(shape, &mut numbers);
    network.rows[32] = 4.0;
    network.biases[0] = -7.0;
    let head = &mut network.head;
    head.first[0] = 2.0;
    head.second[0] = -127.0 / 64.0;
    head.last[0] = 8_000.0;
    head.last_bias = 1e6;
    head.first_bias[0] = -1e4;
    let real = RealWeights { upper: RealUpper::Network(network), ..RealWeights::zero() };
    let quantized = real.quantize();
    assert_eq!(quantized.clipped, 5);
    let network = quantized.weights.network().expect("the network was just set");
    assert_eq!(network.rows()[31..34], [0, Network::LARGEST_WEIGHT, Network::ONE]);
    assert_eq!(network.biases()[..2], [-Network::LARGEST_BIAS, Network::ONE]);
    let head = network.head();
    let [first, second] = head.layers();
    assert_eq!(first.weights()[..2], [127, 64]);
    assert_eq!(first.biases()[..2], [-(1 << 24), 8_192]);
    assert_eq!(second.weights()[..2], [-127, 64]);
    assert_eq!(head.last().0[..2], [32_000, 4]);
    assert_eq!(head.last().1, 1 << 24);
}

#[test]
fn a_standalone_network_is_alone_and_has_a_classic_head() {
    let zero = RealWeights::zero().quantize().weights;
    let weights = random_weights(Form::None, 1);
    let standalone = |weights: &Weights, head: HeadShape| {
        let shape = NetworkShape { units: 32, king_relative: false, head };
        let zeros = |count: usize, _| vec![0.0; count];
        let real = RealUpper::Network(RealNetwork::draw(shape, zeros));
        let with = RealWeights { upper: real, ..RealWeights::zero() }.quantize().weights;
        let network = with.network().expect("just made").clone();
        let tables = Terms::from_fn(|term| weights.table(term).into_owned());
        Weights::new(*weights.piece_values(), tables, Upper::Standalone(network))
    };
    assert!(
        standalone(&zero, HeadShape::classic(32)).is_some_and(|weights| weights.is_standalone())
    );
    for other in HEADS.into_iter().filter(|head| !head.is_classic()) {
        assert!(standalone(&zero, other).is_none());
    }
    assert!(standalone(&weights, HeadShape::classic(32)).is_none());
}

/// The halves of both sides, as sums of individual weights over all pairs.
fn halves_by_pairs(weights: &Weights, pos: &Position) -> [f64; 2] {
    let list = PieceList::new(pos);
    SideView::both(pos.kings().expect("both kings exist"), &list).map(|view| {
        let kpp = weights.kpp().expect("the weights have KPP");
        let weight = |i, j| kpp.weight(view.kings.king(), i, j);
        let mut sum = 0.0;
        for (i, others) in pairs(&view.normal_pieces()) {
            sum += others.iter().map(|&j| weight(i, j)).sum::<f64>();
            if let Kpp::Factored(_) = kpp {
                sum += weight(i, i) / 2.0;
            }
        }
        sum
    })
}

#[test]
fn a_half_is_the_sum_of_its_pairs() {
    for form in [Form::Table, Form::Factored(96)] {
        let weights = random_weights(form, 11);
        for seed in 0..10 {
            random_game(seed, 100, |pos, _, _| {
                let halves = full::relations(&weights, pos).expect("both kings exist").kpp;
                for (half, sum) in halves.into_iter().zip(halves_by_pairs(&weights, pos)) {
                    assert!((f64::from(half) - sum).abs() <= 1.0, "{form:?}: {half} {sum}");
                }
            });
        }
    }
}

#[test]
fn the_largest_factors_do_not_overflow() {
    let rank = 256;
    let mut rows = vec![Factored::LARGEST; KingView::KINGS * PieceIndex::COUNT * rank];
    for row in rows.chunks_exact_mut(rank) {
        row[rank / 2..].fill(0);
    }
    for king in rows.chunks_exact_mut(PieceIndex::COUNT * rank) {
        king[..rank].fill(0);
    }
    let bits = *Factored::FRACTION_BITS.start();
    let form = Factored::new(rank, bits, rows.clone()).expect("the factors are within the bounds");
    let startpos = Position::startpos();
    let list = PieceList::new(&startpos);
    let [view, _] = SideView::both(startpos.kings().expect("both kings exist"), &list);
    let sum = i64::from(Factored::LARGEST) * PieceList::SLOTS as i64;
    let exact = (rank as i64 / 2 * sum * sum) >> (2 * bits + 1 - 5);
    for kernel in Kernel::available() {
        assert_eq!(i64::from(form.half(kernel, view)), exact, "{kernel:?}");
    }
    rows[rank] = Factored::LARGEST + 1;
    assert!(Factored::new(rank, bits, rows).is_none(), "too large a factor was accepted");
}

#[test]
fn without_a_king_the_value_is_material() {
    check_without_king(&evaluation(Form::Factored(32), 2));
}

#[test]
fn handicap_games_have_empty_slots() {
    let evaluation = evaluation(Form::Factored(32), 2);
    let sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let mut pos = position(sfen);
    let mut evaluator = Evaluator::new(&evaluation, &pos);
    for mv in ["5a5b", "7g7f", "3c3d", "8h3c+", "2a3c"] {
        evaluator.push(&pos.do_move(mv.parse().expect("a move")));
        assert_eq!(evaluator.evaluate(&pos), evaluation.evaluate(&pos), "{pos}");
    }
}

#[test]
fn piece_king_change_is_the_change_of_kkp() {
    let weights = random_weights(Form::None, 4);
    let part =
        |pos: &Position| full::relations(&weights, pos).expect("both kings exist").terms[Term::Kkp];
    check_piece_king_change(&Evaluation::Learned(weights.clone()), 20, 32, part);
}

#[test]
fn explained_parts_add_up() {
    for form in [Form::Factored(32), network(32, false, HeadShape::classic(16))] {
        check_explained(&evaluation(form, 6), 4);
    }
}
