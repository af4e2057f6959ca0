//! The options: one table with their names, types, defaults and descriptions, and their current
//! values. `usi`, `setoption`, `getoption` and `help` read it, and a test compares it with
//! `USI.md`.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use thiserror::Error;

use crate::book::BookRules;
use crate::engine::clock::{Lateness, TimeOptions};
use crate::engine::{Leeway, Settings, SkillLevel};
use crate::eval::nnue::FvScale;
use crate::shogi::DeclarationRule;

/// The option that clears the hash table when set.
pub(super) const CLEAR_HASH: &str = "Clear_Hash";
/// The option that changes the searcher.
pub(super) const SEARCH_CHANGES: &str = "SearchChanges";
/// The options that name the file of the evaluation.
pub(super) const EVAL_FILE: &str = "EvalFile";
pub(super) const EVAL_DIR: &str = "EvalDir";
/// The option that opens or closes the log when set.
pub(super) const DEBUG_LOG_FILE: &str = "DebugLogFile";

/// Entering-king rules with their USI names and descriptions.
#[rustfmt::skip]
const RULES: [(&str, DeclarationRule, &str); 6] = [
    ("CSARule27", DeclarationRule::Csa27, "28 points win for Black, 27 for White"),
    ("NoEnteringKing", DeclarationRule::None, "no declaration"),
    ("CSARule24", DeclarationRule::Csa24, "31 points win"),
    ("CSARule24H", DeclarationRule::Csa24Handicap, "31 points win; pieces missing from the set count for White"),
    ("CSARule27H", DeclarationRule::Csa27Handicap, "28 points win for Black, 27 for White; pieces missing from the set count for White"),
    ("TryRule", DeclarationRule::Try, "a king that reaches the start square of the other king wins"),
];

/// All options with their current values.
#[derive(Clone, Debug)]
pub struct Options(Vec<UsiOption>);

#[derive(Clone, Debug)]
struct UsiOption {
    name: &'static str,
    kind: OptionKind,
    default: String,
    meaning: &'static str,
    /// Valid for the type and within the range.
    value: String,
}

