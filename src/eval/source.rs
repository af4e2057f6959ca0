//! Sources of evaluations, as users name them.

use std::fmt;
use std::path::PathBuf;

use super::evaluation::Evaluation;
use super::learned::file::WeightsError;

/// The source of an evaluation. As text, this is `internal`, `material`, or the path of a weights
/// file or NNUE file. USI clients may put the first two in angle brackets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EvaluationSource {
    /// The embedded evaluation.
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
    /// Loads the evaluation, from its file if it has one.
    ///
    /// # Errors
    /// Returns [`WeightsError`] if the file cannot be read or is not a weights file.
    pub fn load(&self) -> Result<Evaluation, WeightsError> {
        match self {
            EvaluationSource::Internal => Ok(Evaluation::embedded()),
            EvaluationSource::Material => Ok(Evaluation::HandMade),
            EvaluationSource::File(path) => Evaluation::from_file(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_parsed_and_printed() {
        for text in ["internal", "material", "a folder/my.weights"] {
            let source = EvaluationSource::from(text);
            assert_eq!(source.to_string(), text);
            assert_eq!(matches!(source, EvaluationSource::File(_)), text.contains('/'));
        }
        assert_eq!(EvaluationSource::from("<material>"), EvaluationSource::Material);
        assert_eq!(EvaluationSource::from("<internal>"), EvaluationSource::default());
    }
}
