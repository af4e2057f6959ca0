//! The options: one table with their names, types, defaults and descriptions, and their current
//! values. Each row of the table defines a handle, with which the session reads the value in its
//! own type: `options.get(&MULTI_PV)`. `usi`, `setoption`, `getoption` and `help` read the table,
//! and a test compares it with `USI.md`.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::option_row::{
    Kind, Row, Searches, Setting, Value, check, combo, limit, millis, number, spin, text,
};
use crate::book::BookRules;
use crate::engine::clock::{Lateness, TimeOptions};
use crate::engine::{Leeway, Settings, SkillLevel};
use crate::eval::nnue::FvScale;
use crate::quote::quoted;
use crate::shogi::DeclarationRule;

/// The words of `EnteringKingRule`, the rules that they name, and their descriptions.
#[rustfmt::skip]
const RULES: [(&str, DeclarationRule, &str); 6] = [
    ("CSARule27", DeclarationRule::Csa27, "28 points win for Black, 27 for White"),
    ("NoEnteringKing", DeclarationRule::None, "no declaration"),
    ("CSARule24", DeclarationRule::Csa24, "31 points win"),
    ("CSARule24H", DeclarationRule::Csa24Handicap, "31 points win; pieces missing from the set count for White"),
    ("CSARule27H", DeclarationRule::Csa27Handicap, "28 points win for Black, 27 for White; pieces missing from the set count for White"),
    ("TryRule", DeclarationRule::Try, "a king that reaches the start square of the other king wins"),
];
const RULE_NAMES: [&str; RULES.len()] =
    [RULES[0].0, RULES[1].0, RULES[2].0, RULES[3].0, RULES[4].0, RULES[5].0];

/// Defines the handles, and the list of their rows in the same order.
macro_rules! options {
    ($($handle:ident: $kind:ty = $definition:expr;)*) => {
        $(pub(super) const $handle: $kind = $definition;)*

        /// All options, in the order of the reply to `usi`.
        const ROWS: &[&Row] = &[$(&$handle.row),*];
    };
}

