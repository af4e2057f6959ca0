//! Networks in a weights file. See [`file`](crate::eval::learned::file) for the whole format.
//!
//! ```text
//! network header, after the header of the file:
//! units          u16   hidden units per side
//! kings          u16   number of tables of rows: 1 or 45
//! top            u16   0 clipped, 1 squared, 2 head
//! head           u16   width of the head's first hidden layer, or 0
//!
//! network, the last part:
//! rows           [kings][1629][units] i16
//! biases         [45][units] i16
//! clipped or squared:
//!   weights      [units] i16
//! head:
//!   first        [head][2 * units] i8, biases [head] i32
//!   second       [32][head] i8, biases [32] i32
//!   last         [32] i16, bias i32
//! ```

use std::io::{self, Read, Write};

use super::error::WeightsError;
use super::numbers::{
    read_bytes, read_number, read_numbers, read_wide_numbers, write_bytes, write_header,
    write_numbers, write_wide_numbers,
};
use crate::eval::kernel::portable::UNIT_BLOCK;
use crate::eval::learned::king_view::KingView;
use crate::eval::learned::network::{ByteLayer, Head, Network, NetworkShape, Top, TopShape};

pub(super) fn write_shape(shape: NetworkShape, out: &mut impl Write) -> io::Result<()> {
    let (top, head) = match shape.top {
        TopShape::Clipped => (0, 0),
        TopShape::Squared => (1, 0),
        TopShape::Head(width) => (2, width),
    };
    write_header(out, [shape.units, shape.tables(), top, head])
}

pub(super) fn read_shape(input: &mut impl Read) -> Result<NetworkShape, WeightsError> {
    let impossible = |field, value| Err(WeightsError::Field { field, value });
    let (units, kings) = (read_number(input)?, read_number(input)?);
    let (top, head) = (read_number(input)?, read_number(input)?);
    let number = usize::from(units);
    if !Network::UNITS.contains(&number) || !number.is_multiple_of(UNIT_BLOCK) {
        return impossible("hidden units", units);
    }
    if ![1, KingView::KINGS].contains(&usize::from(kings)) {
        return impossible("king squares with rows", kings);
    }
    if top > 2 {
        return impossible("kind of top", top);
    }
    let width = usize::from(head);
    let top = match top {
        0 if head == 0 => TopShape::Clipped,
        1 if head == 0 => TopShape::Squared,
        2 if Head::FIRST.contains(&width) => TopShape::Head(width),
        _ => return impossible("width of the head", head),
    };
    Ok(NetworkShape { units: number, king_relative: kings > 1, top })
}

pub(super) fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    write_numbers(out, network.rows())?;
    write_numbers(out, network.biases())?;
    match network.top() {
        Top::Clipped(weights) | Top::Squared(weights) => write_numbers(out, weights),
        Top::Head(head) => {
            for layer in head.layers() {
                write_bytes(out, layer.weights())?;
                write_wide_numbers(out, layer.biases())?;
            }
            let (last, bias) = head.last();
            write_numbers(out, last)?;
            write_wide_numbers(out, &[bias])
        }
    }
}

pub(super) fn read(shape: NetworkShape, input: &mut impl Read) -> Result<Network, WeightsError> {
    let units = shape.units;
    let rows = read_numbers(input, shape.tables() * Network::ROWS * units)?;
    let biases = read_numbers(input, KingView::KINGS * units)?;
    let top = match shape.top {
        TopShape::Clipped => Top::Clipped(read_numbers(input, units)?),
        TopShape::Squared => Top::Squared(read_numbers(input, units)?),
        TopShape::Head(width) => {
            let first = read_layer(2 * units, width, input)?;
            let second = read_layer(width, Head::SECOND, input)?;
            let last = read_numbers(input, Head::SECOND)?;
            let bias = read_wide_numbers(input, 1)?[0];
            Top::Head(Head::new(first, second, last, bias).ok_or(WeightsError::Content)?)
        }
    };
    Network::new(units, &rows, &biases, top).ok_or(WeightsError::Content)
}

fn read_layer(
    inputs: usize,
    outputs: usize,
    input: &mut impl Read,
) -> Result<ByteLayer, WeightsError> {
    let weights = read_bytes(input, inputs * outputs)?;
    let biases = read_wide_numbers(input, outputs)?;
    ByteLayer::new(inputs, &weights, biases).ok_or(WeightsError::Content)
}
