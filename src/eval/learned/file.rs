//! The weights file.
//!
//! ```text
//! magic   8 bytes "KANKEI\0W"
//! the rest is one zstd frame with a checksum of its content; all numbers little-endian:
//! version        u16   1, with a network 2
//! unit           u16   weight units of a centipawn (32)
//! parts          u16   bits, see Parts
//! lanes          u16   factored form: lanes, else 0
//! fraction bits  u16   factored form: factors are in 2^-bits, else 0
//! network header four u16, with a network only
//! kings          [3645] i16
//! turn           [3645] i16
//! king pieces    [3645][1548] i16
//! pairs          [TRIANGLE] i16
//! king pairs     wide table [45][TRIANGLE] i16, narrow table [45][TRIANGLE] i8, or factors
//!                [45][1548][lanes] i16
//! network        in place of king pairs
//! ```
//!
//! Every array of i16 is stored as all low bytes and then all high bytes, which compresses better.
//! Parts that are not there take no space and count as zero. The format of a network is told in
//! [`network::file`](super::network).

use std::io::{self, Read, Write};

use bitflags::bitflags;
use thiserror::Error;

use super::factored::Factored;
use super::king_pairs::PairForm;
use super::network::file::{self as network_file, NetworkShape};
use super::table::Table;
use super::{KingPairs, KingView, SingleWeights, TRIANGLE, UNIT, Weights, triangle_index};
use crate::eval::PieceIndex;

const MAGIC: &[u8; 8] = b"KANKEI\0W";
/// The latest version. Files without a network are written as version 1, which knows none.
const VERSION: u16 = 2;

bitflags! {
    /// What a file holds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Parts: u16 {
        /// Both kings.
        const KINGS = 1;
        /// Having the move.
        const TURN = 1 << 1;
        /// Both kings and a piece.
        const KING_PIECES = 1 << 2;
        /// Two pieces.
        const PAIRS = 1 << 3;
        /// A king and two pieces, 16 bits each.
        const WIDE_TABLE = 1 << 4;
        /// A king and two pieces, 8 bits each.
        const NARROW_TABLE = 1 << 5;
        /// A king and two pieces, as products.
        const FACTORS = 1 << 6;
        /// A network.
        const NETWORK = 1 << 7;
    }
}

/// Why a weights file is refused.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// It cannot be read, is cut short, or its checksum is wrong.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It does not begin as a weights file does.
    #[error("is no weights file: it begins with {0:?}")]
    Magic(String),
    /// It comes from another version of the format.
    #[error("has format version {0}, only versions 1 to {VERSION} are known")]
    Version(u16),
    /// A number in its header is impossible.
    #[error("has {value} as {field}, which cannot be")]
    Field {
        /// Name of the number.
        field: &'static str,
        /// The number.
        value: u16,
    },
    /// Its numbers break a rule of the format.
    #[error("breaks the rules of the format: a weight is too large or an empty slot has one")]
    Content,
    /// There is more after the end.
    #[error("goes on after its end")]
    Trailing,
}

/// What the header of a weights file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the file holds.
    pub parts: Parts,
    /// Lanes of the factored form, else 0.
    pub lanes: usize,
    /// Fraction bits of the factors, else 0.
    pub fraction_bits: u32,
    /// Shape of the network, if there is one.
    pub network: Option<NetworkShape>,
}

impl Header {
    /// The header of these weights.
    pub fn of(weights: &Weights) -> Header {
        let single = weights.single();
        let mut parts = Parts::empty();
        parts.set(Parts::KINGS, single.kings.iter().any(|&w| w != 0));
        parts.set(Parts::TURN, single.turn.iter().any(|&w| w != 0));
        let king_pieces = single.king_pieces.as_flattened();
        parts.set(Parts::KING_PIECES, king_pieces.iter().any(|&w| w != 0));
        parts.set(Parts::PAIRS, weights.has_pairs());
        let (mut lanes, mut fraction_bits) = (0, 0);
        match weights.king_pairs() {
            KingPairs::None => {}
            KingPairs::Table(Table::Wide(_)) => parts |= Parts::WIDE_TABLE,
            KingPairs::Table(Table::Narrow(_)) => parts |= Parts::NARROW_TABLE,
            KingPairs::Factored(form) => {
                parts |= Parts::FACTORS;
                (lanes, fraction_bits) = (form.lanes(), form.fraction_bits());
            }
        }
        parts.set(Parts::NETWORK, weights.network().is_some());
        let network = weights.network().map(NetworkShape::of);
        Header { parts, lanes, fraction_bits, network }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let version = if self.network.is_some() { VERSION } else { 1 };
        let numbers =
            [version, UNIT as u16, self.parts.bits(), self.lanes as u16, self.fraction_bits as u16];
        numbers.into_iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        self.network.map_or(Ok(()), |network| network.write(out))
    }

