//! Files with random weights of any form, for tests and benchmarks.

use super::write::{FileLayer, architecture, write};
use crate::eval::nnue::{NnueForm, columns};
use crate::rng::Rng;

/// The bytes of a file, which depend only on the form and the seed. The weights have the magnitude
/// of trained ones: about half of the units are clipped at neither end, and values have either
/// sign.
pub fn file(form: NnueForm, seed: u64) -> Vec<u8> {
    let mut rng = Rng::from_seed(seed);
    let bias: Vec<i16> = (0..form.units).map(|_| within(&mut rng, 40) as i16 + 40).collect();
    let rows = form.units * form.features.rows();
    let rows: Vec<i16> = (0..rows).map(|_| within(&mut rng, 11) as i16).collect();
    let heads: Vec<[FileLayer; 3]> = (0..form.heads())
        .map(|_| form.layers().map(|(outputs, inputs)| layer(outputs, inputs, &mut rng)))
        .collect();
    let mut bytes = Vec::new();
    write(&mut bytes, form, &architecture(form), (&bias, &rows), &heads)
        .expect("writing to a Vec cannot fail");
    bytes
}

/// A layer whose sums have a standard deviation of about 5,000. The columns beyond its inputs also
/// have weights, because readers must ignore them.
fn layer(outputs: usize, inputs: usize, rng: &mut Rng) -> FileLayer {
    let size = (5_000.0 * 3f64.sqrt() / (55.0 * (inputs as f64).sqrt())).clamp(1.0, 127.0) as i32;
    let biases = (0..outputs).map(|_| within(rng, 3_000)).collect();
    let weights = (0..outputs * columns(inputs)).map(|_| within(rng, size) as i8).collect();
    (biases, weights)
}

/// A random number from -`size` to `size`.
fn within(rng: &mut Rng, size: i32) -> i32 {
    rng.below(2 * size as usize + 1) as i32 - size
}
