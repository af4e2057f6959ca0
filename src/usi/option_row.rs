//! One option: its declaration, and the handle that gives its value a type.

use std::ops::RangeInclusive;
use std::time::Duration;

/// The values of the option `Search`.
pub(super) type Searches = &'static [&'static str];

/// The declaration of an option.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) meaning: &'static str,
}

/// The type of an option, its allowed values and its default.
pub(super) enum Kind {
    /// `true` or `false`; some clients send `1` or `0`. Stored as a number. With its default.
    Check(bool),
    /// A whole number in this range. With its default, which may depend on the machine.
    Spin(RangeInclusive<i64>, fn() -> i64),
    /// One of these words, stored as its index. The first is the default, because some clients
    /// assume that.
    Combo(fn(Searches) -> Searches),
    /// Triggers an action when set.
    Button,
    /// A file name; an empty text means this default.
    Filename(&'static str),
    /// Text, by default empty.
    Text,
}

/// A valid value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Number(i64),
    Text(String),
}

/// The handle of an option whose value is read as a `T`.
pub(super) struct Setting<T> {
    pub(super) row: Row,
    pub(super) read: fn(&Value) -> T,
}

type Text = &'static str;

pub(super) const fn check(name: Text, default: bool, meaning: Text) -> Setting<bool> {
    let read = |value: &Value| number::<i64>(value) != 0;
    Setting { row: Row { name, kind: Kind::Check(default), meaning }, read }
}

/// `read`: converts a number within the range.
pub(super) const fn spin<T>(
    name: Text,
    range: RangeInclusive<i64>,
    default: fn() -> i64,
    read: fn(&Value) -> T,
    meaning: Text,
) -> Setting<T> {
    Setting { row: Row { name, kind: Kind::Spin(range, default), meaning }, read }
}

/// A word, read as its index. `words`: from the values of `Search`.
pub(super) const fn combo(
    name: Text,
    words: fn(Searches) -> Searches,
    meaning: Text,
) -> Setting<usize> {
    Setting { row: Row { name, kind: Kind::Combo(words), meaning }, read: number }
}

pub(super) const fn text(name: Text, kind: Kind, meaning: Text) -> Setting<String> {
    Setting { row: Row { name, kind, meaning }, read: Value::to_text }
}

/// A number whose range lies within that of `T`.
pub(super) fn number<T: TryFrom<i64> + Default>(value: &Value) -> T {
    if let &Value::Number(number) = value {
        T::try_from(number).unwrap_or_default()
    } else {
        T::default()
    }
}

/// A duration from milliseconds.
pub(super) fn millis(value: &Value) -> Duration {
    Duration::from_millis(number(value))
}

/// A limit; 0 means no limit.
pub(super) fn limit<T: TryFrom<i64> + Default + PartialEq>(value: &Value) -> Option<T> {
    Some(number(value)).filter(|limit| *limit != T::default())
}

impl Value {
    fn to_text(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
        }
    }
}

impl Row {
    pub(super) fn default(&self) -> Value {
        match self.kind {
            Kind::Check(default) => Value::Number(default.into()),
            Kind::Spin(_, default) => Value::Number(default()),
            Kind::Combo(_) => Value::Number(0),
            Kind::Filename(default) => Value::Text(default.to_owned()),
            Kind::Button | Kind::Text => Value::Text(String::new()),
        }
    }

    /// Parses a value; `None` if it is invalid. `<empty>` means an empty text.
    pub(super) fn parse(&self, text: &str, searches: Searches) -> Option<Value> {
        let text = if text == "<empty>" { "" } else { text };
        Some(match &self.kind {
            Kind::Check(_) => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => Value::Number(1),
                "false" | "0" => Value::Number(0),
                _ => return None,
            },
            Kind::Spin(range, _) => {
                Value::Number(text.parse().ok().filter(|number| range.contains(number))?)
            }
            Kind::Combo(words) => {
                let index = words(searches).iter().position(|word| word.eq_ignore_ascii_case(text));
                Value::Number(index? as i64)
            }
            Kind::Button => self.default(),
            Kind::Filename(_) if text.is_empty() => self.default(),
            Kind::Filename(_) | Kind::Text => Value::Text(text.to_owned()),
        })
    }

    /// A value as users read and write it.
    pub(super) fn show(&self, value: &Value, searches: Searches) -> String {
        match &self.kind {
            Kind::Check(_) => (number::<i64>(value) != 0).to_string(),
            Kind::Combo(words) => {
                words(searches).get(number::<usize>(value)).copied().unwrap_or_default().to_owned()
            }
            _ if *value == Value::Text(String::new()) => "<empty>".to_owned(),
            _ => value.to_text(),
        }
    }

    /// Type, default and allowed values as `usi` declares them.
    pub(super) fn form(&self, searches: Searches) -> String {
        let default = format!("default {}", self.show(&self.default(), searches));
        match &self.kind {
            Kind::Check(_) => format!("check {default}"),
            Kind::Spin(range, _) => {
                format!("spin {default} min {} max {}", range.start(), range.end())
            }
            Kind::Combo(words) => format!("combo {default} var {}", words(searches).join(" var ")),
            Kind::Button => "button".to_owned(),
            Kind::Filename(_) => format!("filename {default}"),
            Kind::Text => format!("string {default}"),
        }
    }

    /// The allowed values, for an error message.
    pub(super) fn expectation(&self, searches: Searches) -> String {
        match &self.kind {
            Kind::Check(_) => "true or false".to_owned(),
            Kind::Spin(range, _) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Kind::Combo(words) => format!("one of {}", words(searches).join(", ")),
            Kind::Button | Kind::Filename(_) | Kind::Text => "a text".to_owned(),
        }
    }
}