    fn read(input: &mut impl Read) -> Result<Header, WeightsError> {
        let version = read_number(input)?;
        if !(1..=VERSION).contains(&version) {
            return Err(WeightsError::Version(version));
        }
        let impossible = |field, value| Err(WeightsError::Field { field, value });
        let unit = read_number(input)?;
        if i32::from(unit) != UNIT {
            return impossible("unit", unit);
        }
        let bits = read_number(input)?;
        let forms = Parts::WIDE_TABLE | Parts::NARROW_TABLE | Parts::FACTORS | Parts::NETWORK;
        let parts = match Parts::from_bits(bits) {
            Some(parts)
                if (parts & forms).bits().count_ones() <= 1
                    && (version > 1 || !parts.contains(Parts::NETWORK)) =>
            {
                parts
            }
            _ => return impossible("parts", bits),
        };
        let (lanes, fraction_bits) = (read_number(input)?, read_number(input)?);
        let factored = parts.contains(Parts::FACTORS);
        if factored != (lanes.is_multiple_of(32) && (32..=256).contains(&lanes)) {
            return impossible("lanes", lanes);
        }
        if factored != Factored::FRACTION_BITS.contains(&u32::from(fraction_bits)) {
            return impossible("fraction bits", fraction_bits);
        }
        let has_network = parts.contains(Parts::NETWORK);
        let network = if has_network { Some(NetworkShape::read(input)?) } else { None };
        Ok(Header { parts, lanes: lanes.into(), fraction_bits: fraction_bits.into(), network })
    }
}

/// Writes weights at a compression `level` of zstd, 1 to 22.
///
/// # Errors
/// Whatever writing to `out` returns.
pub fn write(weights: &Weights, mut out: impl Write, level: i32) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let mut out = zstd::Encoder::new(out, level)?;
    out.include_checksum(true)?;
    let header = Header::of(weights);
    header.write(&mut out)?;
    let single = weights.single();
    if header.parts.contains(Parts::KINGS) {
        write_numbers(&mut out, &single.kings)?;
    }
    if header.parts.contains(Parts::TURN) {
        write_numbers(&mut out, &single.turn)?;
    }
    if header.parts.contains(Parts::KING_PIECES) {
        write_numbers(&mut out, single.king_pieces.as_flattened())?;
    }
    if header.parts.contains(Parts::PAIRS) {
        write_numbers(&mut out, &weights.pair_triangle())?;
    }
    match weights.king_pairs() {
        KingPairs::None => {}
        KingPairs::Table(Table::Wide(rows)) => {
            for square in rows.chunks_exact(PieceIndex::COUNT) {
                write_numbers(&mut out, &fold(square))?;
            }
        }
        KingPairs::Table(Table::Narrow(rows)) => {
            for square in rows.chunks_exact(PieceIndex::COUNT) {
                let bytes: Vec<u8> = fold(square).into_iter().map(|w| w as u8).collect();
                out.write_all(&bytes)?;
            }
        }
        KingPairs::Factored(form) => write_numbers(&mut out, form.rows())?,
    }
    if let Some(network) = weights.network() {
        network_file::write(network, &mut out)?;
    }
    out.finish()?.flush()
}

