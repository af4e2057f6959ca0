//! Reading a file.
//!
//! ```text
//! version      u32   0x7af32f16
//! hash         u32
//! text         u32 n, n bytes of ASCII
//! hash         u32   of the first layer
//! first layer  classic: [L1] i16, [rows][L1] i16; SFNN: the same in two LEB128 blocks
//! heads        classic one, SFNN nine, each:
//!   hash       u32
//!   layers     three times [outputs] i32, [outputs][columns] i8; columns are inputs rounded up to
//!              a multiple of 32, and those beyond the inputs are ignored
//! ```
//!
//! All numbers are little-endian. Hashes differ between real files and are not checked. The length
//! of the file must be exact. Reading allocates at most twice the length of the file.

mod input;
mod leb128;
mod recognise;

pub use leb128::write as write_leb128;

use std::io::{Read, Seek};

use super::calibration::Calibration;
use super::form::{NnueForm, columns};
use super::full;
use super::head::Head;
use super::layer::AffineLayer;
use super::network::Nnue;
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::learned::file::WeightsError;
use input::{Input, refused};
use leb128::Block;

/// The version number of every file.
pub const VERSION: u32 = 0x7af3_2f16;
/// Largest length of the text.
const MAX_TEXT: u32 = 1 << 16;
const FIRST_LAYER: &str = "first layer";

/// Whether a file with this start is an NNUE file, possibly of another version.
pub fn is_nnue(start: &[u8]) -> bool {
    start.get(1..4) == Some(&VERSION.to_le_bytes()[1..])
}

/// Reads a network and measures its scale.
///
/// # Errors
/// Returns [`WeightsError`] with the name of the field if the file is truncated, is longer than its
/// form, or has an unknown form.
pub fn read(reader: impl Read + Seek) -> Result<Nnue, WeightsError> {
    let mut input = Input::new(reader)?;
    let version = input.u32("version")?;
    if version != VERSION {
        let reason = format!("{version:#010x}; expected {VERSION:#010x}");
        return Err(refused("version", reason));
    }
    input.u32("hash")?;
    let length = input.u32("length of the text")?;
    if length > MAX_TEXT {
        return Err(refused("length of the text", format!("{length} bytes")));
    }
    let text = input.bytes("text", length as usize)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    recognise::check_text(&text)?;
    input.u32("hash of the first layer")?;
    let (form, first_layer) = if input.starts_with(leb128::MAGIC)? {
        read_packed_layer(&text, &mut input)?
    } else {
        let form = recognise::classic(&text, input.left())?;
        (form, read_plain_layer(form, &mut input)?)
    };
    let heads = (0..form.heads()).map(|_| read_head(form, &mut input));
    let heads = heads.collect::<Result<Vec<Head>, WeightsError>>()?;
    if input.left() > 0 {
        return Err(refused("size", format!("{} trailing bytes", input.left())));
    }
    let network = Nnue::new(form, (text, input.len()), first_layer, heads);
    let kernel = Kernel::detect();
    let calibration = Calibration::measure(|pos| full::raw(&network, kernel, pos));
    Ok(network.with_calibration(calibration))
}

/// Bias and rows of the first layer.
type FirstLayer = (Aligned<i16>, Aligned<i16>);

/// Reads bias and rows in parts of rows. `read` fills each part with the next numbers.
fn read_rows(
    form: NnueForm,
    rows: usize,
    mut read: impl FnMut(&mut [i16]) -> Result<(), WeightsError>,
) -> Result<Aligned<i16>, WeightsError> {
    let mut numbers = Aligned::zeros(rows * form.stride());
    for part in numbers.chunks_exact_mut(form.padded_part()) {
        read(&mut part[..form.part()])?;
    }
    Ok(numbers)
}

fn read_plain_layer<R: Read + Seek>(
    form: NnueForm,
    input: &mut Input<R>,
) -> Result<FirstLayer, WeightsError> {
    let mut read = |numbers: &mut [i16]| input.i16s(FIRST_LAYER, numbers);
    let bias = read_rows(form, 1, &mut read)?;
    Ok((bias, read_rows(form, form.features.rows(), &mut read)?))
}

fn read_packed_layer<R: Read + Seek>(
    text: &str,
    input: &mut Input<R>,
) -> Result<(NnueForm, FirstLayer), WeightsError> {
    let mut block = Block::begin(input, "biases of the first layer")?;
    let units = block.numbers;
    if units > NnueForm::MAX_UNITS as u64 {
        return Err(refused(FIRST_LAYER, format!("{units} units")));
    }
    let mut bias = vec![0; units as usize];
    block.read(input, &mut bias)?;
    block.end()?;
    let mut block = Block::begin(input, "weights of the first layer")?;
    let behind = input.left() - block.bytes();
    let form = recognise::sfnn(text, (units, block.numbers), behind)?;
    let mut parts = bias.chunks_exact(form.part());
    let bias = read_rows(form, 1, |numbers| {
        numbers.copy_from_slice(parts.next().expect("there is one bias per unit"));
        Ok(())
    })?;
    let rows = read_rows(form, form.features.rows(), |numbers| block.read(input, numbers))?;
    block.end()?;
    Ok((form, (bias, rows)))
}

fn read_head<R: Read + Seek>(form: NnueForm, input: &mut Input<R>) -> Result<Head, WeightsError> {
    let field = "layers";
    input.u32("hash of the layers")?;
    let mut layer = |(outputs, inputs): (usize, usize)| -> Result<_, WeightsError> {
        let biases = input.i32s(field, outputs)?;
        let weights = input.bytes(field, outputs * columns(inputs))?;
        Ok((biases, weights.into_iter().map(|byte| byte as i8).collect::<Vec<i8>>()))
    };
    let [first, second, last] = form.layers();
    let (biases, weights) = layer(first)?;
    let (part, padded) = (form.part(), form.padded_part());
    // The accumulators or their halves are padded in memory.
    let first = AffineLayer::new(2 * padded, &weights, &biases, |column| {
        (column < first.1).then_some(column / part * padded + column % part)
    });
    let (biases, weights) = layer(second)?;
    let inputs = second.1;
    let second =
        AffineLayer::new(inputs, &weights, &biases, |column| (column < inputs).then_some(column));
    let (biases, mut weights) = layer(last)?;
    weights.truncate(last.1);
    Ok(Head { first, second, last: weights, last_bias: biases[0] })
}
