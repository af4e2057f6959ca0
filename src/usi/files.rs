//! The options `EvalFile` and `BookFile`: names resolved to files.

use std::env;
use std::path::{Path, PathBuf};

use crate::eval::EvaluationSource;

/// The last value of `EvalFile` and the evaluation to which it was resolved.
#[derive(Default)]
pub(super) struct EvalFile {
    last: Option<(String, EvaluationSource)>,
}

impl EvalFile {
    /// Resolves a value. If the file is missing, reports it once to `remark` and returns the
    /// internal evaluation.
    pub(super) fn source(&mut self, wanted: &str, remark: impl FnOnce(&str)) -> EvaluationSource {
        if let Some((_, source)) = self.last.as_ref().filter(|last| last.0 == wanted) {
            return source.clone();
        }
        let source = match EvaluationSource::from(wanted) {
            EvaluationSource::File(name) => match locate(&name) {
                Ok(path) => EvaluationSource::File(path),
                Err(fault) => {
                    remark(&format!("EvalFile {wanted}: {fault}; using <internal> instead"));
                    EvaluationSource::Internal
                }
            },
            inside => inside,
        };
        self.last = Some((wanted.to_owned(), source.clone()));
        source
    }
}

/// The last value of `BookFile` and the path to which it was resolved.
#[derive(Default)]
pub(super) struct BookFile {
    last: Option<(String, Option<PathBuf>)>,
}

impl BookFile {
    /// The file of this name. If it is missing, reports that once to `remark`.
    pub(super) fn path(&mut self, wanted: &str, remark: impl FnOnce(&str)) -> Option<PathBuf> {
        if let Some((_, path)) = self.last.as_ref().filter(|last| last.0 == wanted) {
            return path.clone();
        }
        let located = locate(Path::new(wanted));
        if let Err(fault) = &located {
            remark(&format!("BookFile {wanted}: {fault}; no book is used"));
        }
        let path = located.ok();
        self.last = Some((wanted.to_owned(), path.clone()));
        path
    }
}

/// The absolute path of a file, relative to the program's folder, else to the current folder. If
/// neither exists, returns the problem with the first.
fn locate(name: &Path) -> Result<PathBuf, String> {
    let beside = env::current_exe().map(|program| program.with_file_name(name));
    let paths = [beside, env::current_dir().map(|folder| folder.join(name))];
    let mut paths = paths.into_iter().flatten();
    let first = paths.next().unwrap_or_else(|| name.to_owned());
    if first.is_file() {
        return Ok(first);
    }
    let fault = if first.is_dir() { "is a folder" } else { "does not exist" };
    paths.find(|path| path.is_file()).ok_or_else(|| format!("{} {fault}", first.display()))
}
