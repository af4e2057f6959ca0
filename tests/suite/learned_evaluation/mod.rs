//! The learned evaluation with random weights: every form, every kernel, and files.

mod files;
mod values;

use std::sync::Arc;

use kankei::eval::learned::network::{HeadActivation, HeadInput, HeadShape, NetworkShape};
use kankei::eval::learned::{KingView, TRIANGLE, Weights};
use kankei::eval::{Evaluation, Kernel, PieceIndex};
use kankei::lab::learn::{RealKpp, RealNetwork, RealUpper, RealWeights};
use kankei::rng::Rng;

use crate::evaluation::check_game;

/// The KPP form or network of random weights.
#[derive(Clone, Copy, Debug)]
enum Form {
    None,
    Table,
    Factored(usize),
    Network(NetworkShape),
}

const HEADS: [HeadShape; 5] = [
    HeadShape::classic(16),
    HeadShape::classic(32),
    HeadShape { input: HeadInput::Products, ..HeadShape::classic(32) },
    HeadShape { activation: HeadActivation::Dual, ..HeadShape::classic(16) },
    HeadShape { width: 32, input: HeadInput::Products, activation: HeadActivation::Dual },
];

fn network(units: usize, king_relative: bool, head: HeadShape) -> Form {
    Form::Network(NetworkShape { units, king_relative, head })
}

/// Random numbers: `f(count, size)` returns `count` numbers within ±`size`.
fn random_numbers(seed: u64) -> impl FnMut(usize, f64) -> Vec<f32> {
    let mut rng = Rng::from_seed(seed);
    move |count, size| (0..count).map(|_| (size * (2.0 * rng.unit() - 1.0)) as f32).collect()
}

/// Random weights: a few centipawns each.
fn random_weights(form: Form, seed: u64) -> Arc<Weights> {
    println!("{form:?}");
    let mut numbers = random_numbers(seed);
    let upper = match form {
        Form::None => RealUpper::None,
        Form::Table => RealUpper::Kpp(RealKpp::Table(numbers(KingView::KINGS * TRIANGLE, 20.0))),
        Form::Factored(rank) => RealUpper::Kpp(RealKpp::Factored {
            rank,
            rows: numbers(KingView::KINGS * PieceIndex::COUNT * rank, 1.0),
        }),
        Form::Network(shape) => RealUpper::Network(RealNetwork::draw(shape, &mut numbers)),
    };
    let quantized = RealWeights::draw(upper, numbers).quantize();
    assert_eq!(quantized.clipped, 0);
    Arc::new(quantized.weights)
}

fn evaluation(form: Form, seed: u64) -> Evaluation {
    Evaluation::Learned(random_weights(form, seed))
}

fn check_games(form: Form, games: u64) {
    let evaluation = evaluation(form, 7);
    for seed in 0..games {
        for kernel in Kernel::available() {
            check_game(&evaluation, kernel, 0, seed);
        }
    }
}

#[test]
fn incremental_equals_full_without_kpp() {
    check_games(Form::None, 100);
}

#[test]
fn incremental_equals_full_with_a_table() {
    check_games(Form::Table, 50);
}

#[test]
fn incremental_equals_full_with_factors() {
    for rank in [32, 64, 256] {
        check_games(Form::Factored(rank), 50);
    }
}

#[test]
fn incremental_equals_full_with_networks() {
    for king_relative in [false, true] {
        for head in HEADS {
            check_games(network(32, king_relative, head), 10);
        }
    }
    check_games(network(160, false, HEADS[1]), 10);
    check_games(network(128, false, HEADS[4]), 10);
}

#[test]
#[ignore = "10,000 games take a quarter of a minute even in a release build: cargo test --release -- --ignored"]
fn incremental_equals_full_in_many_games() {
    for form in [Form::None, Form::Table, Form::Factored(64), Form::Factored(96)] {
        check_games(form, 2_000);
    }
    for head in HEADS {
        check_games(network(96, head == HEADS[0], head), 500);
    }
}
