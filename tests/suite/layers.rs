//! Imports point downwards only: the root modules that each root module may use.

use std::path::{Path, PathBuf};

use crate::project_files::{files_below, text};

/// The modules from the bottom to the top, each with the other modules that it may use.
const LAYERS: [(&str, &[&str]); 18] = [
    ("file", &[]),
    ("large_pages", &[]),
    ("quote", &[]),
    ("rng", &[]),
    ("shogi", &["quote", "rng"]),
    ("record", &["file", "quote", "shogi"]),
    ("eval", &["file", "quote", "rng", "shogi"]),
    ("engine", &["eval", "record", "shogi"]),
    ("search", &["engine", "eval", "large_pages", "rng", "shogi"]),
    ("book", &["engine", "eval", "file", "quote", "record", "rng", "shogi"]),
    ("usi", &["book", "engine", "eval", "file", "quote", "record", "rng", "shogi"]),
    ("engines", &["engine", "eval", "quote", "rng", "search", "shogi", "usi"]),
    ("web", &["engine", "engines", "eval", "quote", "record", "search", "shogi", "usi"]),
    ("csa", &["engine", "eval", "file", "quote", "record", "shogi"]),
    (
        "command",
        &[
            "book", "csa", "engine", "engines", "eval", "file", "quote", "record", "rng", "search",
            "shogi", "usi",
        ],
    ),
    (
        "lab",
        &[
            "command", "engine", "engines", "eval", "file", "quote", "record", "rng", "search",
            "shogi",
        ],
    ),
    (
        "papers",
        &[
            "command",
            "engine",
            "engines",
            "eval",
            "file",
            "lab",
            "large_pages",
            "quote",
            "record",
            "rng",
            "search",
            "shogi",
        ],
    ),
    (
        "cli",
        &[
            "book", "command", "csa", "engine", "engines", "eval", "file", "lab", "papers",
            "quote", "record", "rng", "search", "shogi", "usi",
        ],
    ),
];

/// The root modules that occur after `crate::` in code. Comments may name any module.
fn used(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let word = |after: &str| after.find(|c: char| !c.is_ascii_lowercase() && c != '_');
    code.flat_map(|line| line.split("crate::").skip(1))
        .map(|after| &after[..word(after).unwrap_or(after.len())])
        .collect()
}

/// The first module that this text uses although `module` may not use it.
fn forbidden<'a>(module: &str, text: &'a str) -> Option<&'a str> {
    let (_, below) = LAYERS.iter().find(|layer| layer.0 == module).expect(module);
    used(text).into_iter().find(|name| *name != module && !below.contains(name))
}

/// The source files of a module: `NAME.rs`, or those below the folder `NAME`.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() { files_below(path, "rs") } else { vec![path.with_extension("rs")] }
}

#[test]
fn imports_point_downwards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (index, (module, below)) in LAYERS.iter().enumerate() {
        for name in *below {
            assert!(LAYERS[..index].iter().any(|layer| layer.0 == *name), "{module} above {name}");
        }
        for path in files(&root.join(module)) {
            assert_eq!(forbidden(module, &text(&path)), None, "used by {}", path.display());
        }
    }
    // Every module must be in the list.
    let lib = text(&root.join("lib.rs"));
    let modules: Vec<&str> =
        lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(modules.len(), LAYERS.len());
    assert!(modules.iter().all(|module| LAYERS.iter().any(|layer| layer.0 == *module)));
}

#[test]
fn upward_imports_are_found() {
    let text = "//! See [`crate::cli`].\nuse crate::shogi::Move;\nuse crate::eval;\n";
    assert_eq!(forbidden("eval", text), None);
    assert_eq!(forbidden("eval", "use crate::search::AlphaBeta;"), Some("search"));
    assert_eq!(
        forbidden("usi", "    let solver = crate::search::MateSolver::new(1);"),
        Some("search")
    );
    // One path per line is required, because a list in braces would hide paths.
    assert_eq!(forbidden("eval", "use crate::{shogi, search};"), Some(""));
}
