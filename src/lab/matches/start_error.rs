//! Reasons why a USI program cannot play, checked when it starts.

use std::io;
use std::time::Duration;

use thiserror::Error;

use super::failure::Failure;
use crate::quote::quoted;

/// Why a program could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The system cannot start it.
    #[error("cannot be started: {0}")]
    Spawn(#[from] io::Error),
    /// It started, but did not send a word of the protocol.
    #[error("sent no {word} {}", within(.limit, .failure))]
    Silent {
        /// The word, such as `usiok`.
        word: &'static str,
        /// How long the word was awaited at most.
        limit: Duration,
        /// Whether the program exited or was silent.
        failure: Failure,
    },
    /// It has no option of this name.
    #[error("has no option {}; its options are {known}", quoted(.name))]
    NoOption {
        /// The name.
        name: String,
        /// The names of its options.
        known: String,
    },
    /// An option does not have this value.
    #[error("option {} cannot be {}: {declaration}", quoted(.name), quoted(.value))]
    OptionValue {
        /// The name.
        name: String,
        /// The value.
        value: String,
        /// The program's declaration of the option.
        declaration: String,
    },
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        match error {
            StartError::Silent { failure, .. } => failure,
            _ => Failure::Crash,
        }
    }
}

/// Why a word was not received.
fn within(limit: &Duration, failure: &Failure) -> String {
    match failure {
        Failure::Crash => "before it exited; is it a USI engine?".to_owned(),
        _ => format!("within {} s; is it a USI engine?", limit.as_secs()),
    }
}

/// Options that every program has, even if it does not declare them.
const USUAL_OPTIONS: [&str; 2] = ["USI_Hash", "USI_Ponder"];

/// Checks that a program has an option, and that the option can have this value. `greeting`: the
/// lines of the program up to `usiok`.
pub(super) fn check_option(greeting: &[String], name: &str, value: &str) -> Result<(), StartError> {
    let declarations = greeting.iter().filter_map(|line| {
        let declared = line.trim().strip_prefix("option name ")?;
        declared.split_once(" type ")
    });
    let is_same = |other: &str| other.eq_ignore_ascii_case(name);
    let Some((_, declaration)) = declarations.clone().find(|(other, _)| is_same(other)) else {
        if USUAL_OPTIONS.into_iter().any(is_same) {
            return Ok(());
        }
        let known = declarations.map(|(name, _)| name).collect::<Vec<_>>().join(", ");
        return Err(StartError::NoOption { name: name.to_owned(), known });
    };
    if can_be(declaration, value) {
        return Ok(());
    }
    let (name, value) = (name.to_owned(), value.to_owned());
    Err(StartError::OptionValue { name, value, declaration: declaration.to_owned() })
}

/// Whether an option with this declaration (`spin default 1 min 1 max 9`) can have the value.
fn can_be(declaration: &str, value: &str) -> bool {
    let words: Vec<&str> = declaration.split_ascii_whitespace().collect();
    let after = |wanted: &'static str| {
        let pairs = words.windows(2).filter(move |pair| pair[0] == wanted);
        pairs.map(|pair| pair[1])
    };
    match words.first() {
        Some(&"check") => matches!(value, "true" | "false"),
        Some(&"spin") => value.parse().is_ok_and(|value: i64| {
            let bound = |name: &'static str| after(name).find_map(|text| text.parse().ok());
            let (least, most) =
                (bound("min").unwrap_or(i64::MIN), bound("max").unwrap_or(i64::MAX));
            (least..=most).contains(&value)
        }),
        // Values of several words are not split in the list.
        Some(&"combo") => value.contains(' ') || after("var").any(|choice| choice == value),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_checked_by_their_declarations() {
        let greeting = [
            "id name Other",
            "option name Threads type spin default 1 min 1 max 4",
            "option name Own Book type check default true",
            "option name Style type combo default Solid var Solid var Wild",
            "option name EvalDir type string default eval",
            "usiok",
        ];
        let greeting = greeting.map(str::to_owned);
        for (name, value) in [
            ("threads", "4"),
            ("Own Book", "false"),
            ("Style", "Wild"),
            ("EvalDir", "any words"),
            ("USI_Hash", "64"),
        ] {
            assert!(check_option(&greeting, name, value).is_ok(), "{name}={value}");
        }
        for (name, value, reason) in [
            ("Foo", "1", "no option \"Foo\"; its options are Threads, Own Book, Style, EvalDir"),
            ("Threads", "5", "\"5\": spin default 1 min 1 max 4"),
            ("Threads", "many", "\"many\""),
            ("Own Book", "yes", "\"yes\""),
            ("Style", "Calm", "\"Calm\""),
        ] {
            let error = check_option(&greeting, name, value).expect_err(name).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
