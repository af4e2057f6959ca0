//! Files that a command writes. A file that exists is overwritten only with `--force`, and a file
//! that the command reads never is.

use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

use super::CliError;
use super::games::all_files;
use super::interrupt::resume_command;
use crate::file::{self, AtomicFile};

/// The option that lets a command overwrite files.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct ForceArg {
    /// Overwrite existing files; input files are never overwritten
    #[arg(long)]
    pub force: bool,
}

impl ForceArg {
    /// Checks every file of a command before it reads or computes anything. `inputs` are files or
    /// folders; those that do not exist are ignored here.
    ///
    /// # Errors
    /// [`CliError::OutputTwice`], [`CliError::OutputIsInput`], [`CliError::OutputExists`],
    /// [`CliError::OutputNotFile`], [`CliError::Write`] if a folder does not exist, or that a folder
    /// cannot be read.
    pub fn check<P: AsRef<Path>>(self, outputs: &[P], inputs: &[PathBuf]) -> Result<(), CliError> {
        check_distinct(outputs)?;
        outputs.iter().try_for_each(|output| check_free(output.as_ref(), inputs, self.force))
    }

    /// Like [`check`](ForceArg::check), for a run whose state is in a checkpoint.
    ///
    /// # Errors
    /// [`CliError::Unfinished`] for the checkpoint of an unfinished run, and those of `check`.
    pub fn check_run(
        self,
        checkpoint: &Path,
        outputs: &[PathBuf],
        inputs: &[PathBuf],
    ) -> Result<(), CliError> {
        self.check(&[checkpoint], inputs).map_err(|error| match error {
            CliError::OutputExists(path) => {
                CliError::Unfinished { path, command: resume_command() }
            }
            other => other,
        })?;
        let all: Vec<&Path> = outputs.iter().map(PathBuf::as_path).chain([checkpoint]).collect();
        self.check(&all, inputs)
    }

    /// Also lets a resumed run overwrite its files. `state`: its file or checkpoint, which must have
    /// content. The run compares the header of that file before it writes any other.
    pub fn or_resumed(self, state: Option<&Path>) -> ForceArg {
        let has_content = |state: &Path| state.metadata().is_ok_and(|state| state.len() > 0);
        ForceArg { force: self.force || state.is_some_and(has_content) }
    }

    /// Creates a file that appears when it is finished. Without `force`, creating and finishing
    /// fail if a file of this name exists by then.
    ///
    /// # Errors
    /// The I/O error; [`not_written`] converts it.
    pub fn create(self, path: &Path) -> io::Result<AtomicFile> {
        if self.force { AtomicFile::create(path) } else { AtomicFile::create_new(path) }
    }
}

/// Refuses two outputs in one file.
///
/// # Errors
/// [`CliError::OutputTwice`].
pub(crate) fn check_distinct<P: AsRef<Path>>(outputs: &[P]) -> Result<(), CliError> {
    let whole = |output: &P| path::absolute(output).unwrap_or_else(|_| output.as_ref().to_owned());
    for (at, output) in outputs.iter().enumerate() {
        if outputs[..at].iter().any(|other| whole(other) == whole(output)) {
            return Err(CliError::OutputTwice(output.as_ref().to_owned()));
        }
    }
    Ok(())
}

/// Creates a folder, unless it exists.
///
/// # Errors
/// [`CliError::NotAFolder`]; [`CliError::Write`].
pub(crate) fn create_folder(path: &Path) -> Result<(), CliError> {
    if path.is_file() {
        return Err(CliError::NotAFolder(path.to_owned()));
    }
    fs::create_dir_all(path).map_err(|source| CliError::Write { path: path.to_owned(), source })
}

/// The error of an output file that could not be created or finished.
pub(crate) fn not_written(path: &Path, source: io::Error) -> CliError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::AlreadyExists => CliError::OutputExists(path),
        _ => CliError::Write { path, source },
    }
}

/// Refuses to overwrite one of the files that are read, by whatever name, and without `force` any
/// file. Folders and devices are never written. The folder of the file must exist.
///
/// # Errors
/// As [`ForceArg::check`].
fn check_free(path: &Path, inputs: &[PathBuf], force: bool) -> Result<(), CliError> {
    let folder = file::folder_of(path);
    if !folder.is_dir() {
        let source = io::Error::other(format!("there is no folder {folder:?}"));
        return Err(CliError::Write { path: path.to_owned(), source });
    }
    let Ok(real) = path.canonicalize() else { return Ok(()) };
    let is_same = |input: &PathBuf| input.canonicalize().is_ok_and(|input| input == real);
    if all_files(inputs)?.iter().any(is_same) {
        return Err(CliError::OutputIsInput(path.to_owned()));
    }
    if !real.is_file() {
        return Err(CliError::OutputNotFile(path.to_owned()));
    }
    if force { Ok(()) } else { Err(CliError::OutputExists(path.to_owned())) }
}

/// Parses the name of a chart, which must end in `.svg`: no other format is written.
pub(crate) fn svg_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        Ok(path)
    } else {
        Err("charts are written as SVG; end the name in .svg".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_are_svg() {
        assert_eq!(svg_path("a/b.SVG"), Ok(PathBuf::from("a/b.SVG")));
        assert!(svg_path("a.png").is_err() && svg_path("a").is_err());
    }
}
