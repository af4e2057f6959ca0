//! All parameters of the searcher, with unit and origin, and a switch for each technique.

use bitflags::bitflags;

use crate::search::numbers::numbers;

bitflags! {
    /// Techniques that can be switched off to measure their gain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Techniques: u64 {
        /// Aspiration windows at the root.
        const ASPIRATION = 1 << 0;
        /// Mate distance pruning: no search beyond the shortest mate found.
        const MATE_DISTANCE = 1 << 1;
        /// Mate-in-one test at nodes without a TT entry.
        const MATE_IN_ONE = 1 << 2;
        /// Declaration wins of entered kings inside the tree.
        const DECLARATION = 1 << 3;
        /// A repetition of the board with more or less in hand decides the game.
        const SUPERIOR_REPETITION = 1 << 4;
        /// Mate solver at the root, for either side.
        const ROOT_MATE = 1 << 5;
        /// A TT entry causes a cutoff only if a fail high is from a deeper search, and at low depth
        /// only if its bound agrees with the node type.
        const NODE_KIND_CUT = 1 << 6;
        /// A TT entry far above beta causes a cutoff although it is shallower.
        const SMALL_PROB_CUT = 1 << 7;
        /// Fail-high scores are returned closer to beta.
        const SOFTENING = 1 << 8;
        /// Nodes far below alpha enter quiescence search directly.
        const RAZORING = 1 << 9;
        /// Nodes far above beta near the horizon return without search.
        const REVERSE_FUTILITY = 1 << 10;
        /// Null-move pruning.
        const NULL_MOVE = 1 << 11;
        /// ProbCut: a capture that beats beta by a margin in a shallower search ends the node.
        const PROB_CUT = 1 << 12;
        /// Internal iterative reduction: nodes without a TT move are searched at lower depth.
        const IIR = 1 << 13;
        /// Adjusts the depth of a node whose evaluation contradicts the reduction of the move
        /// above.
        const HINDSIGHT = 1 << 14;
        /// Late quiet moves near the horizon are pruned.
        const LATE_MOVE_PRUNING = 1 << 15;
        /// Quiet moves with a bad history near the horizon are pruned.
        const HISTORY_PRUNING = 1 << 16;
        /// Quiet moves near the horizon that cannot reach alpha are pruned.
        const FUTILITY = 1 << 17;
        /// Captures near the horizon that cannot reach alpha are pruned.
        const CAPTURE_FUTILITY = 1 << 18;
        /// Moves near the horizon that lose material by static exchange evaluation are pruned.
        const SEE_PRUNING = 1 << 19;
        /// A TT move much better than all others is extended.
        const SINGULAR = 1 << 20;
        /// If other moves fail high without the TT move, the node returns.
        const MULTI_CUT = 1 << 21;
        /// Late moves are first searched at reduced depth.
        const LATE_MOVE_REDUCTION = 1 << 22;
        /// Reductions depend on the node type and on the TT entry.
        const NODE_KIND_REDUCTION = 1 << 23;
        /// The first moves of null-window nodes are also reduced if their reduction is large.
        const FIRST_MOVE_REDUCTION = 1 << 24;
        /// The depth of a re-search after a reduced search depends on its score.
        const RESEARCH_DEPTH = 1 << 25;
        /// After a move raises alpha, the following moves are searched at lower depth.
        const RAISED_ALPHA = 1 << 26;
        /// Quiet moves along the PV of the last iteration are not pruned.
        const LAST_LINE = 1 << 27;
        /// Continuation history: moves by the moves before them.
        const CONTINUATION_HISTORY = 1 << 28;
        /// Pawn history: moves by pawn structure.
        const PAWN_HISTORY = 1 << 29;
        /// Capture history.
        const CAPTURE_HISTORY = 1 << 30;
        /// Low-ply history: quiet moves near the root.
        const LOW_PLY_HISTORY = 1 << 31;
        /// A move that causes a fail low at the child gets a bonus.
        const FAIL_LOW_HISTORY = 1 << 32;
        /// A refuted quiet move gets a malus in the continuation history if it is the first after the
        /// TT move.
        const REFUTED_HISTORY = 1 << 33;
        /// A quiet move that improved the evaluation of its side gets a bonus.
        const TREND_HISTORY = 1 << 34;
        /// TT cutoffs update the histories.
        const TABLE_HISTORY = 1 << 35;
        /// Quiet checks that lose little material come before other quiet moves.
        const QUIET_CHECKS = 1 << 36;
        /// Correction history: search results of similar positions correct the evaluation.
        const CORRECTION = 1 << 37;
        /// The transposition table in quiescence search.
        const QSEARCH_TT = 1 << 38;
        /// The mate-in-one test in quiescence search.
        const QSEARCH_MATE1 = 1 << 39;
        /// Captures that cannot reach alpha are pruned in quiescence search.
        const QSEARCH_FUTILITY = 1 << 40;
        /// Quiescence search tries two captures; after them only recaptures and checks.
        const QSEARCH_COUNT = 1 << 41;
    }
}

