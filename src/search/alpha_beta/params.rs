//! Every number of the searcher, with unit and origin, and a switch for each of its techniques.

use bitflags::bitflags;

use crate::search::depth::Depth;
use crate::search::numbers::numbers;

bitflags! {
    /// Techniques that can be switched off to measure what they are worth.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Techniques: u32 {
        /// Aspiration windows at the root.
        const ASPIRATION = 1;
        /// No search beyond the shortest mate found.
        const MATE_DISTANCE = 1 << 1;
        /// The one-move mate test at nodes without a table entry.
        const MATE_IN_ONE = 1 << 2;
        /// Nodes far below alpha near the horizon go to quiescence at once.
        const RAZORING = 1 << 3;
        /// Nodes far above beta near the horizon are cut off.
        const REVERSE_FUTILITY = 1 << 4;
        /// Null move pruning.
        const NULL_MOVE = 1 << 5;
        /// Captures that refute by a margin in a shallower search.
        const PROB_CUT = 1 << 6;
        /// Internal iterative reduction: nodes without a table move are searched less deeply.
        const IIR = 1 << 7;
        /// Late quiet moves are left out near the horizon.
        const LATE_MOVE_PRUNING = 1 << 8;
        /// Quiet moves with a bad history are left out near the horizon.
        const HISTORY_PRUNING = 1 << 9;
        /// Quiet moves that cannot reach alpha are left out near the horizon.
        const FUTILITY = 1 << 10;
        /// Moves that lose material by static exchange evaluation are left out near the horizon.
        const SEE_PRUNING = 1 << 11;
        /// A table move far better than all others is searched deeper.
        const SINGULAR = 1 << 12;
        /// Checks are searched deeper.
        const CHECK_EXTENSION = 1 << 13;
        /// Late moves are searched less deeply first.
        const LATE_MOVE_REDUCTION = 1 << 14;
        /// Killer moves.
        const KILLERS = 1 << 15;
        /// History of moves after the moves before them.
        const CONTINUATION_HISTORY = 1 << 16;
        /// History of captures.
        const CAPTURE_HISTORY = 1 << 17;
        /// History of quiet moves near the root.
        const LOW_PLY_HISTORY = 1 << 18;
        /// The evaluation is corrected by what searches made of similar positions.
        const CORRECTION = 1 << 19;
        /// The transposition table in quiescence.
        const QSEARCH_TT = 1 << 20;
        /// The one-move mate test in quiescence.
        const QSEARCH_MATE1 = 1 << 21;
        /// Captures that cannot reach alpha are left out of quiescence.
        const QSEARCH_FUTILITY = 1 << 22;
        /// Declarations of entered kings inside the tree.
        const DECLARATION = 1 << 23;
        /// Returning to a position with more or less in hand is as good as decided.
        const SUPERIOR_REPETITION = 1 << 24;
        /// Captures that cannot reach alpha are left out near the horizon.
        const CAPTURE_FUTILITY = 1 << 25;
        /// A quiet move to which no answer was good enough gets a bonus, too.
        const FAIL_LOW_HISTORY = 1 << 26;
        /// Quiet checks that lose nothing come before other quiet moves.
        const QUIET_CHECKS = 1 << 27;
        /// The mate solver at the root, for either side.
        const ROOT_MATE = 1 << 28;
    }
}

