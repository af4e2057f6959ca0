//! Every number of the searcher, with unit and origin, and a switch for each of its techniques.

use bitflags::bitflags;

use crate::search::numbers::numbers;

bitflags! {
    /// Techniques that can be switched off to measure what they gain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Techniques: u64 {
        /// Aspiration windows at the root.
        const ASPIRATION = 1 << 0;
        /// No search beyond the shortest mate found.
        const MATE_DISTANCE = 1 << 1;
        /// The one-move mate test at nodes without a table entry.
        const MATE_IN_ONE = 1 << 2;
        /// Declarations of entered kings inside the tree.
        const DECLARATION = 1 << 3;
        /// Returning to a position with more or less in hand decides the game.
        const SUPERIOR_REPETITION = 1 << 4;
        /// The mate solver at the root, for either side.
        const ROOT_MATE = 1 << 5;
        /// A table entry ends a shallow node only if it agrees with the kind of the node.
        const NODE_KIND_CUT = 1 << 6;
        /// A table entry far above beta ends the node although it is shallower.
        const SMALL_PROB_CUT = 1 << 7;
        /// Scores above beta are returned closer to beta.
        const SOFTENING = 1 << 8;
        /// Nodes far below alpha go to quiescence at once.
        const RAZORING = 1 << 9;
        /// Nodes far above beta near the horizon are cut off.
        const REVERSE_FUTILITY = 1 << 10;
        /// Null move pruning.
        const NULL_MOVE = 1 << 11;
        /// Captures that refute by a margin in a shallower search.
        const PROB_CUT = 1 << 12;
        /// Internal iterative reduction: nodes without a table move are searched less deeply.
        const IIR = 1 << 13;
        /// A node is searched deeper or less deeply if its evaluation contradicts the reduction above.
        const HINDSIGHT = 1 << 14;
        /// Late quiet moves are left out near the horizon.
        const LATE_MOVE_PRUNING = 1 << 15;
        /// Quiet moves with a bad history are left out near the horizon.
        const HISTORY_PRUNING = 1 << 16;
        /// Quiet moves that cannot reach alpha are left out near the horizon.
        const FUTILITY = 1 << 17;
        /// Captures that cannot reach alpha are left out near the horizon.
        const CAPTURE_FUTILITY = 1 << 18;
        /// Moves that lose material by static exchange evaluation are left out near the horizon.
        const SEE_PRUNING = 1 << 19;
        /// A table move far better than all others is searched deeper.
        const SINGULAR = 1 << 20;
        /// If other moves fail high without the table move, too, the node is cut off.
        const MULTI_CUT = 1 << 21;
        /// Late moves are searched less deeply first.
        const LATE_MOVE_REDUCTION = 1 << 22;
        /// Reductions differ by the kind of the node and by what the table knows of it.
        const NODE_KIND_REDUCTION = 1 << 23;
        /// First moves of null-window nodes are reduced, too, if their reduction is large.
        const FIRST_MOVE_REDUCTION = 1 << 24;
        /// The search after a reduced one is deeper or less deep by the score of that.
        const RESEARCH_DEPTH = 1 << 25;
        /// After a move that raised alpha, the moves that follow are searched less deeply.
        const RAISED_ALPHA = 1 << 26;
        /// Quiet moves along the line of the last iteration are not pruned.
        const LAST_LINE = 1 << 27;
        /// History of moves after the moves before them.
        const CONTINUATION_HISTORY = 1 << 28;
        /// History of moves by the structure of the pawns.
        const PAWN_HISTORY = 1 << 29;
        /// History of captures.
        const CAPTURE_HISTORY = 1 << 30;
        /// History of quiet moves near the root.
        const LOW_PLY_HISTORY = 1 << 31;
        /// A move to which no answer was good enough gets a bonus.
        const FAIL_LOW_HISTORY = 1 << 32;
        /// A first quiet move that was refuted gets a malus in the continuation history.
        const REFUTED_HISTORY = 1 << 33;
        /// A quiet move that improved the evaluation of its side gets a bonus.
        const TREND_HISTORY = 1 << 34;
        /// A cut-off by the table updates the histories, too.
        const TABLE_HISTORY = 1 << 35;
        /// Quiet checks that lose little come before other quiet moves.
        const QUIET_CHECKS = 1 << 36;
        /// The evaluation is corrected by what searches found in similar positions.
        const CORRECTION = 1 << 37;
        /// The transposition table in quiescence.
        const QSEARCH_TT = 1 << 38;
        /// The one-move mate test in quiescence.
        const QSEARCH_MATE1 = 1 << 39;
        /// Captures that cannot reach alpha are left out of quiescence.
        const QSEARCH_FUTILITY = 1 << 40;
        /// Quiescence tries two captures; after them recaptures and checks only.
        const QSEARCH_COUNT = 1 << 41;
    }
}