options! {
    USI_HASH: Setting<usize> = spin("USI_Hash", 1..=33_554_432, || 256, number, "transposition table, MiB");
    USI_PONDER: Setting<bool> = check("USI_Ponder", false, "the GUI lets the engine think on the opponent's time");
    STOCHASTIC_PONDER: Setting<bool> = check("Stochastic_Ponder", false, "ponder on all moves of the opponent, not only on the predicted one");
    THREADS: Setting<usize> = spin("Threads", 1..=512, half_of_the_cpus, number, "search threads, at most twice the CPUs or 8; with one thread, equal searches give equal results");
    MULTI_PV: Setting<usize> = spin("MultiPV", 1..=600, || 1, number, "number of lines to show");
    SEARCH: Setting<usize> = combo("Search", |searches| searches, "searcher: selective alpha-beta, full-width after Hoki 2006, or Monte Carlo tree search");
    SEARCH_CHANGES: Setting<String> = text("SearchChanges", Kind::Text, "changes of the searcher, such as `without=null-move set=aspiration=80`, or `set=method=ef-leaf` of MCTS; empty = those of the command line");
    SKILL_LEVEL: Setting<Option<SkillLevel>> = spin("SkillLevel", 0..=20, || 20, |level| SkillLevel::new(number(level)), "playing strength: 0 = weakest, 20 = full strength");
    OPENING_VARIETY: Setting<i32> = spin("OpeningVariety", 0..=300, || 0, number, "in the first 20 moves of a game, also play moves up to this many centipawns worse than the best");
    EVAL_FILE: Setting<String> = text("EvalFile", Kind::Filename("<internal>"), "evaluation: a weights file, an NNUE file (`nn.bin`), `<internal>` (the learned evaluation in the program) or `<material>` (material and hand-made king relations)");
    EVAL_DIR: Setting<String> = text("EvalDir", Kind::Text, "folder with an NNUE file `nn.bin`; of EvalFile and EvalDir, the option set last is used");
    FV_SCALE: Setting<Option<FvScale>> = spin("FV_SCALE", 1..=FvScale::MAX as i64, || 16, |scale| FvScale::new(number(scale)).filter(|scale| *scale != FvScale::DEFAULT), "divisor of the raw values of an NNUE file, as its author recommends; 16 = the number in the file, else 16. It changes the reported unit, not scores or moves");
    USI_OWN_BOOK: Setting<bool> = check("USI_OwnBook", true, "play moves from the opening book, if one is set");
    BOOK_FILE: Setting<String> = text("BookFile", Kind::Filename(""), "opening book of YaneuraOu, text (.db) or binary (.ybb); a sorted file is searched on disk");
    BOOK_MOVES: Setting<u32> = spin("BookMoves", 0..=10_000, || 16, number, "last move number of a game that is played from the book");
    BOOK_EVAL_DIFF: Setting<i32> = spin("BookEvalDiff", 0..=99_999, || 30, number, "maximum difference of a book move to the best book move, centipawns");
    BOOK_EVAL_BLACK_LIMIT: Setting<i32> = spin("BookEvalBlackLimit", -99_999..=99_999, || 0, number, "minimum score of a book move when the engine is Black, centipawns");
    BOOK_EVAL_WHITE_LIMIT: Setting<i32> = spin("BookEvalWhiteLimit", -99_999..=99_999, || -140, number, "minimum score of a book move when the engine is White, centipawns");
    BOOK_DEPTH_LIMIT: Setting<u32> = spin("BookDepthLimit", 0..=99_999, || 0, number, "minimum depth of a book move; 0 = any");
    IGNORE_BOOK_PLY: Setting<bool> = check("IgnoreBookPly", false, "match book positions at any move number");
    FLIPPED_BOOK: Setting<bool> = check("FlippedBook", true, "also look up the board rotated by 180 degrees");
    NETWORK_DELAY: Setting<Duration> = spin("NetworkDelay", 0..=10_000, || 120, millis, "average delay to the server, ms");
    NETWORK_DELAY2: Setting<Duration> = spin("NetworkDelay2", 0..=10_000, || 1_120, millis, "worst delay to the server, ms");
    MINIMUM_THINKING_TIME: Setting<Duration> = spin("MinimumThinkingTime", 1..=100_000, || 2_000, millis, "minimum time per move, ms; with a clock, at most a 60th of it and the byoyomi");
    SLOW_MOVER: Setting<u32> = spin("SlowMover", 1..=1_000, || 100, number, "thinking time in percent of the planned time");
    ROUND_UP_TO_FULL_SECOND: Setting<bool> = check("RoundUpToFullSecond", true, "the server counts whole seconds: use the rest of a started second");
    MAX_MOVES_TO_DRAW: Setting<u32> = spin("MaxMovesToDraw", 0..=100_000, || 0, number, "the game is drawn after this many moves; 0 = never");
    ENTERING_KING_RULE: Setting<usize> = combo("EnteringKingRule", |_| &RULE_NAMES, "rule for declaring a win with an entered king");
    DRAW_VALUE_BLACK: Setting<i32> = spin("DrawValueBlack", -30_000..=30_000, || -2, number, "score of a draw when the engine is Black, centipawns");
    DRAW_VALUE_WHITE: Setting<i32> = spin("DrawValueWhite", -30_000..=30_000, || -2, number, "score of a draw when the engine is White, centipawns");
    RESIGN_VALUE: Setting<i32> = spin("ResignValue", 0..=99_999, || 99_999, number, "resign if the score is at most minus this, centipawns");
    DEPTH_LIMIT: Setting<Option<u32>> = spin("DepthLimit", 0..=i32::MAX as i64, || 0, limit, "depth limit of every search; 0 = none");
    NODES_LIMIT: Setting<Option<u64>> = spin("NodesLimit", 0..=i64::MAX, || 0, limit, "node limit of every search; 0 = none");
    PV_INTERVAL: Setting<Duration> = spin("PvInterval", 0..=100_000, || 300, millis, "minimum time between info lines, ms");
    CONSIDERATION_MODE: Setting<bool> = check("ConsiderationMode", false, "for analysis: complete the lines; a repetition counts only at the fourth occurrence");
    OUTPUT_FAIL_LHPV: Setting<bool> = check("OutputFailLHPV", true, "also show lines whose score is only a bound");
    GENERATE_ALL_LEGAL_MOVES: Setting<bool> = check("GenerateAllLegalMoves", false, "also search useless non-promotions");
    FIRST_MATE: Setting<bool> = check("FirstMate", false, "`go mate` ends with the first mate found; otherwise it improves the mate until the time is up or no shorter one exists");
    CLEAR_HASH: Setting<String> = text("Clear_Hash", Kind::Button, "clear the transposition table");
    DEBUG_LOG_FILE: Setting<String> = text("DebugLogFile", Kind::Filename(""), "copy all lines to this file, with time stamps");
}

