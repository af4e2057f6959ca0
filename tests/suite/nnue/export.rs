//! Learned networks in files for other programs.

use kankei::eval::learned::network::{HeadShape, NetworkShape};
use kankei::eval::learned::{self, Weights};
use kankei::eval::nnue::full;
use kankei::eval::{Evaluation, Kernel};
use kankei::lab::learn::{RealNetwork, RealUpper, RealWeights};
use kankei::lab::nnue_file::export;
use kankei::rng::Rng;
use kankei::shogi::Square;

use super::read;
use crate::positions::random_positions;

/// A standalone network with random weights.
fn standalone(king_relative: bool, head: HeadShape) -> Weights {
    let mut rng = Rng::from_seed(3);
    let numbers = |count: usize, size: f64| -> Vec<f32> {
        (0..count).map(|_| (size * (2.0 * rng.unit() - 1.0)) as f32).collect()
    };
    let shape = NetworkShape { units: 32, king_relative, head };
    let mut network = RealNetwork::draw(shape, numbers);
    let table = network.rows.len() / if king_relative { 45 } else { 1 };
    for rows in network.rows.chunks_exact_mut(table) {
        rows[table - Square::COUNT * 32..].fill(0.0);
    }
    for other in 1..45 {
        network.biases.copy_within(..32, 32 * other);
    }
    let upper = RealUpper::Standalone(network);
    RealWeights { upper, ..RealWeights::zero() }.quantize().weights
}

#[test]
fn exported_networks_have_the_same_values_except_for_rounding() {
    for (king_relative, width) in [(false, 32), (true, 16)] {
        let weights = standalone(king_relative, HeadShape::classic(width));
        let mut bytes = Vec::new();
        let network = weights.network().expect("a network");
        let exported = export(network, &mut bytes).expect("writing to a Vec cannot fail");
        assert!(exported.largest_error < 100.0, "{exported:?}");
        let network = read(&bytes).expect("the file is valid");
        assert_eq!(network.form(), exported.form);
        assert_eq!(network.recommended_fv_scale(), exported.fv_scale);
        let (mut sum, mut count) = (0.0, 0.0);
        random_positions(4, 2_000, |pos| {
            let Some(raw) = full::raw(&network, Kernel::detect(), pos) else { return };
            let own = f64::from(network.own_value(raw, exported.fv_scale)) / 0.9;
            let learned = f64::from(learned::full::evaluate(&weights, pos).to_cp());
            let error = (own - learned).abs();
            assert!(error <= exported.largest_error, "{own} {learned}: {pos}");
            (sum, count) = (sum + error, count + 1.0);
        });
        println!("{exported:?}: mean error {} centipawns", sum / count);
        assert!(sum / count < 0.3 * exported.largest_error);
    }
}

#[test]
fn standalone_weights_round_trip_through_a_weights_file() {
    let weights = standalone(true, HeadShape::classic(32));
    let mut bytes = Vec::new();
    learned::file::write(&weights, &mut bytes, 1).expect("writing to a Vec cannot fail");
    let Ok(Evaluation::Learned(read)) = Evaluation::from_bytes(&bytes) else {
        panic!("not learned weights")
    };
    assert!(*read == weights && read.is_standalone());
    for seed in 0..20 {
        let evaluation = Evaluation::Learned(std::sync::Arc::clone(&read));
        crate::evaluation::check_game(&evaluation, Kernel::detect(), 0, seed);
    }
}
