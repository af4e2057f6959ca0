//! The text file of a run that can be taken up again: a comment that names all that decides how it
//! goes, then a line for each step.

use std::fs;
use std::path::Path;

use crate::command::CliError;
use crate::file;

pub(crate) struct RunLog<'a> {
    path: &'a Path,
    text: String,
}

impl<'a> RunLog<'a> {
    /// Begins the file, or with `resume` goes on with it if its comment is `header` and `parse`
    /// knows each of its lines; they are returned, `kind` names them.
    pub fn open<T>(
        path: &'a Path,
        header: &str,
        resume: bool,
        kind: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<(RunLog<'a>, Vec<T>), CliError> {
        if !resume {
            if path.exists() {
                return Err(CliError::RunExists(path.to_owned()));
            }
            return Ok((RunLog { path, text: format!("{header}\n") }, Vec::new()));
        }
        let read = |source| CliError::Read { path: path.to_owned(), source };
        let text = fs::read_to_string(path).map_err(read)?;
        let mut lines = text.lines();
        let found = lines.next().unwrap_or_default();
        if found != header {
            let (found, wanted) = (found.to_owned(), header.to_owned());
            return Err(CliError::OtherRun { path: path.to_owned(), found, wanted });
        }
        let steps: Result<Vec<T>, CliError> = lines
            .enumerate()
            .map(|(number, line)| {
                parse(line).ok_or_else(|| CliError::SuiteLine {
                    path: path.to_owned(),
                    line: number + 2,
                    reason: format!("{line:?} is no {kind}"),
                })
            })
            .collect();
        let steps = steps?;
        // A last line without its end is a whole one too: it was parsed.
        let end = if text.ends_with('\n') { "" } else { "\n" };
        Ok((RunLog { path, text: text + end }, steps))
    }

    /// Adds lines and writes the file anew: it is whole at every moment.
    pub fn add(&mut self, lines: impl IntoIterator<Item = String>) -> Result<(), CliError> {
        for line in lines {
            self.text.push_str(&line);
            self.text.push('\n');
        }
        write(self.path, &self.text)
    }
}

/// Writes a file of text, whole or not at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), CliError> {
    file::write(path, text.as_bytes())
        .map_err(|source| CliError::Write { path: path.to_owned(), source })
}
