//! The searcher's numbers and techniques as arguments, for those who measure them.

use std::fmt;

use super::CliError;
use crate::search::{SearchParams, Techniques};

/// Changes of the searcher's numbers; without any it is the one that ships.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct TuningArgs {
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
            let technique = Techniques::from_name(&name.to_uppercase().replace('-', "_"));
            let technique = technique.ok_or_else(|| unknown(name, techniques()))?;
            params = params.without(technique);
        }
        for change in &self.set {
            let (name, value) = change.split_once('=').unwrap_or((change, ""));
            let range = SearchParams::RANGES.iter().find(|range| range.0 == name);
            let &(_, least, greatest) = range.ok_or_else(|| unknown(name, numbers()))?;
            let value: i32 =
                value.parse().ok().filter(|value| (least..=greatest).contains(value)).ok_or_else(
                    || {
                        CliError::Tuning(format!(
                            "{change:?} is not {name}=VALUE with a value from {least} to {greatest}"
                        ))
                    },
                )?;
            if let Some(number) = params.get_mut(name) {
                *number = value;
            }
        }
        Ok(params)
    }
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
    let names: Vec<_> = SearchParams::RANGES.iter().map(|range| range.0).collect();
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
}
