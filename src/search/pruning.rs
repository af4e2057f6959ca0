//! The pruning rules and extensions of Hoki 2006, each a pure function of what it looks at.
//!
//! Symbols: P is the present node, p the node after the move m; E the evaluation from the side to
//! move's view, M its material part; Mcap(m) what m wins in material; Mpiece-king(m) the change of
//! the moved piece's relations to the kings; Vmax(m) a bound on all other changes.

use super::{Depth, SearchParams};
use crate::eval::Score;

/// Vmax(m): how much the evaluation can change in one move beyond what is foreseen, centipawns.
/// Starts at the parameters' values and grows whenever the search meets a larger change (the
/// remark after eq. (10)). One per worker and search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeBounds {
    /// For moves of pieces other than the king.
    pub other: i32,
    /// For king moves.
    pub king: i32,
    /// For the material-only forms: bound of E - M.
    pub material: i32,
}

impl ChangeBounds {
    /// The bounds a search starts with.
    pub fn new(params: &SearchParams) -> ChangeBounds {
        ChangeBounds {
            other: params.change_bound,
            king: params.king_change_bound,
            material: params.material_bound,
        }
    }

    /// Vmax(m).
    #[inline]
    pub fn of(&self, king_move: bool) -> i32 {
        if king_move { self.king } else { self.other }
    }

    /// Takes note of a change: `excess` = -E(p) - (E(P) + Mcap(m) + Mpiece-king(m)).
    #[inline]
    pub fn observe(&mut self, king_move: bool, excess: i32) {
        let bound = if king_move { &mut self.king } else { &mut self.other };
        *bound = excess.max(*bound);
    }

    /// Takes note of `relations` = E - M of one position.
    #[inline]
    pub fn observe_relations(&mut self, relations: i32) {
        self.material = self.material.max(relations.abs());
    }
}

/// Eq. (8): Vdiff(m) = Mcap(m) + Mpiece-king(m) + Vmax(m), the most by which m can raise the
/// evaluation. `foreseen` = Mcap(m) + Mpiece-king(m).
#[inline]
pub fn largest_change(bounds: &ChangeBounds, foreseen: i32, king_move: bool) -> i32 {
    foreseen + bounds.of(king_move)
}

/// Eq. (6): at a frontier node, a move that cannot lift the evaluation above alpha is skipped.
/// `bound` = E(P) + Vdiff(m).
#[inline]
pub fn futility(bound: Score, alpha: Score) -> bool {
    bound <= alpha
}

/// Eq. (9): the same at a pre-frontier node with the margin Fmgn, which the mover could still make
/// good.
#[inline]
pub fn extended_futility(params: &SearchParams, bound: Score, alpha: Score) -> bool {
    bound + params.futility_margin <= alpha
}

/// Eq. (10): at the child of a pre-frontier node, an evaluation (or quiescence value) that is
/// above beta even without the margin ends the node.
#[inline]
pub fn child_futility(params: &SearchParams, value: Score, beta: Score) -> bool {
    value - params.futility_margin >= beta
}

/// Whether a node of this depth is the child of a pre-frontier node: depth + 1 <= EXT_F_DEPTH.
#[inline]
pub fn is_child_futility_depth(params: &SearchParams, depth: Depth) -> bool {
    depth + Depth::ONE <= params.extended_futility_depth
}

/// Whether the children of a node of this depth (counted with the move's extension) are searched
/// by quiescence.
#[inline]
pub fn is_frontier(extended_depth: Depth) -> bool {
    extended_depth < Depth::plies(2)
}

/// Whether a node of this depth (counted with the move's extension) is close enough to the horizon
/// for eq. (9).
#[inline]
pub fn is_pre_frontier(params: &SearchParams, extended_depth: Depth) -> bool {
    extended_depth <= params.extended_futility_depth
}

/// Null move pruning (Beal 1989): the reduced depth of the search after a pass, or `None` if the
/// node is too shallow. Hoki 2006: R = 3 from depth 7, else 2; not at remaining depth 1.
#[inline]
pub fn null_move_depth(params: &SearchParams, depth: Depth) -> Option<Depth> {
    let reduction = if depth >= params.null_move_deep { 3 } else { 2 };
    (depth >= params.null_move_depth).then(|| depth - Depth::ONE - Depth::plies(reduction))
}

/// What speaks for looking deeper after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtensionCase {
    /// The move gives check.
    pub gives_check: bool,
    /// The side to move is in check and this is its only legal move.
    pub one_reply: bool,
    /// The move takes on the square where the opponent has just taken.
    pub recapture: bool,
}

/// Extensions: check one ply, one reply and recapture half a ply; one ply in all.
#[inline]
pub fn extension(params: &SearchParams, case: ExtensionCase) -> Depth {
    let mut extension = Depth::ZERO;
    if case.gives_check {
        extension += params.check_extension;
    }
    if case.one_reply {
        extension += params.one_reply_extension;
    }
    if case.recapture {
        extension += params.recapture_extension;
    }
    extension.min(Depth::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: SearchParams = SearchParams::HOKI_2006;

    #[test]
    fn bounds_grow_and_never_shrink() {
        let mut bounds = ChangeBounds::new(&PARAMS);
        let before = bounds;
        bounds.observe(false, before.other - 1);
        bounds.observe(true, -before.king);
        bounds.observe_relations(-before.material);
        assert_eq!(bounds, before);
        bounds.observe(false, before.other + 5);
        assert_eq!((bounds.of(false), bounds.of(true)), (before.other + 5, before.king));
        assert_eq!(largest_change(&bounds, 30, false), before.other + 35);
    }

    #[test]
    fn futility_fires_at_the_bound_and_not_above() {
        let alpha = Score::cp(100);
        assert!(futility(Score::cp(100), alpha) && !futility(Score::cp(101), alpha));
        let margin = PARAMS.futility_margin;
        assert!(extended_futility(&PARAMS, Score::cp(100 - margin), alpha));
        assert!(!extended_futility(&PARAMS, Score::cp(101 - margin), alpha));
        assert!(child_futility(&PARAMS, Score::cp(100 + margin), alpha));
        assert!(!child_futility(&PARAMS, Score::cp(99 + margin), alpha));
    }

    #[test]
    fn depths_of_the_rules() {
        assert!(is_frontier(Depth::ONE) && is_frontier(Depth::ONE + Depth::HALF));
        assert!(!is_frontier(Depth::plies(2)));
        assert!(is_pre_frontier(&PARAMS, Depth::plies(3)));
        assert!(!is_pre_frontier(&PARAMS, Depth::plies(3) + Depth::HALF));
        assert!(is_child_futility_depth(&PARAMS, Depth::plies(2)));
        assert!(!is_child_futility_depth(&PARAMS, Depth::plies(2) + Depth::HALF));
        assert_eq!(null_move_depth(&PARAMS, Depth::ONE), None);
        assert_eq!(null_move_depth(&PARAMS, Depth::plies(6)), Some(Depth::plies(3)));
        assert_eq!(null_move_depth(&PARAMS, Depth::plies(7)), Some(Depth::plies(3)));
    }

    #[test]
    fn extensions_add_up_to_one_ply_at_most() {
        let case = |gives_check, one_reply, recapture| {
            extension(&PARAMS, ExtensionCase { gives_check, one_reply, recapture })
        };
        assert_eq!(case(false, false, false), Depth::ZERO);
        assert_eq!(case(true, false, false), Depth::ONE);
        assert_eq!(case(false, true, false), Depth::HALF);
        assert_eq!(case(false, true, true), Depth::ONE);
        assert_eq!(case(true, true, true), Depth::ONE);
    }
}
