//! Writes a standalone network as a file for other programs.
//!
//! The learned network mirrors its views, so both sides of the board share rows. The file has
//! separate rows for each square of the own king ([`FeatureSet::HalfKp`]); they are copies of the
//! mirrored rows. Rows, biases and hidden layers are the same integers in both forms, except that
//! the unit of the file's rows is twice as large. Only the weights of the output are rounded, from
//! 16 bits to 8 bits.

use std::io::{self, Write};

use super::write::{FileLayer, architecture, write};
use crate::eval::PieceIndex;
use crate::eval::learned::network::{ByteLayer, Head};
use crate::eval::learned::{KingView, Network, UNIT};
use crate::eval::nnue::{Family, FeatureSet, FvScale, NnueForm, columns};
use crate::shogi::Square;

/// Properties of a written file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exported {
    /// The form of the file.
    pub form: NnueForm,
    /// The `FV_SCALE` with which 90 units of the file are a pawn.
    pub fv_scale: FvScale,
    /// Upper bound of the difference to the value of the weights, in centipawns.
    pub largest_error: f64,
}

/// Units per pawn in these files.
const PAWN: f64 = 90.0;
/// Units of an output sum per centipawn.
const CENTIPAWN: f64 = (UNIT << Head::SHIFT) as f64;

/// Writes a [standalone](crate::eval::learned::Upper::Standalone) network.
///
/// # Errors
/// Returns the error of writing to `out`.
pub fn export(network: &Network, out: &mut impl Write) -> io::Result<Exported> {
    let head = network.head();
    let hidden = head.layers().map(ByteLayer::outputs);
    let (units, features) = (network.units(), FeatureSet::HalfKp);
    let form = NnueForm { family: Family::Classic, features, units, hidden };
    let output = Output::round(head);
    let text = format!("{},fv_scale={}", architecture(form), output.fv_scale);
    let bias: Vec<i16> = network.biases()[..units].iter().map(|bias| bias / 2).collect();
    let [first, second] = head.layers().map(file_layer);
    let heads = [[first, second, (vec![output.bias], output.weights)]];
    write(out, form, &text, (&bias, &rows(network)), &heads)?;
    Ok(Exported { form, fv_scale: output.fv_scale, largest_error: output.largest_error })
}

/// The rows of all squares of the own king. Shape `[81][1548][units]`.
fn rows(network: &Network) -> Vec<i16> {
    let units = network.units();
    let mut rows = Vec::with_capacity(Square::COUNT * PieceIndex::COUNT * units);
    for king in Square::all() {
        // The square of the enemy king is arbitrary: it has no weights.
        let view = KingView::from_own_view(king, king);
        let table = if network.is_king_relative() { view.king() } else { 0 };
        for piece in PieceIndex::all() {
            let row = table * Network::ROWS + view.normal(piece).index();
            rows.extend(network.rows()[row * units..][..units].iter().map(|weight| weight / 2));
        }
    }
    rows
}

fn file_layer(layer: &ByteLayer) -> FileLayer {
    let inputs = layer.inputs();
    let mut weights = Vec::with_capacity(layer.outputs() * columns(inputs));
    for row in layer.weights().chunks_exact(inputs) {
        weights.extend(row);
        weights.resize(weights.len().next_multiple_of(columns(inputs)), 0);
    }
    (layer.biases().to_vec(), weights)
}

/// The output layer in 8 bits.
struct Output {
    weights: Vec<i8>,
    bias: i32,
    fv_scale: FvScale,
    largest_error: f64,
}

impl Output {
    /// Rounds the output with the largest scale at which all weights fit.
    fn round(head: &Head) -> Output {
        let (weights, bias) = head.last();
        let rate = |scale: FvScale| f64::from(scale.get()) * (PAWN / 100.0) / CENTIPAWN;
        let largest =
            weights.iter().map(|weight| f64::from(weight.unsigned_abs())).fold(0.0, f64::max);
        let fits = |scale: &FvScale| largest * rate(*scale) <= f64::from(i8::MAX);
        let fv_scale = (1..=FvScale::MAX).rev().filter_map(FvScale::new).find(fits);
        let fv_scale = fv_scale.expect("the weights fit at a scale of 1");
        let rate = rate(fv_scale);
        let rounded: Vec<i8> =
            weights.iter().map(|&weight| (f64::from(weight) * rate).round() as i8).collect();
        let bias = (f64::from(bias) * rate).round();
        let wrong =
            |(&exact, &rounded): (&i16, &i8)| (f64::from(exact) * rate - f64::from(rounded)).abs();
        let wrong: f64 = weights.iter().zip(&rounded).map(wrong).sum();
        // An activation is at most 127. The bias and both divisions add less than 2.5 units.
        let unit = rate * CENTIPAWN;
        let largest_error = (127.0 * wrong + 0.5) / unit + 1.0 + 100.0 / PAWN;
        let mut weights = rounded;
        weights.resize(columns(weights.len()), 0);
        Output { weights, bias: bias as i32, fv_scale, largest_error }
    }
}
