//! Names of searchers, and of the techniques and parameters of [`AlphaBeta`](super::AlphaBeta) and
//! [`Mcts`](super::Mcts).

use std::str::FromStr;

use bitflags::Flags;
use thiserror::Error;

use super::alpha_beta::{Forgets, SearchParams, Techniques};
use super::mcts::{MctsParams, MctsTechniques, Method};
use crate::quote::quoted;

/// The available searchers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Searcher {
    /// [`AlphaBeta`](super::AlphaBeta).
    #[default]
    AlphaBeta,
    /// [`FullWidth`](super::FullWidth).
    FullWidth,
    /// [`Mcts`](super::Mcts).
    Mcts,
}

impl Searcher {
    /// Names of the searchers in order of definition; the default comes first.
    pub const NAMES: &[&str] = &["AlphaBeta", "FullWidth", "MCTS"];

    /// The name as users type it.
    pub fn name(self) -> &'static str {
        Searcher::NAMES[self as usize]
    }
}

impl FromStr for Searcher {
    type Err = SpecError;

    /// Ignores case.
    fn from_str(text: &str) -> Result<Searcher, SpecError> {
        [Searcher::AlphaBeta, Searcher::FullWidth, Searcher::Mcts]
            .into_iter()
            .find(|searcher| searcher.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| SpecError::Searcher(text.to_owned()))
    }
}

/// Reasons why a text is not an engine specification.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Unknown searcher.
    #[error("unknown searcher {}; known are {known}", quoted(.0), known = Searcher::NAMES.join(", "))]
    Searcher(String),
    /// Unknown part of a specification.
    #[error(
        "unknown part {} of an engine; known parts are eval=, skill=0 to skill=19, without=, set= and forget=",
        quoted(.0)
    )]
    Part(String),
    /// A quotation mark without the second one.
    #[error("a quotation mark in {} is not closed", quoted(.0))]
    Unclosed(String),
    /// Unknown technique.
    #[error("unknown technique {}; known are {known}", quoted(.name))]
    Technique {
        /// The given text.
        name: String,
        /// The techniques of the searcher.
        known: String,
    },
    /// Unknown kind of data to forget.
    #[error("unknown part {} to forget; known are {known}", quoted(.name))]
    Forget {
        /// The given text.
        name: String,
        /// The kinds that the searcher knows.
        known: String,
    },
    /// Unknown parameter.
    #[error("unknown parameter {}; known are {known}", quoted(.name))]
    Number {
        /// The given text.
        name: String,
        /// The parameters of the searcher.
        known: String,
    },
    /// Unknown method of [`Mcts`](super::Mcts).
    #[error("unknown method {}; known are {known}", quoted(.0), known = Method::ALL.map(|method| method.name).join(", "))]
    Method(String),
    /// A value that is not a number or is out of range.
    #[error("{} should be {}", quoted(.0), .1)]
    Value(String, String),
    /// A searcher without techniques and parameters.
    #[error("{} cannot be changed by {changes}", .searcher.name())]
    Unchangeable {
        /// The searcher.
        searcher: Searcher,
        /// The given text.
        changes: String,
    },
}

/// The technique with this name, such as `null-move`.
pub(crate) fn technique(name: &str) -> Result<Techniques, SpecError> {
    flag(name).ok_or_else(|| unknown_technique::<Techniques>(name))
}

/// The flag with this name.
fn flag<T: Flags>(name: &str) -> Option<T> {
    T::from_name(&name.to_uppercase().replace('-', "_"))
}

fn unknown_technique<T: Flags>(name: &str) -> SpecError {
    SpecError::Technique { name: name.to_owned(), known: names(T::all()).join(", ") }
}

fn names<T: Flags>(flags: T) -> Vec<String> {
    flags.iter_names().map(|(name, _)| name.to_lowercase().replace('_', "-")).collect()
}

/// A tunable parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TunedParameter {
    /// The name as users type it.
    pub name: &'static str,
    /// Minimum useful value.
    pub least: i32,
    /// Maximum useful value.
    pub greatest: i32,
}

impl TunedParameter {
    /// All parameters of [`AlphaBeta`](super::AlphaBeta).
    pub(crate) fn all() -> impl Iterator<Item = TunedParameter> {
        TunedParameter::of(SearchParams::RANGES)
    }