#[derive(Clone, Debug)]
enum OptionKind {
    /// `true` or `false`; some clients send `1` or `0`.
    Check,
    /// A whole number in this range.
    Spin(RangeInclusive<i64>),
    /// One of these words. The first is the default, because some clients assume that.
    Combo(Vec<&'static str>),
    /// Triggers an action when set.
    Button,
    /// A file name, possibly empty.
    Filename,
    /// Text, possibly empty.
    Text,
}

/// All options with their defaults, in the order of the reply to `usi`.
#[rustfmt::skip]
fn table(searches: &[&'static str]) -> [UsiOption; 39] {
    use OptionKind::{Button, Check, Combo, Filename, Spin, Text};
    let row = |name, kind, default: &str, meaning| {
        UsiOption { name, kind, default: default.to_owned(), meaning, value: default.to_owned() }
    };
    let first = searches.first().copied().unwrap_or_default();
    let rules = RULES.map(|(name, ..)| name).to_vec();
    [
        row("USI_Hash", Spin(1..=33_554_432), "256", "transposition table, MiB"),
        row("USI_Ponder", Check, "false", "the GUI lets the engine think on the opponent's time"),
        row("Stochastic_Ponder", Check, "false", "ponder on all moves of the opponent, not only on the predicted one"),
        row("Threads", Spin(1..=512), &half_of_the_cpus().to_string(), "search threads, at most twice the CPUs or 8; with one thread, equal searches give equal results"),
        row("MultiPV", Spin(1..=600), "1", "number of lines to show"),
        row("Search", Combo(searches.to_vec()), first, "searcher: selective alpha-beta, full-width after Hoki 2006, or Monte Carlo tree search"),
        row(SEARCH_CHANGES, Text, "", "changes of the searcher, such as `without=null-move set=aspiration=80`, or `set=method=ef-leaf` of MCTS"),
        row("SkillLevel", Spin(0..=20), "20", "playing strength: 0 = weakest, 20 = full strength"),
        row("OpeningVariety", Spin(0..=300), "0", "in the first 20 moves of a game, also play moves up to this many centipawns worse than the best"),
        row(EVAL_FILE, Filename, "<internal>", "evaluation: a weights file, an NNUE file (`nn.bin`), `<internal>` (the learned evaluation in the program) or `<material>` (material and hand-made king relations)"),
        row(EVAL_DIR, Text, "", "folder with an NNUE file `nn.bin`; of EvalFile and EvalDir, the option set last is used"),
        row("FV_SCALE", Spin(1..=i64::from(FvScale::MAX)), "16", "divisor of the raw values of an NNUE file, as its author recommends; 16 = the number in the file, else 16. It changes the reported unit, not scores or moves"),
        row("USI_OwnBook", Check, "true", "play moves from the opening book, if one is set"),
        row("BookFile", Filename, "", "opening book: a YaneuraOu text file (.db); a sorted file is searched on disk"),
        row("BookMoves", Spin(0..=10_000), "16", "last move number of a game that is played from the book"),
        row("BookEvalDiff", Spin(0..=99_999), "30", "maximum difference of a book move to the best book move, centipawns"),
        row("BookEvalBlackLimit", Spin(-99_999..=99_999), "0", "minimum score of a book move when the engine is Black, centipawns"),
        row("BookEvalWhiteLimit", Spin(-99_999..=99_999), "-140", "minimum score of a book move when the engine is White, centipawns"),
        row("BookDepthLimit", Spin(0..=99_999), "0", "minimum depth of a book move; 0 = any"),
        row("IgnoreBookPly", Check, "false", "match book positions at any move number"),
        row("FlippedBook", Check, "true", "also look up the board rotated by 180 degrees"),
        row("NetworkDelay", Spin(0..=10_000), "120", "average delay to the server, ms"),
        row("NetworkDelay2", Spin(0..=10_000), "1120", "worst delay to the server, ms"),
        row("MinimumThinkingTime", Spin(1..=100_000), "2000", "minimum time per move where the clock allows it, ms"),
        row("SlowMover", Spin(1..=1_000), "100", "thinking time in percent of the planned time"),
        row("RoundUpToFullSecond", Check, "true", "the server counts whole seconds: use the rest of a started second"),
        row("MaxMovesToDraw", Spin(0..=100_000), "0", "the game is drawn after this many moves; 0 = never"),
        row("EnteringKingRule", Combo(rules), "CSARule27", "rule for declaring a win with an entered king"),
        row("DrawValueBlack", Spin(-30_000..=30_000), "-2", "score of a draw when the engine is Black, centipawns"),
        row("DrawValueWhite", Spin(-30_000..=30_000), "-2", "score of a draw when the engine is White, centipawns"),
        row("ResignValue", Spin(0..=99_999), "99999", "resign if the score is at most minus this, centipawns"),
        row("DepthLimit", Spin(0..=i64::from(i32::MAX)), "0", "depth limit of every search; 0 = none"),
        row("NodesLimit", Spin(0..=i64::MAX), "0", "node limit of every search; 0 = none"),
        row("PvInterval", Spin(0..=100_000), "300", "minimum time between info lines, ms"),
        row("ConsiderationMode", Check, "false", "for analysis: complete the lines; a repetition counts only at the fourth occurrence"),
        row("OutputFailLHPV", Check, "true", "also show lines whose score is only a bound"),
        row("GenerateAllLegalMoves", Check, "false", "also search useless non-promotions"),
        row(CLEAR_HASH, Button, "", "clear the transposition table"),
        row(DEBUG_LOG_FILE, Filename, "", "copy all lines to this file, with time stamps"),
    ]
}

/// The reason why an option keeps its value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Unknown name.
    #[error("unknown option {0:?}")]
    Unknown(String),
    /// Invalid for the type or outside the range.
    #[error("option {name}: {value:?} is not {expected}; keeping {kept}")]
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

impl Options {
    /// The defaults. `searches`: the values of `Search`; the first is the default.
    pub fn new(searches: &[&'static str]) -> Options {
        Options(table(searches).into())
    }

    /// Sets an option and returns its name. Names are case-insensitive; `<empty>` means an empty
    /// text.
    ///
    /// # Errors
    /// [`OptionError`] with the offending name or value. The options are then unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<&'static str, OptionError> {
        let option = self.0.iter_mut().find(|option| option.name.eq_ignore_ascii_case(name));
        let option = option.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        option.value = option.read(value).ok_or_else(|| OptionError::BadValue {
            name: option.name,
            value: value.to_owned(),
            expected: option.kind.expectation(),
            kept: shown(&option.value).to_owned(),
        })?;
        Ok(option.name)
    }

    /// Name and value of the option with this name.
    pub fn get(&self, name: &str) -> Option<(&'static str, String)> {
        let option = self.0.iter().find(|option| option.name.eq_ignore_ascii_case(name))?;
        Some((option.name, shown(&option.value).to_owned()))
    }

    /// All names with their descriptions.
    pub fn meanings(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().map(|option| (option.name, option.meaning))
    }

    /// Whether the option that the table has under this name has its default.
    pub(super) fn has_default(&self, name: &str) -> bool {
        self.0.iter().any(|option| option.name == name && option.value == option.default)
    }

    /// The `option` lines of the reply to `usi`.
    pub fn declarations(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|UsiOption { name, kind, default, .. }| {
            let default = format!("default {}", shown(default));
            let form = match kind {
                OptionKind::Check => format!("check {default}"),
                OptionKind::Spin(range) => {
                    format!("spin {default} min {} max {}", range.start(), range.end())
                }
                OptionKind::Combo(words) => format!("combo {default} var {}", words.join(" var ")),
                OptionKind::Button => "button".to_owned(),
                OptionKind::Filename => format!("filename {default}"),
                OptionKind::Text => format!("string {default}"),
            };
            format!("option name {name} type {form}")
        })
    }

    /// The value of the option with this name. Panics if the table has no such option or the type
    /// does not fit.
    pub(super) fn value<T: FromStr>(&self, name: &str) -> T {
        let option = self.0.iter().find(|option| option.name == name);
        let value = option.and_then(|option| option.value.parse().ok());
        value.expect("the table has an option of this name and type")
    }

    /// A duration in milliseconds.
    pub(super) fn millis(&self, name: &str) -> Duration {
        Duration::from_millis(self.value(name))
    }

    /// A limit; 0 means no limit.
    pub(super) fn limit<T: FromStr + Default + PartialEq>(&self, name: &str) -> Option<T> {
        Some(self.value(name)).filter(|limit| *limit != T::default())
    }

    /// The engine settings.
    pub fn settings(&self) -> Settings {
        Settings {
            hash_mib: self.value("USI_Hash"),
            threads: self.value("Threads"),
            multi_pv: self.value("MultiPV"),
            max_moves_to_draw: self.value("MaxMovesToDraw"),
            draw_value: [self.value("DrawValueBlack"), self.value("DrawValueWhite")],
            declaration: self.rule().1,
            consideration: self.value("ConsiderationMode"),
            all_legal_moves: self.value("GenerateAllLegalMoves"),
            sampling: None,
        }
    }

    /// The allowed deviation from the best move.
    pub(super) fn leeway(&self) -> Leeway {
        Leeway {
            skill: SkillLevel::new(self.value("SkillLevel")),
            variety: self.value("OpeningVariety"),
        }
    }

    /// A description of the entering-king rule.
    pub(super) fn declaration_text(&self) -> String {
        let (name, _, text) = self.rule();
        format!("EnteringKingRule {name}: {text}")
    }

    fn rule(&self) -> &'static (&'static str, DeclarationRule, &'static str) {
        let wanted: String = self.value("EnteringKingRule");
        RULES.iter().find(|(name, ..)| *name == wanted).expect("a word of the table")
    }

