//! The options: one table, and the values set by the user.

use std::time::Duration;

use thiserror::Error;

use crate::engine::Settings;
use crate::engine::clock::TimeOptions;
use crate::shogi::DeclarationRule;

/// Type, default and range of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`; the default.
    Check(bool),
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// Least value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of several words; the first field is the default.
    Combo(&'static str, &'static [&'static str]),
    /// Does something when set.
    Button,
    /// A file name; the default, perhaps empty.
    Filename(&'static str),
}

/// An option and where its value stands in [`Options`]. Fieldless: the table's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    UsiHash,
    UsiPonder,
    Threads,
    MultiPv,
    Search,
    EvalFile,
    NetworkDelay,
    NetworkDelay2,
    MinimumThinkingTime,
    SlowMover,
    RoundUpToFullSecond,
    MaxMovesToDraw,
    EnteringKingRule,
    DrawValueBlack,
    DrawValueWhite,
    ResignValue,
    DepthLimit,
    NodesLimit,
    PvInterval,
    ConsiderationMode,
    OutputFailLhPv,
    GenerateAllLegalMoves,
    ClearHash,
    DebugLogFile,
}

/// Entering-king rules by their USI names.
const RULES: [(&str, DeclarationRule); 6] = [
    ("NoEnteringKing", DeclarationRule::None),
    ("CSARule24", DeclarationRule::Csa24),
    ("CSARule24H", DeclarationRule::Csa24Handicap),
    ("CSARule27", DeclarationRule::Csa27),
    ("CSARule27H", DeclarationRule::Csa27Handicap),
    ("TryRule", DeclarationRule::Try),
];
const RULE_NAMES: &[&str] =
    &["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];

const fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default, min, max }
}

/// All options in the order in which they are told. `searches` are the values of `Search`.
fn table(searches: &'static [&'static str]) -> Vec<(Name, &'static str, OptionKind)> {
    use OptionKind::{Button, Check, Combo, Filename};
    vec![
        (Name::UsiHash, "USI_Hash", spin(256, 1, 33_554_432)),
        (Name::UsiPonder, "USI_Ponder", Check(false)),
        (Name::Threads, "Threads", spin(1, 1, 512)),
        (Name::MultiPv, "MultiPV", spin(1, 1, 600)),
        (Name::Search, "Search", Combo(searches.first().copied().unwrap_or_default(), searches)),
        (Name::EvalFile, "EvalFile", Filename("<internal>")),
        (Name::NetworkDelay, "NetworkDelay", spin(120, 0, 10_000)),
        (Name::NetworkDelay2, "NetworkDelay2", spin(1_120, 0, 10_000)),
        (Name::MinimumThinkingTime, "MinimumThinkingTime", spin(2_000, 1, 100_000)),
        (Name::SlowMover, "SlowMover", spin(100, 1, 1_000)),
        (Name::RoundUpToFullSecond, "RoundUpToFullSecond", Check(true)),
        (Name::MaxMovesToDraw, "MaxMovesToDraw", spin(0, 0, 100_000)),
        (Name::EnteringKingRule, "EnteringKingRule", Combo("CSARule27", RULE_NAMES)),
        (Name::DrawValueBlack, "DrawValueBlack", spin(-2, -30_000, 30_000)),
        (Name::DrawValueWhite, "DrawValueWhite", spin(-2, -30_000, 30_000)),
        (Name::ResignValue, "ResignValue", spin(99_999, 0, 99_999)),
        (Name::DepthLimit, "DepthLimit", spin(0, 0, i32::MAX as i64)),
        (Name::NodesLimit, "NodesLimit", spin(0, 0, i64::MAX)),
        (Name::PvInterval, "PvInterval", spin(300, 0, 100_000)),
        (Name::ConsiderationMode, "ConsiderationMode", Check(false)),
        (Name::OutputFailLhPv, "OutputFailLHPV", Check(true)),
        (Name::GenerateAllLegalMoves, "GenerateAllLegalMoves", Check(false)),
        (Name::ClearHash, "Clear_Hash", Button),
        (Name::DebugLogFile, "DebugLogFile", Filename("")),
    ]
}

