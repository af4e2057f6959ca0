//! The learned evaluation with random weights: every form, every kernel, files.

use std::sync::Arc;

use kankei::eval::learned::factored::Factored;
use kankei::eval::learned::file::{self, Header, Parts, WeightsError};
use kankei::eval::learned::king_pairs::{PairForm, SideView};
use kankei::eval::learned::network::{NetworkShape, Top, TopShape};
use kankei::eval::learned::{
    KingPairs, KingView, Network, RealHead, RealKingPairs, RealNetwork, RealTop, RealWeights,
    SingleWeights, TRIANGLE, Weights, full,
};
use kankei::eval::{Evaluation, Evaluator, Kernel, PieceIndex, PieceList, material};
use kankei::rng::Rng;
use kankei::shogi::movegen::legal_moves;
use kankei::shogi::{Color, Move, PieceKind, Position, Scope};

use crate::evaluation::random_game;

/// Which king-relative pairs to make up.
#[derive(Clone, Copy, Debug)]
enum Form {
    None,
    Wide,
    Narrow,
    Factored(usize),
    Network(NetworkShape),
}

const TOPS: [TopShape; 4] =
    [TopShape::Clipped, TopShape::Squared, TopShape::Head(16), TopShape::Head(32)];

fn network(units: usize, king_relative: bool, top: TopShape) -> Form {
    Form::Network(NetworkShape { units, king_relative, top })
}

/// A random network: most hidden units are within the range of the non-linearity.
fn random_network(
    shape: NetworkShape,
    mut numbers: impl FnMut(usize, f64) -> Vec<f32>,
) -> RealNetwork {
    let NetworkShape { units, king_relative, top } = shape;
    let tables = if king_relative { KingView::KINGS } else { 1 };
    RealNetwork {
        units,
        king_relative,
        rows: numbers(tables * Network::ROWS * units, 0.15),
        biases: numbers(KingView::KINGS * units, 0.5),
        top: match top {
            TopShape::Clipped => RealTop::Clipped(numbers(units, 100.0)),
            TopShape::Squared => RealTop::Squared(numbers(units, 100.0)),
            TopShape::Head(width) => RealTop::Head(RealHead {
                hidden: [width, 32],
                first: numbers(width * 2 * units, 0.2),
                first_bias: numbers(width, 0.5),
                second: numbers(32 * width, 0.5),
                second_bias: numbers(32, 0.3),
                last: numbers(32, 500.0),
                last_bias: 20.0,
            }),
        },
    }
}

/// Random weights: a few centipawns each.
fn random_weights(form: Form, seed: u64) -> Arc<Weights> {
    let mut rng = Rng::from_seed(seed);
    let mut numbers = |count: usize, size: f64| -> Vec<f32> {
        (0..count).map(|_| (size * (2.0 * rng.unit() - 1.0)) as f32).collect()
    };
    let king_pairs = match form {
        Form::None | Form::Network(_) => RealKingPairs::None,
        Form::Wide | Form::Narrow => RealKingPairs::Table {
            triangles: numbers(KingView::KINGS * TRIANGLE, 20.0),
            narrow: matches!(form, Form::Narrow),
        },
        Form::Factored(lanes) => RealKingPairs::Factored {
            lanes,
            rows: numbers(KingView::KINGS * PieceIndex::COUNT * lanes, 1.0),
        },
    };
    let real = RealWeights {
        kings: numbers(KingView::PAIRS, 100.0),
        turn: numbers(KingView::PAIRS, 50.0),
        king_pieces: numbers(KingView::PAIRS * PieceIndex::COUNT, 50.0),
        pairs: numbers(TRIANGLE, 20.0),
        king_pairs,
        network: match form {
            Form::Network(shape) => Some(random_network(shape, &mut numbers)),
            _ => None,
        },
    };
    let quantized = real.quantize();
    assert_eq!(quantized.clipped, 0);
    Arc::new(quantized.weights)
}

