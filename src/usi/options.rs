//! The options: their values, and one table of what a user sees of them. `usi`, `setoption`,
//! `getoption` and `help` read that table, and `USI.md` is compared with it.

use std::ops::RangeInclusive;
use std::time::Duration;

use thiserror::Error;

use crate::engine::Settings;
use crate::engine::clock::TimeOptions;
use crate::shogi::DeclarationRule;

/// The option whose setting empties the hash table.
pub(super) const CLEAR_HASH: &str = "Clear_Hash";
/// The option whose setting opens or closes the log.
pub(super) const DEBUG_LOG_FILE: &str = "DebugLogFile";

/// Entering-king rules by their USI names.
const RULES: [(&str, DeclarationRule); 6] = [
    ("NoEnteringKing", DeclarationRule::None),
    ("CSARule24", DeclarationRule::Csa24),
    ("CSARule24H", DeclarationRule::Csa24Handicap),
    ("CSARule27", DeclarationRule::Csa27),
    ("CSARule27H", DeclarationRule::Csa27Handicap),
    ("TryRule", DeclarationRule::Try),
];
const CSA_RULE_27: usize = 3;

/// All options with their present values.
#[derive(Clone, Debug)]
pub struct Options {
    /// Words of `Search`.
    searches: &'static [&'static str],
    hash: i64,
    ponder: bool,
    threads: i64,
    multi_pv: i64,
    /// Index into `searches`.
    search: usize,
    pub(super) eval_file: String,
    network_delay: i64,
    network_delay2: i64,
    minimum_thinking_time: i64,
    slow_mover: i64,
    round_up_to_full_second: bool,
    max_moves_to_draw: i64,
    /// Index into [`RULES`].
    entering_king_rule: usize,
    draw_value_black: i64,
    draw_value_white: i64,
    resign_value: i64,
    depth_limit: i64,
    nodes_limit: i64,
    pv_interval: i64,
    consideration_mode: bool,
    output_fail_bounds: bool,
    all_legal_moves: bool,
    pub(super) debug_log_file: String,
}

/// What a user sees of an option.
struct OptionRow {
    name: &'static str,
    kind: OptionKind,
    meaning: &'static str,
}