/// Reads weights.
///
/// # Errors
/// [`WeightsError`] for a file that is none, broken, or of another version.
pub fn read(mut input: impl Read) -> Result<Weights, WeightsError> {
    let mut input = open(&mut input)?;
    let header = Header::read(&mut input)?;
    let parts = header.parts;
    let mut numbers = |part, count| {
        if parts.contains(part) { read_numbers(&mut input, count) } else { Ok(vec![0; count]) }
    };
    let single = SingleWeights {
        kings: numbers(Parts::KINGS, KingView::PAIRS)?,
        turn: numbers(Parts::TURN, KingView::PAIRS)?,
        king_pieces: {
            let flat = numbers(Parts::KING_PIECES, KingView::PAIRS * PieceIndex::COUNT)?;
            flat.as_chunks::<{ PieceIndex::COUNT }>().0.to_vec()
        },
    };
    let pairs = numbers(Parts::PAIRS, TRIANGLE)?;
    let king_pairs = read_king_pairs(&mut input, header)?;
    let network = header.network.map(|shape| network_file::read(shape, &mut input)).transpose()?;
    // The checksum comes last: reading to the end checks it.
    let mut rest = [0];
    if input.read(&mut rest)? != 0 {
        return Err(WeightsError::Trailing);
    }
    let weights = Weights::new(single, &pairs, king_pairs);
    let weights = match network {
        Some(network) => weights.and_then(|weights| weights.with_network(network)),
        None => weights,
    };
    weights.ok_or(WeightsError::Content)
}

/// Reads the header alone.
///
/// # Errors
/// As [`read`].
pub fn read_header(mut input: impl Read) -> Result<Header, WeightsError> {
    Header::read(&mut open(&mut input)?)
}

fn open<R: Read>(input: &mut R) -> Result<impl Read, WeightsError> {
    let mut magic = [0; MAGIC.len()];
    input.read_exact(&mut magic)?;
    if &magic != MAGIC {
        return Err(WeightsError::Magic(magic.escape_ascii().to_string()));
    }
    Ok(zstd::Decoder::new(input)?)
}

fn read_king_pairs(input: &mut impl Read, header: Header) -> Result<KingPairs, WeightsError> {
    let Header { parts, lanes, fraction_bits, .. } = header;
    let form = if parts.contains(Parts::WIDE_TABLE) {
        let mut triangles = Vec::with_capacity(KingView::KINGS * TRIANGLE);
        for _ in 0..KingView::KINGS {
            triangles.extend(read_numbers(input, TRIANGLE)?);
        }
        Table::wide(&triangles).map(KingPairs::Table)
    } else if parts.contains(Parts::NARROW_TABLE) {
        let mut bytes = vec![0; KingView::KINGS * TRIANGLE];
        input.read_exact(&mut bytes)?;
        let triangles: Vec<i8> = bytes.into_iter().map(|byte| byte as i8).collect();
        Table::narrow(&triangles).map(KingPairs::Table)
    } else if parts.contains(Parts::FACTORS) {
        let rows = read_numbers(input, KingView::KINGS * PieceIndex::COUNT * lanes)?;
        Factored::new(lanes, fraction_bits, rows).map(KingPairs::Factored)
    } else {
        Some(KingPairs::None)
    };
    form.ok_or(WeightsError::Content)
}

/// The triangle of one king's square.
fn fold<T: Copy>(square: &[[T; PieceIndex::COUNT]]) -> Vec<T> {
    let mut triangle = Vec::with_capacity(TRIANGLE);
    for (j, row) in PieceIndex::all().zip(square) {
        debug_assert!(j.index() == 0 || triangle.len() == triangle_index(PieceIndex::NONE, j));
        triangle.extend_from_slice(&row[..j.index()]);
    }
    triangle
}

pub(super) fn write_numbers(out: &mut impl Write, numbers: &[i16]) -> io::Result<()> {
    let plane = |byte: usize| numbers.iter().map(move |number| number.to_le_bytes()[byte]);
    out.write_all(&plane(0).collect::<Vec<u8>>())?;
    out.write_all(&plane(1).collect::<Vec<u8>>())
}

pub(super) fn read_number(input: &mut impl Read) -> io::Result<u16> {
    let mut bytes = [0; 2];
    input.read_exact(&mut bytes)?;
    Ok(u16::from_le_bytes(bytes))
}

pub(super) fn read_numbers(input: &mut impl Read, count: usize) -> io::Result<Vec<i16>> {
    let mut bytes = vec![0; 2 * count];
    input.read_exact(&mut bytes)?;
    let (low, high) = bytes.split_at(count);
    Ok(low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect())
}
