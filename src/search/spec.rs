//! An engine as users specify it: searcher, evaluation and changes of the search.

use std::fmt;
use std::str::FromStr;

use super::alpha_beta::{AlphaBeta, SearchParams};
use super::full_width::{FullWidth, FullWidthParams};
use super::mcts::{Mcts, MctsParams};
use super::tuning::{Searcher, SpecError};
use crate::engine::{Choosing, Engine, Leeway, SkillLevel};
use crate::eval::{Evaluation, EvaluationSource};
use crate::quote;

/// Specification of an engine.
///
/// As text: optional parts separated by blanks, with the searcher's name first. The path of an
/// evaluation may be [in quotation marks](quote::split).
///
/// ```
/// use kankei::search::EngineSpec;
/// let text = "AlphaBeta without=null-move set=aspiration=80 eval=material";
/// let spec: EngineSpec = text.parse().unwrap();
/// assert_eq!(spec.to_string(), text);
/// assert_eq!("".parse(), Ok(EngineSpec::default()));
/// assert_eq!(EngineSpec::default().to_string(), "AlphaBeta eval=internal");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// The searcher.
    pub searcher: Searcher,
    /// Techniques and parameters of [`AlphaBeta`].
    pub params: SearchParams,
    /// Method, techniques and parameters of [`Mcts`].
    pub mcts: MctsParams,
    /// The evaluation.
    pub evaluation: EvaluationSource,
    /// Playing strength for searches that do not set it. `None`: full strength.
    pub skill: Option<SkillLevel>,
}

impl EngineSpec {
    /// An engine with some techniques of the searcher switched off (`null-move`) and some
    /// parameters set (`aspiration=80`).
    ///
    /// # Errors
    /// [`SpecError`] for an unknown name, a value out of range, or a searcher without techniques
    /// and parameters.
    pub fn new(
        searcher: Searcher,
        without: &[String],
        set: &[String],
        evaluation: EvaluationSource,
    ) -> Result<EngineSpec, SpecError> {
        let (mut params, mut mcts) = (SearchParams::DEFAULT, MctsParams::DEFAULT);
        match searcher {
            Searcher::AlphaBeta => {
                without.iter().try_for_each(|name| params.switch_off(name))?;
                set.iter().try_for_each(|change| params.change(change))?;
            }
            Searcher::Mcts => {
                // A method sets the techniques, so it is applied first.
                set.iter().try_for_each(|change| mcts.change(change))?;
                without.iter().try_for_each(|name| mcts.switch_off(name))?;
            }
            Searcher::FullWidth if without.is_empty() && set.is_empty() => {}
            Searcher::FullWidth => {
                let without = without.iter().map(|name| format!("without={name}"));
                let set = set.iter().map(|change| format!("set={change}"));
                let changes: Vec<String> = without.chain(set).collect();
                return Err(SpecError::Unchangeable { searcher, changes: changes.join(" ") });
            }
        }
        Ok(EngineSpec { searcher, params, mcts, evaluation, skill: None })
    }

    /// Like [`Self::new`], with the changes as one text: `without=null-move set=aspiration=80`. For
    /// experiments, `forget=table`, `forget=histories` and `forget=corrections` clear that data of
    /// [`AlphaBeta`] before each search.
    ///
    /// # Errors
    /// Those of [`Self::new`], and [`SpecError::Part`] for a part that is not a change.
    pub fn with_changes(
        searcher: Searcher,
        changes: &str,
        evaluation: EvaluationSource,
    ) -> Result<EngineSpec, SpecError> {
        let (mut without, mut set, mut forget) = (Vec::new(), Vec::new(), Vec::new());
        for part in changes.split_ascii_whitespace() {
            match part.split_once('=') {
                Some(("without", name)) => without.push(name.to_owned()),
                Some(("set", change)) => set.push(change.to_owned()),
                Some(("forget", name)) if searcher == Searcher::AlphaBeta => forget.push(name),
                _ => return Err(SpecError::Part(part.to_owned())),
            }
        }
        let mut spec = EngineSpec::new(searcher, &without, &set, evaluation)?;
        forget.into_iter().try_for_each(|name| spec.params.forget(name))?;
        Ok(spec)
    }

    /// Like [`from_str`](FromStr::from_str), of the parts.
    ///
    /// # Errors
    /// [`SpecError`].
    pub fn from_parts(parts: &[String]) -> Result<EngineSpec, SpecError> {
        let (mut searcher, mut evaluation) = (Searcher::default(), EvaluationSource::default());
        let (mut changes, mut skill) = (Vec::new(), None);
        for (index, part) in parts.iter().enumerate() {
            match part.split_once('=') {
                Some(("eval", source)) => evaluation = source.into(),
                Some(("skill", level)) => {
                    let level = level.parse().ok().and_then(SkillLevel::new);
                    skill = Some(level.ok_or_else(|| SpecError::Part(part.clone()))?);
                }
                None if index == 0 => searcher = part.parse()?,
                _ => changes.push(part.as_str()),
            }
        }
        let spec = EngineSpec::with_changes(searcher, &changes.join(" "), evaluation)?;
        Ok(EngineSpec { skill, ..spec })
    }

