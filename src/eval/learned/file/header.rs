//! The header of a weights file.

use std::io::{self, Read, Write};

use super::error::{VERSION, WeightsError};
use super::network;
use super::numbers::{read_number, write_header};
use crate::eval::learned::UNIT;
use crate::eval::learned::kpp::{Factored, Kpp};
use crate::eval::learned::network::{Network, NetworkShape};
use crate::eval::learned::parts::{Parts, Term};
use crate::eval::learned::weights::{Upper, Weights};
use crate::eval::material::PieceValues;

/// The header of a weights file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightsHeader {
    /// The parts that the file contains.
    pub parts: Parts,
    /// Rank of the factored form, or 0.
    pub rank: usize,
    /// Number of fraction bits of the factors, or 0.
    pub fraction_bits: u32,
    /// Shape of the network, if present.
    pub network: Option<NetworkShape>,
}

impl WeightsHeader {
    /// The header for these weights.
    pub fn of(weights: &Weights) -> WeightsHeader {
        let mut parts = Parts::empty();
        for term in Term::ALL {
            parts.set(term.part(), weights.has(term));
        }
        parts.set(Parts::PIECE_VALUES, *weights.piece_values() != PieceValues::ENGINE);
        let (mut rank, mut fraction_bits) = (0, 0);
        parts |= match weights.upper() {
            Upper::None => Parts::empty(),
            Upper::Kpp(Kpp::Table(_)) => Parts::KPP_TABLE,
            Upper::Kpp(Kpp::Factored(form)) => {
                (rank, fraction_bits) = (form.rank(), form.fraction_bits());
                Parts::FACTORS
            }
            Upper::Network(_) => Parts::NETWORK,
            Upper::Standalone(_) => Parts::NETWORK | Parts::STANDALONE,
        };
        let network = weights.network().map(Network::shape);
        WeightsHeader { parts, rank, fraction_bits, network }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let version = self.network.map_or(1, network::first_version);
        let (parts, fraction_bits) = (self.parts.bits().into(), self.fraction_bits as usize);
        write_header(out, [version.into(), UNIT as usize, parts, self.rank, fraction_bits])?;
        self.network.map_or(Ok(()), |shape| network::write_shape(shape, version, out))
    }

    pub(super) fn read(input: &mut impl Read) -> Result<WeightsHeader, WeightsError> {
        let version = read_number(input)?;
        if !(1..=VERSION).contains(&version) {
            return Err(WeightsError::Version { found: version, latest: VERSION });
        }
        let impossible = |field, value| Err(WeightsError::Field { field, value });
        let unit = read_number(input)?;
        if i32::from(unit) != UNIT {
            return impossible("unit", unit);
        }
        let bits = read_number(input)?;
        if bits & Parts::NARROW_TABLE.bits() != 0 {
            return Err(WeightsError::Retired("KPP in 8 bits"));
        }
        let forms = Parts::KPP_TABLE | Parts::FACTORS | Parts::NETWORK;
        let parts = match Parts::from_bits(bits) {
            Some(parts)
                if (parts & forms).bits().count_ones() <= 1
                    && (version > 1 || !parts.contains(Parts::NETWORK)) =>
            {
                parts
            }
            _ => return impossible("parts", bits),
        };
        let (rank, fraction_bits) = (read_number(input)?, read_number(input)?);
        let factored = parts.contains(Parts::FACTORS);
        if factored != (rank.is_multiple_of(32) && (32..=256).contains(&rank)) {
            return impossible("rank", rank);
        }
        if factored != Factored::FRACTION_BITS.contains(&u32::from(fraction_bits)) {
            return impossible("fraction bits", fraction_bits);
        }
        let has_network = parts.contains(Parts::NETWORK);
        let network = if has_network { Some(network::read_shape(version, input)?) } else { None };
        Ok(WeightsHeader { parts, rank: rank.into(), fraction_bits: fraction_bits.into(), network })
    }
}
