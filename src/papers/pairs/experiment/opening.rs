//! Table 6: the Yagura opening, move by move.

use std::cmp::Reverse;

use super::imitation::rise;
use crate::papers::pairs::form::{PairList, PairPiece, PairWeights};
use crate::papers::pairs::learner::CaptureSearch;
use crate::shogi::{Move, Position};

/// The moves. For the parent and the sibling model of the paper: the rank of the move, and the
/// model's best move if it is another.
pub(super) const YAGURA: [(&str, [(u32, &str); 2]); 24] = [
    ("7g7f", [(24, "K4h"), (0, "")]),
    ("8c8d", [(8, "k6b"), (1, "p3d")]),
    ("7i6h", [(5, "K4h"), (2, "P2f")]),
    ("3c3d", [(8, "k6b"), (0, "")]),
    ("6h7g", [(2, "B7g"), (1, "P6f")]),
    ("7a6b", [(9, "k6b"), (0, "")]),
    ("2g2f", [(11, "R3h"), (1, "P6f")]),
    ("3a4b", [(4, "k5b"), (5, "p8e")]),
    ("3i4h", [(7, "K4h"), (1, "P2e")]),
    ("4a3b", [(12, "k5b"), (1, "p5d")]),
    ("6i7h", [(15, "G3i"), (1, "P5f")]),
    ("5c5d", [(16, "g7a"), (0, "")]),
    ("5g5f", [(12, "G3i"), (3, "P2e")]),
    ("5a4a", [(6, "g7a"), (0, "")]),
    ("5i6i", [(6, "G3i"), (0, "")]),
    ("6a5b", [(16, "g7a"), (0, "")]),
    ("4i5h", [(13, "G3i"), (0, "")]),
    ("7c7d", [(3, "k3a"), (0, "")]),
    ("3g3f", [(3, "L9h"), (1, "P2e")]),
    ("4b3c", [(11, "l1b"), (2, "p6d")]),
    ("8h7i", [(15, "L9h"), (0, "")]),
    ("2b3a", [(9, "k3a"), (1, "p6d")]),
    ("6g6f", [(8, "B4f"), (7, "P3e")]),
    ("4c4d", [(12, "s7c"), (2, "b6d")]),
];

/// A model's rating of a move of the opening.
pub(super) struct OpeningMove {
    /// Number of better moves; `None` if the move wins or loses material.
    pub rank: Option<usize>,
    /// The piece of the best move, at its target.
    pub best: Option<PairPiece>,
}

/// Rates the moves of [`YAGURA`].
pub(super) fn judge(weights: &PairWeights) -> Vec<OpeningMove> {
    let search = CaptureSearch::default();
    let mut pos = Position::startpos();
    let judge = |(text, _): &(&str, _)| {
        let mv: Move = text.parse().expect("a move");
        let list = PairList::new(&pos);
        let mut moves = search.neutral_moves(&mut pos).to_vec();
        moves.sort_by_cached_key(|&mv| Reverse(rise(weights, &pos, &list, mv)));
        let rank = moves.iter().position(|&other| other == mv);
        let best = moves.first().map(|&best| PairPiece::new(pos.delta_of(best).moved.after));
        pos.do_move(mv);
        OpeningMove { rank, best }
    };
    YAGURA.iter().map(judge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opening_is_legal_and_neutral() {
        let moves = judge(&PairWeights::zero());
        assert!(moves.iter().all(|mv| mv.rank.is_some()));
        let mut pos = Position::startpos();
        for (text, paper) in YAGURA {
            let mv: Move = text.parse().expect("a move");
            assert!(pos.is_legal(mv), "{text}");
            // The paper's rank is not 0 where its best move is another.
            assert!(paper.iter().all(|&(rank, best)| (rank == 0) == best.is_empty()), "{text}");
            pos.do_move(mv);
        }
    }
}