    /// The scale of NNUE files; `None`, which the default stands for, is that of the file.
    pub fn fv_scale(&self) -> Option<FvScale> {
        FvScale::new(self.value("FV_SCALE")).filter(|scale| *scale != FvScale::DEFAULT)
    }

    /// The rules for book moves.
    pub fn book_rules(&self) -> BookRules {
        BookRules {
            last_move: self.value("BookMoves"),
            score_difference: self.value("BookEvalDiff"),
            least_score: [self.value("BookEvalBlackLimit"), self.value("BookEvalWhiteLimit")],
            least_depth: self.value("BookDepthLimit"),
            any_number: self.value("IgnoreBookPly"),
            turned: self.value("FlippedBook"),
        }
    }

    /// The options of time management.
    pub fn time(&self) -> TimeOptions {
        TimeOptions {
            network_delay: self.millis("NetworkDelay"),
            network_delay2: self.millis("NetworkDelay2"),
            lateness: Lateness::default(),
            minimum_thinking_time: self.millis("MinimumThinkingTime"),
            slow_mover: self.value("SlowMover"),
            round_up_to_full_second: self.value("RoundUpToFullSecond"),
            max_moves_to_draw: self.value("MaxMovesToDraw"),
            ponder: self.value("USI_Ponder"),
        }
    }
}

