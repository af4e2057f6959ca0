//! The options `EvalFile`, `EvalDir` and `BookFile`: names resolved to files.

use std::env;
use std::mem;
use std::path::{Path, PathBuf};

use super::option_row::Setting;
use super::options::{EVAL_DIR, EVAL_FILE, Options};
use crate::eval::EvaluationSource;
use crate::file;

/// The file in a folder that `EvalDir` names.
const NNUE_FILE: &str = "nn.bin";

/// An option that names the file of the evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum EvalOption {
    #[default]
    File,
    Dir,
}

impl EvalOption {
    fn setting(self) -> Setting<String> {
        match self {
            EvalOption::File => EVAL_FILE,
            EvalOption::Dir => EVAL_DIR,
        }
    }

    fn other(self) -> EvalOption {
        match self {
            EvalOption::File => EvalOption::Dir,
            EvalOption::Dir => EvalOption::File,
        }
    }
}

/// Which of the options `EvalFile` and `EvalDir` counts, and what it led to.
///
/// The one set last counts. GUIs send every option back, in any order: setting an option to its
/// default therefore has no effect, except that resetting the active option activates the other.
#[derive(Default)]
pub(super) struct EvalFile {
    counts: EvalOption,
    file: FoundFile<Wanted>,
}

/// An option and its value.
type Wanted = (EvalOption, String);

impl EvalFile {
    /// Notes that the option with this name has been set.
    pub(super) fn note(&mut self, name: &str, options: &Options) {
        let named = |option: &EvalOption| option.setting().row.name == name;
        let Some(option) = [EvalOption::File, EvalOption::Dir].into_iter().find(named) else {
            return;
        };
        if !options.has_default(option.setting()) {
            self.counts = option;
        } else if self.counts == option {
            self.counts = option.other();
        }
    }

    /// What is wanted now.
    fn wanted(&self, options: &Options) -> Wanted {
        let option = if options.has_default(EVAL_DIR) { EvalOption::File } else { self.counts };
        (option, options.get(option.setting()))
    }

    /// The next use looks for a missing file again.
    pub(super) fn look_again(&mut self) {
        self.file.looks_again = true;
    }

    /// Resolves the options to a source. Reports a fallback once, to `remark`.
    pub(super) fn source(
        &mut self,
        options: &Options,
        remark: impl FnOnce(&str),
    ) -> EvaluationSource {
        let (option, value) = self.wanted(options);
        let source = match option {
            EvalOption::Dir => EvaluationSource::File(Path::new(&value).join(NNUE_FILE)),
            EvalOption::File => EvaluationSource::from(value.as_str()),
        };
        let EvaluationSource::File(name) = source else { return source };
        let report = |fault: &str| {
            let option = option.setting().row.name;
            remark(&format!("{option} {value}: {fault}; using <internal> instead"));
        };
        let found = self.file.find((option, value.clone()), &name, report);
        found.map_or(EvaluationSource::Internal, EvaluationSource::File)
    }
}

/// The last value of `BookFile` and the path to which it was resolved.
#[derive(Default)]
pub(super) struct BookFile(FoundFile<String>);

impl BookFile {
    /// The next use looks for a missing file again.
    pub(super) fn look_again(&mut self) {
        self.0.looks_again = true;
    }

    /// The file of this name. If it is missing, reports that once to `remark`.
    pub(super) fn path(&mut self, wanted: &str, remark: impl FnOnce(&str)) -> Option<PathBuf> {
        let report = |fault: &str| remark(&format!("BookFile {wanted}: {fault}; no book is used"));
        self.0.find(wanted.to_owned(), Path::new(wanted), report)
    }
}

/// What was wanted last, and the path to which it was resolved.
#[derive(Default)]
struct FoundFile<W> {
    last: Option<(W, Option<PathBuf>)>,
    /// Whether a missing file is looked for again.
    looks_again: bool,
}

impl<W: PartialEq> FoundFile<W> {
    /// The path of what is wanted, the file of this name. Reports a fault once.
    fn find(&mut self, wanted: W, name: &Path, report: impl FnOnce(&str)) -> Option<PathBuf> {
        let looks_again = mem::take(&mut self.looks_again);
        let known = self.last.as_ref().filter(|last| last.0 == wanted).map(|last| &last.1);
        if let Some(path) = known
            && (path.is_some() || !looks_again)
        {
            return path.clone();
        }
        let located = locate(name);
        if let (Err(fault), None) = (&located, known) {
            report(fault);
        }
        let path = located.ok();
        self.last = Some((wanted, path.clone()));
        path
    }
}

/// The absolute path of a file, relative to the program's folder, else to the current folder. If
/// neither exists, returns the problem with each.
fn locate(name: &Path) -> Result<PathBuf, String> {
    let next_to_program = env::current_exe().map(|program| program.with_file_name(name));
    let places = [next_to_program, env::current_dir().map(|folder| folder.join(name))];
    let mut places: Vec<PathBuf> = places.into_iter().flatten().collect();
    // An absolute name is the same in both.
    places.dedup();
    if let Some(place) = places.iter().find(|place| place.is_file()) {
        return Ok(place.clone());
    }
    let fault = |place: &PathBuf| {
        let fault = file::not_a_file(place).unwrap_or("does not exist");
        format!("{} {fault}", place.display())
    };
    Err(places.iter().map(fault).collect::<Vec<String>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: EvalOption = EvalOption::File;
    const DIR: EvalOption = EvalOption::Dir;

    /// What is wanted after each of these settings.
    fn wanted_after(settings: &[(EvalOption, &str)]) -> Vec<Wanted> {
        let (mut options, mut file) = (Options::new(&["A"]), EvalFile::default());
        let set = |&(option, value): &(EvalOption, &str)| {
            let name = options.set(option.setting().row.name, value).expect("an option");
            file.note(name, &options);
            file.wanted(&options)
        };
        settings.iter().map(set).collect()
    }

    #[test]
    fn the_option_set_last_counts() {
        let settings = [
            (FILE, "a.bin"),
            (DIR, "b"),
            (FILE, "a.bin"),
            (DIR, "c"),
            (DIR, "<empty>"),
            (FILE, "<internal>"),
        ];
        let wanted = wanted_after(&settings);
        let expected = settings[..4]
            .iter()
            .map(|&(option, value)| (option, value.to_owned()))
            .collect::<Vec<_>>();
        assert_eq!(wanted[..4], expected);
        assert_eq!(wanted[4], (FILE, "a.bin".to_owned()));
        assert_eq!(wanted[5], (FILE, "<internal>".to_owned()));
    }

    #[test]
    fn defaults_that_a_gui_sends_back_choose_nothing() {
        let wanted = wanted_after(&[(DIR, "b"), (FILE, "<internal>")]);
        assert!(wanted.iter().all(|wanted| *wanted == (DIR, "b".to_owned())), "{wanted:?}");
        let wanted = wanted_after(&[(FILE, "a.bin"), (DIR, "<empty>")]);
        assert!(wanted.iter().all(|wanted| wanted.0 == FILE), "{wanted:?}");
        // The default of the option that counts gives way to the other one.
        let wanted = wanted_after(&[(DIR, "b"), (FILE, "a.bin"), (FILE, "<internal>")]);
        assert_eq!(wanted[2], (DIR, "b".to_owned()));
    }
}
