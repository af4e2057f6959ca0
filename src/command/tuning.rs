//! The searcher's numbers and techniques as arguments, for those who measure them.

use std::fmt;

use super::CliError;
use crate::search::{SearchParams, Techniques};

/// Changes of the searcher's numbers; without any it is the one that ships.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct TuningArgs {
    /// Search without a technique, such as `null-move`; may be given again
    #[arg(long, value_name = "TECHNIQUE")]
    without: Vec<String>,
    /// Set a number of the search, such as `aspiration=80`; may be given again
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl TuningArgs {
    /// The numbers that are wanted.
    ///
    /// # Errors
    /// [`CliError::Tuning`] with a name that is not known, or a value out of its range.
    pub fn params(&self) -> Result<SearchParams, CliError> {
        let mut params = SearchParams::DEFAULT;
        for name in &self.without {
            params = params.without(technique(name)?);
        }
        for change in &self.set {
            let (name, value) = change.split_once('=').unwrap_or((change, ""));
            let number = Number::find(name)?;
            let value = number.parse(value).ok_or_else(|| number.refuse(change, "VALUE"))?;
            params.set(number.name, value);
        }
        Ok(params)
    }
}

/// One of the searcher's numbers and its range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub name: &'static str,
    pub least: i32,
    pub greatest: i32,
}

impl Number {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Number> {
        let ranges = SearchParams::RANGES.iter();
        ranges.map(|&(name, least, greatest)| Number { name, least, greatest })
    }

    /// The number of this name.
    ///
    /// # Errors
    /// [`CliError::Tuning`] with a name that is not known.
    pub fn find(name: &str) -> Result<Number, CliError> {
        let current = current_name(name);
        Number::all().find(|number| number.name == current).ok_or_else(|| unknown(name, numbers()))
    }

    /// A value in its range.
    fn parse(self, text: &str) -> Option<i32> {
        text.parse().ok().filter(|value| (self.least..=self.greatest).contains(value))
    }

    fn refuse(self, text: &str, form: &str) -> CliError {
        let Number { name, least, greatest } = self;
        CliError::Tuning(format!(
            "{text:?} is not {name}={form} with a value from {least} to {greatest}"
        ))
    }
}

/// Something of the searcher with two levels, a low and a high one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Factor {
    /// A number and its levels.
    Number(NumberLevels),
    /// A technique, left out or used.
    Technique(Techniques),
}

/// A number and its low and high level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberLevels(Number, [i32; 2]);

impl Factor {
    /// A factor as `NAME=LOW..HIGH` or the name of a technique.
    ///
    /// # Errors
    /// [`CliError::Tuning`] with a name that is not known, or levels out of range.
    pub fn parse(text: &str) -> Result<Factor, CliError> {
        let Some((name, levels)) = text.split_once('=') else {
            return technique(text).map(Factor::Technique);
        };
        let number = Number::find(name)?;
        let levels = levels.split_once("..").and_then(|(low, high)| {
            Some(NumberLevels(number, [number.parse(low)?, number.parse(high)?]))
        });
        levels.map(Factor::Number).ok_or_else(|| number.refuse(text, "LOW..HIGH"))
    }

    /// Sets it to its high or low level.
    pub fn set(self, params: &mut SearchParams, high: bool) {
        match self {
            Factor::Number(NumberLevels(number, levels)) => {
                params.set(number.name, levels[usize::from(high)]);
            }
            Factor::Technique(technique) => params.techniques.set(technique, high),
        }
    }
}

fn technique(name: &str) -> Result<Techniques, CliError> {
    let current = current_name(&name.to_lowercase().replace('_', "-")).to_uppercase();
    let technique = Techniques::from_name(&current.replace('-', "_"));
    technique.ok_or_else(|| unknown(name, techniques()))
}

/// Former names of techniques and numbers, and what they are called now. They are understood, but not
/// told.
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

fn current_name(name: &str) -> &str {
    FORMER_NAMES.iter().find(|names| names.0 == name).map_or(name, |names| names.1)
}

impl fmt::Display for TuningArgs {
    /// As on the command line, after a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.without.iter().try_for_each(|name| write!(f, " --without {name}"))?;
        self.set.iter().try_for_each(|change| write!(f, " --set {change}"))
    }
}

fn unknown(name: &str, known: String) -> CliError {
    CliError::Tuning(format!("{name:?} is not known; there are {known}"))
}

fn techniques() -> String {
    let names = Techniques::all().iter_names();
    let names: Vec<_> = names.map(|(name, _)| name.to_lowercase().replace('_', "-")).collect();
    names.join(", ")
}

fn numbers() -> String {
    let names: Vec<_> = Number::all().map(|number| number.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(without: &[&str], set: &[&str]) -> Result<SearchParams, CliError> {
        let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
        TuningArgs { without: texts(without), set: texts(set) }.params()
    }

    #[test]
    fn names_are_found_and_wrong_ones_told() {
        assert_eq!(params(&[], &[]).expect("nothing wrong"), SearchParams::DEFAULT);
        let changed = params(&["null-move", "PROB_CUT"], &["aspiration=80"]).expect("known names");
        assert!(!changed.uses(Techniques::NULL_MOVE) && !changed.uses(Techniques::PROB_CUT));
        assert!(changed.uses(Techniques::SINGULAR));
        assert_eq!(changed.aspiration, 80);
        for (without, set, told) in [
            (&["magic"][..], &[][..], "magic"),
            (&[], &["magic=3"], "magic"),
            (&[], &["aspiration"], "aspiration"),
            (&[], &["aspiration=99999"], "99999"),
            (&[], &["aspiration=8e1"], "8e1"),
        ] {
            let error = params(without, set).expect_err("must be refused").to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn former_names_are_understood_but_not_told() {
        let told = [techniques(), numbers()].join(", ");
        for (former, current) in FORMER_NAMES {
            if let Ok(number) = Number::find(current) {
                let set = format!("{former}={}", number.least);
                let changed = params(&[], &[&set]).expect(former);
                assert_eq!(changed.get(current), Some(number.least));
            } else {
                let left_out = technique(current).expect(current);
                assert!(!params(&[former], &[]).expect(former).uses(left_out));
                assert!(matches!(Factor::parse(former), Ok(Factor::Technique(t)) if t == left_out));
            }
            assert!(told.split(", ").all(|name| name != former), "{former}");
            assert!(told.split(", ").any(|name| name == current), "{current}");
        }
    }

    #[test]
    fn factors_have_two_levels() {
        let mut params = SearchParams::DEFAULT;
        let number = Factor::parse("aspiration=40..90").expect("a number");
        let technique = Factor::parse("null-move").expect("a technique");
        for (high, aspiration) in [(false, 40), (true, 90)] {
            number.set(&mut params, high);
            technique.set(&mut params, high);
            assert_eq!((params.aspiration, params.uses(Techniques::NULL_MOVE)), (aspiration, high));
        }
        for wrong in ["magic", "magic=1..2", "late_base", "aspiration=40", "aspiration=4..99999"] {
            let error = Factor::parse(wrong).expect_err("must be refused").to_string();
            assert!(error.contains(wrong.split('=').next().unwrap_or(wrong)), "{error}");
        }
    }
}