    fn of(ranges: &[(&'static str, i32, i32)]) -> impl Iterator<Item = TunedParameter> {
        ranges.iter().map(|&(name, least, greatest)| TunedParameter { name, least, greatest })
    }

    /// The parameter of [`AlphaBeta`](super::AlphaBeta) with this name.
    pub(crate) fn find(name: &str) -> Result<TunedParameter, SpecError> {
        TunedParameter::find_in(SearchParams::RANGES, name)
    }

    fn find_in(
        ranges: &[(&'static str, i32, i32)],
        name: &str,
    ) -> Result<TunedParameter, SpecError> {
        TunedParameter::of(ranges).find(|number| number.name == name).ok_or_else(|| {
            let known: Vec<&str> = ranges.iter().map(|range| range.0).collect();
            SpecError::Number { name: name.to_owned(), known: known.join(", ") }
        })
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

impl SearchParams {
    /// Switches off the technique `name`.
    pub(super) fn switch_off(&mut self, name: &str) -> Result<(), SpecError> {
        self.techniques.remove(technique(name)?);
        Ok(())
    }

    /// Sets a parameter, such as `aspiration=80`.
    pub(super) fn change(&mut self, change: &str) -> Result<(), SpecError> {
        let (name, value) = change.split_once('=').unwrap_or((change, ""));
        let number = TunedParameter::find(name)?;
        let value = number.parse(value).ok_or_else(|| number.refuse(change, "VALUE"))?;
        self.set(number.name, value);
        Ok(())
    }

    /// The changes relative to the defaults: `without=null-move`, `set=aspiration=80`.
    pub(super) fn changes(&self) -> impl Iterator<Item = String> {
        let off = names(Techniques::all().difference(self.techniques)).into_iter();
        let without = off.map(|name| format!("without={name}"));
        let set = TunedParameter::all().filter_map(|TunedParameter { name, .. }| {
            let value = self.get(name)?;
            (SearchParams::DEFAULT.get(name) != Some(value)).then(|| format!("set={name}={value}"))
        });
        let forgets = self.forgets.iter_names();
        let forget = forgets.map(|(name, _)| format!("forget={}", name.to_lowercase()));
        without.chain(set).chain(forget)
    }

    /// Clears the data named `name` before each search.
    pub(super) fn forget(&mut self, name: &str) -> Result<(), SpecError> {
        self.forgets.insert(flag(name).ok_or_else(|| unknown_part(name))?);
        Ok(())
    }
}

/// The error for an unknown name of data to forget.
fn unknown_part(name: &str) -> SpecError {
    SpecError::Forget { name: name.to_owned(), known: names(Forgets::all()).join(", ") }
}

impl MctsParams {
    /// Switches off the technique `name`.
    pub(super) fn switch_off(&mut self, name: &str) -> Result<(), SpecError> {
        let technique = flag(name).ok_or_else(|| unknown_technique::<MctsTechniques>(name))?;
        self.techniques.remove(technique);
        Ok(())
    }

    /// Sets a parameter, or the method: `method=ef-leaf`. A method also sets the techniques.
    pub(super) fn change(&mut self, change: &str) -> Result<(), SpecError> {
        let (name, value) = change.split_once('=').unwrap_or((change, ""));
        if name == "method" {
            let method = value.parse().map_err(|()| SpecError::Method(value.to_owned()))?;
            *self = self.with(method);
            return Ok(());
        }
        let number = TunedParameter::find_in(MctsParams::RANGES, name)?;
        let value = number.parse(value).ok_or_else(|| number.refuse(change, "VALUE"))?;
        self.set(number.name, value);
        Ok(())
    }

    /// The changes relative to the defaults, the method first.
    pub(super) fn changes(&self) -> impl Iterator<Item = String> {
        let of = |method: Method| MctsParams::DEFAULT.with(method);
        let lacks = |m: &Method| m.techniques.difference(self.techniques).bits().count_ones();
        let has_all = |m: &&Method| m.leaf == self.leaf && m.techniques.contains(self.techniques);
        let method = Method::ALL.iter().filter(has_all).min_by_key(|method| lacks(method));
        let method = *method.unwrap_or(&Method::ALL[0]);
        let named = (method != Method::ALL[0]).then(|| format!("set=method={}", method.name));
        let off = names(method.techniques.difference(self.techniques)).into_iter();
        let without = off.map(|name| format!("without={name}"));
        let numbers = MctsParams::RANGES.iter().filter_map(|&(name, ..)| {
            let value = self.get(name)?;
            (of(method).get(name) != Some(value)).then(|| format!("set={name}={value}"))
        });
        let numbers: Vec<String> = numbers.collect();
        named.into_iter().chain(without).chain(numbers)
    }
}
