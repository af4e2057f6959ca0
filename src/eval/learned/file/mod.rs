//! The weights file.
//!
//! ```text
//! magic   8 bytes "KANKEI\0W"
//! the rest is one zstd frame with a checksum of its content; all numbers are little-endian:
//! version        u16   1, or 2 with a network, or 3 and 4 with later forms of its head
//! unit           u16   weight units per centipawn (32)
//! parts          u16   bits, see Parts
//! rank           u16   rank of the factored form, or 0
//! fraction bits  u16   factors of the factored form are in 2^-bits, or 0
//! network header four u16, only with a network; two more from version 3 on, one more in version 4
//! piece values   20 i16, centipawns, in the order of PieceValues::to_array
//! terms          i16, in the order and the shapes of Term
//! KPP            table [45][TRIANGLE] i16, or factors [45][1548][rank] i16
//! network        instead of KPP
//! ```
//!
//! Every array of i16 is stored as all low bytes and then all high bytes, which improves the
//! compression. Missing parts take no space and are zero. [`network`] documents the format of a
//! network.

mod error;
mod header;
mod network;
mod numbers;

pub use super::parts::Parts;
pub use error::WeightsError;
pub use header::WeightsHeader;

use std::io::{self, Read, Write};

use super::king_view::KingView;
use super::kpp::{Factored, Kpp, KppTable};
use super::parts::{Term, Terms};
use super::triangle::{TRIANGLE, fold};
use super::weights::{Upper, Weights};
use crate::eval::index::PieceIndex;
use crate::eval::material::PieceValues;
pub(crate) use numbers::{read_number, read_numbers, write_numbers};

const MAGIC: &[u8; 8] = b"KANKEI\0W";

/// Writes weights with zstd at the compression `level`, 1 to 22.
///
/// # Errors
/// Returns the error of writing to `out`.
pub fn write(weights: &Weights, mut out: impl Write, level: i32) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let mut out = zstd::Encoder::new(out, level)?;
    out.include_checksum(true)?;
    let header = WeightsHeader::of(weights);
    header.write(&mut out)?;
    if header.parts.contains(Parts::PIECE_VALUES) {
        write_numbers(&mut out, &weights.piece_values().to_array().map(|value| value as i16))?;
    }
    for term in Term::ALL.into_iter().filter(|term| header.parts.contains(term.part())) {
        write_numbers(&mut out, &weights.table(term))?;
    }
    match weights.upper() {
        Upper::None => {}
        Upper::Kpp(Kpp::Table(table)) => {
            for square in table.rows().chunks_exact(PieceIndex::COUNT) {
                write_numbers(&mut out, &fold(square))?;
            }
        }
        Upper::Kpp(Kpp::Factored(form)) => write_numbers(&mut out, form.rows())?,
        Upper::Network(network) | Upper::Standalone(network) => network::write(network, &mut out)?,
    }
    out.finish()?.flush()
}

/// Reads weights.
///
/// # Errors
/// Returns [`WeightsError`] if the file is not a weights file, is corrupt, or has another version.
pub fn read(mut input: impl Read) -> Result<Weights, WeightsError> {
    let mut magic = Vec::new();
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    if magic != MAGIC {
        return Err(WeightsError::Magic(String::from_utf8_lossy(&magic).into_owned()));
    }
    let mut input = zstd::Decoder::new(input)?;
    let header = WeightsHeader::read(&mut input)?;
    let mut piece_values = PieceValues::ENGINE;
    if header.parts.contains(Parts::PIECE_VALUES) {
        let values = read_numbers(&mut input, PieceValues::COUNT)?;
        piece_values = PieceValues::from_array(&std::array::from_fn(|at| values[at].into()));
    }
    let mut tables = Terms::from_fn(|term| vec![0; term.size()]);
    for term in Term::ALL.into_iter().filter(|term| header.parts.contains(term.part())) {
        tables[term] = read_numbers(&mut input, term.size())?;
    }
    let upper = read_upper(&mut input, header)?;
    // The checksum is at the end, so reading to the end verifies it.
    let mut rest = [0];
    if input.read(&mut rest)? != 0 {
        return Err(WeightsError::Trailing);
    }
    Weights::new(piece_values, tables, upper).ok_or(WeightsError::Content)
}

fn read_upper(input: &mut impl Read, header: WeightsHeader) -> Result<Upper, WeightsError> {
    let WeightsHeader { parts, rank, fraction_bits, network } = header;
    if let Some(shape) = network {
        let is_standalone = parts.contains(Parts::STANDALONE);
        let upper = if is_standalone { Upper::Standalone } else { Upper::Network };
        return network::read(shape, input).map(upper);
    }
    let kpp = if parts.contains(Parts::KPP_TABLE) {
        let mut triangles = Vec::with_capacity(KingView::KINGS * TRIANGLE);
        for _ in 0..KingView::KINGS {
            triangles.extend(read_numbers(input, TRIANGLE)?);
        }
        KppTable::new(&triangles).map(Kpp::Table)
    } else if parts.contains(Parts::FACTORS) {
        let rows = read_numbers(input, KingView::KINGS * PieceIndex::COUNT * rank)?;
        Factored::new(rank, fraction_bits, rows).map(Kpp::Factored)
    } else {
        // A standalone value is a network.
        let is_nothing = !parts.contains(Parts::STANDALONE);
        return is_nothing.then_some(Upper::None).ok_or(WeightsError::Content);
    };
    kpp.map(Upper::Kpp).ok_or(WeightsError::Content)
}
