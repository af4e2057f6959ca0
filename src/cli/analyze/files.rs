//! The files of pictures and pages, of which each game has its own.

use std::path::{Path, PathBuf};

use crate::command::CliError;
use crate::command::output::create_folder;
use crate::file::with_suffix;

/// The files of one output for each game: FILE.svg, FILE-2.svg, ...; none without a file.
pub(super) fn numbered(path: Option<&Path>, games: usize) -> Vec<PathBuf> {
    let Some(path) = path else { return Vec::new() };
    let name = |number: usize| match (number, path.file_stem(), path.extension()) {
        (2.., Some(stem), Some(extension)) => path.with_file_name(format!(
            "{}-{number}.{}",
            stem.to_string_lossy(),
            extension.to_string_lossy()
        )),
        (2.., ..) => with_suffix(path, &format!("-{number}")),
        _ => path.to_owned(),
    };
    (1..=games).map(name).collect()
}

/// The files of pages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PageFiles {
    /// One for each game.
    pub games: Vec<PathBuf>,
    /// The list of the pages, if they are in a folder.
    pub index: Option<PathBuf>,
    /// The engine, if the pages are in a folder and share one.
    pub engine: Option<PathBuf>,
}

/// The name of the engine in a folder of pages.
pub(super) const ENGINE: &str = "kankei-engine.js";

impl PageFiles {
    /// The files of `--html`: FILE, FILE-2, ...; or `000001.html`, ... and `index.html` in a folder,
    /// which exists or has a name that ends like one. A folder has one engine for all pages.
    pub fn of(html: Option<&Path>, games: usize, has_engine: bool) -> PageFiles {
        let is_folder = |path: &Path| {
            path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
        };
        match html.filter(|path| is_folder(path)) {
            None => PageFiles { games: numbered(html, games), index: None, engine: None },
            Some(folder) => {
                let page = |number: usize| folder.join(format!("{number:06}.html"));
                PageFiles {
                    games: (1..=games).map(page).collect(),
                    index: Some(folder.join("index.html")),
                    engine: has_engine.then(|| folder.join(ENGINE)),
                }
            }
        }
    }

    /// All files.
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.games.iter().chain(&self.index).chain(&self.engine)
    }

    /// Creates the folder, if the pages have one.
    pub fn create_folder(&self) -> Result<(), CliError> {
        self.index.as_deref().and_then(Path::parent).map_or(Ok(()), create_folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_numbered_or_in_a_folder() {
        let names = |files: PageFiles| -> Vec<String> {
            files.all().map(|path| path.to_string_lossy().replace('\\', "/")).collect()
        };
        assert_eq!(names(PageFiles::of(None, 2, true)), Vec::<String>::new());
        let files = |name: &str| names(PageFiles::of(Some(Path::new(name)), 2, false));
        assert_eq!(files("a/b.html"), ["a/b.html", "a/b-2.html"]);
        assert_eq!(files("a/b/"), ["a/b/000001.html", "a/b/000002.html", "a/b/index.html"]);
        // A page alone has the engine in it.
        let files = |name: &str| names(PageFiles::of(Some(Path::new(name)), 1, true));
        assert_eq!(files("a/b.html"), ["a/b.html"]);
        assert_eq!(files("a/b/"), ["a/b/000001.html", "a/b/index.html", "a/b/kankei-engine.js"]);
    }
}