/// Why an option keeps its old value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No such name.
    #[error("there is no option {0:?}")]
    Unknown(String),
    /// Not of the option's type or outside its range.
    #[error("option {name}: {value:?} is not {expected}, {kept:?} is kept")]
    BadValue {
        /// The option.
        name: &'static str,
        /// As sent.
        value: String,
        /// What would do.
        expected: String,
        /// The value that stays.
        kept: String,
    },
}

/// All options with their present values.
#[derive(Clone, Debug)]
pub struct Options {
    table: Vec<(Name, &'static str, OptionKind)>,
    /// Index: [`Name`].
    values: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Flag(bool),
    Number(i64),
    Text(String),
}

impl Options {
    /// The defaults. `searches` are the values of `Search`, the first is the default.
    pub fn new(searches: &'static [&'static str]) -> Options {
        let table = table(searches);
        let values = table.iter().map(|(_, _, kind)| kind.default_value()).collect();
        Options { table, values }
    }

    /// Sets an option; letters' case in the name does not matter, and `<empty>` means no text.
    ///
    /// # Errors
    /// [`OptionError`] with the offending name or value; then nothing has changed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.assign(name, value).map(|_| ())
    }

    /// Like [`set`](Options::set); tells which option it was.
    pub(super) fn assign(&mut self, name: &str, value: &str) -> Result<Name, OptionError> {
        let index = self.find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let (id, name, kind) = &self.table[index];
        match kind.parse(value) {
            Some(value) => {
                self.values[index] = value;
                Ok(*id)
            }
            None => Err(OptionError::BadValue {
                name,
                value: value.to_owned(),
                expected: kind.expectation(),
                kept: self.values[index].to_text(),
            }),
        }
    }

    /// Name and value of the option with this name, for the console.
    pub fn get(&self, name: &str) -> Option<(&'static str, String)> {
        self.find(name).map(|index| (self.table[index].1, self.values[index].to_text()))
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.table.iter().map(|row| row.1)
    }

    /// One `option` line each, as the answer to `usi`.
    pub fn declarations(&self) -> impl Iterator<Item = String> {
        self.table
            .iter()
            .map(|(_, name, kind)| format!("option name {name} {}", kind.declaration()))
    }

    /// What the engine is told.
    pub fn settings(&self) -> Settings {
        let size = |name| usize::try_from(self.number(name)).unwrap_or(usize::MAX);
        let draw = |name| self.number(name).clamp(-30_000, 30_000) as i32;
        let rule = self.text(Name::EnteringKingRule);
        Settings {
            hash_mib: size(Name::UsiHash),
            threads: size(Name::Threads),
            multi_pv: size(Name::MultiPv),
            max_moves_to_draw: self.small(Name::MaxMovesToDraw),
            draw_value: [draw(Name::DrawValueBlack), draw(Name::DrawValueWhite)],
            declaration: RULES
                .iter()
                .find(|(name, _)| *name == rule)
                .map_or_else(DeclarationRule::default, |&(_, rule)| rule),
            consideration: self.flag(Name::ConsiderationMode),
            all_legal_moves: self.flag(Name::GenerateAllLegalMoves),
            sampling: None,
        }
    }

    /// What time management is told.
    pub fn time(&self) -> TimeOptions {
        TimeOptions {
            network_delay: self.millis(Name::NetworkDelay),
            network_delay2: self.millis(Name::NetworkDelay2),
            minimum_thinking_time: self.millis(Name::MinimumThinkingTime),
            slow_mover: self.small(Name::SlowMover),
            round_up_to_full_second: self.flag(Name::RoundUpToFullSecond),
            max_moves_to_draw: self.small(Name::MaxMovesToDraw),
            ponder: self.flag(Name::UsiPonder),
        }
    }

    pub(super) fn flag(&self, name: Name) -> bool {
        match self.values[name as usize] {
            Value::Flag(value) => value,
            _ => unreachable!("{name:?} is a check"),
        }
    }

    pub(super) fn number(&self, name: Name) -> i64 {
        match self.values[name as usize] {
            Value::Number(value) => value,
            _ => unreachable!("{name:?} is a spin"),
        }
    }

    pub(super) fn millis(&self, name: Name) -> Duration {
        Duration::from_millis(u64::try_from(self.number(name)).unwrap_or(0))
    }

    pub(super) fn text(&self, name: Name) -> &str {
        match &self.values[name as usize] {
            Value::Text(value) => value,
            _ => unreachable!("{name:?} is a text"),
        }
    }

    /// The chosen word of a combo, as the table holds it.
    pub(super) fn choice(&self, name: Name) -> &'static str {
        match &self.table[name as usize].2 {
            OptionKind::Combo(default, words) => {
                words.iter().find(|&&word| word == self.text(name)).copied().unwrap_or(default)
            }
            _ => unreachable!("{name:?} is a combo"),
        }
    }

    fn small(&self, name: Name) -> u32 {
        u32::try_from(self.number(name)).unwrap_or(u32::MAX)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.table.iter().position(|row| row.1.eq_ignore_ascii_case(name))
    }
}