bitflags! {
    /// What is forgotten before each search: an experiment that measures what a part gains by
    /// persisting from move to move.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Forgets: u8 {
        /// The transposition table.
        const TABLE = 1;
        /// The move histories.
        const HISTORIES = 1 << 1;
        /// The corrections of the evaluation.
        const CORRECTIONS = 1 << 2;
    }
}

numbers! {
    /// Numbers of the searcher. Scores are centipawns; limits of the histories:
    /// [`Histories`](super::history::Histories). The starting point is the published practice of
    /// Stockfish and its shogi descendants; `eval/reports/search/games.md` says what was measured
    /// here.
    pub struct SearchParams {
        /// Techniques in use.
        techniques: Techniques = Techniques::all(),
        /// What is forgotten before each search.
        forgets: Forgets = Forgets::empty(),
    }

    /// Half width of the first aspiration window, centipawns.
    aspiration: i32 = 9 in 2..=300,
    /// Aspiration: mean square of the scores so far that widens the window by a centipawn.
    aspiration_square: i32 = 11_520 in 2_000..=100_000,
    /// Table: up to this depth an entry ends only nodes of its kind, plies.
    kind_depth: i32 = 7 in 0..=30,
    /// Razoring: margin at depth 0, centipawns.
    razor_base: i32 = 593 in 50..=2_000,
    /// Razoring: margin for each square of the depth, centipawns.
    razor_slope: i32 = 391 in 50..=1_000,
    /// Reverse futility: greatest depth, plies.
    reverse_depth: i32 = 14 in 2..=20,
    /// Reverse futility: margin for each ply, centipawns.
    reverse_slope: i32 = 121 in 30..=400,
    /// Reverse futility: what that margin loses without a table entry, centipawns.
    reverse_miss: i32 = 27 in 0..=100,
    /// Reverse futility: less if the evaluation improves, 1/1024 of a ply's margin.
    reverse_improving: i32 = 2_522 in 0..=5_000,
    /// Reverse futility: less if the opponent's evaluation worsens, 1/1024 of a ply's margin.
    reverse_worsening: i32 = 358 in 0..=2_048,
    /// Reverse futility: more for the size of the correction, 1/1024 of it.
    reverse_correction: i32 = 717 in 0..=2_048,
    /// Null move: how far above beta the evaluation must be at depth 0, centipawns.
    null_margin: i32 = 432 in 0..=1_000,
    /// Null move: what that margin loses for each ply of depth, centipawns.
    null_slope: i32 = 19 in 0..=60,
    /// Null move: what that margin loses if the evaluation improves, centipawns.
    null_improving: i32 = 68 in 0..=300,
    /// Null move: reduction, plies.
    null_reduction: i32 = 7 in 2..=9,
    /// Null move: from this depth on the result is verified, plies.
    null_verified: i32 = 16 in 8..=40,
    /// Prob-cut: margin above beta, centipawns.
    prob_cut_margin: i32 = 278 in 100..=900,
    /// Prob-cut: what that margin loses if the evaluation improves, centipawns.
    prob_cut_improving: i32 = 78 in 0..=300,
    /// Prob-cut: reduction, plies.
    prob_cut_reduction: i32 = 4 in 2..=8,
    /// Small prob-cut: how far above beta the table's score must be, centipawns.
    small_prob_cut: i32 = 574 in 100..=1_500,
    /// Internal iterative reduction: least depth, plies.
    iir_depth: i32 = 6 in 2..=10,
    /// Hindsight: sum of both sides' evaluations above which the node is searched less deeply, centipawns.
    hindsight_margin: i32 = 120 in 0..=800,
    /// Late move pruning: moves at depth 0, hundredths.
    late_base: i32 = 370 in 0..=4_000,
    /// Late move pruning: moves for each square of the depth, hundredths.
    late_slope: i32 = 105 in 40..=1_200,
    /// History pruning: least sum of histories for each ply, negated.
    history_slope: i32 = 4_418 in 1_000..=20_000,
    /// Pruning of quiet moves: sum of histories that counts as a ply of depth.
    history_plies: i32 = 3_587 in 1_000..=12_000,
    /// Futility: margin at depth 0, centipawns.
    futility_base: i32 = -7 in -300..=600,
    /// Futility: margin for each ply, centipawns.
    futility_slope: i32 = 134 in 40..=400,
    /// Futility: more as long as no move has raised alpha, centipawns.
    futility_no_best: i32 = 179 in 0..=600,
    /// Futility: more if the evaluation is above alpha, centipawns.
    futility_above: i32 = 175 in 0..=600,
    /// Futility of captures: margin beyond what is taken at depth 0, centipawns.
    capture_base: i32 = 373 in 50..=800,
    /// Futility of captures: margin for each ply, centipawns.
    capture_slope: i32 = 289 in 40..=600,
    /// Futility of captures: more for the history of the capture, 1/1024 of it.
    capture_history: i32 = 168 in 0..=1_000,
    /// SEE pruning: loss of a quiet move for each square of the reduced depth, centipawns of exchange.
    see_quiet: i32 = 37 in 10..=150,
    /// SEE pruning: loss of a capture or check for each ply, centipawns of exchange.
    see_capture: i32 = 319 in 40..=800,
    /// SEE pruning: more for the history of the capture, 1/1024 of it.
    see_history: i32 = 83 in 0..=500,
    /// Singular extension: least depth, plies; one more where an open window was searched.
    singular_depth: i32 = 6 in 4..=12,
    /// Singular extension: margin for 55 plies, centipawns.
    singular_margin: i32 = 115 in 10..=1_000,
    /// Singular extension: more for a null window where an open one was searched, centipawns.
    singular_tt_pv: i32 = 69 in 0..=1_000,
    /// Double extension: how far below the singular goal all others must be, centipawns.
    double_base: i32 = 39 in -500..=1_000,
    /// Double extension: more with an open window.
    double_pv: i32 = 271 in -500..=1_000,
    /// Double extension: more if the table move is quiet.
    double_quiet: i32 = -228 in -500..=1_000,
    /// Triple extension: how far below the singular goal all others must be, centipawns.
    triple_base: i32 = 93 in -500..=1_000,
    /// Triple extension: more with an open window.
    triple_pv: i32 = 528 in -500..=1_000,
    /// Triple extension: more if the table move is quiet.
    triple_quiet: i32 = -292 in -500..=1_000,
    /// Triple extension: more where an open window was searched.
    triple_tt_pv: i32 = 118 in -500..=1_000,
    /// Reductions: the constant term, 1/1024 ply.
    reduction_base: i32 = 1_131 in 0..=3_000,
    /// Reductions: factor of ln(depth) ln(number of the move), 1/1024 ply.
    reduction_slope: i32 = 465 in 150..=900,
    /// Reductions: more where the evaluation does not improve, 1/1024 of the logarithmic term.
    reduction_not_improving: i32 = 449 in 0..=1_500,
    /// Reductions: less for a window as wide as the root's, 1/1024 ply.
    reduction_window: i32 = 663 in 0..=2_000,
    /// Reductions: constant term of the search, not of the pruning, 1/1024 ply.
    reduction_offset: i32 = 760 in -2_000..=3_000,
    /// Reductions: less for each move before, 1/1024 ply.
    reduction_number: i32 = 29 in 0..=200,
    /// Reductions: more where an open window was searched, for the pruning, 1/1024 ply.
    reduction_tt_pv: i32 = 819 in -1_000..=3_000,
    /// Reductions: less where an open window was searched, 1/1024 ply.
    reduction_pv_line: i32 = 3_118 in 0..=5_000,
    /// Reductions: still less in an open window, 1/1024 ply.
    reduction_pv: i32 = 927 in 0..=3_000,
    /// Reductions: still less if the table's score is above alpha, 1/1024 ply.
    reduction_pv_score: i32 = 1_050 in 0..=3_000,
    /// Reductions: still less if the table's entry is as deep, 1/1024 ply.
    reduction_pv_depth: i32 = 842 in 0..=3_000,
    /// Reductions: the same at cut nodes.
    reduction_pv_cut: i32 = 959 in 0..=3_000,
    /// Reductions: more at cut nodes, 1/1024 ply.
    reduction_cut_node: i32 = 4_279 in 0..=6_000,
    /// Reductions: still more at cut nodes without a table move, 1/1024 ply.
    reduction_no_move: i32 = 825 in 0..=3_000,
    /// Reductions: more if the table move is a capture, 1/1024 ply.
    reduction_capture: i32 = 1_370 in 0..=3_000,
    /// Reductions: more if at least two children of the node and its siblings have cut off, 1/1024 ply.
    reduction_cutoffs: i32 = 159 in 0..=3_000,
    /// Reductions: still more if at least three have, 1/1024 ply.
    reduction_many_cutoffs: i32 = 1_274 in 0..=3_000,
    /// Reductions: more if at least two have and the node is an all node, 1/1024 ply.
    reduction_all_cutoffs: i32 = 1_167 in 0..=3_000,
    /// Reductions: less for each unit of history, 1/1024 of 1/1024 ply.
    reduction_history: i32 = 113 in 0..=400,
    /// Reductions: less for each centipawn of correction, 1/1024 of 1/1024 ply.
    reduction_correction: i32 = 2_995 in 0..=16_000,
    /// Reductions: less for a check, 1/1024 ply.
    reduction_check: i32 = 271 in -3_000..=3_000,
    /// Reductions: less for the table move, 1/1024 ply.
    reduction_table_move: i32 = 428 in -3_000..=4_000,
    /// Reductions: at all nodes more by this share of 1/(depth + 1), 1/1024.
    reduction_all_node: i32 = 1_036 in 0..=4_000,
    /// First-move reduction: reduction that counts more without a table move, 1/1024 ply.
    first_move_missing: i32 = 962 in 0..=4_000,
    /// First-move reduction: reduction from which the first move loses a ply, 1/1024 ply.
    first_move_one: i32 = 4_323 in 1_000..=9_000,
    /// First-move reduction: reduction from which it loses two, 1/1024 ply.
    first_move_two: i32 = 5_894 in 1_000..=9_000,
    /// After a move that raised alpha: reduction of the others, plies.
    raised_plies: i32 = 2 in 0..=4,
    /// Search after a reduced one: a ply deeper if the score beats the best one by more than this, centipawns.
    deeper_margin: i32 = 46 in 0..=300,
    /// Search after a reduced one: a ply less deep if it beats the best one by less than this, centipawns.
    shallower_margin: i32 = 11 in 0..=100,
    /// Continuation history: bonus of a move that came through its reduced search.
    research_bonus: i32 = 1_441 in 0..=5_000,
    /// Histories: bonus for each ply.
    bonus_slope: i32 = 143 in 0..=600,
    /// Histories: bonus at depth 0.
    bonus_base: i32 = -77 in -500..=500,
    /// Histories: greatest bonus.
    bonus_limit: i32 = 1_637 in 200..=6_000,
    /// Histories: more for the table's move.
    bonus_table_move: i32 = 469 in 0..=2_000,
    /// Histories: more for the history of the move above, 1/1024 of it.
    bonus_above: i32 = 30 in 0..=200,
    /// Histories: malus for each ply.
    malus_slope: i32 = 934 in 0..=2_000,
    /// Histories: malus at depth 0.
    malus_base: i32 = -204 in -1_000..=1_000,
    /// Histories: greatest malus.
    malus_limit: i32 = 2_902 in 200..=8_000,
    /// Histories: how much less each further quiet move gets, 1/1024.
    malus_fade: i32 = 53 in 0..=300,
    /// Histories: share of the bonus for a quiet move, 1/1024.
    quiet_bonus: i32 = 804 in 0..=4_096,
    /// Histories: share of the malus for a quiet move, 1/1024.
    quiet_malus: i32 = 1_114 in 0..=4_096,
    /// Histories: share of the bonus for a capture, 1/1024.
    capture_bonus: i32 = 1_256 in 0..=4_096,
    /// Histories: share of the malus for a capture, 1/1024.
    capture_malus: i32 = 1_707 in 0..=4_096,
    /// Histories: share of a quiet move's bonus or malus near the root, 1/1024.
    low_ply_share: i32 = 768 in 0..=4_096,
    /// Histories: share of it in the continuation history, 1/1024.
    continuation_share: i32 = 946 in 0..=4_096,
    /// Histories: share of the bonus in the pawn history, 1/1024.
    pawn_bonus: i32 = 958 in 0..=4_096,
    /// Histories: share of the malus in the pawn history, 1/1024.
    pawn_malus: i32 = 542 in 0..=4_096,
    /// Histories: share of the malus for the refuted first move above, 1/1024.
    refuted_malus: i32 = 767 in 0..=4_096,
    /// Histories: share of the bonus of a move to which no answer was good enough, 1/1024.
    fail_low_share: i32 = 1_006 in 0..=4_096,
    /// Histories: bonus of a capture to which no answer was good enough.
    fail_low_capture: i32 = 1_018 in 0..=4_096,
    /// Histories: bonus for each centipawn by which a quiet move improved the evaluation, 1/1024.
    trend_slope: i32 = 4_410 in -20_000..=20_000,
    /// Histories: the same in the pawn history.
    trend_pawn_slope: i32 = 8_125 in -20_000..=20_000,
    /// Histories: greatest bonus of a table move that cuts off at once.
    table_bonus: i32 = 916 in 0..=4_096,
    /// Histories: malus of the move that allows it.
    table_malus: i32 = 3_349 in 0..=8_192,
    /// Histories: bonus of table moves in general when one was best.
    table_move_hit: i32 = 805 in 0..=4_096,
    /// Histories: malus of table moves in general when none was best.
    table_move_miss: i32 = 787 in 0..=4_096,
    /// Ordering of quiet moves: weight of the butterfly history, 1/1024.
    order_butterfly: i32 = 2_279 in 0..=8_000,
    /// Ordering of quiet moves: weight of the pawn history, 1/1024.
    order_pawn: i32 = 2_221 in 0..=8_000,
    /// Ordering of quiet moves: weight of the continuation histories from the third on, 1/1024.
    order_far: i32 = 868 in 0..=4_000,
    /// Ordering of quiet moves: weight of the low-ply history at the root, 1/1024.
    order_low_ply: i32 = 7_787 in 0..=40_000,
    /// Ordering of quiet moves: those of at most this value come after the bad captures.
    order_bad_quiet: i32 = -10_631 in -60_000..=0,
    /// Ordering of captures: weight of a centipawn of exchange, 1/1024.
    order_capture: i32 = 2_467 in 0..=16_000,
    /// Ordering of captures: centipawns of exchange that a capture may lose for each unit of its
    /// value and still come before quiet moves, 1/1024.
    order_good_capture: i32 = 134 in 0..=1_000,
    /// Ordering: value of a quiet check that loses little, as much as this history.
    quiet_check: i32 = 22_533 in 0..=60_000,
    /// Quiescence: what a capture may bring beyond its material, centipawns.
    qsearch_margin: i32 = 418 in 50..=900,
    /// Quiescence: the least that an exchange must bring, centipawns of exchange.
    qsearch_see: i32 = -254 in -500..=200,
    /// Quiescence: captures that are tried; after them recaptures and checks only.
    qsearch_count: i32 = 2 in 0..=9,
    /// Quiescence: plies with the one-move mate test.
    qsearch_mate1_depth: i32 = 6 in 1..=12,
    /// Mate solver: share of the nodes for each question at the root, 1/1024.
    mate_share: i32 = 47 in 0..=256,
    /// Correction: share of the corrections' sum that counts, 1/1024.
    correction_share: i32 = 1_330 in 0..=4_096,
    /// Correction: rate of learning, 1/1024 of the usual.
    correction_rate: i32 = 1_201 in 0..=8_192,
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
