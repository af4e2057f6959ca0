//! Networks in a weights file. See [`file`](crate::eval::learned::file) for the whole format.
//!
//! ```text
//! network header, after the header of the file:
//! units          u16   hidden units per side
//! kings          u16   number of tables of rows: 1 or 45
//! kind           u16   2; 0 and 1 were networks without a head
//! head           u16   width of the head's first hidden layer
//! only from version 3 on:
//! input          u16   0 clipped, 1 products
//! heads          u16   0; 1 and 2 were several heads
//! only from version 4 on:
//! activation     u16   0 clipped, 1 dual
//!
//! network, the last part:
//! rows           [kings][1629][units] i16
//! biases         [45][units] i16
//! first          [head][2 * units, or units for products] i8, biases [head] i32
//! second         [32][head, or 2 * head for dual activations] i8, biases [32] i32
//! last           [32] i16, bias i32
//! ```

use std::io::{self, Read, Write};

use super::error::WeightsError;
use super::numbers::{
    read_bytes, read_number, read_numbers, read_wide_numbers, write_bytes, write_header,
    write_numbers, write_wide_numbers,
};
use crate::eval::learned::king_view::KingView;
use crate::eval::learned::network::{
    ByteLayer, Head, HeadActivation, HeadInput, HeadShape, Network, NetworkShape,
};

/// The inputs and activations of heads, in the order of their numbers in a file.
const INPUTS: [HeadInput; 2] = [HeadInput::Clipped, HeadInput::Products];
const ACTIVATIONS: [HeadActivation; 2] = [HeadActivation::Clipped, HeadActivation::Dual];
/// The kind of networks with a head.
const WITH_HEAD: u16 = 2;
/// The number of one head for all positions.
const ONE_HEAD: u16 = 0;

/// The first version of the format that has this shape.
pub(super) fn first_version(shape: NetworkShape) -> u16 {
    match shape.head {
        HeadShape { activation: HeadActivation::Dual, .. } => 4,
        HeadShape { input: HeadInput::Products, .. } => 3,
        HeadShape { .. } => 2,
    }
}

pub(super) fn write_shape(
    shape: NetworkShape,
    version: u16,
    out: &mut impl Write,
) -> io::Result<()> {
    let HeadShape { width, input, activation } = shape.head;
    write_header(out, [shape.units, shape.tables(), WITH_HEAD.into(), width])?;
    if version > 2 {
        write_header(out, [input as usize, ONE_HEAD.into()])?;
    }
    if version > 3 {
        write_header(out, [activation as usize])?;
    }
    Ok(())
}

pub(super) fn read_shape(
    version: u16,
    input: &mut impl Read,
) -> Result<NetworkShape, WeightsError> {
    let impossible = |field, value| Err(WeightsError::Field { field, value });
    let (units, kings) = (read_number(input)?, read_number(input)?);
    let (kind, width) = (read_number(input)?, read_number(input)?);
    let number = usize::from(units);
    if !Network::is_size(number) {
        return impossible("hidden units", units);
    }
    if ![1, KingView::KINGS].contains(&usize::from(kings)) {
        return impossible("king squares with rows", kings);
    }
    match kind {
        WITH_HEAD => {}
        0 | 1 => return Err(WeightsError::Retired("a network without a head")),
        _ => return impossible("kind of network", kind),
    }
    if !Head::FIRST.contains(&usize::from(width)) {
        return impossible("width of the head", width);
    }
    let mut head = HeadShape::classic(width.into());
    if version > 2 {
        let (of, heads) = (read_number(input)?, read_number(input)?);
        let Some(&of) = INPUTS.get(usize::from(of)) else {
            return impossible("input of the head", of);
        };
        match heads {
            ONE_HEAD => {}
            1 | 2 => return Err(WeightsError::Retired("a network with several heads")),
            _ => return impossible("number of heads", heads),
        }
        head.input = of;
    }
    if version > 3 {
        let activation = read_number(input)?;
        let Some(&of) = ACTIVATIONS.get(usize::from(activation)) else {
            return impossible("activation of the head", activation);
        };
        head.activation = of;
    }
    Ok(NetworkShape { units: number, king_relative: kings > 1, head })
}

pub(super) fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    write_numbers(out, network.rows())?;
    write_numbers(out, network.biases())?;
    let head = network.head();
    for layer in head.layers() {
        write_bytes(out, layer.weights())?;
        write_wide_numbers(out, layer.biases())?;
    }
    let (last, bias) = head.last();
    write_numbers(out, last)?;
    write_wide_numbers(out, &[bias])
}

pub(super) fn read(shape: NetworkShape, input: &mut impl Read) -> Result<Network, WeightsError> {
    let units = shape.units;
    let rows = read_numbers(input, shape.tables() * Network::ROWS * units)?;
    let biases = read_numbers(input, KingView::KINGS * units)?;
    let head = read_head(shape.head, units, input)?;
    Network::new(units, &rows, &biases, head).ok_or(WeightsError::Content)
}

fn read_head(shape: HeadShape, units: usize, input: &mut impl Read) -> Result<Head, WeightsError> {
    let first = read_layer(shape.inputs(units), shape.width, input)?;
    let second = read_layer(shape.activations(), Head::SECOND, input)?;
    let last = read_numbers(input, Head::SECOND)?;
    let bias = read_wide_numbers(input, 1)?[0];
    Head::new(shape.input, first, second, last, bias).ok_or(WeightsError::Content)
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