/// Type and range of an option, and the field that holds its value.
enum OptionKind {
    /// `true` or `false`.
    Check(Field<bool>),
    /// A whole number of this range.
    Spin(Field<i64>, RangeInclusive<i64>),
    /// One of these words; the field holds its index.
    Combo(Field<usize>, Vec<&'static str>),
    /// Does something when set.
    Button,
    /// A file name, perhaps empty.
    Filename(Field<String>),
}

type Field<T> = fn(&mut Options) -> &mut T;

/// All options in the order of the answer to `usi`.
#[rustfmt::skip]
fn table(searches: &[&'static str]) -> [OptionRow; 24] {
    use OptionKind::{Button, Check, Combo, Filename, Spin};
    let row = |name, kind, meaning| OptionRow { name, kind, meaning };
    let rules = RULES.map(|(name, _)| name).to_vec();
    [
        row("USI_Hash", Spin(|o| &mut o.hash, 1..=33_554_432), "transposition table, MiB"),
        row("USI_Ponder", Check(|o| &mut o.ponder), "the GUI lets the engine think on the opponent's time"),
        row("Threads", Spin(|o| &mut o.threads, 1..=512), "search threads; with one, equal searches give equal results"),
        row("MultiPV", Spin(|o| &mut o.multi_pv, 1..=600), "lines to show"),
        row("Search", Combo(|o| &mut o.search, searches.to_vec()), "searcher: selective alpha-beta, or full-width after Hoki 2006"),
        row("EvalFile", Filename(|o| &mut o.eval_file), "evaluation: a weights file, `<internal>` (the learned one inside the program) or `<material>` (material and hand-made king relations)"),
        row("NetworkDelay", Spin(|o| &mut o.network_delay, 0..=10_000), "average delay to the server, ms"),
        row("NetworkDelay2", Spin(|o| &mut o.network_delay2, 0..=10_000), "worst delay to the server, ms"),
        row("MinimumThinkingTime", Spin(|o| &mut o.minimum_thinking_time, 1..=100_000), "least time per move where the clock allows it, ms"),
        row("SlowMover", Spin(|o| &mut o.slow_mover, 1..=1_000), "thinking time, per cent of the planned time"),
        row("RoundUpToFullSecond", Check(|o| &mut o.round_up_to_full_second), "the server counts whole seconds: use the rest of a begun one"),
        row("MaxMovesToDraw", Spin(|o| &mut o.max_moves_to_draw, 0..=100_000), "the game is drawn after this many moves; 0 = never"),
        row("EnteringKingRule", Combo(|o| &mut o.entering_king_rule, rules), "rule for declaring a win with an entered king"),
        row("DrawValueBlack", Spin(|o| &mut o.draw_value_black, -30_000..=30_000), "score of a draw when the engine is Black, centipawns"),
        row("DrawValueWhite", Spin(|o| &mut o.draw_value_white, -30_000..=30_000), "score of a draw when the engine is White, centipawns"),
        row("ResignValue", Spin(|o| &mut o.resign_value, 0..=99_999), "resign when the score is minus this or less, centipawns"),
        row("DepthLimit", Spin(|o| &mut o.depth_limit, 0..=i64::from(i32::MAX)), "depth limit of every search; 0 = none"),
        row("NodesLimit", Spin(|o| &mut o.nodes_limit, 0..=i64::MAX), "node limit of every search; 0 = none"),
        row("PvInterval", Spin(|o| &mut o.pv_interval, 0..=100_000), "least time between info lines, ms"),
        row("ConsiderationMode", Check(|o| &mut o.consideration_mode), "for analysis: complete lines; a repetition counts only at the fourth occurrence"),
        row("OutputFailLHPV", Check(|o| &mut o.output_fail_bounds), "also show lines whose score is only a bound"),
        row("GenerateAllLegalMoves", Check(|o| &mut o.all_legal_moves), "also search pointless non-promotions"),
        row(CLEAR_HASH, Button, "empty the transposition table"),
        row(DEBUG_LOG_FILE, Filename(|o| &mut o.debug_log_file), "copy all lines to this file, with time stamps"),
    ]
}

/// Why an option keeps its value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No such name.
    #[error("unknown option {0:?}")]
    Unknown(String),
    /// Not of the option's type or outside its range.
    #[error("option {name}: {value:?} is not {expected}; it stays {kept}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// As sent.
        value: String,
        /// Values that are allowed.
        expected: String,
        /// The value that stays.
        kept: String,
    },
}

