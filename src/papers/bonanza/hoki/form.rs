//! The evaluation: the value, its parts, and what a search needs along a line.

use std::sync::Arc;

use super::group::HokiGroup;
use super::side::Side;
use super::text;
use super::walk::king_row;
use super::weights::{HokiWeights, UNIT};
use crate::eval::learned::triangle_index;
use crate::eval::{PieceIndex, RegisteredForm, RegisteredLine, Score};
use crate::papers::from_scratch::ScratchLine;
use crate::shogi::{Change, Color, Place, Position, Square};

impl RegisteredForm for HokiWeights {
    fn name(&self) -> &'static str {
        text::NAME
    }

    fn evaluate(&self, pos: &Position) -> Score {
        Score::cp(pos.side_to_move().sign() * self.value(pos) / UNIT)
    }

    /// Each group is one part.
    fn explain(&self, pos: &Position) -> Vec<(String, i32)> {
        let parts = self.parts(pos);
        let part = |group: HokiGroup| {
            let units = pos.side_to_move().sign() * parts[group.number()];
            let centipawns = f64::from(units) / f64::from(UNIT);
            (group.name().to_owned(), centipawns.round() as i32)
        };
        self.groups().iter().map(part).collect()
    }

    fn describe(&self) -> String {
        text::describe(self)
    }

    /// Sums the relations of [`HokiGroup::Kpp`] between the moved piece, each king and any other
    /// piece. A captured piece still counts among the other pieces. Costs 148 look-ups.
    fn piece_king_change(&self, pos: &Position, _: [Square; 2], moved: &Change) -> i32 {
        if !self.groups().contains(HokiGroup::Kpp) {
            return 0;
        }
        let change = |color: Color| {
            let side = Side::new(pos, color);
            color.sign() * self.kpp_change(side, moved.before, moved.after)
        };
        Color::ALL.into_iter().map(change).sum::<i32>() / UNIT
    }

    fn line(self: Arc<Self>, pos: &Position) -> Box<dyn RegisteredLine> {
        let values = *self.piece_values();
        Box::new(ScratchLine::new(self, values, pos))
    }
}

impl HokiWeights {
    /// Change of a side's KPP, in units, when one piece moves and the others stay.
    fn kpp_change(&self, side: Side, before: Place, after: Place) -> i32 {
        let index =
            |place| PieceIndex::new(place, side.color).map(|index| side.normal_index(index));
        let (Some(king), Some(before), Some(after)) = (side.king, index(before), index(after))
        else {
            return 0;
        };
        let first = king_row(side, king);
        let row = &self.table(HokiGroup::Kpp)[first..];
        let of = |piece: PieceIndex, other: PieceIndex| {
            i32::from(row[triangle_index(piece.min(other), piece.max(other))])
        };
        let others = side.sorted_indices();
        // A piece has no weight with a piece in the same place, because that piece would be
        // captured.
        let relation = |piece, other| if piece == other { 0 } else { of(piece, other) };
        let others = others.iter().filter(|&&other| other != before);
        others.map(|&other| relation(after, other) - of(before, other)).sum()
    }
}
