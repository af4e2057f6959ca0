//! The pruning rules and extensions of Hoki 2006, each a pure function of its arguments.
//!
//! Symbols: P is the current node, p the node after the move m. E is the evaluation for the side to
//! move, M its material part. Mcap(m) is the material gained by m; Mpiece-king(m) the change of the
//! moved piece's relations to the kings; Vmax(m) a bound on all other changes.

use super::half_plies::HalfPlies;
use super::params::{FullWidthParams, Rules};
use crate::eval::Score;

/// Vmax(m): bounds on the change of the evaluation in one move beyond the predicted change,
/// centipawns. They start at the parameters' values and grow whenever the search meets a larger
/// change (the remark after eq. (10)). Each thread has its own bounds for each search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeBounds {
    /// For moves of pieces other than the king.
    pub other: i32,
    /// For king moves.
    pub king: i32,
    /// For the material-only forms: bound on E - M.
    pub material: i32,
}

impl ChangeBounds {
    /// The bounds a search starts with.
    pub fn new(params: &FullWidthParams) -> ChangeBounds {
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

    /// Updates a bound with `excess` = -E(p) - (E(P) + Mcap(m) + Mpiece-king(m)).
    #[inline]
    pub fn observe(&mut self, king_move: bool, excess: i32) {
        let bound = if king_move { &mut self.king } else { &mut self.other };
        *bound = excess.max(*bound);
    }

    /// Updates the material bound with `relations` = E - M of one position.
    #[inline]
    pub fn observe_relations(&mut self, relations: i32) {
        self.material = self.material.max(relations.abs());
    }
}

/// Input of the futility rules for one move. A move is futile if the maximum it can gain does not
/// exceed alpha. The rules do not apply in check, to checking moves, or if alpha is a mate score.
/// The caller always searches the first move of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FutilityCase {
    /// The score to exceed.
    pub alpha: Score,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Whether the move gives check.
    pub gives_check: bool,
    /// Depth with the move's extension; at most one ply in quiescence search.
    pub extended_depth: HalfPlies,
    /// The rule that allows eq. (6) here: [`Rules::FUTILITY`] or [`Rules::QSEARCH_FUTILITY`].
    pub rule: Rules,
}

impl FutilityCase {
    /// Whether any rule can apply. If not, the caller saves the computation of the gain.
    #[inline]
    pub fn is_open(&self, params: &FullWidthParams) -> bool {
        params.rules.intersects(Rules::ALL_FUTILITY)
            && !self.in_check
            && !self.gives_check
            && !self.alpha.is_mate()
            && self.extended_depth <= params.extended_futility_depth
    }

    /// Eq. (4), M(P) + Mcap(m) + Vmax <= alpha at frontier nodes, and eq. (5), the same with Fmgn
    /// at pre-frontier nodes. Uses only material, before any evaluation. Returns the bound if the
    /// move is futile.
    #[inline]
    pub fn by_material(
        &self,
        params: &FullWidthParams,
        bounds: &ChangeBounds,
        material: Score,
        gain: i32,
    ) -> Option<Score> {
        let margin = self.margin(params, Rules::MATERIAL_FUTILITY)?;
        let wanted = params.rules.contains(Rules::MATERIAL_FUTILITY);
        let bound = material + (gain + bounds.material + margin);
        (wanted && bound <= self.alpha).then_some(bound)
    }

    /// Eq. (6), E(P) + Vdiff(m) <= alpha at frontier nodes, and eq. (9), the same with Fmgn at
    /// pre-frontier nodes, where Vdiff(m) = Mcap(m) + Mpiece-king(m) + Vmax(m), eq. (8).
    /// `foreseen`: Mcap(m) + Mpiece-king(m). Returns the bound if the move is futile.
    #[inline]
    pub fn by_change(
        &self,
        params: &FullWidthParams,
        bounds: &ChangeBounds,
        static_eval: Score,
        foreseen: i32,
        king_move: bool,
    ) -> Option<Score> {
        let margin = self.margin(params, self.rule)?;
        let bound = static_eval + (foreseen + bounds.of(king_move) + margin);
        (bound <= self.alpha).then_some(bound)
    }

    /// 0 at frontier nodes, whose children are quiescence searches; Fmgn one ply earlier, where the
    /// mover can still gain. `None` if the rule does not apply.
    #[inline]
    fn margin(&self, params: &FullWidthParams, frontier_rule: Rules) -> Option<i32> {
        if !self.is_open(params) {
            None
        } else if self.extended_depth < HalfPlies::plies(2) {
            params.rules.contains(frontier_rule).then_some(0)
        } else {
            params.rules.contains(Rules::EXTENDED_FUTILITY).then_some(params.futility_margin)
        }
    }
}

/// Eq. (10): whether an evaluation (or quiescence value) at the child of a pre-frontier node
/// exceeds beta by the margin and ends the node. Not used in check, at PV nodes, or if beta is a
/// mate score.
#[inline]
pub fn child_futility(params: &FullWidthParams, value: Score, beta: Score) -> bool {
    value - params.futility_margin >= beta
}

/// Whether a node of this depth is the child of a pre-frontier node: depth + 1 <= EXT_F_DEPTH.
#[inline]
pub fn is_child_futility_depth(params: &FullWidthParams, depth: HalfPlies) -> bool {
    depth + HalfPlies::ONE_PLY <= params.extended_futility_depth
}

/// Null-move pruning (Beal 1989): the reduced depth of the search after a pass, or `None` if the
/// node is too shallow. Hoki 2006: R = 3 from depth 7, else 2; not at remaining depth 1.
#[inline]
pub fn null_move_depth(params: &FullWidthParams, depth: HalfPlies) -> Option<HalfPlies> {
    let reduction = if depth >= params.null_move_deep { 3 } else { 2 };
    (depth >= params.null_move_depth)
        .then(|| depth - HalfPlies::ONE_PLY - HalfPlies::plies(reduction))
}

