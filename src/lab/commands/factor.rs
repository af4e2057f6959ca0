//! Factors of an ablation.

use crate::engines::{SpecError, technique};
use crate::search::{SearchParams, Techniques, TunedParameter};

/// A property of the searcher with a low and a high level.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Factor {
    /// A search parameter, its low and its high level.
    Number(TunedParameter, [i32; 2]),
    /// A technique, off or on.
    Technique(Techniques),
}

impl Factor {
    /// Parses a factor: `NAME=LOW..HIGH` or the name of a technique.
    pub fn parse(text: &str) -> Result<Factor, SpecError> {
        let Some((name, levels)) = text.split_once('=') else {
            return technique(text).map(Factor::Technique);
        };
        let number = TunedParameter::find(SearchParams::NUMBERS, name)?;
        let levels = levels.split_once("..").and_then(|(low, high)| {
            let levels = [number.parse(low)?, number.parse(high)?];
            (levels[0] != levels[1]).then_some(Factor::Number(number, levels))
        });
        levels.ok_or_else(|| number.refuse(text, "LOW..HIGH"))
    }

    /// Sets it to its high or low level.
    pub fn set(self, params: &mut SearchParams, high: bool) {
        match self {
            Factor::Number(number, levels) => {
                params.set(number.name, levels[usize::from(high)]);
            }
            Factor::Technique(technique) => params.techniques.set(technique, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for wrong in [
            "magic",
            "magic=1..2",
            "late_base",
            "aspiration=40",
            "aspiration=40..40",
            "aspiration=4..99999",
        ] {
            let error = Factor::parse(wrong).expect_err("must be refused").to_string();
            assert!(error.contains(wrong.split('=').next().unwrap_or(wrong)), "{error}");
        }
    }
}
