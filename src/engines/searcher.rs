//! Searchers as users choose and change them by text.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use bitflags::Flags;
use thiserror::Error;

use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::quote::quoted;
use crate::search::TunedParameter;

/// A searcher that users choose by its name.
#[derive(Debug)]
pub struct Searcher {
    /// The name as users type it, in any case.
    pub name: &'static str,
    /// The kind of search, for the help of the commands.
    pub description: &'static str,
    /// Depths of the bench in opening, middlegame and endgame, chosen so that each phase takes
    /// about the same time.
    pub bench_depths: [u32; 3],
    /// Applies changes to the default parameters.
    pub parse: fn(&Changes) -> Result<Arc<dyn SearcherParams>, SpecError>,
}

/// The parameters of a searcher.
pub trait SearcherParams: fmt::Debug + Send + Sync {
    /// The changes relative to the defaults, as text: `without=null-move`, `set=aspiration=80`.
    fn changes(&self) -> Vec<String>;

    /// Builds the searcher, not configured yet.
    fn build(&self, evaluation: Evaluation) -> Box<dyn Engine>;
}

/// Changes of a searcher's parameters, as text: `without=null-move set=aspiration=80`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Names of techniques to switch off.
    pub without: Vec<String>,
    /// Parameters to set, in the form `NAME=VALUE`.
    pub set: Vec<String>,
}

impl FromStr for Changes {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Changes, SpecError> {
        let mut changes = Changes::default();
        for part in text.split_ascii_whitespace() {
            let (list, value) = match part.split_once('=') {
                Some(("without", name)) => (&mut changes.without, name),
                Some(("set", change)) => (&mut changes.set, change),
                _ => return Err(SpecError::Part(part.to_owned())),
            };
            list.push(value.to_owned());
        }
        Ok(changes)
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [("without", &self.without), ("set", &self.set)];
        let parts = parts
            .into_iter()
            .flat_map(|(kind, values)| values.iter().map(move |value| format!("{kind}={value}")));
        f.write_str(&parts.collect::<Vec<_>>().join(" "))
    }
}

/// Reasons why a text is not an engine specification.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Unknown name of a searcher, technique, parameter or the like.
    #[error("unknown {what}; known are {known}")]
    Unknown {
        /// The kind of name, and the given name.
        what: String,
        /// The known names.
        known: String,
    },
    /// Unknown part of a specification.
    #[error(
        "unknown part {} of an engine; known parts are eval=, skill=0 to skill=19, without= and set=",
        quoted(.0)
    )]
    Part(String),
    /// A quotation mark without the second one.
    #[error("a quotation mark in {} is not closed", quoted(.0))]
    Unclosed(String),
    /// A value that is not a number or is out of range.
    #[error("{} should be {}", quoted(.0), .1)]
    Value(String, String),
    /// A searcher without techniques and parameters.
    #[error("{searcher} cannot be changed by {changes}")]
    Unchangeable {
        /// The searcher.
        searcher: &'static str,
        /// The changes.
        changes: String,
    },
}

impl SpecError {
    /// The error for an unknown name. `what`: its kind, and the name in quotation marks.
    pub(crate) fn unknown<T: AsRef<str>>(what: String, known: &[T]) -> SpecError {
        let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
        SpecError::Unknown { what, known: known.join(", ") }
    }
}

/// The technique with this name, such as `null-move`.
pub(crate) fn technique<T: Flags>(name: &str) -> Result<T, SpecError> {
    let flag = T::from_name(&name.to_uppercase().replace('-', "_"));
    let unknown =
        || SpecError::unknown(format!("technique {}", quoted(name)), &flag_names(T::all()));
    flag.ok_or_else(unknown)
}

/// The names of the flags.
pub(crate) fn flag_names<T: Flags>(flags: T) -> Vec<String> {
    flags.iter_names().map(|(name, _)| name.to_lowercase().replace('_', "-")).collect()
}

impl TunedParameter {
    /// The parameter with this name.
    pub(crate) fn find(known: &[TunedParameter], name: &str) -> Result<TunedParameter, SpecError> {
        known.iter().copied().find(|number| number.name == name).ok_or_else(|| {
            let known: Vec<&str> = known.iter().map(|number| number.name).collect();
            SpecError::unknown(format!("parameter {}", quoted(name)), &known)
        })
    }

    /// Parses a change: `aspiration=80`.
    pub(crate) fn parse_change(
        known: &[TunedParameter],
        change: &str,
    ) -> Result<(&'static str, i32), SpecError> {
        let (name, value) = change.split_once('=').unwrap_or((change, ""));
        let number = TunedParameter::find(known, name)?;
        let value = number.parse(value).ok_or_else(|| number.refuse(change, "VALUE"))?;
        Ok((number.name, value))
    }

    /// Parses a value; `None` if it is out of range.
    pub(crate) fn parse(self, text: &str) -> Option<i32> {
        text.parse().ok().filter(|value| (self.least..=self.greatest).contains(value))
    }

    /// The error for `text`, which must have the form `NAME=FORM`.
    pub(crate) fn refuse(self, text: &str, form: &'static str) -> SpecError {
        let TunedParameter { name, least, greatest } = self;
        SpecError::Value(text.to_owned(), format!("{name}={form}, from {least} to {greatest}"))
    }
}