/// Evaluates at random moments of a random game, with side lines and null moves.
fn check_game(weights: &Arc<Weights>, kernel: Kernel, seed: u64) {
    let evaluation = Evaluation::Learned(Arc::clone(weights));
    let mut evaluator = Evaluator::with_kernel(&evaluation, kernel, &Position::startpos());
    random_game(seed, 120, |pos, mv, rng| {
        let us = pos.side_to_move();
        assert_eq!(evaluator.material(us), us.sign() * full::balance(pos));
        if rng.below(3) == 0 {
            assert_eq!(evaluator.evaluate(pos), evaluation.evaluate(pos), "seed {seed}: {pos}");
        }
        let mut made = 0;
        let passes = !pos.in_check() && rng.below(4) == 0;
        if passes {
            pos.do_null_move();
            evaluator.push_null();
            made += 1;
        }
        // A side line that is taken back.
        let mut line = 0;
        for _ in 0..rng.below(9) {
            let Some(&other) = rng.choose(&legal_moves(pos, Scope::LEGAL)) else { break };
            evaluator.push(&pos.do_move(other));
            line += 1;
            if rng.below(3) == 0 {
                assert_eq!(evaluator.evaluate(pos), evaluation.evaluate(pos), "seed {seed}: {pos}");
            }
        }
        for _ in 0..line {
            pos.undo_move();
            evaluator.pop();
        }
        if made > 0 {
            assert_eq!(evaluator.evaluate(pos), evaluation.evaluate(pos), "seed {seed}: {pos}");
            pos.undo_null_move();
            evaluator.pop();
        }
        let delta = pos.do_move(mv);
        pos.undo_move();
        evaluator.push(&delta);
    });
}

fn check_games(form: Form, games: u64) {
    let weights = random_weights(form, 7);
    for seed in 0..games {
        for kernel in Kernel::available() {
            check_game(&weights, kernel, seed);
        }
    }
}

#[test]
fn incremental_equals_full_without_king_pairs() {
    check_games(Form::None, 100);
}

#[test]
fn incremental_equals_full_with_tables() {
    check_games(Form::Wide, 50);
    check_games(Form::Narrow, 50);
}

#[test]
fn incremental_equals_full_with_factors() {
    for lanes in [32, 64, 256] {
        check_games(Form::Factored(lanes), 50);
    }
}

#[test]
fn incremental_equals_full_with_networks() {
    for king_relative in [false, true] {
        for top in TOPS {
            check_games(network(32, king_relative, top), 10);
        }
    }
    check_games(network(160, false, TopShape::Head(32)), 10);
    check_games(network(128, false, TopShape::Squared), 10);
}

#[test]
#[ignore = "10,000 games take a quarter of a minute even in a release build: cargo test --release -- --ignored"]
fn incremental_equals_full_in_many_games() {
    for form in [Form::None, Form::Wide, Form::Narrow, Form::Factored(64), Form::Factored(96)] {
        check_games(form, 2_000);
    }
    for top in TOPS {
        check_games(network(96, top == TopShape::Head(16), top), 500);
    }
}

#[test]
fn turned_board_has_the_same_value_for_the_side_to_move() {
    let forms = [Form::None, Form::Narrow, Form::Factored(64)];
    for form in forms.into_iter().chain(TOPS.map(|top| network(32, false, top))) {
        let weights = random_weights(form, 3);
        for seed in 0..50 {
            random_game(seed, 150, |pos, _, _| {
                let turned = full::evaluate(&weights, &pos.turned());
                assert_eq!(full::evaluate(&weights, pos), turned, "{form:?}, seed {seed}: {pos}");
            });
        }
    }
}

