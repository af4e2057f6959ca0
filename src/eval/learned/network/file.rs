//! Networks in a weights file; see [`file`](crate::eval::learned::file) for its whole.
//!
//! ```text
//! network header, after that of the file:
//! units          u16   hidden units of a side
//! kings          u16   tables of rows: 1 or 45
//! top            u16   0 clipped, 1 squared, 2 head
//! head           u16   width of the head's first hidden layer, else 0
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

use std::fmt;
use std::io::{self, Read, Write};

use super::{Head, Layer, Network, Top, UNIT_BLOCK};
use crate::eval::learned::KingView;
use crate::eval::learned::file::{WeightsError, read_number, read_numbers, write_numbers};

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Hidden units of a side.
    pub units: usize,
    /// Whether every square of the own king has rows of its own.
    pub king_relative: bool,
    /// Kind of the top.
    pub top: TopShape,
}

/// The kind of a network's top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopShape {
    /// A weight for each clipped hidden unit.
    Clipped,
    /// A weight for each squared hidden unit.
    Squared,
    /// Two more hidden layers, the first of this width.
    Head(usize),
}

impl NetworkShape {
    pub(in crate::eval::learned) fn of(network: &Network) -> NetworkShape {
        let top = match network.top() {
            Top::Clipped(_) => TopShape::Clipped,
            Top::Squared(_) => TopShape::Squared,
            Top::Head(head) => TopShape::Head(head.layers()[0].outputs()),
        };
        NetworkShape { units: network.units(), king_relative: network.is_king_relative(), top }
    }

    fn tables(self) -> usize {
        if self.king_relative { KingView::KINGS } else { 1 }
    }

    pub(in crate::eval::learned) fn write(self, out: &mut impl Write) -> io::Result<()> {
        let (top, head) = match self.top {
            TopShape::Clipped => (0, 0),
            TopShape::Squared => (1, 0),
            TopShape::Head(width) => (2, width),
        };
        let numbers = [self.units, self.tables(), top, head];
        numbers.into_iter().try_for_each(|number| out.write_all(&(number as u16).to_le_bytes()))
    }

    pub(in crate::eval::learned) fn read(
        input: &mut impl Read,
    ) -> Result<NetworkShape, WeightsError> {
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
}

/// `256 hidden units, king-free rows, head 512-32-32-1`.
impl fmt::Display for NetworkShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = if self.king_relative { "king-relative" } else { "king-free" };
        write!(f, "{} hidden units, {rows} rows, ", self.units)?;
        match self.top {
            TopShape::Clipped => write!(f, "clipped"),
            TopShape::Squared => write!(f, "squared"),
            TopShape::Head(width) => {
                write!(f, "head {}-{width}-{}-1", 2 * self.units, Head::SECOND)
            }
        }
    }
}

pub(in crate::eval::learned) fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    write_numbers(out, network.rows())?;
    write_numbers(out, network.biases())?;
    match network.top() {
        Top::Clipped(weights) | Top::Squared(weights) => write_numbers(out, weights),
        Top::Head(head) => {
            for layer in head.layers() {
                let bytes: Vec<u8> = layer.weights().into_iter().map(|w| w as u8).collect();
                out.write_all(&bytes)?;
                write_wide_numbers(out, layer.biases())?;
            }
            let (last, bias) = head.last();
            write_numbers(out, last)?;
            write_wide_numbers(out, &[bias])
        }
    }
}

pub(in crate::eval::learned) fn read(
    shape: NetworkShape,
    input: &mut impl Read,
) -> Result<Network, WeightsError> {
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

fn read_layer(inputs: usize, outputs: usize, input: &mut impl Read) -> Result<Layer, WeightsError> {
    let mut bytes = vec![0; inputs * outputs];
    input.read_exact(&mut bytes)?;
    let weights: Vec<i8> = bytes.into_iter().map(|byte| byte as i8).collect();
    let biases = read_wide_numbers(input, outputs)?;
    Layer::new(inputs, &weights, biases).ok_or(WeightsError::Content)
}

fn write_wide_numbers(out: &mut impl Write, numbers: &[i32]) -> io::Result<()> {
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

fn read_wide_numbers(input: &mut impl Read, count: usize) -> io::Result<Vec<i32>> {
    let mut bytes = vec![0; 4 * count];
    input.read_exact(&mut bytes)?;
    Ok(bytes.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
}
