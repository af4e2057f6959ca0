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
                (path, true) => EvaluationSource::File(path),
                (path, false) => {
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

/// The absolute path of a file, and whether it exists: relative to the program's folder, else to
/// the current one.
fn locate(name: &Path) -> (PathBuf, bool) {
    let program = env::current_exe().ok();
    let folders =
        [program.as_deref().and_then(Path::parent).map(Path::to_owned), env::current_dir().ok()];
    let paths: Vec<_> = folders.into_iter().flatten().map(|folder| folder.join(name)).collect();
    let found = paths.iter().find(|path| path.is_file());
    let path = found.or(paths.first()).map_or(name, |path| path.as_path());
    (path.to_owned(), found.is_some())
}