impl Options {
    /// The defaults. `searches` are the values of `Search`, the first is the default.
    pub fn new(searches: &'static [&'static str]) -> Options {
        Options {
            searches,
            hash: 256,
            ponder: false,
            threads: 1,
            multi_pv: 1,
            search: 0,
            eval_file: "<internal>".to_owned(),
            network_delay: 120,
            network_delay2: 1_120,
            minimum_thinking_time: 2_000,
            slow_mover: 100,
            round_up_to_full_second: true,
            max_moves_to_draw: 0,
            entering_king_rule: CSA_RULE_27,
            draw_value_black: -2,
            draw_value_white: -2,
            resign_value: 99_999,
            depth_limit: 0,
            nodes_limit: 0,
            pv_interval: 300,
            consideration_mode: false,
            output_fail_bounds: true,
            all_legal_moves: false,
            debug_log_file: String::new(),
        }
    }

    /// Sets an option and returns its name. Case does not matter in the name; `<empty>` is an empty
    /// text.
    ///
    /// # Errors
    /// [`OptionError`] with the offending name or value; then nothing has changed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<&'static str, OptionError> {
        let row = self.find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let text = if value == "<empty>" { "" } else { value };
        if row.kind.assign(self, text).is_some() {
            return Ok(row.name);
        }
        Err(OptionError::BadValue {
            name: row.name,
            value: value.to_owned(),
            expected: row.kind.expectation(),
            kept: row.kind.text(self),
        })
    }

    /// Name and value of the option with this name.
    pub fn get(&self, name: &str) -> Option<(&'static str, String)> {
        // One accessor serves reading and writing.
        self.find(name).map(|row| (row.name, row.kind.text(&mut self.clone())))
    }

    /// All names, each with what the option means.
    pub fn meanings(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        table(self.searches).into_iter().map(|row| (row.name, row.meaning))
    }

    /// The `option` lines of the answer to `usi`.
    pub fn declarations(&self) -> impl Iterator<Item = String> {
        let mut defaults = Options::new(self.searches);
        let rows = table(self.searches).into_iter();
        rows.map(move |row| {
            format!("option name {} {}", row.name, row.kind.declaration(&mut defaults))
        })
    }

    /// What the engine is told.
    pub fn settings(&self) -> Settings {
        Settings {
            hash_mib: narrow(self.hash),
            threads: narrow(self.threads),
            multi_pv: narrow(self.multi_pv),
            max_moves_to_draw: narrow(self.max_moves_to_draw),
            draw_value: [narrow(self.draw_value_black), narrow(self.draw_value_white)],
            declaration: RULES[self.entering_king_rule].1,
            consideration: self.consideration_mode,
            all_legal_moves: self.all_legal_moves,
            sampling: None,
        }
    }

    /// What time management is told.
    pub fn time(&self) -> TimeOptions {
        TimeOptions {
            network_delay: millis(self.network_delay),
            network_delay2: millis(self.network_delay2),
            minimum_thinking_time: millis(self.minimum_thinking_time),
            slow_mover: narrow(self.slow_mover),
            round_up_to_full_second: self.round_up_to_full_second,
            max_moves_to_draw: narrow(self.max_moves_to_draw),
            ponder: self.ponder,
        }
    }

    /// The chosen searcher.
    pub(super) fn search(&self) -> &'static str {
        self.searches.get(self.search).copied().unwrap_or_default()
    }

    /// Resign when the score is minus this or less, centipawns.
    pub(super) fn resign_value(&self) -> i32 {
        narrow(self.resign_value)
    }

    /// `DepthLimit`, if there is one.
    pub(super) fn depth_limit(&self) -> Option<u32> {
        Some(narrow(self.depth_limit)).filter(|&limit| limit > 0)
    }

    /// `NodesLimit`, if there is one.
    pub(super) fn nodes_limit(&self) -> Option<u64> {
        Some(narrow(self.nodes_limit)).filter(|&limit| limit > 0)
    }

    /// Least time between info lines.
    pub(super) fn pv_interval(&self) -> Duration {
        millis(self.pv_interval)
    }

    /// Whether to show lines whose score is a bound.
    pub(super) fn shows_bounds(&self) -> bool {
        self.output_fail_bounds && self.multi_pv == 1
    }

    fn find(&self, name: &str) -> Option<OptionRow> {
        table(self.searches).into_iter().find(|row| row.name.eq_ignore_ascii_case(name))
    }
}

/// The table's ranges fit the types.
fn narrow<T: TryFrom<i64> + Default>(value: i64) -> T {
    T::try_from(value).unwrap_or_default()
}

fn millis(value: i64) -> Duration {
    Duration::from_millis(narrow(value))
}

impl OptionKind {
    /// The value in `options`.
    fn text(&self, options: &mut Options) -> String {
        let text = match self {
            OptionKind::Check(field) => field(options).to_string(),
            OptionKind::Spin(field, _) => field(options).to_string(),
            OptionKind::Combo(field, words) => words[*field(options)].to_owned(),
            OptionKind::Button => String::new(),
            OptionKind::Filename(field) => field(options).clone(),
        };
        if text.is_empty() { "<empty>".to_owned() } else { text }
    }

