//! Where a learned value comes from: the share of every piece, and the strongest relations.

use super::full::{network_value, relations};
use super::king_pairs::{PairForm, SideView};
use super::{KingPairs, KingView, UNIT, Weights};
use crate::eval::{PieceList, material, piece_list};
use crate::shogi::{Color, Place, Position};

/// A value taken apart. All numbers are centipawns from Black's view; with a king missing only
/// material is left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The non-king pieces, board first.
    pub pieces: Vec<PieceShare>,
    /// Relations of two pieces, strongest first.
    pub relations: Vec<Relation>,
    /// What the kings are worth to each other.
    pub kings: f64,
    /// What having the move is worth, from Black's view too.
    pub turn: f64,
    /// What the network says. No sum of the pieces' shares: they are what each piece alone would
    /// take away.
    pub network: f64,
}

impl Explanation {
    /// What the network says beyond the shares of the pieces.
    pub fn network_rest(&self) -> f64 {
        self.network - self.pieces.iter().map(|piece| piece.network).sum::<f64>()
    }
}

/// What one piece adds to the value. A relation of two pieces belongs to each by half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceShare {
    /// Where it is.
    pub place: Place,
    /// By itself.
    pub material: f64,
    /// With both kings.
    pub kings: f64,
    /// With the other pieces, wherever the kings are.
    pub pairs: f64,
    /// With the other pieces and Black's king, and White's.
    pub king_pairs: [f64; 2],
    /// The network's value minus its value without the piece.
    pub network: f64,
}

impl PieceShare {
    /// All but material.
    pub fn relations(&self) -> f64 {
        self.kings + self.pairs + self.king_pairs[0] + self.king_pairs[1] + self.network
    }
}

/// What two pieces mean together, with either king and without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relation {
    /// Where they are.
    pub places: [Place; 2],
    /// Sum of all weights of the pair; of a network, what one of them adds to its value with the
    /// other less what it adds without it.
    pub value: f64,
}

/// Takes the value of a position apart.
pub fn explain(weights: &Weights, pos: &Position) -> Explanation {
    let places: Vec<Place> = piece_list::places(pos).collect();
    let mut pieces: Vec<PieceShare> = places
        .iter()
        .map(|&place| PieceShare {
            place,
            material: f64::from(material::place_value(place)),
            kings: 0.0,
            pairs: 0.0,
            king_pairs: [0.0; 2],
            network: 0.0,
        })
        .collect();
    let (Some(black), Some(white)) = (pos.king(Color::Black), pos.king(Color::White)) else {
        return Explanation { pieces, ..Explanation::default() };
    };

    let list = PieceList::new(pos);
    let unit = f64::from(UNIT);
    let kings = [black, white];
    let black_kings = KingView::new(kings, Color::Black);
    let row = weights.king_piece_row(black_kings);
    for (piece, &index) in pieces.iter_mut().zip(list.list(Color::Black)) {
        piece.kings = f64::from(row[black_kings.normal(index).index()]) / unit;
    }
    let pair = PairValues {
        weights,
        list: &list,
        kings: Color::ALL.map(|side| KingView::new(kings, side)),
    };
    let mut relations_of_two = Vec::new();
    for second in 0..pieces.len() {
        for side in Color::ALL {
            // Of the factored form, a piece's own square.
            pieces[second].king_pairs[side.index()] += pair.own_square(side, second);
        }
        for first in 0..second {
            let free = pair.free(first, second);
            let by_king = Color::ALL.map(|side| pair.with_king(side, first, second));
            for at in [first, second] {
                pieces[at].pairs += free / 2.0;
                for (share, value) in pieces[at].king_pairs.iter_mut().zip(by_king) {
                    *share += value / 2.0;
                }
            }
            let value = free + by_king[0] + by_king[1];
            relations_of_two.push(Relation { places: [places[first], places[second]], value });
        }
    }
    let parts = relations(weights, pos).unwrap_or_default();
    let side = pos.side_to_move();
    if let Some(network) = weights.network() {
        let without = |slots: &[usize]| {
            f64::from(side.sign() * network_value(network, kings, &list, side, slots)) / unit
        };
        let whole = without(&[]);
        for (slot, piece) in pieces.iter_mut().enumerate() {
            piece.network = whole - without(&[slot]);
        }
        let pairs =
            (0..pieces.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
        for (relation, pair) in relations_of_two.iter_mut().zip(pairs) {
            let alone: f64 = pair.iter().map(|&slot| pieces[slot].network).sum();
            relation.value += alone - (whole - without(&pair));
        }
    }
    relations_of_two.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    Explanation {
        pieces,
        relations: relations_of_two,
        kings: f64::from(parts.kings) / unit,
        turn: f64::from(side.sign() * parts.turn) / unit,
        network: f64::from(side.sign() * parts.network) / unit,
    }
}

/// Weights of pairs of slots, centipawns, Black's view.
struct PairValues<'a> {
    weights: &'a Weights,
    list: &'a PieceList,
    /// Both sides' views.
    kings: [KingView; 2],
}

impl PairValues<'_> {
    fn free(&self, first: usize, second: usize) -> f64 {
        let black = self.list.list(Color::Black);
        f64::from(self.weights.pair_row(black[first])[black[second].index()]) / f64::from(UNIT)
    }

    fn with_king(&self, side: Color, first: usize, second: usize) -> f64 {
        let kings = self.kings[side.index()];
        let view = SideView { kings, pieces: self.list.list(side) };
        let index = |slot: usize| kings.normal(view.pieces[slot]);
        let weight = self.weights.king_pairs().weight(kings.king(), index(first), index(second));
        f64::from(side.sign()) * weight / f64::from(UNIT)
    }

    fn own_square(&self, side: Color, slot: usize) -> f64 {
        match self.weights.king_pairs() {
            KingPairs::Factored(_) => self.with_king(side, slot, slot) / 2.0,
            KingPairs::None | KingPairs::Table(_) => 0.0,
        }
    }
}
