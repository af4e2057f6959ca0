//! The files of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that builds and other programs make.
const MADE: [&str; 3] = [".git", "node_modules", "target"];

/// The files below a folder whose names end in this extension.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.extend((!MADE.iter().any(|made| path.ends_with(made))).then_some(path));
            } else if path.extension().is_some_and(|ending| ending == extension) {
                found.push(path);
            }
        }
    }
    found
}

/// The text of a file of the project.
pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
