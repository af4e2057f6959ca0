//! Networks in a weights file. See [`file`](crate::eval::learned::file) for the whole format.
//!
//! ```text
//! network header, after the header of the file:
//! units          u16   hidden units per side
//! kings          u16   number of tables of rows: 1 or 45
//! top            u16   0 clipped, 1 squared, 2 head
//! head           u16   width of the head's first hidden layer, or 0
//! only in version 3, which has a head:
//! input          u16   0 clipped, 1 products
//! choice         u16   0 one head, 1 by the kings, 2 by the hands
//!
//! network, the last part:
//! rows           [kings][1629][units] i16
//! biases         [45][units] i16
//! clipped or squared:
//!   weights      [units] i16
//! each head:
//!   first        [head][2 * units, or units for products] i8, biases [head] i32
//!   second       [32][head] i8, biases [32] i32
//!   last         [32] i16, bias i32
//! ```

use std::io::{self, Read, Write};

use super::error::WeightsError;
use super::numbers::{
    read_bytes, read_number, read_numbers, read_wide_numbers, write_bytes, write_header,
    write_numbers, write_wide_numbers,
};
use crate::eval::learned::king_view::KingView;
use crate::eval::learned::network::{
    ByteLayer, Head, HeadChoice, HeadInput, HeadShape, Heads, Network, NetworkShape, Top, TopShape,
};

/// The inputs and choices of heads, in the order of their numbers in a file.
const INPUTS: [HeadInput; 2] = [HeadInput::Clipped, HeadInput::Products];
const CHOICES: [HeadChoice; 3] = [HeadChoice::One, HeadChoice::Kings, HeadChoice::Hands];

/// The first version of the format that has this shape.
pub(super) fn first_version(shape: NetworkShape) -> u16 {
    match shape.top {
        TopShape::Head(_) if !shape.top.is_classic() => 3,
        _ => 2,
    }
}

pub(super) fn write_shape(
    shape: NetworkShape,
    version: u16,
    out: &mut impl Write,
) -> io::Result<()> {
    let (top, head) = match shape.top {
        TopShape::Clipped => (0, 0),
        TopShape::Squared => (1, 0),
        TopShape::Head(head) => (2, head.width),
    };
    write_header(out, [shape.units, shape.tables(), top, head])?;
    match shape.top {
        TopShape::Head(head) if version > 2 => {
            write_header(out, [head.input as usize, head.choice as usize])
        }
        _ => Ok(()),
    }
}

pub(super) fn read_shape(
    version: u16,
    input: &mut impl Read,
) -> Result<NetworkShape, WeightsError> {
    let impossible = |field, value| Err(WeightsError::Field { field, value });
    let (units, kings) = (read_number(input)?, read_number(input)?);
    let (top, head) = (read_number(input)?, read_number(input)?);
    let number = usize::from(units);
    if !Network::is_size(number) {
        return impossible("hidden units", units);
    }
    if ![1, KingView::KINGS].contains(&usize::from(kings)) {
        return impossible("king squares with rows", kings);
    }
    if top > 2 {
        return impossible("kind of top", top);
    }
    let width = usize::from(head);
    let mut top = match top {
        0 if head == 0 => TopShape::Clipped,
        1 if head == 0 => TopShape::Squared,
        2 if Head::FIRST.contains(&width) => TopShape::head(width),
        _ => return impossible("width of the head", head),
    };
    if version > 2 {
        let (of, choice) = (read_number(input)?, read_number(input)?);
        let (inputs, choices) = (INPUTS.get(usize::from(of)), CHOICES.get(usize::from(choice)));
        top = match (top, inputs, choices) {
            (TopShape::Head(_), Some(&input), Some(&choice)) => {
                TopShape::Head(HeadShape { width, input, choice })
            }
            (TopShape::Head(_), Some(_), None) => return impossible("choice of a head", choice),
            _ => return impossible("input of the head", of),
        };
    }
    Ok(NetworkShape { units: number, king_relative: kings > 1, top })
}

pub(super) fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    write_numbers(out, network.rows())?;
    write_numbers(out, network.biases())?;
    match network.top() {
        Top::Clipped(weights) | Top::Squared(weights) => write_numbers(out, weights),
        Top::Head(heads) => heads.heads().iter().try_for_each(|head| write_head(head, out)),
    }
}

fn write_head(head: &Head, out: &mut impl Write) -> io::Result<()> {
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
    let top = match shape.top {
        TopShape::Clipped => Top::Clipped(read_numbers(input, units)?),
        TopShape::Squared => Top::Squared(read_numbers(input, units)?),
        TopShape::Head(head) => {
            let mut read = || read_head(head.inputs(units), head.width, input);
            let heads: Result<Vec<Head>, WeightsError> =
                (0..head.choice.count()).map(|_| read()).collect();
            let heads = Heads::new(head.input, head.choice, heads?);
            Top::Head(heads.ok_or(WeightsError::Content)?)
        }
    };
    Network::new(units, &rows, &biases, top).ok_or(WeightsError::Content)
}

fn read_head(inputs: usize, width: usize, input: &mut impl Read) -> Result<Head, WeightsError> {
    let first = read_layer(inputs, width, input)?;
    let second = read_layer(width, Head::SECOND, input)?;
    let last = read_numbers(input, Head::SECOND)?;
    let bias = read_wide_numbers(input, 1)?[0];
    Head::new(first, second, last, bias).ok_or(WeightsError::Content)
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