/// The reason why an option keeps its value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Unknown name.
    #[error("unknown option {}", quoted(.0))]
    Unknown(String),
    /// Invalid for the type or outside the range.
    #[error("option {name}: {} is not {expected}; keeping {kept}", quoted(.value))]
    BadValue {
        /// The option.
        name: &'static str,
        /// The given text.
        value: String,
        /// The allowed values.
        expected: String,
        /// The value that is kept.
        kept: String,
    },
}

/// All options with their current values.
#[derive(Clone, Debug)]
pub struct Options {
    searches: Searches,
    /// The values that were set, by name.
    values: BTreeMap<&'static str, Value>,
}

impl OptionError {
    /// The allowed values, or the whole error if there are none.
    pub fn expectation(&self) -> String {
        match self {
            OptionError::Unknown(_) => self.to_string(),
            OptionError::BadValue { expected, .. } => format!("expected {expected}"),
        }
    }
}

impl Options {
    /// The defaults. `searches`: the values of `Search`; the first is the default.
    pub fn new(searches: &'static [&'static str]) -> Options {
        Options { searches, values: BTreeMap::new() }
    }

    /// Sets an option and returns its name. Names are case-insensitive; `<empty>` means an empty
    /// text.
    ///
    /// # Errors
    /// [`OptionError`] with the offending name or value. The options are then unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<&'static str, OptionError> {
        let row = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let parsed = row.parse(value, self.searches);
        let refusal = || self.refusal(row, value, row.expectation(self.searches));
        let value = parsed.ok_or_else(refusal)?;
        self.values.insert(row.name, value);
        Ok(row.name)
    }

    /// Presses a button and returns its name. `words`: what follows the name, without the word
    /// `value`.
    ///
    /// # Errors
    /// [`OptionError`] with the unknown name, or with the words if the option needs a value.
    pub fn press(&mut self, name: &str, words: &str) -> Result<&'static str, OptionError> {
        let row = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        if !matches!(row.kind, Kind::Button) {
            let expected = format!("the word `value` and {}", row.expectation(self.searches));
            return Err(self.refusal(row, words, expected));
        }
        self.set(name, "")
    }

    fn refusal(&self, row: &Row, value: &str, expected: String) -> OptionError {
        let kept = row.show(&self.value(row), self.searches);
        OptionError::BadValue { name: row.name, value: value.to_owned(), expected, kept }
    }

    /// Name and value of the option with this name, as users write them.
    pub fn show(&self, name: &str) -> Option<(&'static str, String)> {
        find(name).map(|row| (row.name, row.show(&self.value(row), self.searches)))
    }

    /// All names with their descriptions.
    pub fn meanings(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        ROWS.iter().map(|row| (row.name, row.meaning))
    }

    /// The names of the options that [`book_rules`](Options::book_rules) reads, with their
    /// descriptions.
    pub fn of_book() -> impl Iterator<Item = (&'static str, &'static str)> {
        let rows: [&'static Row; 7] = [
            &BOOK_MOVES.row,
            &BOOK_EVAL_DIFF.row,
            &BOOK_EVAL_BLACK_LIMIT.row,
            &BOOK_EVAL_WHITE_LIMIT.row,
            &BOOK_DEPTH_LIMIT.row,
            &IGNORE_BOOK_PLY.row,
            &FLIPPED_BOOK.row,
        ];
        rows.into_iter().map(|row| (row.name, row.meaning))
    }

    /// The `option` lines of the reply to `usi`.
    pub fn declarations(&self) -> impl Iterator<Item = String> {
        ROWS.iter().map(|row| format!("option name {} type {}", row.name, row.form(self.searches)))
    }

    fn value(&self, row: &Row) -> Value {
        self.values.get(row.name).cloned().unwrap_or_else(|| row.default())
    }

    /// The value of an option.
    pub(super) fn get<T>(&self, setting: Setting<T>) -> T {
        (setting.read)(&self.value(&setting.row))
    }

    /// Whether an option has its default.
    pub(super) fn has_default<T>(&self, setting: Setting<T>) -> bool {
        self.value(&setting.row) == setting.row.default()
    }

    /// The engine settings.
    pub fn settings(&self) -> Settings {
        Settings {
            hash_mib: self.get(USI_HASH),
            threads: self.get(THREADS),
            multi_pv: self.get(MULTI_PV),
            max_moves_to_draw: self.get(MAX_MOVES_TO_DRAW),
            draw_value: [self.get(DRAW_VALUE_BLACK), self.get(DRAW_VALUE_WHITE)],
            declaration: RULES[self.get(ENTERING_KING_RULE)].1,
            consideration: self.get(CONSIDERATION_MODE),
            all_legal_moves: self.get(GENERATE_ALL_LEGAL_MOVES),
            sample_interval: None,
        }
    }

    /// The allowed deviation from the best move.
    pub(super) fn leeway(&self) -> Leeway {
        Leeway { skill: self.get(SKILL_LEVEL), variety: self.get(OPENING_VARIETY) }
    }

    /// A description of the entering-king rule.
    pub(super) fn declaration_text(&self) -> String {
        let (name, _, text) = RULES[self.get(ENTERING_KING_RULE)];
        format!("{} {name}: {text}", ENTERING_KING_RULE.row.name)
    }

    /// The rules for book moves.
    pub fn book_rules(&self) -> BookRules {
        BookRules {
            last_move: self.get(BOOK_MOVES),
            score_difference: self.get(BOOK_EVAL_DIFF),
            least_score: [self.get(BOOK_EVAL_BLACK_LIMIT), self.get(BOOK_EVAL_WHITE_LIMIT)],
            least_depth: self.get(BOOK_DEPTH_LIMIT),
            any_number: self.get(IGNORE_BOOK_PLY),
            turned: self.get(FLIPPED_BOOK),
        }
    }

    /// The options of time management.
    pub fn time(&self) -> TimeOptions {
        TimeOptions {
            network_delay: self.get(NETWORK_DELAY),
            network_delay2: self.get(NETWORK_DELAY2),
            lateness: Lateness::default(),
            minimum_thinking_time: self.get(MINIMUM_THINKING_TIME),
            slow_mover: self.get(SLOW_MOVER),
            round_up_to_full_second: self.get(ROUND_UP_TO_FULL_SECOND),
            max_moves_to_draw: self.get(MAX_MOVES_TO_DRAW),
            ponder: self.get(USI_PONDER),
        }
    }
}