#[test]
fn mirrored_positions_have_the_same_value() {
    for (left, right) in [
        ("4k4/9/9/9/9/9/9/1B5R1/4K4 b - 1", "4k4/9/9/9/9/9/9/1R5B1/4K4 b - 1"),
        ("k8/9/9/4p4/9/9/9/7G1/8K b - 1", "8k/9/9/4p4/9/9/9/1G7/K8 b - 1"),
        ("3k5/9/9/4p4/4B4/9/9/7G1/4K4 w P2g 1", "5k3/9/9/4p4/4B4/9/9/1G7/4K4 w P2g 1"),
    ] {
        let weights = random_weights(Form::Narrow, 5);
        let value = |sfen| full::evaluate(&weights, &Position::from_sfen(sfen).expect("valid"));
        assert_eq!(value(left), value(right), "{left}");
    }
}

#[test]
fn mirrored_positions_have_the_same_value_by_networks() {
    // Kings off the middle file: on it, a side sees the board one way only.
    for (left, right) in [
        ("k8/9/9/4p4/9/9/9/7G1/8K b - 1", "8k/9/9/4p4/9/9/9/1G7/K8 b - 1"),
        ("3k5/9/9/4p4/4B4/9/9/7G1/5K3 w P2g 1", "5k3/9/9/4p4/4B4/9/9/1G7/3K5 w P2g 1"),
        (
            "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1",
            "ln1g1g1nl/3r2sk1/ppb1pppp1/2pps3p/9/PP1PS1P1P/2P1PPSP1/3RG1KB1/LN1G3NL b - 1",
        ),
    ] {
        for top in TOPS {
            let weights = random_weights(network(64, top == TopShape::Squared, top), 5);
            let value = |sfen| full::evaluate(&weights, &Position::from_sfen(sfen).expect("valid"));
            assert_eq!(value(left), value(right), "{left}");
        }
    }
}

