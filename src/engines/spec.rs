//! An engine as users specify it: searcher, evaluation and changes of the search.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use super::choosing::Choosing;
use super::searcher::{Changes, Searcher, SearcherParams, SpecError};
use crate::engine::{Engine, Leeway, SkillLevel};
use crate::eval::{Evaluation, EvaluationSource};
use crate::quote::{self, quoted};
use crate::search::AlphaBeta;

/// The searchers, the default first, and their names.
static SEARCHERS: OnceLock<(Vec<&Searcher>, Vec<&str>)> = OnceLock::new();

impl Searcher {
    /// Makes the searchers of higher modules known to users, after [`AlphaBeta`]. Only the first
    /// call has an effect.
    pub fn register(others: &[&'static Searcher]) {
        let all = [&[&AlphaBeta::SEARCHER], others].concat();
        let names = all.iter().map(|searcher| searcher.name).collect();
        // The searchers of a program do not change.
        let _ = SEARCHERS.set((all, names));
    }

    /// All known searchers; the default comes first.
    pub fn all() -> &'static [&'static Searcher] {
        SEARCHERS.get().map_or(&[&AlphaBeta::SEARCHER], |known| &known.0)
    }

    /// The names of all known searchers; the default comes first.
    pub fn names() -> &'static [&'static str] {
        SEARCHERS.get().map_or(&[AlphaBeta::SEARCHER.name], |known| &known.1)
    }

    /// The searcher with this name, in any case.
    ///
    /// # Errors
    /// [`SpecError::Unknown`].
    pub fn find(name: &str) -> Result<&'static Searcher, SpecError> {
        let found = Searcher::all().iter().find(|it| it.name.eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| {
            SpecError::unknown(format!("searcher {}", quoted(name)), Searcher::names())
        })
    }
}

/// Specification of an engine.
///
/// As text: optional parts separated by blanks, with the searcher's name first. The path of an
/// evaluation may be [in quotation marks](quote::split).
///
/// ```
/// use kankei::engines::EngineSpec;
/// let text = "AlphaBeta without=null-move set=aspiration=80 eval=material";
/// let spec: EngineSpec = text.parse().unwrap();
/// assert_eq!(spec.to_string(), text);
/// assert_eq!(EngineSpec::default().to_string(), "AlphaBeta eval=internal");
/// ```
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// The searcher.
    searcher: &'static Searcher,
    /// The parameters of the searcher.
    params: Arc<dyn SearcherParams>,
    /// The evaluation.
    pub evaluation: EvaluationSource,
    /// Playing strength for searches that do not set it. `None`: full strength.
    pub skill: Option<SkillLevel>,
}

impl EngineSpec {
    /// An engine with changes of its searcher. It has full strength.
    ///
    /// # Errors
    /// [`SpecError`] for an unknown name, a value out of range, or a searcher without techniques
    /// and parameters.
    pub fn new(
        searcher: &'static Searcher,
        changes: &Changes,
        evaluation: EvaluationSource,
    ) -> Result<EngineSpec, SpecError> {
        Ok(EngineSpec { searcher, params: (searcher.parse)(changes)?, evaluation, skill: None })
    }

    /// An engine with the default parameters of this searcher and the default evaluation.
    pub fn of(searcher: &'static Searcher) -> EngineSpec {
        let evaluation = EvaluationSource::default();
        let spec = EngineSpec::new(searcher, &Changes::default(), evaluation);
        spec.expect("no changes are valid")
    }

    /// Like [`from_str`](FromStr::from_str), of the parts.
    ///
    /// # Errors
    /// [`SpecError`].
    pub fn from_parts(parts: &[String]) -> Result<EngineSpec, SpecError> {
        let (mut searcher, mut evaluation) = (&AlphaBeta::SEARCHER, EvaluationSource::default());
        let (mut changes, mut skill) = (Vec::new(), None);
        for (index, part) in parts.iter().enumerate() {
            match part.split_once('=') {
                Some(("eval", source)) => evaluation = source.into(),
                Some(("skill", level)) => {
                    let level = level.parse().ok().and_then(SkillLevel::new);
                    skill = Some(level.ok_or_else(|| SpecError::Part(part.clone()))?);
                }
                None if index == 0 => searcher = Searcher::find(part)?,
                _ => changes.push(part.as_str()),
            }
        }
        let spec = EngineSpec::new(searcher, &changes.join(" ").parse()?, evaluation)?;
        Ok(EngineSpec { skill, ..spec })
    }

    /// Builds the engine, not configured yet. `evaluation`: loaded from [`Self::evaluation`].
    pub fn build(&self, evaluation: &Evaluation) -> Box<dyn Engine> {
        let engine = self.params.build(evaluation.clone());
        match self.skill {
            None => engine,
            skill => Box::new(Choosing::new(engine, Leeway { skill, variety: 0 }, 1)),
        }
    }
}

impl Default for EngineSpec {
    fn default() -> EngineSpec {
        EngineSpec::of(&AlphaBeta::SEARCHER)
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
        f.write_str(self.searcher.name)?;
        self.params.changes().iter().try_for_each(|change| write!(f, " {change}"))?;
        if let Some(skill) = self.skill {
            write!(f, " skill={skill}")?;
        }
        write!(f, " {}", quote::word(&format!("eval={}", self.evaluation)))
    }
}