/// Half of the logical CPUs that this process may use. Two of them often share a core, and the GUI
/// and the opponent need some as well.
fn half_of_the_cpus() -> i64 {
    let cpus = thread::available_parallelism().map_or(1, NonZero::get);
    (cpus / 2).clamp(1, 512) as i64
}

/// The option with this name.
fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().copied().find(|row| row.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_single_words_and_unique() {
        let names: Vec<&str> = Options::new(&["A"]).meanings().map(|row| row.0).collect();
        for (index, name) in names.iter().enumerate() {
            assert_eq!(name.split_ascii_whitespace().count(), 1);
            assert!(!names[..index].iter().any(|other| other.eq_ignore_ascii_case(name)));
        }
    }

    #[test]
    fn defaults_are_valid_and_agree_with_the_engine() {
        let mut options = Options::new(&["A"]);
        let threads = half_of_the_cpus() as usize;
        assert_eq!(options.settings(), Settings { threads, ..Settings::default() });
        assert_eq!(options.time(), TimeOptions::default());
        assert_eq!(options.book_rules(), BookRules::default());
        for (name, _) in Options::new(&["A"]).meanings() {
            let default = options.show(name).expect(name);
            assert_eq!(options.set(name, &default.1), Ok(name));
            assert_eq!(options.show(name), Some(default));
        }
    }

    #[test]
    fn the_default_of_a_combo_comes_first() {
        let options = Options::new(&["A", "B"]);
        for line in options.declarations().filter(|line| line.contains(" combo ")) {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[6], words[8], "{line}");
        }
        let line = options.declarations().find(|line| line.contains("EnteringKingRule"));
        let start =
            "option name EnteringKingRule type combo default CSARule27 var CSARule27 var No";
        assert!(line.expect("an option").starts_with(start));
    }

    #[test]
    fn values_are_validated() {
        let mut options = Options::new(&["Deep", "Wide"]);
        for (name, value) in [
            ("usi_hash", "33554432"),
            ("SEARCH", "wide"),
            ("threads", "1"),
            ("EnteringKingRule", "tryrule"),
            ("DebugLogFile", "a  b.log"),
            ("RoundUpToFullSecond", "False"),
            ("USI_Ponder", "1"),
            ("FlippedBook", "0"),
            ("NodesLimit", "9223372036854775807"),
        ] {
            assert!(options.set(name, value).is_ok(), "{name}");
        }
        assert_eq!(options.show("search"), Some(("Search", "Wide".to_owned())));
        assert_eq!(options.settings().declaration, DeclarationRule::Try);
        assert_eq!(options.get(DEBUG_LOG_FILE), "a  b.log");
        assert!(!options.time().round_up_to_full_second);
        assert!(options.time().ponder && !options.book_rules().turned);
        for (name, value) in [
            ("USI_Hash", "0"),
            ("USI_Hash", ""),
            ("USI_Hash", "1.5"),
            ("USI_Hash", "99999999999999999999"),
            ("Threads", "0"),
            ("Search", "Narrow"),
            ("USI_Ponder", "2"),
            ("Nonsense", "1"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options.settings().hash_mib, 33_554_432);
        assert_eq!(
            options.set("MultiPV", "601").expect_err("out of range").to_string(),
            "option MultiPV: \"601\" is not a whole number from 1 to 600; keeping 1"
        );
        assert_eq!(
            options.press("debuglogfile", "b.log").expect_err("no value").to_string(),
            "option DebugLogFile: \"b.log\" is not the word `value` and a text; keeping a  b.log"
        );
        assert!(options.press("USI_Hash", "").is_err() && options.press("Nonsense", "").is_err());
        assert_eq!(options.press("clear_hash", "now"), Ok(CLEAR_HASH.row.name));
        assert_eq!(options.set("DebugLogFile", "<empty>"), Ok(DEBUG_LOG_FILE.row.name));
        assert_eq!(options.get(DEBUG_LOG_FILE), "");
    }
}
