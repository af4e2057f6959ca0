//! All parameters of the searcher, with unit and origin, and a switch for each rule.

use bitflags::bitflags;

use super::half_plies::HalfPlies;
use crate::eval::PAWN_EXCHANGE;

bitflags! {
    /// Rules that can be switched off to measure their gain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Rules: u32 {
        /// Aspiration windows at the root.
        const ASPIRATION = 1;
        /// Null-move pruning.
        const NULL_MOVE = 1 << 1;
        /// Internal iterative deepening at PV nodes without a TT move.
        const IID = 1 << 2;
        /// Futility pruning by the bound on the change of the evaluation, eq. (6), at frontier
        /// nodes.
        const FUTILITY = 1 << 3;
        /// The same with a margin at pre-frontier nodes, eq. (9) and (10).
        const EXTENDED_FUTILITY = 1 << 4;
        /// The material-only forms, eq. (4) and (5).
        const MATERIAL_FUTILITY = 1 << 5;
        /// Eq. (6) in quiescence search.
        const QSEARCH_FUTILITY = 1 << 6;
        /// Check, one-reply and recapture extensions.
        const EXTENSIONS = 1 << 7;
        /// King moves out of check in the first stage of quiescence search.
        const QSEARCH_KING_MOVES = 1 << 8;
        /// The mate-in-one test in the first stage of quiescence search.
        const QSEARCH_MATE1 = 1 << 9;
        /// All futility rules.
        const ALL_FUTILITY = Self::FUTILITY.bits()
            | Self::EXTENDED_FUTILITY.bits()
            | Self::MATERIAL_FUTILITY.bits()
            | Self::QSEARCH_FUTILITY.bits();
    }
}

/// Parameters of the full-width searcher. "Hoki" is Hoki 2006 (IPSJ Magazine 47-8). A pawn in that
/// paper is the *exchange* value: the owner's loss on the board plus the gain in the captor's hand.
/// It is about 100 points there and [`PAWN_EXCHANGE`] centipawns here. The constants of the paper
/// are multiplied by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullWidthParams {
    /// Rules in use.
    pub rules: Rules,
    /// Half width of the aspiration window, centipawns. Hoki: the window is two pawns wide.
    pub aspiration: i32,
    /// Extension for giving check. Hoki: one ply.
    pub check_extension: HalfPlies,
    /// Extension for the only legal reply to a check. Hoki: half a ply.
    pub one_reply_extension: HalfPlies,
    /// Extension for a recapture. Hoki: half a ply.
    pub recapture_extension: HalfPlies,
    /// Minimum depth of null-move pruning. Hoki: not at remaining depth 1.
    pub null_move_depth: HalfPlies,
    /// Minimum depth at which R = 3 is used; R = 2 below. Hoki: 7.
    pub null_move_deep: HalfPlies,
    /// Vmax(m) at the start of a search for moves of pieces other than the king, centipawns. Hoki:
    /// 4 pawns is safe; the bound grows when the search meets a larger change.
    pub change_bound: i32,
    /// Vmax(m) for king moves, centipawns. Hoki: 12 pawns is safe.
    pub king_change_bound: i32,
    /// Vmax of the material-only forms, centipawns. Hoki: 15 pawns.
    pub material_bound: i32,
    /// Fmgn, the margin that the mover can still gain at a pre-frontier node, centipawns. Hoki: 2
    /// pawns.
    pub futility_margin: i32,
    /// Maximum depth of extended futility pruning, including the extension of the move. Hoki's
    /// EXT_F_DEPTH: 3.
    pub extended_futility_depth: HalfPlies,
    /// Plies of quiescence search in which promotions, king moves and mates are tried as well.
    /// Hoki: 7.
    pub qsearch_first_stage: u32,
    /// Minimum depth of internal iterative deepening.
    pub iid_depth: HalfPlies,
}

impl FullWidthParams {
    /// The constants of Hoki 2006.
    pub const HOKI_2006: FullWidthParams = FullWidthParams {
        rules: Rules::all(),
        aspiration: PAWN_EXCHANGE,
        check_extension: HalfPlies::ONE_PLY,
        one_reply_extension: HalfPlies::HALF_PLY,
        recapture_extension: HalfPlies::HALF_PLY,
        null_move_depth: HalfPlies::plies(2),
        null_move_deep: HalfPlies::plies(7),
        change_bound: 4 * PAWN_EXCHANGE,
        king_change_bound: 12 * PAWN_EXCHANGE,
        material_bound: 15 * PAWN_EXCHANGE,
        futility_margin: 2 * PAWN_EXCHANGE,
        extended_futility_depth: HalfPlies::plies(3),
        qsearch_first_stage: 7,
        iid_depth: HalfPlies::plies(3),
    };

    /// The default parameters. The change bounds start low and grow (the remark after eq. (10)):
    /// the hand-made evaluation changes far less in one move than the evaluation of the paper.
    pub const DEFAULT: FullWidthParams = FullWidthParams {
        change_bound: PAWN_EXCHANGE / 2,
        king_change_bound: PAWN_EXCHANGE,
        material_bound: 6 * PAWN_EXCHANGE,
        ..FullWidthParams::HOKI_2006
    };

    /// These parameters with some rules off.
    pub const fn without(self, rules: Rules) -> FullWidthParams {
        FullWidthParams { rules: self.rules.difference(rules), ..self }
    }
}
