//! Techniques and numbers of [`AlphaBeta`](super::AlphaBeta) by the names that users type.

use thiserror::Error;

use super::alpha_beta::{SearchParams, Techniques};

/// Former names of techniques and numbers, and what they are called now. They are understood, but
/// not told.
const FORMER_NAMES: [(&str, &str); 15] = [
    ("exchange-pruning", "see-pruning"),
    ("quiescence-table", "qsearch-tt"),
    ("quiescence-mate", "qsearch-mate1"),
    ("quiescence-futility", "qsearch-futility"),
    ("internal-reduction", "iir"),
    ("prior-move", "fail-low-history"),
    ("superiority", "superior-repetition"),
    ("internal_depth", "iir_depth"),
    ("exchange_quiet", "see_quiet"),
    ("exchange_capture", "see_capture"),
    ("history_blame", "history_malus"),
    ("prior_praise", "fail_low_bonus"),
    ("quiescence_margin", "qsearch_margin"),
    ("quiescence_gain", "qsearch_see"),
    ("quiescence_mate_depth", "qsearch_mate1_depth"),
];

/// Why a change of the search cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TuningError {
    /// No such technique.
    #[error("unknown technique {0:?}; known are {known}", known = technique_names(Techniques::all()).join(", "))]
    Technique(String),
    /// No such number.
    #[error("unknown number {0:?}; known are {known}", known = number_names().join(", "))]
    Number(String),
    /// No value of a number, or one outside its range.
    #[error("{0:?} should be {1}")]
    Value(String, String),
}

/// The technique of this name, such as `null-move`.
pub(crate) fn technique(name: &str) -> Result<Techniques, TuningError> {
    let current = current_name(&name.to_lowercase().replace('_', "-")).to_uppercase();
    Techniques::from_name(&current.replace('-', "_"))
        .ok_or_else(|| TuningError::Technique(name.to_owned()))
}

fn technique_names(techniques: Techniques) -> Vec<String> {
    techniques.iter_names().map(|(name, _)| name.to_lowercase().replace('_', "-")).collect()
}

fn number_names() -> Vec<&'static str> {
    Tunable::all().map(|number| number.name).collect()
}

fn current_name(name: &str) -> &str {
    FORMER_NAMES.iter().find(|names| names.0 == name).map_or(name, |names| names.1)
}

/// One of the searcher's numbers and its range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tunable {
    /// As users type it.
    pub name: &'static str,
    /// Least useful value.
    pub least: i32,
    /// Greatest useful value.
    pub greatest: i32,
}

impl Tunable {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Tunable> {
        let ranges = SearchParams::RANGES.iter();
        ranges.map(|&(name, least, greatest)| Tunable { name, least, greatest })
    }

    /// The number of this name.
    pub fn find(name: &str) -> Result<Tunable, TuningError> {
        let current = current_name(name);
        Tunable::all()
            .find(|number| number.name == current)
            .ok_or_else(|| TuningError::Number(name.to_owned()))
    }

    /// A value in its range.
    pub fn parse(self, text: &str) -> Option<i32> {
        text.parse().ok().filter(|value| (self.least..=self.greatest).contains(value))
    }

    /// The error about `text`, which should be `NAME=FORM`.
    pub fn refuse(self, text: &str, form: &'static str) -> TuningError {
        let Tunable { name, least, greatest } = self;
        TuningError::Value(text.to_owned(), format!("{name}={form}, from {least} to {greatest}"))
    }
}

impl SearchParams {
    /// Switches a technique off by its name.
    pub(super) fn switch_off(&mut self, name: &str) -> Result<(), TuningError> {
        self.techniques.remove(technique(name)?);
        Ok(())
    }

    /// Sets a number, such as `aspiration=80`.
    pub(super) fn change(&mut self, change: &str) -> Result<(), TuningError> {
        let (name, value) = change.split_once('=').unwrap_or((change, ""));
        let number = Tunable::find(name)?;
        let value = number.parse(value).ok_or_else(|| number.refuse(change, "VALUE"))?;
        self.set(number.name, value);
        Ok(())
    }

    /// The changes that make these of the default ones: `without=null-move`, `set=aspiration=80`.
    pub(super) fn changes(&self) -> impl Iterator<Item = String> {
        let off = technique_names(Techniques::all().difference(self.techniques)).into_iter();
        let without = off.map(|name| format!("without={name}"));
        let set = Tunable::all().filter_map(|Tunable { name, .. }| {
            let value = self.get(name)?;
            (SearchParams::DEFAULT.get(name) != Some(value)).then(|| format!("set={name}={value}"))
        });
        without.chain(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_names_are_understood_but_not_told() {
        let told =
            [technique_names(Techniques::all()).join(" "), number_names().join(" ")].join(" ");
        for (former, current) in FORMER_NAMES {
            let mut params = SearchParams::DEFAULT;
            if let Ok(number) = Tunable::find(current) {
                params.change(&format!("{former}={}", number.least)).expect(former);
                assert_eq!(params.get(current), Some(number.least));
            } else {
                params.switch_off(former).expect(former);
                assert!(!params.uses(technique(current).expect(current)));
            }
            assert!(told.split(' ').all(|name| name != former), "{former}");
            assert!(told.split(' ').any(|name| name == current), "{current}");
        }
    }
}