numbers! {
    /// Parameters of the searcher. Scores are in centipawns;
    /// [`Histories`](super::history::Histories) defines the limits of the histories. Most numbers
    /// started as published numbers of Stockfish and YaneuraOu, converted to centipawns;
    /// `reduction_table_move` still is one. The others were tuned by games:
    /// `eval/reports/search/games.md` reports the measurements.
    pub struct SearchParams {
        /// Techniques in use.
        techniques: Techniques = Techniques::all(),
    }

    /// Half width of the first aspiration window, centipawns.
    aspiration: i32 = 9 in 2..=300,
    /// Aspiration: mean squared score that widens the window by one centipawn.
    aspiration_square: i32 = 11_520 in 2_000..=100_000,
    /// TT cutoff: up to this depth in plies, the bound must agree with the node type.
    kind_depth: i32 = 7 in 0..=30,
    /// Razoring: margin at depth 0, centipawns.
    razor_base: i32 = 593 in 50..=2_000,
    /// Razoring: margin per squared ply of depth, centipawns.
    razor_slope: i32 = 391 in 50..=1_000,
    /// Reverse futility: maximum depth, plies.
    reverse_depth: i32 = 14 in 2..=20,
    /// Reverse futility: margin per ply, centipawns.
    reverse_slope: i32 = 121 in 30..=400,
    /// Reverse futility: reduction of the margin per ply without a TT entry, centipawns.
    reverse_miss: i32 = 27 in 0..=100,
    /// Reverse futility: less if the evaluation improves, 1/1024 of the margin per ply.
    reverse_improving: i32 = 2_522 in 0..=5_000,
    /// Reverse futility: less if the opponent's evaluation worsens, 1/1024 of the margin per ply.
    reverse_worsening: i32 = 358 in 0..=2_048,
    /// Reverse futility: more by the size of the correction, 1/1024 of it.
    reverse_correction: i32 = 717 in 0..=2_048,
    /// Null move: margin of the evaluation above beta at depth 0, centipawns.
    null_margin: i32 = 432 in 0..=1_000,
    /// Null move: reduction of the margin per ply, centipawns.
    null_slope: i32 = 19 in 0..=60,
    /// Null move: reduction of the margin if the evaluation improves, centipawns.
    null_improving: i32 = 68 in 0..=300,
    /// Null move: depth reduction, plies.
    null_reduction: i32 = 7 in 2..=9,
    /// Null move: minimum depth at which the result is verified, plies.
    null_verified: i32 = 16 in 8..=40,
    /// ProbCut: margin above beta, centipawns.
    prob_cut_margin: i32 = 278 in 100..=900,
    /// ProbCut: reduction of the margin if the evaluation improves, centipawns.
    prob_cut_improving: i32 = 78 in 0..=300,
    /// ProbCut: depth reduction, plies.
    prob_cut_reduction: i32 = 4 in 2..=8,
    /// Small ProbCut: margin of the TT score above beta, centipawns.
    small_prob_cut: i32 = 574 in 100..=1_500,
    /// Internal iterative reduction: minimum depth, plies.
    iir_depth: i32 = 6 in 2..=10,
    /// Hindsight: the depth decreases if the sum of both sides' evaluations exceeds this,
    /// centipawns.
    hindsight_margin: i32 = 120 in 0..=800,
    /// Late move pruning: moves at depth 0, hundredths.
    late_base: i32 = 370 in 0..=4_000,
    /// Late move pruning: moves per squared ply of depth, hundredths.
    late_slope: i32 = 105 in 40..=1_200,
    /// History pruning: negated minimum sum of histories per ply.
    history_slope: i32 = 4_418 in 1_000..=20_000,
    /// Pruning of quiet moves: sum of histories that counts as one ply.
    history_plies: i32 = 3_587 in 1_000..=12_000,
    /// Futility: margin at depth 0, centipawns.
    futility_base: i32 = -7 in -300..=600,
    /// Futility: margin per ply, centipawns.
    futility_slope: i32 = 134 in 40..=400,
    /// Futility: more while no move has raised alpha, centipawns.
    futility_no_best: i32 = 179 in 0..=600,
    /// Futility: more if the evaluation is above alpha, centipawns.
    futility_above: i32 = 175 in 0..=600,
    /// Capture futility: margin in addition to the captured piece at depth 0, centipawns.
    capture_base: i32 = 373 in 50..=800,
    /// Capture futility: margin per ply, centipawns.
    capture_slope: i32 = 289 in 40..=600,
    /// Capture futility: more by the history of the capture, 1/1024 of it.
    capture_history: i32 = 168 in 0..=1_000,
    /// SEE pruning: allowed loss of a quiet move per squared ply of reduced depth, centipawns of
    /// SEE.
    see_quiet: i32 = 37 in 10..=150,
    /// SEE pruning: allowed loss of a capture or check per ply, centipawns of SEE.
    see_capture: i32 = 319 in 40..=800,
    /// SEE pruning: more by the history of the capture, 1/1024 of it.
    see_history: i32 = 83 in 0..=500,
    /// Singular extension: minimum depth, plies; one more at `tt_pv` nodes.
    singular_depth: i32 = 6 in 4..=12,
    /// Singular extension: margin at 55 plies, centipawns.
    singular_margin: i32 = 115 in 10..=1_000,
    /// Singular extension: more at null-window `tt_pv` nodes, centipawns.
    singular_tt_pv: i32 = 69 in 0..=1_000,
    /// Double extension: margin of all other moves below the singular beta, centipawns.
    double_base: i32 = 39 in -500..=1_000,
    /// Double extension: more at PV nodes, centipawns.
    double_pv: i32 = 271 in -500..=1_000,
    /// Double extension: more if the TT move is quiet, centipawns.
    double_quiet: i32 = -228 in -500..=1_000,
    /// Triple extension: margin of all other moves below the singular beta, centipawns.
    triple_base: i32 = 93 in -500..=1_000,
    /// Triple extension: more at PV nodes, centipawns.
    triple_pv: i32 = 528 in -500..=1_000,
    /// Triple extension: more if the TT move is quiet, centipawns.
    triple_quiet: i32 = -292 in -500..=1_000,
    /// Triple extension: more at `tt_pv` nodes, centipawns.
    triple_tt_pv: i32 = 118 in -500..=1_000,
    /// Double and triple extension: less by the size of the correction, thousandths of it.
    double_correction: i32 = 600 in 0..=4_000,
    /// Double and triple extension: TT move statistic that lowers the margins by one centipawn.
    double_statistic: i32 = 100 in 20..=8_192,
    /// Double and triple extension: less beyond the depth of the iteration, centipawns.
    double_deep: i32 = 57 in 0..=500,
    /// Negative extension: reduction of a TT move whose score is above beta, plies.
    negative_high: i32 = 3 in 0..=6,
    /// Negative extension: reduction of another TT move at a cut node, plies.
    negative_cut: i32 = 2 in 0..=6,
    /// Reductions: constant term, 1/1024 ply.
    reduction_base: i32 = 1_131 in 0..=3_000,
    /// Reductions: factor of ln(depth) ln(move number), 1/1024 ply.
    reduction_slope: i32 = 465 in 150..=900,
    /// Reductions: more if the evaluation does not improve, 1/1024 of the logarithmic term.
    reduction_not_improving: i32 = 449 in 0..=1_500,
    /// Reductions: less for a window as wide as the root window, 1/1024 ply.
    reduction_window: i32 = 663 in 0..=2_000,
    /// Reductions: constant term of the search but not of pruning, 1/1024 ply.
    reduction_offset: i32 = 760 in -2_000..=3_000,
    /// Reductions: less for each earlier move, 1/1024 ply.
    reduction_number: i32 = 29 in 0..=200,
    /// Reductions: more at `tt_pv` nodes, for pruning, 1/1024 ply.
    reduction_tt_pv: i32 = 819 in -1_000..=3_000,
    /// Reductions: less at `tt_pv` nodes, 1/1024 ply.
    reduction_pv_line: i32 = 3_118 in 0..=5_000,
    /// Reductions: further less at PV nodes, 1/1024 ply.
    reduction_pv: i32 = 927 in 0..=3_000,
    /// Reductions: further less if the TT score is above alpha, 1/1024 ply.
    reduction_pv_score: i32 = 1_050 in 0..=3_000,
    /// Reductions: further less if the TT entry is at least as deep, 1/1024 ply.
    reduction_pv_depth: i32 = 842 in 0..=3_000,
    /// Reductions: further less at cut nodes with such an entry, 1/1024 ply.
    reduction_pv_cut: i32 = 959 in 0..=3_000,
    /// Reductions: more at cut nodes, 1/1024 ply.
    reduction_cut_node: i32 = 4_279 in 0..=6_000,
    /// Reductions: further more at cut nodes without a TT move, 1/1024 ply.
    reduction_no_move: i32 = 825 in 0..=3_000,
    /// Reductions: more if the TT move is a capture, 1/1024 ply.
    reduction_capture: i32 = 1_370 in 0..=3_000,
    /// Reductions: more after at least two beta cutoffs at the next ply, 1/1024 ply.
    reduction_cutoffs: i32 = 159 in 0..=3_000,
    /// Reductions: further more after at least three, 1/1024 ply.
    reduction_many_cutoffs: i32 = 1_274 in 0..=3_000,
    /// Reductions: more after at least two at an all node, 1/1024 ply.
    reduction_all_cutoffs: i32 = 1_167 in 0..=3_000,
    /// Reductions: less per unit of history, 1/1024 of 1/1024 ply.
    reduction_history: i32 = 113 in 0..=400,
    /// Reductions: less per centipawn of correction, 1/1024 of 1/1024 ply.
    reduction_correction: i32 = 2_995 in 0..=16_000,
    /// Reductions: less for a check, 1/1024 ply.
    reduction_check: i32 = 271 in -3_000..=3_000,
    /// Reductions: less for the TT move, 1/1024 ply.
    reduction_table_move: i32 = 2_239 in -3_000..=4_000,
    /// Reductions: at all nodes, more by this share of 1/(depth + 1), 1/1024.
    reduction_all_node: i32 = 1_036 in 0..=4_000,
    /// First-move reduction: added to the reduction without a TT move, 1/1024 ply.
    first_move_missing: i32 = 962 in 0..=4_000,
    /// First-move reduction: minimum reduction that costs the first move one ply, 1/1024 ply.
    first_move_one: i32 = 4_323 in 1_000..=9_000,
    /// First-move reduction: minimum reduction that costs it two plies, 1/1024 ply.
    first_move_two: i32 = 5_894 in 1_000..=9_000,
    /// After a move raised alpha: reduction of the others, plies.
    raised_plies: i32 = 2 in 0..=4,
    /// Re-search: one ply deeper if the score beats the best one by more than this, centipawns.
    deeper_margin: i32 = 46 in 0..=300,
    /// Re-search: one ply shallower if it beats the best one by less than this, centipawns.
    shallower_margin: i32 = 11 in 0..=100,
    /// Continuation history: bonus of a move that beats alpha in its reduced search.
    research_bonus: i32 = 1_441 in 0..=5_000,
    /// Histories: bonus per ply.
    bonus_slope: i32 = 143 in 0..=600,
    /// Histories: bonus at depth 0.
    bonus_base: i32 = -77 in -500..=500,
    /// Histories: maximum bonus.
    bonus_limit: i32 = 1_637 in 200..=6_000,
    /// Histories: more for the TT move.
    bonus_table_move: i32 = 469 in 0..=2_000,
    /// Histories: more by the history of the move above, 1/1024 of it.
    bonus_above: i32 = 30 in 0..=200,
    /// Histories: malus per ply.
    malus_slope: i32 = 934 in 0..=2_000,
    /// Histories: malus at depth 0.
    malus_base: i32 = -204 in -1_000..=1_000,
    /// Histories: maximum malus.
    malus_limit: i32 = 2_902 in 200..=8_000,
    /// Histories: reduction of the malus for each further quiet move, 1/1024.
    malus_fade: i32 = 53 in 0..=300,
    /// Histories: share of the bonus for a quiet move, 1/1024.
    quiet_bonus: i32 = 804 in 0..=4_096,
    /// Histories: share of the malus for a quiet move, 1/1024.
    quiet_malus: i32 = 1_114 in 0..=4_096,
    /// Histories: share of the bonus for a capture, 1/1024.
    capture_bonus: i32 = 1_256 in 0..=4_096,
    /// Histories: share of the malus for a capture, 1/1024.
    capture_malus: i32 = 1_707 in 0..=4_096,
    /// Histories: share of a quiet move's bonus or malus in the low-ply history, 1/1024.
    low_ply_share: i32 = 768 in 0..=4_096,
    /// Histories: share in the continuation history, 1/1024.
    continuation_share: i32 = 946 in 0..=4_096,
    /// Histories: share of the bonus in the pawn history, 1/1024.
    pawn_bonus: i32 = 958 in 0..=4_096,
    /// Histories: share of the malus in the pawn history, 1/1024.
    pawn_malus: i32 = 542 in 0..=4_096,
    /// Histories: share of the malus for a refuted first move of the parent, 1/1024.
    refuted_malus: i32 = 767 in 0..=4_096,
    /// Fail low: bonus of the quiet move that led there, per ply.
    fail_low_slope: i32 = 135 in 0..=600,
    /// Fail low: bonus at depth 0.
    fail_low_base: i32 = -80 in -500..=500,
    /// Fail low: maximum bonus.
    fail_low_limit: i32 = 1_400 in 200..=6_000,
    /// Fail low: weight of the bonus at depth 0. A negative weight counts as 0.
    fail_low_weight: i32 = -232 in -2_000..=2_000,
    /// Fail low: history of the move that lowers the weight by one.
    fail_low_history: i32 = 108 in 10..=4_096,
    /// Fail low: weight per ply.
    fail_low_depth: i32 = 59 in 0..=500,
    /// Fail low: maximum weight of the depth.
    fail_low_depth_limit: i32 = 454 in 0..=4_000,
    /// Fail low: weight of a move after the eighth.
    fail_low_late: i32 = 169 in 0..=2_000,
    /// Fail low: weight if the score is far below the evaluation.
    fail_low_surprise: i32 = 145 in 0..=2_000,
    /// Fail low: least distance for `fail_low_surprise`, centipawns.
    fail_low_margin: i32 = 140 in 0..=1_000,
    /// Fail low: weight if the score is far below the evaluation before the move.
    fail_low_gain: i32 = 154 in 0..=2_000,
    /// Fail low: least distance for `fail_low_gain`, centipawns.
    fail_low_gain_margin: i32 = 90 in 0..=1_000,
    /// Fail low: bonus times weight that counts as one in the continuation history.
    fail_low_continuation: i32 = 74 in 10..=4_096,
    /// Fail low: the same for the butterfly history.
    fail_low_butterfly: i32 = 139 in 10..=4_096,
    /// Fail low: the same for the pawn history.
    fail_low_pawn: i32 = 29 in 5..=4_096,
    /// Histories: share of the bonus for a quiet move that causes a fail low, 1/1024.
    fail_low_share: i32 = 1_006 in 0..=4_096,
    /// Histories: bonus of a capture that causes a fail low.
    fail_low_capture: i32 = 1_018 in 0..=4_096,
    /// Histories: bonus per centipawn of evaluation change by a quiet move, 1/1024.
    trend_slope: i32 = 4_410 in -20_000..=20_000,
    /// Histories: the same for the pawn history.
    trend_pawn_slope: i32 = 8_125 in -20_000..=20_000,
    /// Histories: evaluation change by a quiet move that gives no bonus, centipawns.
    trend_expected: i32 = -77 in -500..=500,
    /// Histories: greatest loss of evaluation that counts, centipawns.
    trend_loss: i32 = 274 in 0..=2_000,
    /// Histories: greatest gain of evaluation that counts, centipawns.
    trend_gain: i32 = 219 in 0..=2_000,
    /// Histories: bonus of a TT move that causes a TT cutoff, per ply.
    table_slope: i32 = 130 in 0..=600,
    /// Histories: the same at depth 0.
    table_base: i32 = -71 in -500..=500,
    /// Histories: maximum bonus of a TT move that causes a TT cutoff.
    table_bonus: i32 = 916 in 0..=4_096,
    /// Histories: malus of the move that led to a TT cutoff.
    table_malus: i32 = 3_349 in 0..=8_192,
    /// TT move statistic: bonus when the TT move was best.
    table_move_hit: i32 = 805 in 0..=4_096,
    /// TT move statistic: malus when another move was best.
    table_move_miss: i32 = 787 in 0..=4_096,
    /// TT move statistic: malus after a multi-cut, per ply.
    multi_cut_slope: i32 = 107 in 0..=600,
    /// TT move statistic: malus after a multi-cut at depth 0.
    multi_cut_base: i32 = 424 in -1_000..=2_000,
    /// TT move statistic: maximum malus after a multi-cut.
    multi_cut_limit: i32 = 3_375 in 0..=8_192,
    /// Ordering of quiet moves: weight of the butterfly history, 1/1024.
    order_butterfly: i32 = 2_279 in 0..=8_000,
    /// Ordering of quiet moves: weight of the pawn history, 1/1024.
    order_pawn: i32 = 2_221 in 0..=8_000,
    /// Ordering of quiet moves: weight of the third, fourth and sixth continuation histories,
    /// 1/1024.
    order_far: i32 = 868 in 0..=4_000,
    /// Ordering of quiet moves: weight of the low-ply history at the root, 1/1024.
    order_low_ply: i32 = 7_787 in 0..=40_000,
    /// Ordering of quiet moves: moves with at most this value come after the bad captures.
    order_bad_quiet: i32 = -10_631 in -60_000..=0,
    /// Ordering of quiet moves: moves with at most this value per ply are not sorted.
    order_unsorted: i32 = -3_560 in -20_000..=0,
    /// Ordering of captures: weight of one centipawn of SEE, 1/1024.
    order_capture: i32 = 2_467 in 0..=16_000,
    /// Ordering of captures: SEE loss that a good capture may have per unit of its value, 1/1024
    /// centipawns.
    order_good_capture: i32 = 134 in 0..=1_000,
    /// Ordering: bonus of a quiet check that loses little material, in units of history.
    quiet_check: i32 = 22_533 in 0..=60_000,
    /// Ordering: maximum SEE loss of a check with this bonus, centipawns of SEE.
    quiet_check_loss: i32 = 183 in 0..=1_000,
    /// Quiescence search: futility margin of a capture beyond its material, centipawns.
    qsearch_margin: i32 = 418 in 50..=900,
    /// Quiescence search: minimum SEE of a capture, centipawns of SEE.
    qsearch_see: i32 = -254 in -500..=200,
    /// Quiescence search: number of captures tried; after them only recaptures and checks.
    qsearch_count: i32 = 2 in 0..=9,
    /// Quiescence search: number of plies with the mate-in-one test.
    qsearch_mate1_depth: i32 = 6 in 1..=12,
    /// Mate solver: share of the nodes for each kind of query at the root, 1/1024.
    mate_share: i32 = 47 in 0..=256,
    /// Correction: share of the summed corrections that is applied, 1/1024.
    correction_share: i32 = 1_330 in 0..=4_096,
    /// Correction: learning rate, 1/1024 of the default.
    correction_rate: i32 = 1_201 in 0..=8_192,
}

impl SearchParams {
    /// These parameters with some techniques off.
    pub const fn without(self, techniques: Techniques) -> SearchParams {
        SearchParams { techniques: self.techniques.difference(techniques), ..self }
    }

    /// Whether a technique is in use.
    #[inline]
    pub const fn uses(&self, technique: Techniques) -> bool {
        self.techniques.contains(technique)
    }
}
