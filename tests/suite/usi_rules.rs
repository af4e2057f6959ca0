//! Where each rule of `src/usi/USI.md` is tested:
//!
//! | rule | tests |
//! |---|---|
//! | U-01 | `u_01_any_bytes_are_read`, `u_01_random_bytes`, `u_01_utf8_else_cp932` |
//! | U-02 | `u_02_lines_are_ascii_with_single_blanks`, `u_02_remarks_are_ascii_with_single_blanks` |
//! | U-03 | `u_03_a_failed_write_means_quit`, `u_03_the_gui_disappears_during_a_search` |
//! | U-04 | `u_04_end_of_input_is_quit`, `u_04_quit_ends_every_state`, `u_04_what_stands_before_quit_is_answered`, `u_04_quit_does_not_wait_for_heavy_work` |
//! | U-05 | `u_05_the_unknown_is_ignored`, `u_05_unknown_commands_are_ignored` |
//! | U-06 | `u_06_commands_take_effect_in_order`, `the_reader_never_waits_for_the_engine` |
//! | U-07 | `u_07_nothing_is_built_before_usiok`, `u_07_the_program_introduces_itself_at_once` |
//! | U-08 | `u_08_heavy_work_shows_life` |
//! | U-09 | `u_09_isready_does_only_what_changed`, `u_09_usinewgame_alone_is_right_too` |
//! | U-10 | `u_10_a_missing_file_is_told_and_replaced`, `u_10_a_book_that_cannot_be_used_is_named`, `u_10_too_deep_a_perft_is_refused`, `u_10_wrong_changes_of_a_searcher_are_named`, `weights_files_are_used_and_broken_ones_named` |
//! | U-11 | `u_11_options_wait_for_the_end_of_the_search`, `u_11_another_book_waits_for_the_end_of_the_search` |
//! | U-12 | `u_12_a_king_may_be_missing` |
//! | U-13 | `u_13_every_legal_move_is_accepted` |
//! | U-14 | `u_14_a_refused_position_is_not_searched` |
//! | U-15 | `u_15_thousands_of_moves_are_quick`, `u_15_a_long_list_with_an_error_at_its_end` |
//! | U-16 | `u_16_no_time_is_still_a_move`, `u_16_empty_clocks_leave_no_time_but_no_panic`, `u_16_no_time_is_still_a_move_of_each` |
//! | U-17 | `u_17_one_go_one_answer`, `u_17_random_conversations`, `u_17_one_go_one_answer_of_each`, `u_17_a_long_random_conversation`, `u_17_a_long_random_conversation_with_each` |
//! | U-18 | `u_18_nothing_before_stop`, `u_18_a_book_move_waits_for_ponderhit`, `u_18_nothing_before_stop_of_each` |
//! | U-19 | `u_19_an_idle_stop_is_forgotten`, `u_19_an_idle_stop_is_forgotten_by_each` |
//! | U-20 | `u_20_ponderhit_starts_the_clock`, `u_20_ponderhit_after_the_end_is_answered_at_once`, `u_20_the_position_before_is_thought_about`, `u_20_ponderhit_starts_the_clock_of_each` |
//! | U-21 | `u_21_gameover_is_answered_once`, `u_21_gameover_is_answered_once_by_each` |
//! | U-22 | `u_22_the_last_info_has_the_move`, `u_22_a_book_move_is_told_with_its_line`, `u_22_nothing_stands_between_the_last_info_and_the_move`, `u_22_to_u_24_a_stop_at_any_time_is_answered_by_each` |
//! | U-23 | `u_23_the_engine_cannot_make_the_output_illegal`, `u_23_illegal_tails_are_cut`, `u_22_to_u_24_a_stop_at_any_time_is_answered_by_each` |
//! | U-24 | `u_24_no_unfinished_score`, `u_24_lines_of_one_depth_come_together`, `u_24_after_a_panic_the_last_line_counts`, `u_24_after_a_panic_any_legal_move_will_do`, `u_22_to_u_24_a_stop_at_any_time_is_answered_by_each` |
//! | U-25 | `u_25_go_mate_is_answered_by_checkmate`, `go_mate_is_answered_by_a_whole_mate_or_none` |
//! | U-26 | `u_26_the_increment_is_not_spent`, `u_26_this_moves_increment_is_never_spent`, `u_26_the_increment_is_not_spent_by_each` |
//! | U-27 | `u_27_no_time_is_lost_in_long_games`, `u_27_a_search_that_does_not_end_is_answered`, `u_27_what_was_late_once_is_expected_for_long` |
//! | U-28 | `u_28_points_decide`, `u_28_pieces_missing_from_the_set_count_for_white`, `u_28_all_conditions_are_needed`, `u_28_the_rule_is_told`, `u_28_declared_only_when_playing`, `u_28_the_try_is_a_king_move`, `u_28_each_declares_only_when_playing` |

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The rows of the first table of a text whose first cell is the number of a rule.
fn rows(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().filter_map(|line| line.trim_start_matches("//! ").strip_prefix("| "));
    lines.filter(|line| line.starts_with("U-")).filter_map(|line| line.split_once(" | ")).collect()
}

/// All Rust sources under a folder, one after the other.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(path).expect("text");
        }
    }
    text
}

#[test]
fn every_rule_has_its_tests_and_every_test_is_named() {
    let table = rows(include_str!("usi_rules.rs"));
    let rules: Vec<&str> = rows(include_str!("../../src/usi/USI.md")).into_keys().collect();
    assert_eq!(table.keys().copied().collect::<Vec<_>>(), rules);
    assert_eq!(rules.len(), 28);

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code = sources(&root.join("tests")) + &sources(&root.join("src"));
    let tests: Vec<&str> = code
        .split("#[test]")
        .skip(1)
        .filter_map(|rest| rest.split_once("fn ")?.1.split_once('('))
        .map(|(name, _)| name)
        .collect();
    let named: Vec<&str> =
        table.values().flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    for name in &named {
        assert!(tests.contains(name), "{name} is no test");
    }
    for name in
        tests.iter().filter(|name| name.starts_with("u_") && name.as_bytes()[2].is_ascii_digit())
    {
        assert!(named.contains(name), "{name} is not in the table");
    }
}
