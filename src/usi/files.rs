//! The options `EvalFile` and `BookFile`: names to files.

use std::env;
use std::path::{Path, PathBuf};

use crate::eval::EvaluationSource;

/// The value of `EvalFile` last looked at, and what it led to.
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
                Err(fault) => {
                    remark(&format!("EvalFile {wanted}: {fault}; <internal> is used instead"));
                    EvaluationSource::Internal
                }
            },
            inside => inside,
        };
        self.last = Some((wanted.to_owned(), source.clone()));
        source
    }
}

/// The value of `BookFile` last looked at, and what it led to.
#[derive(Default)]
pub(super) struct BookFile {
    last: Option<(String, Option<PathBuf>)>,
}

impl BookFile {
    /// The file of this name. Says once, to `remark`, if there is none.
    pub(super) fn path(&mut self, wanted: &str, remark: impl FnOnce(&str)) -> Option<PathBuf> {
        if let Some((_, path)) = self.last.as_ref().filter(|last| last.0 == wanted) {
            return path.clone();
        }
        let located = locate(Path::new(wanted));
        if let Err(fault) = &located {
            remark(&format!("BookFile {wanted}: {fault}; there is no book"));
        }
        let path = located.ok();
        self.last = Some((wanted.to_owned(), path.clone()));
        path
    }
}

/// The absolute path of a file, relative to the program's folder, else to the current one; what is
/// wrong with the first of them if neither exists.
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