impl OptionKind {
    fn default_value(&self) -> Value {
        match self {
            OptionKind::Check(default) => Value::Flag(*default),
            OptionKind::Spin { default, .. } => Value::Number(*default),
            OptionKind::Combo(default, _) | OptionKind::Filename(default) => {
                Value::Text((*default).to_owned())
            }
            OptionKind::Button => Value::Text(String::new()),
        }
    }

    /// What follows the name in an `option` line.
    fn declaration(&self) -> String {
        match self {
            OptionKind::Check(default) => format!("type check default {default}"),
            OptionKind::Spin { default, min, max } => {
                format!("type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo(default, words) => {
                let words: String = words.iter().map(|word| format!(" var {word}")).collect();
                format!("type combo default {default}{words}")
            }
            OptionKind::Button => "type button".to_owned(),
            OptionKind::Filename("") => "type filename default <empty>".to_owned(),
            OptionKind::Filename(default) => format!("type filename default {default}"),
        }
    }

    fn parse(&self, text: &str) -> Option<Value> {
        let text = if text == "<empty>" { "" } else { text };
        match self {
            OptionKind::Check(_) if text.eq_ignore_ascii_case("true") => Some(Value::Flag(true)),
            OptionKind::Check(_) if text.eq_ignore_ascii_case("false") => Some(Value::Flag(false)),
            OptionKind::Check(_) => None,
            OptionKind::Spin { min, max, .. } => {
                text.parse().ok().filter(|value| (min..=max).contains(&value)).map(Value::Number)
            }
            OptionKind::Combo(_, words) => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(text))
                .map(|&word| Value::Text(word.to_owned())),
            OptionKind::Button => Some(Value::Text(String::new())),
            OptionKind::Filename(default) if text.is_empty() => {
                Some(Value::Text((*default).to_owned()))
            }
            OptionKind::Filename(_) => Some(Value::Text(text.to_owned())),
        }
    }

    fn expectation(&self) -> String {
        match self {
            OptionKind::Check(_) => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionKind::Combo(_, words) => format!("one of {}", words.join(", ")),
            OptionKind::Button | OptionKind::Filename(_) => "a text".to_owned(),
        }
    }
}

impl Value {
    fn to_text(&self) -> String {
        match self {
            Value::Flag(value) => value.to_string(),
            Value::Number(value) => value.to_string(),
            Value::Text(value) if value.is_empty() => "<empty>".to_owned(),
            Value::Text(value) => value.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_their_names() {
        for (index, row) in table(&["A"]).iter().enumerate() {
            assert_eq!(row.0 as usize, index, "{}", row.1);
            assert_eq!(row.1.split_ascii_whitespace().count(), 1);
        }
        assert!(RULES.iter().map(|rule| rule.0).eq(RULE_NAMES.iter().copied()));
    }

    #[test]
    fn defaults_agree_with_the_engine() {
        let options = Options::new(&["A"]);
        assert_eq!(options.settings(), Settings::default());
        assert_eq!(options.time(), TimeOptions::default());
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
            assert_eq!(options.set(name, value), Ok(()), "{name}");
        }
        assert_eq!(options.choice(Name::Search), "Wide");
        assert_eq!(options.settings().declaration, DeclarationRule::Try);
        assert_eq!(options.text(Name::DebugLogFile), "a  b.log");
        assert!(!options.flag(Name::RoundUpToFullSecond));
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
            "option MultiPV: \"601\" is not a whole number from 1 to 600, \"1\" is kept"
        );
        assert_eq!(options.set("DebugLogFile", "<empty>"), Ok(()));
        assert_eq!(options.text(Name::DebugLogFile), "");
    }
}
