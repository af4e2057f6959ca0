//! The option `EvalFile`: a name to an evaluation.

use std::env;
use std::path::{Path, PathBuf};

use crate::eval::EvaluationSource;

/// The value last looked at, and what it led to.
#[derive(Default)]
pub(super) struct EvalFile {
    last: Option<(String, EvaluationSource)>,
}

impl EvalFile {
    /// What this value leads to. Says once, to `remark`, if that is not what was wanted.
    pub(super) fn source(&mut self, wanted: &str, remark: impl FnOnce(&str)) -> EvaluationSource {
        if let Some((_, source)) = self.last.as_ref().filter(|last| last.0 == wanted) {
            return source.clone();
        }
        let source = match EvaluationSource::from(wanted) {
            EvaluationSource::File(name) => match locate(&name) {
                Ok(path) => EvaluationSource::File(path),
                Err(path) => {
                    let fault = if path.is_dir() { "is a folder" } else { "does not exist" };
                    let path = path.display();
                    remark(&format!(
                        "EvalFile {wanted}: {path} {fault}; <internal> is used instead"
                    ));
                    EvaluationSource::Internal
                }
            },
            inside => inside,
        };
        self.last = Some((wanted.to_owned(), source.clone()));
        source
    }
}

/// The absolute path of a file, relative to the program's folder, else to the current one; the first
/// of them if neither exists.
fn locate(name: &Path) -> Result<PathBuf, PathBuf> {
    let beside = env::current_exe().map(|program| program.with_file_name(name));
    let paths = [beside, env::current_dir().map(|folder| folder.join(name))];
    let mut paths = paths.into_iter().flatten();
    let first = paths.next().unwrap_or_else(|| name.to_owned());
    if first.is_file() { Ok(first) } else { paths.find(|path| path.is_file()).ok_or(first) }
}
