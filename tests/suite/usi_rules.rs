//! The tests of each rule of `src/usi/USI.md`:
//!
//! | rule | tests |
//! |---|---|
//! | U-01 | `u_01_any_bytes_are_read`, `u_01_random_bytes`, `u_01_utf8_else_cp932` |
//! | U-02 | `u_02_lines_are_ascii_with_single_blanks`, `u_02_remarks_are_ascii_with_single_blanks` |
//! | U-03 | `u_03_a_failed_write_means_quit`, `u_03_the_gui_disappears_during_a_search` |
//! | U-04 | `u_04_end_of_input_is_quit`, `u_04_quit_ends_every_state`, `u_04_commands_before_quit_are_answered`, `u_04_quit_does_not_wait_for_heavy_work` |
//! | U-05 | `u_05_unknown_input_is_ignored`, `u_05_unknown_commands_are_ignored` |
//! | U-06 | `u_06_commands_take_effect_in_order`, `the_reader_never_waits_for_the_engine` |
//! | U-07 | `u_07_nothing_is_built_before_usiok`, `u_07_usi_is_answered_immediately` |
//! | U-08 | `u_08_empty_lines_are_sent_until_readyok` |
//! | U-09 | `u_09_isready_does_only_what_changed`, `u_09_usinewgame_works_without_isready` |
//! | U-10 | `u_10_a_missing_file_is_reported_and_replaced`, `u_10_a_book_that_cannot_be_used_is_named`, `u_10_too_deep_a_perft_is_refused`, `u_10_wrong_changes_of_a_searcher_are_named`, `u_10_a_hash_table_beyond_the_memory_is_reduced_and_reported`, `weights_files_are_used_and_corrupt_ones_named` |
//! | U-11 | `u_11_options_wait_for_the_end_of_the_search`, `u_11_another_book_waits_for_the_end_of_the_search` |
//! | U-12 | `u_12_a_king_may_be_missing` |
//! | U-13 | `u_13_every_legal_move_is_accepted` |
//! | U-14 | `u_14_a_refused_position_is_not_searched`, `u_14_a_position_with_surplus_words_is_refused` |
//! | U-15 | `u_15_thousands_of_moves_are_quick`, `u_15_a_long_list_with_an_error_at_its_end` |
//! | U-16 | `u_16_a_move_is_played_without_time`, `u_16_empty_clocks_leave_no_time_but_no_panic`, `u_16_each_plays_a_move_without_time` |
//! | U-17 | `u_17_every_go_is_answered_once`, `u_17_random_conversations`, `u_17_each_answers_every_go_once`, `u_17_a_long_random_conversation`, `u_17_a_long_random_conversation_with_each` |
//! | U-18 | `u_18_the_answer_is_held_until_stop`, `u_18_a_book_move_waits_for_ponderhit`, `u_18_each_holds_its_answer_until_stop` |
//! | U-19 | `u_19_a_stop_without_a_search_is_ignored`, `u_19_a_stop_without_a_search_is_ignored_by_each` |
//! | U-20 | `u_20_ponderhit_starts_the_clock`, `u_20_ponderhit_after_the_search_is_answered_immediately`, `u_20_stochastic_ponder_searches_the_previous_position`, `u_20_stochastic_ponder_without_a_clock_searches_the_position`, `u_20_ponderhit_starts_the_clock_of_each` |
//! | U-21 | `u_21_gameover_is_answered_once`, `u_21_gameover_is_answered_once_by_each` |
//! | U-22 | `u_22_the_last_info_has_the_move`, `u_22_a_book_move_is_reported_with_its_line`, `u_22_bestmove_follows_the_last_info`, `u_22_to_u_24_a_stop_at_any_time_is_answered_by_each` |
//! | U-23 | `u_23_the_engine_cannot_make_the_output_illegal`, `u_23_illegal_moves_are_cut_from_a_pv`, `u_22_to_u_24_a_stop_at_any_time_is_answered_by_each` |
//! | U-24 | `u_24_unfinished_scores_are_not_reported`, `u_24_lines_of_one_depth_come_together`, `u_24_after_a_panic_the_last_line_counts`, `u_24_after_a_panic_any_legal_move_is_played`, `u_22_to_u_24_a_stop_at_any_time_is_answered_by_each` |
//! | U-25 | `u_25_go_mate_is_answered_by_checkmate`, `go_mate_is_answered_by_a_complete_mate_or_none` |
//! | U-26 | `u_26_the_increment_is_not_spent_unless_the_clock_is_empty`, `u_26_this_moves_increment_is_spent_only_from_an_empty_clock`, `u_26_the_increment_is_not_spent_by_each` |
//! | U-27 | `u_27_no_time_is_lost_in_long_games`, `u_27_a_search_that_does_not_end_is_answered`, `u_27_lateness_is_remembered_for_many_answers`, `u_27_a_search_is_overdue_after_its_deadline_or_a_stop`, `u_27_a_late_search_is_answered_with_a_move_by_choice` |
//! | U-28 | `u_28_declarations_need_enough_points`, `u_28_pieces_missing_from_the_set_count_for_white`, `u_28_all_conditions_are_needed`, `u_28_the_rule_is_reported`, `u_28_declared_only_when_playing`, `u_28_a_declaration_after_stochastic_ponder_needs_no_other_search`, `u_28_a_try_is_answered_with_the_king_move`, `u_28_each_declares_only_when_playing` |

use std::collections::BTreeMap;
use std::path::Path;

use crate::project_files::{files_below, text};

/// The rows of the first table of a text whose first cell is a rule number.
fn rows(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().filter_map(|line| line.trim_start_matches("//! ").strip_prefix("| "));
    lines.filter(|line| line.starts_with("U-")).filter_map(|line| line.split_once(" | ")).collect()
}

#[test]
fn every_rule_has_its_tests_and_every_test_is_named() {
    let table = rows(include_str!("usi_rules.rs"));
    let rules: Vec<&str> = rows(include_str!("../../src/usi/USI.md")).into_keys().collect();
    assert_eq!(table.keys().copied().collect::<Vec<_>>(), rules);
    assert_eq!(rules.len(), 28);

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = ["src", "tests"].map(|folder| files_below(&root.join(folder), "rs")).concat();
    let code: String = sources.iter().map(|path| text(path)).collect();
    let tests: Vec<&str> = code
        .split("#[test]")
        .skip(1)
        .filter_map(|rest| rest.split_once("fn ")?.1.split_once('('))
        .map(|(name, _)| name)
        .collect();
    let named: Vec<&str> =
        table.values().flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    for name in &named {
        assert!(tests.contains(name), "{name} is not a test");
    }
    for name in
        tests.iter().filter(|name| name.starts_with("u_") && name.as_bytes()[2].is_ascii_digit())
    {
        assert!(named.contains(name), "{name} is not in the table");
    }
}
