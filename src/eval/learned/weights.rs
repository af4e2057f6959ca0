//! The weights of a learned evaluation, prepared for evaluation.

use std::borrow::Cow;

use super::king_view::KingView;
use super::kpp::Kpp;
use super::network::Network;
use super::parts::{Term, TermShape, Terms};
use super::threats::each_threat;
use super::triangle::{fold, unfold};
use crate::eval::index::{PieceIndex, PieceRow};
use crate::eval::material::PieceValues;
use crate::shogi::Position;

/// All weights of one learned evaluation, in fixed point. There are [`UNIT`](super::UNIT) units per
/// centipawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    piece_values: PieceValues,
    /// Shapes: see [`TermShape`]. For pairs, the whole square `[1548][1548]`.
    tables: Terms<Vec<i16>>,
    /// Whether any weight of a table is not zero.
    has: Terms<bool>,
    upper: Upper,
}

/// The part of the value that depends on more than the terms do: KPP or a network, not both.
#[derive(Clone, Debug, PartialEq)]
pub enum Upper {
    /// Nothing.
    None,
    /// KPP, a king and two pieces.
    Kpp(Kpp),
    /// A network of all pieces.
    Network(Network),
    /// A network that is the whole value, without material.
    Standalone(Network),
}

impl Weights {
    /// Creates weights. `tables` has the shapes of [`TermShape`]. Returns `None` if a shape is
    /// wrong, an empty slot has a weight, or a [standalone](Upper::Standalone) network is not
    /// [plain](Network::is_plain) or has other parts.
    pub fn new(
        piece_values: PieceValues,
        mut tables: Terms<Vec<i16>>,
        upper: Upper,
    ) -> Option<Weights> {
        let has = Terms::from_fn(|term| tables[term].iter().any(|&weight| weight != 0));
        let empty = PieceIndex::NONE.index();
        for term in Term::ALL {
            let table = &mut tables[term];
            let fits = table.len() == term.size()
                && match term.shape() {
                    TermShape::Kings | TermShape::KingsToMove | TermShape::Threats => true,
                    TermShape::KingsAndPiece => rows(table).iter().all(|row| row[empty] == 0),
                    TermShape::Pair => {
                        let mut square = vec![[0; PieceIndex::COUNT]; PieceIndex::COUNT];
                        let is_empty_zero = unfold(table, &mut square);
                        *table = square.into_flattened();
                        is_empty_zero
                    }
                };
            if !fits {
                return None;
            }
        }
        if let Upper::Standalone(network) = &upper
            && !(network.is_plain() && has == Terms::default())
        {
            return None;
        }
        Some(Weights { piece_values, tables, has, upper })
    }

    /// The values of the pieces.
    #[inline]
    pub fn piece_values(&self) -> &PieceValues {
        &self.piece_values
    }

    /// Whether a network is the whole value, without material.
    #[inline]
    pub fn is_standalone(&self) -> bool {
        matches!(self.upper, Upper::Standalone(_))
    }

    /// The material term for this material balance, if both kings exist.
    #[inline]
    pub fn material(&self, balance: i32) -> i32 {
        if self.is_standalone() { 0 } else { balance }
    }

    /// The weights of a term, in the shape of its [`TermShape`].
    pub fn table(&self, term: Term) -> Cow<'_, [i16]> {
        match term.shape() {
            TermShape::Pair => fold(rows(&self.tables[term])).into(),
            _ => self.tables[term].as_slice().into(),
        }
    }

    /// Whether any weight of a term is not zero.
    #[inline]
    pub fn has(&self, term: Term) -> bool {
        self.has[term]
    }

    /// KPP, the network, or neither.
    #[inline]
    pub fn upper(&self) -> &Upper {
        &self.upper
    }

    /// The weights of KPP, if there are any.
    #[inline]
    pub fn kpp(&self) -> Option<&Kpp> {
        if let Upper::Kpp(kpp) = &self.upper { Some(kpp) } else { None }
    }

    /// The network, if there is one.
    #[inline]
    pub fn network(&self) -> Option<&Network> {
        match &self.upper {
            Upper::Network(network) | Upper::Standalone(network) => Some(network),
            Upper::None | Upper::Kpp(_) => None,
        }
    }

    /// Length of the accumulator of each side: the rank of the factored KPP, or the number of
    /// hidden units of the network.
    pub(super) fn width(&self) -> usize {
        match &self.upper {
            Upper::Kpp(Kpp::Factored(form)) => form.rank(),
            Upper::Kpp(_) | Upper::None => 0,
            Upper::Network(network) | Upper::Standalone(network) => network.units(),
        }
    }

    /// The weight of both kings, for a term of the kings alone.
    #[inline]
    pub(super) fn kings(&self, term: Term, view: KingView) -> i32 {
        i32::from(self.tables[term][view.pair()])
    }

    /// The sum of the weights of a position's threats.
    #[inline]
    pub(super) fn threats(&self, term: Term, pos: &Position) -> i32 {
        let (table, mut sum) = (&self.tables[term], 0);
        each_threat(pos, |_, number| sum += i32::from(table[number]));
        sum
    }

    /// The weights of both kings with every piece, for a term of kings and a piece.
    #[inline]
    pub fn kings_row(&self, term: Term, view: KingView) -> &PieceRow {
        &rows(&self.tables[term])[view.pair()]
    }

    /// The weights of a piece with every other piece, for a term of pairs.
    #[inline]
    pub fn pair_row(&self, term: Term, index: PieceIndex) -> &PieceRow {
        &rows(&self.tables[term])[index.index()]
    }

    /// The form of the weights in a few words.
    pub fn form(&self) -> String {
        match &self.upper {
            Upper::None => "no KPP".to_owned(),
            Upper::Kpp(Kpp::Table(_)) => "KPP table".to_owned(),
            Upper::Kpp(Kpp::Factored(form)) => {
                let (rank, bits) = (form.rank(), form.fraction_bits());
                format!("factored KPP, rank {rank}, {bits} fraction bits")
            }
            Upper::Network(network) | Upper::Standalone(network) => {
                format!("network, {}", network.shape())
            }
        }
    }
}

#[inline]
fn rows(table: &[i16]) -> &[PieceRow] {
    table.as_chunks().0
}