/// Half of the logical CPUs that this process may use. Two of them often share a core, and the GUI
/// and the opponent need some as well.
fn half_of_the_cpus() -> usize {
    let cpus = thread::available_parallelism().map_or(1, NonZero::get);
    (cpus / 2).clamp(1, 512)
}

/// A value as users read and write it.
fn shown(value: &str) -> &str {
    if value.is_empty() { "<empty>" } else { value }
}

impl UsiOption {
    /// Parses a value; `None` if it is invalid.
    fn read(&self, text: &str) -> Option<String> {
        let text = if text == "<empty>" { "" } else { text };
        match &self.kind {
            OptionKind::Check => {
                let is_set = match text.to_ascii_lowercase().as_str() {
                    "true" | "1" => true,
                    "false" | "0" => false,
                    _ => return None,
                };
                Some(is_set.to_string())
            }
            OptionKind::Spin(range) => {
                let number = text.parse().ok().filter(|number| range.contains(number))?;
                Some(number.to_string())
            }
            OptionKind::Combo(words) => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(text))?;
                Some((*word).to_owned())
            }
            OptionKind::Button => Some(String::new()),
            OptionKind::Filename if text.is_empty() => Some(self.default.clone()),
            OptionKind::Filename | OptionKind::Text => Some(text.to_owned()),
        }
    }
}

impl OptionKind {
    fn expectation(&self) -> String {
        match self {
            OptionKind::Check => "true or false".to_owned(),
            OptionKind::Spin(range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            OptionKind::Combo(words) => format!("one of {}", words.join(", ")),
            OptionKind::Button | OptionKind::Filename | OptionKind::Text => "a text".to_owned(),
        }
    }
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
        let threads = half_of_the_cpus();
        assert_eq!(options.settings(), Settings { threads, ..Settings::default() });
        assert_eq!(options.time(), TimeOptions::default());
        assert_eq!(options.book_rules(), BookRules::default());
        for (name, _) in Options::new(&["A"]).meanings() {
            let default = options.get(name).expect(name);
            assert_eq!(options.set(name, &default.1), Ok(name));
            assert_eq!(options.get(name), Some(default));
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
        assert_eq!(options.value::<String>("Search"), "Wide");
        assert_eq!(options.settings().declaration, DeclarationRule::Try);
        assert_eq!(options.value::<String>(DEBUG_LOG_FILE), "a  b.log");
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
        assert_eq!(options.set("DebugLogFile", "<empty>"), Ok(DEBUG_LOG_FILE));
        assert_eq!(options.value::<String>(DEBUG_LOG_FILE), "");
    }
}