    /// What follows the name in an `option` line.
    fn declaration(&self, defaults: &mut Options) -> String {
        let default = self.text(defaults);
        match self {
            OptionKind::Check(_) => format!("type check default {default}"),
            OptionKind::Spin(_, range) => {
                let (min, max) = (range.start(), range.end());
                format!("type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo(_, words) => {
                format!("type combo default {default} var {}", words.join(" var "))
            }
            OptionKind::Button => "type button".to_owned(),
            OptionKind::Filename(_) => format!("type filename default {default}"),
        }
    }

    /// Sets the value; `None` if the text is not one.
    fn assign(&self, options: &mut Options, text: &str) -> Option<()> {
        match self {
            OptionKind::Check(field) => *field(options) = text.to_ascii_lowercase().parse().ok()?,
            OptionKind::Spin(field, range) => {
                *field(options) = text.parse().ok().filter(|value| range.contains(value))?;
            }
            OptionKind::Combo(field, words) => {
                let is_this = |word: &&str| word.eq_ignore_ascii_case(text);
                *field(options) = words.iter().position(is_this)?;
            }
            OptionKind::Button => {}
            OptionKind::Filename(field) if text.is_empty() => {
                let default = field(&mut Options::new(options.searches)).clone();
                *field(options) = default;
            }
            OptionKind::Filename(field) => *field(options) = text.to_owned(),
        }
        Some(())
    }

    fn expectation(&self) -> String {
        match self {
            OptionKind::Check(_) => "true or false".to_owned(),
            OptionKind::Spin(_, range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            OptionKind::Combo(_, words) => format!("one of {}", words.join(", ")),
            OptionKind::Button | OptionKind::Filename(_) => "a text".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_single_words_and_differ() {
        let names: Vec<&str> = Options::new(&["A"]).meanings().map(|row| row.0).collect();
        for (index, name) in names.iter().enumerate() {
            assert_eq!(name.split_ascii_whitespace().count(), 1);
            assert!(!names[..index].iter().any(|other| other.eq_ignore_ascii_case(name)));
        }
    }

    #[test]
    fn defaults_are_allowed_and_agree_with_the_engine() {
        let mut options = Options::new(&["A"]);
        assert_eq!(options.settings(), Settings::default());
        assert_eq!(options.time(), TimeOptions::default());
        for row in table(options.searches) {
            let default = row.kind.text(&mut options);
            assert_eq!(options.set(row.name, &default), Ok(row.name));
            assert_eq!(row.kind.text(&mut options), default);
        }
    }

    #[test]
    fn values_are_judged() {
        let mut options = Options::new(&["Deep", "Wide"]);
        for (name, value) in [
            ("usi_hash", "33554432"),
            ("SEARCH", "wide"),
            ("threads", "1"),
            ("EnteringKingRule", "tryrule"),
            ("DebugLogFile", "a  b.log"),
            ("RoundUpToFullSecond", "False"),
            ("NodesLimit", "9223372036854775807"),
        ] {
            assert!(options.set(name, value).is_ok(), "{name}");
        }
        assert_eq!(options.search(), "Wide");
        assert_eq!(options.settings().declaration, DeclarationRule::Try);
        assert_eq!(options.debug_log_file, "a  b.log");
        assert!(!options.round_up_to_full_second);
        for (name, value) in [
            ("USI_Hash", "0"),
            ("USI_Hash", ""),
            ("USI_Hash", "1.5"),
            ("USI_Hash", "99999999999999999999"),
            ("Threads", "0"),
            ("Search", "Narrow"),
            ("USI_Ponder", "1"),
            ("Nonsense", "1"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options.settings().hash_mib, 33_554_432);
        assert_eq!(
            options.set("MultiPV", "601").expect_err("out of range").to_string(),
            "option MultiPV: \"601\" is not a whole number from 1 to 600; it stays 1"
        );
        assert_eq!(options.set("DebugLogFile", "<empty>"), Ok(DEBUG_LOG_FILE));
        assert_eq!(options.debug_log_file, "");
    }
}
