//! Explains a learned value: the contribution of every piece, and the strongest relations.

use crate::eval::learned::features::{Pieces, SideView};
use crate::eval::learned::full::{network_value, relations};
use crate::eval::learned::threats::each_threat;
use crate::eval::learned::{Kpp, Term, TermShape, Terms, UNIT, Weights};
use crate::eval::{PieceList, places_of};
use crate::shogi::{Color, Place, Position};

/// The parts of a value. All numbers are centipawns from Black's view. If a king is missing, only
/// material remains.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Explanation {
    /// The non-king pieces, board first.
    pub pieces: Vec<PieceShare>,
    /// Relations of two pieces, strongest first.
    pub relations: Vec<Relation>,
    /// The terms of the kings alone, KK and tempo, also from Black's view. 0 for the others.
    pub kings: Terms<f64>,
    /// The value of the network. It is not the sum of the pieces' contributions, because each
    /// contribution is the effect of removing that piece alone.
    pub network: f64,
}

impl Explanation {
    /// The network's value minus the contributions of the pieces.
    pub fn network_rest(&self) -> f64 {
        self.network - self.pieces.iter().map(|piece| piece.network).sum::<f64>()
    }
}

/// Contribution of one piece to the value. Each of two related pieces gets half of the relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PieceShare {
    /// The place of the piece.
    pub place: Place,
    /// The value of the piece alone.
    pub material: f64,
    /// The terms of pieces. KKP: the relation to both kings. PP: the relations to the other pieces,
    /// independent of the kings. Threats: that to this piece. 0 for the others.
    pub terms: Terms<f64>,
    /// KPP: the relations to the other pieces with Black's king, and with White's king.
    pub kpp: [f64; 2],
    /// The network's value minus its value without the piece.
    pub network: f64,
}

impl PieceShare {
    /// The contribution without material.
    pub fn relations(&self) -> f64 {
        let terms: f64 = Term::ALL.map(|term| self.terms[term]).iter().sum();
        terms + self.kpp[0] + self.kpp[1] + self.network
    }
}

/// The relation of two pieces, with each king and without kings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Relation {
    /// The places of the pieces.
    pub places: [Place; 2],
    /// Sum of all weights of the pair. For a network: the contribution of one piece with the other
    /// present minus its contribution without the other.
    pub value: f64,
}

/// Splits the value of a position into its parts.
pub(super) fn explain(weights: &Weights, pos: &Position) -> Explanation {
    let share = |place: Place| PieceShare {
        place,
        material: f64::from(weights.piece_values().of_place(place)),
        terms: Terms::default(),
        kpp: [0.0; 2],
        network: 0.0,
    };
    let mut pieces: Vec<PieceShare> = places_of(pos).map(share).collect();
    let (Some(kings), Some(parts)) = (pos.kings(), relations(weights, pos)) else {
        return Explanation { pieces, ..Explanation::default() };
    };

    let list = PieceList::new(pos);
    let views = SideView::both(kings, &list);
    for (piece, index) in pieces.iter_mut().zip(views[0].normal_pieces()) {
        for term in Term::OF_KINGS_AND_PIECE {
            let row = weights.kings_row(term, views[0].kings);
            piece.terms[term] = centipawns(row[index.index()]);
        }
        piece.material = f64::from(weights.material(weights.piece_values().of_place(piece.place)));
    }
    each_threat(pos, |sq, number| {
        let at_square =
            |piece: &&mut PieceShare| matches!(piece.place, Place::Board(at, _) if at == sq);
        if let Some(piece) = pieces.iter_mut().find(at_square) {
            let own = centipawns(weights.table(Term::Threats)[number]);
            piece.terms[Term::Threats] = f64::from(pos.side_to_move().sign()) * own;
        }
    });
    let pairs = PairValues { weights, views, normal: views.map(SideView::normal_pieces) };
    let mut relations = pairs.share(&mut pieces);
    let side = pos.side_to_move();
    if let Some(network) = weights.network() {
        let without =
            |slots: &[usize]| centipawns(side.sign() * network_value(network, views, side, slots));
        share_network(&mut pieces, &mut relations, without);
    }
    relations.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    Explanation {
        pieces,
        relations,
        kings: Terms::from_fn(|term| match term.shape() {
            TermShape::Kings => centipawns(parts.terms[term]),
            TermShape::KingsToMove => centipawns(side.sign() * parts.terms[term]),
            TermShape::KingsAndPiece | TermShape::Pair | TermShape::Threats => 0.0,
        }),
        network: centipawns(side.sign() * parts.network),
    }
}

/// Adds the contribution of each piece to the network's value, and of each pair. `without` returns
/// the value without the pieces of some slots.
fn share_network(
    pieces: &mut [PieceShare],
    relations: &mut [Relation],
    without: impl Fn(&[usize]) -> f64,
) {
    let whole = without(&[]);
    for (slot, piece) in pieces.iter_mut().enumerate() {
        piece.network = whole - without(&[slot]);
    }
    let pairs = (0..pieces.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
    for (relation, pair) in relations.iter_mut().zip(pairs) {
        let alone: f64 = pair.iter().map(|&slot| pieces[slot].network).sum();
        relation.value += alone - (whole - without(&pair));
    }
}

fn centipawns(units: impl Into<f64>) -> f64 {
    units.into() / f64::from(UNIT)
}

/// Weights of pairs of slots, in centipawns, from Black's view.
struct PairValues<'a> {
    weights: &'a Weights,
    /// The views of both sides.
    views: [SideView<'a>; 2],
    /// The normalized pieces of both views.
    normal: [Pieces; 2],
}

impl PairValues<'_> {
    /// Adds half of each pair's weights to both pieces, and returns the relations of all pairs.
    fn share(&self, pieces: &mut [PieceShare]) -> Vec<Relation> {
        let mut relations = Vec::new();
        for second in 0..pieces.len() {
            for side in Color::ALL {
                // The factored form contains the square of a piece with itself.
                pieces[second].kpp[side.index()] += self.own_square(side, second);
            }
            for first in 0..second {
                let kpp = Color::ALL.map(|side| self.kpp(side, first, second));
                let mut value = kpp[0] + kpp[1];
                for term in Term::OF_PAIR {
                    let weight = self.term(term, first, second);
                    value += weight;
                    for at in [first, second] {
                        pieces[at].terms[term] += weight / 2.0;
                    }
                }
                for at in [first, second] {
                    for (share, value) in pieces[at].kpp.iter_mut().zip(kpp) {
                        *share += value / 2.0;
                    }
                }
                relations
                    .push(Relation { places: [first, second].map(|at| pieces[at].place), value });
            }
        }
        relations
    }

    fn term(&self, term: Term, first: usize, second: usize) -> f64 {
        let black = self.views[0].pieces;
        centipawns(self.weights.pair_row(term, black[first])[black[second].index()])
    }

    fn kpp(&self, side: Color, first: usize, second: usize) -> f64 {
        let (king, pieces) = (self.views[side.index()].kings.king(), self.normal[side.index()]);
        let weight = |kpp: &Kpp| kpp.weight(king, pieces[first], pieces[second]);
        f64::from(side.sign()) * centipawns(self.weights.kpp().map_or(0.0, weight))
    }

    fn own_square(&self, side: Color, slot: usize) -> f64 {
        match self.weights.kpp() {
            Some(Kpp::Factored(_)) => self.kpp(side, slot, slot) / 2.0,
            _ => 0.0,
        }
    }
}