/// The network's value in real numbers, as it is defined.
fn real_network_value(network: &RealNetwork, pos: &Position) -> f64 {
    let kings = Color::ALL.map(|color| pos.king(color).expect("both kings"));
    let list = PieceList::new(pos);
    let accumulator = |side: Color| -> Vec<f64> {
        let view = SideView { kings: KingView::new(kings, side), pieces: list.list(side) };
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
    let clipped = |x: f64| x.clamp(0.0, 127.0 / 128.0);
    let squared = |x: f64| x.clamp(0.0, 1023.0 / 256.0).powi(2);
    let difference = |weights: &[f32], activation: &dyn Fn(f64) -> f64| {
        let units = weights.iter().zip(own.iter().zip(&enemy));
        let share =
            |(&weight, (&own, &enemy))| f64::from(weight) * (activation(own) - activation(enemy));
        units.map(share).sum::<f64>()
    };
    match &network.top {
        RealTop::Clipped(weights) => difference(weights, &clipped),
        RealTop::Squared(weights) => difference(weights, &squared),
        RealTop::Head(head) => {
            let sum = |row: &[f32], input: &[f64]| {
                row.iter().zip(input).map(|(&weight, x)| f64::from(weight) * x).sum::<f64>()
            };
            let layer = |weights: &[f32], biases: &[f32], input: &[f64]| -> Vec<f64> {
                let rows = weights.chunks(input.len()).zip(biases);
                rows.map(|(row, &bias)| clipped(f64::from(bias) + sum(row, input))).collect()
            };
            let input: Vec<f64> = own.iter().chain(&enemy).map(|&x| clipped(x)).collect();
            let first = layer(&head.first, &head.first_bias, &input);
            let second = layer(&head.second, &head.second_bias, &first);
            f64::from(head.last_bias) + sum(&head.last, &second)
        }
    }
}

#[test]
fn rounded_networks_are_near_the_real_ones() {
    let mut rng = Rng::from_seed(21);
    let mut numbers = |count: usize, size: f64| -> Vec<f32> {
        (0..count).map(|_| (size * (2.0 * rng.unit() - 1.0)) as f32).collect()
    };
    for (king_relative, top) in [false, true].into_iter().flat_map(|k| TOPS.map(|top| (k, top))) {
        let mut real = RealWeights::zero();
        let shape = NetworkShape { units: 64, king_relative, top };
        let mut network = random_network(shape, &mut numbers);
        if let RealTop::Head(head) = &mut network.top {
            // The few bits of these weights cost most: here they are enough.
            for weight in head.first.iter_mut().chain(&mut head.second) {
                *weight = (64.0 * *weight).round() / 64.0;
            }
        }
        real.network = Some(network);
        let quantized = real.quantize();
        assert_eq!(quantized.clipped, 0);
        let network = real.network.as_ref().expect("just made");
        let (mut error, mut size, mut count) = (0.0, 0.0, 0.0);
        for seed in 0..3 {
            random_game(seed, 100, |pos, _, _| {
                let relations = full::relations(&quantized.weights, pos).expect("both kings");
                let exact = real_network_value(network, pos);
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
fn too_large_weights_of_a_network_are_cut() {
    let mut numbers = |count: usize, _| vec![1.0; count];
    let shape = NetworkShape { units: 32, king_relative: false, top: TopShape::Head(16) };
    let mut network = random_network(shape, &mut numbers);
    network.rows[32] = 4.0;
    network.biases[0] = -7.0;
    let RealTop::Head(head) = &mut network.top else { panic!("made as a head") };
    head.first[0] = 2.0;
    head.second[0] = -127.0 / 64.0;
    head.last[0] = 8_000.0;
    head.last_bias = 1e6;
    head.first_bias[0] = -1e4;
    let real = RealWeights { network: Some(network), ..RealWeights::zero() };
    let quantized = real.quantize();
    assert_eq!(quantized.clipped, 5);
    let network = quantized.weights.network().expect("just made");
    assert_eq!(network.rows()[31..34], [0, Network::LARGEST_WEIGHT, Network::ONE]);
    assert_eq!(network.biases()[..2], [-Network::LARGEST_BIAS, Network::ONE]);
    let Top::Head(head) = network.top() else { panic!("made as a head") };
    let [first, second] = head.layers();
    assert_eq!(first.weights()[..2], [127, 64]);
    assert_eq!(first.biases()[..2], [-(1 << 24), 8_192]);
    assert_eq!(second.weights()[..2], [-127, 64]);
    assert_eq!(head.last().0[..2], [32_000, 4]);
    assert_eq!(head.last().1, 1 << 24);
}

#[test]
fn a_value_has_king_pairs_or_a_network() {
    let shape = NetworkShape { units: 32, king_relative: false, top: TopShape::Clipped };
    let weights = random_weights(Form::Network(shape), 1);
    let network = || weights.network().expect("just made").clone();
    let with_factors = random_weights(Form::Factored(32), 1);
    assert!(with_factors.network().is_none());
    assert!(Weights::clone(&with_factors).with_network(network()).is_none());
    let plain = random_weights(Form::None, 1);
    assert!(Weights::clone(&plain).with_network(network()).is_some());
}

/// The halves of both sides as sums over all pairs of weights by name.
fn halves_by_pairs(weights: &Weights, pos: &Position) -> [f64; 2] {
    let kings = Color::ALL.map(|color| pos.king(color).expect("both kings"));
    let list = PieceList::new(pos);
    Color::ALL.map(|side| {
        let view = SideView { kings: KingView::new(kings, side), pieces: list.list(side) };
        let pieces = view.normal_pieces();
        let weight = |i, j| weights.king_pairs().weight(view.kings.king(), i, j);
        let mut sum = 0.0;
        for (n, &i) in pieces.iter().enumerate() {
            sum += pieces[..n].iter().map(|&j| weight(i, j)).sum::<f64>();
            if let KingPairs::Factored(_) = weights.king_pairs() {
                sum += weight(i, i) / 2.0;
            }
        }
        sum
    })
}

#[test]
fn a_half_is_the_sum_of_its_pairs() {
    for form in [Form::Wide, Form::Narrow, Form::Factored(96)] {
        let weights = random_weights(form, 11);
        for seed in 0..10 {
            random_game(seed, 100, |pos, _, _| {
                let halves = full::relations(&weights, pos).expect("both kings").halves;
                for (half, sum) in halves.into_iter().zip(halves_by_pairs(&weights, pos)) {
                    assert!((f64::from(half) - sum).abs() <= 1.0, "{form:?}: {half} {sum}");
                }
            });
        }
    }
}

#[test]
fn the_largest_factors_do_not_overflow() {
    let lanes = 256;
    let mut rows = vec![Factored::LARGEST; KingView::KINGS * PieceIndex::COUNT * lanes];
    for row in rows.chunks_exact_mut(lanes) {
        row[lanes / 2..].fill(0);
    }
    for king in rows.chunks_exact_mut(PieceIndex::COUNT * lanes) {
        king[..lanes].fill(0);
    }
    let bits = *Factored::FRACTION_BITS.start();
    let form = Factored::new(lanes, bits, rows.clone()).expect("within the bounds");
    let list = PieceList::new(&Position::startpos());
    let startpos = Position::startpos();
    let kings = Color::ALL.map(|color| startpos.king(color).expect("both kings"));
    let view =
        SideView { kings: KingView::new(kings, Color::Black), pieces: list.list(Color::Black) };
    let lane = i64::from(Factored::LARGEST) * PieceList::SLOTS as i64;
    let exact = (lanes as i64 / 2 * lane * lane) >> (2 * bits + 1 - 5);
    for kernel in Kernel::available() {
        let mut sums = vec![0; lanes];
        assert_eq!(i64::from(form.refresh(kernel, view, &mut sums)), exact, "{kernel:?}");
    }
    rows[lanes] = Factored::LARGEST + 1;
    assert!(Factored::new(lanes, bits, rows).is_none(), "too large a factor was accepted");
}

#[test]
fn without_a_king_material_is_all() {
    let weights = random_weights(Form::Factored(32), 2);
    let evaluation = Evaluation::Learned(weights);
    let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").expect("valid");
    let mut evaluator = Evaluator::new(&evaluation, &pos);
    assert_eq!(evaluator.evaluate(&pos).to_cp(), evaluator.material(Color::Black));
    let mv: Move = "G*5b".parse().expect("a move");
    assert_eq!(evaluator.piece_king_change(&pos, mv), 0);
    let mut after = pos.clone();
    evaluator.push(&after.do_move(mv));
    assert_eq!(evaluator.evaluate(&after), evaluation.evaluate(&after));
}

#[test]
fn handicap_games_have_empty_slots() {
    let weights = random_weights(Form::Factored(32), 2);
    let evaluation = Evaluation::Learned(weights);
    let sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let mut pos = Position::from_sfen(sfen).expect("valid");
    let mut evaluator = Evaluator::new(&evaluation, &pos);
    for mv in ["5a5b", "7g7f", "3c3d", "8h3c+", "2a3c"] {
        evaluator.push(&pos.do_move(mv.parse().expect("a move")));
        assert_eq!(evaluator.evaluate(&pos), evaluation.evaluate(&pos), "{pos}");
    }
}

#[test]
fn piece_king_change_is_that_of_the_kings_and_the_piece() {
    let weights = random_weights(Form::None, 4);
    let evaluation = Evaluation::Learned(Arc::clone(&weights));
    let part = |pos: &Position| full::relations(&weights, pos).expect("both kings").king_pieces;
    for seed in 0..20 {
        random_game(seed, 100, |pos, _, _| {
            let evaluator = Evaluator::new(&evaluation, pos);
            let us = pos.side_to_move();
            let before = part(pos);
            for mv in legal_moves(pos, Scope::LEGAL) {
                let change = evaluator.piece_king_change(pos, mv);
                if pos.moved_piece(mv) == PieceKind::King {
                    assert_eq!(change, 0);
                } else if !pos.is_capture(mv) {
                    pos.do_move(mv);
                    let after = part(pos);
                    pos.undo_move();
                    assert_eq!(change, us.sign() * (after - before) / 32, "{mv} in {pos}");
                }
            }
        });
    }
}

#[test]
fn explained_parts_add_up() {
    for form in [Form::Factored(32), network(32, false, TopShape::Head(16))] {
        let evaluation = Evaluation::Learned(random_weights(form, 6));
        random_game(7, 150, |pos, _, _| {
            let parts = evaluation.explain(pos);
            let sum: i32 = parts.iter().map(|(_, part)| part).sum();
            let rounding = (sum - evaluation.evaluate(pos).to_cp()).abs();
            assert!(rounding as usize <= parts.len(), "{parts:?} in {pos}");
        });
    }
}

#[test]
fn files_round_trip() {
    let forms = [Form::None, Form::Factored(64), Form::Narrow, Form::Wide];
    let networks = TOPS.map(|top| network(32, top == TopShape::Squared, top));
    for form in forms.into_iter().chain(networks) {
        let weights = random_weights(form, 9);
        let mut bytes = Vec::new();
        file::write(&weights, &mut bytes, 1).expect("memory");
        let header = file::read_header(&bytes[..]).expect("just written");
        assert_eq!(header, Header::of(&weights));
        let wanted = match form {
            Form::None => Parts::empty(),
            Form::Wide => Parts::WIDE_TABLE,
            Form::Narrow => Parts::NARROW_TABLE,
            Form::Factored(_) => Parts::FACTORS,
            Form::Network(shape) => {
                assert_eq!(header.network, Some(shape));
                Parts::NETWORK
            }
        };
        let plain = Parts::KINGS | Parts::TURN | Parts::KING_PIECES | Parts::PAIRS;
        assert_eq!(header.parts, plain | wanted);
        assert!(file::read(&bytes[..]).expect("just written") == *weights, "{form:?}");
    }
}

#[test]
fn broken_files_are_refused() {
    let zero = RealWeights::zero().quantize().weights;
    let mut bytes = Vec::new();
    file::write(&zero, &mut bytes, 1).expect("memory");
    assert!(bytes.len() < 1_000, "nothing takes {} bytes", bytes.len());
    assert!(file::read(&bytes[..]).expect("just written") == zero);

    let message = |bytes: &[u8]| file::read(bytes).expect_err("broken").to_string();
    assert!(message(b"not a weights file at all").contains("not a we"));
    assert!(message(b"").starts_with("cannot be read"));
    for end in 0..bytes.len() {
        assert!(file::read(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        // Reserved bits of the compressed frame may be free; the weights are what they were then.
        if let Ok(weights) = file::read(&flipped[..]) {
            assert!(weights == zero, "byte {at}");
        }
    }
    let mut rng = Rng::from_seed(1);
    for _ in 0..200 {
        let mut noise = bytes[..8].to_vec();
        noise.extend((0..rng.below(300)).map(|_| rng.next_u64() as u8));
        assert!(file::read(&noise[..]).is_err());
    }
    let with_header = |header: &[u16]| {
        let mut noise = bytes[..8].to_vec();
        let header: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
        noise.extend(zstd::encode_all(&header[..], 1).expect("memory"));
        message(&noise)
    };
    assert!(with_header(&[9, 32, 0, 0, 0]).contains("version 9"));
    assert!(with_header(&[1, 7, 0, 0, 0]).contains("7 as unit"));
    assert!(with_header(&[1, 32, 0x700, 0, 0]).contains("1792 as parts"));
    assert!(with_header(&[1, 32, 0x40, 33, 6]).contains("33 as lanes"));
    assert!(with_header(&[1, 32, 0x40, 64, 60]).contains("60 as fraction bits"));
    // Networks: not in version 1, beside no other form, and of a possible shape.
    assert!(with_header(&[1, 32, 0x80, 0, 0, 64, 1, 0, 0]).contains("128 as parts"));
    assert!(with_header(&[2, 32, 0xc0, 64, 6, 64, 1, 0, 0]).contains("192 as parts"));
    assert!(with_header(&[2, 32, 0x80, 64, 0, 64, 1, 0, 0]).contains("64 as lanes"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 48, 1, 0, 0]).contains("48 as hidden units"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 544, 1, 0, 0]).contains("544 as hidden units"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 2, 0, 0]).contains("2 as king squares with rows"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 1, 3, 0]).contains("3 as kind of top"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 1, 1, 16]).contains("16 as width of the head"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 1, 2, 24]).contains("24 as width of the head"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 1, 2, 16]).starts_with("cannot be read"));
    assert!(matches!(file::read(&b"KANKEI\0W"[..]), Err(WeightsError::Read(_))));
}

#[test]
fn broken_networks_are_refused() {
    // 32 clipped hidden units: the header, then rows, biases, weights.
    let number = |number: i16| number.to_le_bytes();
    let header = [2, 32, 0x80, 0, 0, 32, 1, 0, 0];
    let rows = Network::ROWS * 32;
    let content = |change: &dyn Fn(&mut [i16], &mut [i16])| {
        let (mut weights, mut biases) = (vec![0; rows], vec![0; KingView::KINGS * 32]);
        change(&mut weights, &mut biases);
        let mut bytes: Vec<u8> = header.into_iter().flat_map(number).collect();
        for part in [&weights, &biases, &vec![0; 32]] {
            for byte in 0..2 {
                bytes.extend(part.iter().map(|&weight| number(weight)[byte]));
            }
        }
        bytes
    };
    let read = |content: &[u8]| {
        let mut bytes = b"KANKEI\0W".to_vec();
        bytes.extend(zstd::encode_all(content, 1).expect("memory"));
        file::read(&bytes[..])
    };
    let whole = content(&|weights, biases| {
        weights[32] = Network::LARGEST_WEIGHT;
        biases[0] = -Network::LARGEST_BIAS;
    });
    let network = read(&whole).expect("within the bounds").network().cloned().expect("a network");
    assert_eq!(network.rows()[32], Network::LARGEST_WEIGHT);
    let message = |content: &[u8]| read(content).expect_err("broken").to_string();
    assert!(message(&whole[..whole.len() - 1]).starts_with("cannot be read"));
    assert!(message(&[&whole[..], &[0]].concat()).contains("goes on"));
    for broken in [
        content(&|weights, _| weights[32] = Network::LARGEST_WEIGHT + 1),
        content(&|weights, _| weights[0] = 1),
        content(&|_, biases| biases[0] = i16::MIN),
    ] {
        assert!(message(&broken).contains("breaks the rules"));
    }
}

#[test]
fn weights_of_empty_slots_are_refused() {
    let single = || SingleWeights {
        kings: vec![0; KingView::PAIRS],
        turn: vec![0; KingView::PAIRS],
        king_pieces: vec![[0; PieceIndex::COUNT]; KingView::PAIRS],
    };
    let pairs = vec![0; TRIANGLE];
    assert!(Weights::new(single(), &pairs, KingPairs::None).is_some());
    assert!(Weights::new(single(), &pairs[1..], KingPairs::None).is_none());
    let mut bad = single();
    bad.king_pieces[100][0] = 1;
    assert!(Weights::new(bad, &pairs, KingPairs::None).is_none());
    let mut bad = pairs.clone();
    bad[0] = 1;
    assert!(Weights::new(single(), &bad, KingPairs::None).is_none());
}

#[test]
fn zero_weights_are_material() {
    let weights = RealWeights::zero().quantize().weights;
    random_game(1, 150, |pos, _, _| {
        let us = pos.side_to_move();
        let material = material::side_total(pos, us) - material::side_total(pos, !us);
        assert_eq!(full::evaluate(&weights, pos).to_cp(), material);
    });
}