    /// Builds the engine, not configured yet. `evaluation`: loaded from [`Self::evaluation`].
    pub fn build(&self, evaluation: &Evaluation) -> Box<dyn Engine> {
        let evaluation = evaluation.clone();
        let engine: Box<dyn Engine> = match self.searcher {
            Searcher::AlphaBeta => Box::new(AlphaBeta::new(self.params, evaluation)),
            Searcher::FullWidth => Box::new(FullWidth::new(FullWidthParams::DEFAULT, evaluation)),
            Searcher::Mcts => Box::new(Mcts::new(self.mcts, evaluation)),
        };
        match self.skill {
            None => engine,
            skill => Box::new(Choosing::new(engine, Leeway { skill, variety: 0 }, 1)),
        }
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let parts = quote::split(text).ok_or_else(|| SpecError::Unclosed(text.to_owned()))?;
        EngineSpec::from_parts(&parts)
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.searcher.name())?;
        match self.searcher {
            Searcher::Mcts => self.mcts.changes().try_for_each(|change| write!(f, " {change}"))?,
            _ => self.params.changes().try_for_each(|change| write!(f, " {change}"))?,
        }
        if let Some(skill) = self.skill {
            write!(f, " skill={skill}")?;
        }
        write!(f, " {}", quote::word(&format!("eval={}", self.evaluation)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Forgets, Techniques};

    #[test]
    fn parts_are_read_in_any_order() {
        let spec: EngineSpec =
            "alphabeta set=aspiration=80 eval=my.weights without=PROB_CUT without=null-move"
                .parse()
                .expect("known names");
        assert_eq!(spec.searcher, Searcher::AlphaBeta);
        assert_eq!(spec.params.aspiration, 80);
        for technique in [Techniques::NULL_MOVE, Techniques::PROB_CUT] {
            assert!(!spec.params.uses(technique));
        }
        assert_eq!(spec.evaluation, EvaluationSource::File("my.weights".into()));
        assert_eq!(spec.to_string().parse(), Ok(spec));
        let (searcher, evaluation) = (Searcher::FullWidth, EvaluationSource::Material);
        let quoted: EngineSpec = "eval='a b.weights' skill=3".parse().expect("a path");
        assert_eq!(quoted.evaluation, EvaluationSource::File("a b.weights".into()));
        let full = EngineSpec { searcher, evaluation, ..EngineSpec::default() };
        assert_eq!("FullWidth eval=material".parse(), Ok(full));
    }

    #[test]
    fn methods_are_parsed_and_printed() {
        for text in [
            "MCTS eval=internal",
            "MCTS set=method=ef-leaf eval=internal",
            "MCTS set=method=qs-cutoff-diff without=tree-reuse set=cutoff_margin=300 eval=material",
            "MCTS without=puct set=puct=80 skill=3 eval=internal",
            "MCTS 'eval=my folder/a.weights'",
        ] {
            let spec: EngineSpec = text.parse().expect(text);
            assert_eq!(spec.to_string(), text);
        }
        let leaf: EngineSpec = "mcts set=method=qs-leaf-diff".parse().expect("a method");
        assert_eq!(leaf.mcts.leaf_plies, 2);
    }

    #[test]
    fn parts_to_forget_are_read_and_written() {
        let text = "AlphaBeta forget=table forget=histories eval=internal";
        let spec: EngineSpec = text.parse().expect("known names");
        assert_eq!(spec.params.forgets, Forgets::TABLE | Forgets::HISTORIES);
        assert_eq!(spec.to_string(), text);
    }

    #[test]
    fn errors_name_the_culprit() {
        for (text, culprit) in [
            ("forget=magic", "magic"),
            ("MCTS forget=table", "forget=table"),
            ("BetaAlpha", "BetaAlpha"),
            ("eval='a b", "eval='a b"),
            ("eval=material FullWidth", "FullWidth"),
            ("AlphaBeta depth=3", "depth=3"),
            ("FullWidth without=null-move", "without=null-move"),
            ("without=magic", "magic"),
            ("set=magic=3", "magic"),
            ("set=aspiration", "aspiration"),
            ("set=aspiration=99999", "99999"),
            ("set=aspiration=8e1", "8e1"),
            ("MCTS without=null-move", "null-move"),
            ("MCTS set=method=magic", "magic"),
            ("MCTS set=aspiration=80", "aspiration"),
            ("MCTS set=puct=-1", "puct=-1"),
            ("AlphaBeta skill=20", "skill=20"),
        ] {
            let error = text.parse::<EngineSpec>().expect_err(text).to_string();
            assert!(error.contains(culprit), "{error}");
        }
    }
}
