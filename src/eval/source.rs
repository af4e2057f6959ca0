//! Where an evaluation comes from, as users name it.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::evaluation::Evaluation;
use super::learned::file::WeightsError;

/// Where an evaluation comes from. As text: `internal`, `material` (both also in angle brackets, as
/// USI clients send them), or the path of a weights file or an NNUE file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EvaluationSource {
    /// The one inside the program.
    #[default]
    Internal,
    /// Material and hand-made king relations.
    Material,
    /// This weights file or NNUE file.
    File(PathBuf),
}

impl From<&str> for EvaluationSource {
    fn from(text: &str) -> EvaluationSource {
        match text {
            "internal" | "<internal>" => EvaluationSource::Internal,
            "material" | "<material>" => EvaluationSource::Material,
            path => EvaluationSource::File(path.into()),
        }
    }
}

impl fmt::Display for EvaluationSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluationSource::Internal => f.write_str("internal"),
            EvaluationSource::Material => f.write_str("material"),
            EvaluationSource::File(path) => path.display().fmt(f),
        }
    }
}

impl EvaluationSource {
    /// Reads the weights, if they are in a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the file cannot be read or is not a weights file.
    pub fn load(&self) -> Result<Evaluation, WeightsError> {
        match self {
            EvaluationSource::Internal => Ok(Evaluation::embedded()),
            EvaluationSource::Material => Ok(Evaluation::HandMade),
            EvaluationSource::File(path) => Evaluation::from_file(path),
        }
    }
}

/// The evaluation last used, so that a file is read once.
#[derive(Default)]
pub struct EvaluationCache(Mutex<Option<(EvaluationSource, Evaluation)>>);

impl EvaluationCache {
    /// Whether the evaluation from this source was the last one.
    pub fn holds(&self, source: &EvaluationSource) -> bool {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().is_some_and(|(loaded, _)| loaded == source)
    }

    /// The evaluation from this source.
    ///
    /// # Errors
    /// As [`EvaluationSource::load`].
    pub fn get(&self, source: &EvaluationSource) -> Result<Evaluation, WeightsError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, evaluation)) = last.as_ref().filter(|(loaded, _)| loaded == source) {
            return Ok(evaluation.clone());
        }
        // The old weights go first: both need not fit into memory.
        *last = None;
        let evaluation = source.load()?;
        *last = Some((source.clone(), evaluation.clone()));
        Ok(evaluation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_as_text() {
        for text in ["internal", "material", "a folder/my.weights"] {
            let source = EvaluationSource::from(text);
            assert_eq!(source.to_string(), text);
            assert_eq!(matches!(source, EvaluationSource::File(_)), text.contains('/'));
        }
        assert_eq!(EvaluationSource::from("<material>"), EvaluationSource::Material);
        assert_eq!(EvaluationSource::from("<internal>"), EvaluationSource::default());
    }
}