numbers! {
    /// Numbers of the searcher. History values are
    /// within +-16,384, scores are centipawns. The values were measured together by games:
    /// `eval/reports/search/numbers.md`; those not named there are first guesses.
    pub struct SearchParams {
        /// Techniques in use.
        techniques: Techniques = Techniques::all(),
    }

    /// Half width of the first aspiration window, centipawns.
    aspiration: i32 = 75 in 10..=300,
    /// Reductions: the constant term, 1/1024 ply.
    reduction_base: i32 = 700 in 0..=2_000,
    /// Reductions: factor of ln(depth) ln(number of the move), 1/1024 ply.
    reduction_slope: i32 = 322 in 150..=900,
    /// Reductions: history value worth one ply.
    reduction_history: i32 = 10_000 in 3_000..=20_000,
    /// Reductions: more at cut nodes, 1/1024 ply.
    reduction_cut_node: i32 = 1_200 in 0..=3_000,
    /// Reductions: more if the table move is a capture, 1/1024 ply.
    reduction_capture: i32 = 700 in 0..=2_000,
    /// Reductions: less where an open window was searched, 1/1024 ply.
    reduction_pv: i32 = 1_400 in 0..=3_000,
    /// Reductions: less for checks, 1/1024 ply.
    reduction_check: i32 = 2_200 in 0..=3_000,
    /// Reductions: less for quiet moves near the enemy king, 1/1024 ply.
    reduction_near_king: i32 = 350 in 0..=2_000,
    /// Reductions: less for killers, 1/1024 ply.
    reduction_killer: i32 = 1_300 in 0..=3_000,
    /// Reductions: more where the evaluation does not improve, 1/1024 ply.
    reduction_not_improving: i32 = 900 in 0..=2_000,
    /// Razoring: greatest depth, plies.
    razor_depth: Depth = 3 in 1..=6,
    /// Razoring: margin at depth 0, centipawns.
    razor_base: i32 = 320 in 50..=800,
    /// Razoring: margin for each ply, centipawns.
    razor_slope: i32 = 250 in 50..=800,
    /// Reverse futility: greatest depth, plies.
    reverse_depth: Depth = 7 in 2..=12,
    /// Reverse futility: margin for each ply, centipawns.
    reverse_slope: i32 = 115 in 40..=400,
    /// Null move: least depth, plies.
    null_depth: Depth = 3 in 1..=5,
    /// Null move: reduction, 1/1024 ply.
    null_base: i32 = 4_000 in 2_000..=5_000,
    /// Null move: reduction for each ply of depth, 1/1024 ply.
    null_slope: i32 = 330 in 0..=512,
    /// Null move: evaluation above beta worth one more ply, centipawns.
    null_evaluation: i32 = 290 in 80..=900,
    /// Prob-cut: least depth, plies.
    prob_cut_depth: Depth = 6 in 3..=9,
    /// Prob-cut: margin above beta, centipawns.
    prob_cut_margin: i32 = 420 in 100..=900,
    /// Prob-cut: reduction, plies.
    prob_cut_reduction: Depth = 4 in 2..=6,
    /// Internal iterative reduction: least depth, plies.
    iir_depth: Depth = 3 in 2..=8,
    /// Late-move pruning: quiet moves at depth 0.
    late_base: i32 = 9 in 1..=40,
    /// Late-move pruning: quiet moves for each square of the depth, hundredths.
    late_slope: i32 = 370 in 40..=1_200,
    /// History pruning: greatest depth, plies.
    history_depth: Depth = 5 in 1..=9,
    /// History pruning: least sum of histories for each ply, negated.
    history_slope: i32 = 7_300 in 1_000..=40_000,
    /// Futility: greatest depth after the reduction, plies.
    futility_depth: Depth = 7 in 2..=12,
    /// Futility: margin at depth 0, centipawns.
    futility_base: i32 = 55 in 40..=600,
    /// Futility: margin for each ply, centipawns.
    futility_slope: i32 = 113 in 40..=400,
    /// Futility of captures: margin beyond what is taken at depth 0, centipawns.
    capture_base: i32 = 215 in 50..=800,
    /// Futility of captures: margin for each ply, centipawns.
    capture_slope: i32 = 225 in 40..=600,
    /// SEE pruning: loss of a quiet move for each square of the reduced depth, centipawns.
    see_quiet: i32 = 70 in 10..=150,
    /// SEE pruning: loss of a capture or check for each ply, centipawns.
    see_capture: i32 = 280 in 40..=500,
    /// Singular extension: least depth, plies.
    singular_depth: Depth = 5 in 4..=12,
    /// Singular extension: margin for each ply, centipawns.
    singular_margin: i32 = 5 in 1..=20,
    /// Singular extension: how far below the margin all others must lie for two plies, centipawns.
    double_margin: i32 = 60 in 10..=300,
    /// History: greatest bonus.
    history_bonus_limit: i32 = 1_950 in 400..=4_000,
    /// History: bonus for each ply.
    history_bonus_slope: i32 = 370 in 40..=500,
    /// History: malus of the moves tried before the one that cut off, 1/1024 of its bonus.
    history_malus: i32 = 1_450 in 256..=2_048,
    /// History: bonus of a move to which no answer was good enough, 1/1024 of that of a cut-off.
    fail_low_bonus: i32 = 550 in 0..=2_048,
    /// Ordering: value of a quiet check that loses nothing, as much as this history.
    quiet_check: i32 = 9_000 in 0..=30_000,
    /// Quiescence: what a capture may bring beyond its material, centipawns.
    qsearch_margin: i32 = 250 in 50..=900,
    /// Quiescence: the least that an exchange must bring once a move is known that holds,
    /// centipawns.
    qsearch_see: i32 = 40 in -100..=200,
    /// Quiescence: plies with the one-move mate test.
    qsearch_mate1_depth: i32 = 6 in 1..=12,
    /// Mate solver: share of the nodes for each question at the root, 1/1024.
    mate_share: i32 = 32 in 0..=256,
    /// Correction: share of the corrections' sum that counts, 1/1024.
    correction_share: i32 = 300 in 0..=512,
}

impl SearchParams {
    /// The same without some techniques.
    pub const fn without(self, techniques: Techniques) -> SearchParams {
        SearchParams { techniques: self.techniques.difference(techniques), ..self }
    }

    /// Whether a technique is in use.
    #[inline]
    pub const fn uses(&self, technique: Techniques) -> bool {
        self.techniques.contains(technique)
    }
}