/// Input of the extensions for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtensionCase {
    /// Whether the move gives check.
    pub gives_check: bool,
    /// Whether the side to move is in check and this is its only legal move.
    pub one_reply: bool,
    /// Whether the move captures on the square of the opponent's last capture.
    pub recapture: bool,
}

/// Extensions: one ply for a check, half a ply each for a single reply and a recapture; at most one
/// ply in total.
#[inline]
pub fn extension(params: &FullWidthParams, case: ExtensionCase) -> HalfPlies {
    if !params.rules.contains(Rules::EXTENSIONS) {
        return HalfPlies::ZERO;
    }
    let by = |holds: bool, depth: HalfPlies| if holds { depth } else { HalfPlies::ZERO };
    let extension = by(case.gives_check, params.check_extension)
        + by(case.one_reply, params.one_reply_extension)
        + by(case.recapture, params.recapture_extension);
    extension.min(HalfPlies::ONE_PLY)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: FullWidthParams = FullWidthParams::HOKI_2006;

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
    }

    fn case(alpha: Score, extended_depth: HalfPlies) -> FutilityCase {
        FutilityCase {
            alpha,
            in_check: false,
            gives_check: false,
            extended_depth,
            rule: Rules::FUTILITY,
        }
    }

    #[test]
    fn futility_applies_at_the_bound_and_not_above() {
        let bounds = ChangeBounds { other: 50, king: 90, material: 400 };
        let margin = PARAMS.futility_margin;
        let deep = HalfPlies::plies(2);
        for (depth, margin) in
            [(HalfPlies::ONE_PLY, 0), (HalfPlies::ONE_PLY + HalfPlies::HALF_PLY, 0), (deep, margin)]
        {
            let case = case(Score::cp(100), depth);
            let by_change = |static_eval, king| {
                case.by_change(&PARAMS, &bounds, Score::cp(static_eval - margin), 30, king)
            };
            assert_eq!(by_change(20, false), Some(Score::cp(100)));
            assert_eq!(by_change(21, false), None);
            assert_eq!(by_change(-20, true), Some(Score::cp(100)));
            assert_eq!(by_change(-19, true), None);
            let by_material =
                |material| case.by_material(&PARAMS, &bounds, Score::cp(material - margin), 30);
            assert_eq!(by_material(-330), Some(Score::cp(100)));
            assert_eq!(by_material(-329), None);
        }
        let margin = PARAMS.futility_margin;
        assert!(child_futility(&PARAMS, Score::cp(100 + margin), Score::cp(100)));
        assert!(!child_futility(&PARAMS, Score::cp(99 + margin), Score::cp(100)));
    }

    #[test]
    fn futility_does_not_apply_in_check_to_mates_or_far_from_the_horizon() {
        let bounds = ChangeBounds::new(&PARAMS);
        let plain = case(Score::cp(5_000), HalfPlies::ONE_PLY);
        let fires = |case: FutilityCase, params: &FullWidthParams| {
            let material = case.by_material(params, &bounds, Score::cp(-9_000), 0).is_some();
            let change = case.by_change(params, &bounds, Score::cp(-9_000), 0, false).is_some();
            (material, change)
        };
        assert_eq!(fires(plain, &PARAMS), (true, true));
        for silent in [
            FutilityCase { in_check: true, ..plain },
            FutilityCase { gives_check: true, ..plain },
            FutilityCase { alpha: Score::mate_in(5), ..plain },
            FutilityCase { alpha: Score::mated_in(6), ..plain },
            FutilityCase { extended_depth: HalfPlies::plies(3) + HalfPlies::HALF_PLY, ..plain },
        ] {
            assert_eq!(fires(silent, &PARAMS), (false, false), "{silent:?}");
            assert!(!silent.is_open(&PARAMS));
        }
        let without = PARAMS.without(Rules::FUTILITY);
        assert_eq!(fires(plain, &without), (true, false));
        let without = PARAMS.without(Rules::MATERIAL_FUTILITY);
        assert_eq!(fires(plain, &without), (false, true));
        let deep = FutilityCase { extended_depth: HalfPlies::plies(3), ..plain };
        assert_eq!(fires(deep, &PARAMS), (true, true));
        assert_eq!(fires(deep, &PARAMS.without(Rules::EXTENDED_FUTILITY)), (false, false));
    }

    #[test]
    fn rules_apply_at_their_depths() {
        assert!(is_child_futility_depth(&PARAMS, HalfPlies::plies(2)));
        assert!(!is_child_futility_depth(&PARAMS, HalfPlies::plies(2) + HalfPlies::HALF_PLY));
        assert_eq!(null_move_depth(&PARAMS, HalfPlies::ONE_PLY), None);
        assert_eq!(null_move_depth(&PARAMS, HalfPlies::plies(6)), Some(HalfPlies::plies(3)));
        assert_eq!(null_move_depth(&PARAMS, HalfPlies::plies(7)), Some(HalfPlies::plies(3)));
    }

    #[test]
    fn extensions_are_at_most_one_ply_in_total() {
        let case = |gives_check, one_reply, recapture| {
            extension(&PARAMS, ExtensionCase { gives_check, one_reply, recapture })
        };
        assert_eq!(case(false, false, false), HalfPlies::ZERO);
        assert_eq!(case(true, false, false), HalfPlies::ONE_PLY);
        assert_eq!(case(false, true, false), HalfPlies::HALF_PLY);
        assert_eq!(case(false, true, true), HalfPlies::ONE_PLY);
        assert_eq!(case(true, true, true), HalfPlies::ONE_PLY);
    }
}
