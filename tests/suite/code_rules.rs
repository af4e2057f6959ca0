//! Rules of CONTRIBUTING that the compiler does not check: lengths of functions, and unsafe code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::project_files::{files_below, text};

/// Maximum length of a function in lines, and of the functions named below.
const LONGEST: usize = 60;
const LONGEST_NAMED: usize = 150;

/// Functions that may be longer. Each is a sequence of steps to read from top to bottom.
const LONG_FUNCTIONS: [(&str, &str); 11] = [
    ("papers/pairs/experiment/mod.rs", "reproduce"),
    ("search/alpha_beta/node.rs", "prune_node"),
    ("search/alpha_beta/node.rs", "search_node"),
    ("search/alpha_beta/quiescence.rs", "search_moves"),
    ("search/alpha_beta/quiescence.rs", "search_quiescence"),
    ("search/alpha_beta/moves.rs", "search_moves"),
    ("papers/bonanza/searcher/node.rs", "search_moves"),
    ("papers/bonanza/searcher/node.rs", "search_node"),
    ("papers/bonanza/searcher/quiescence.rs", "search_quiescence"),
    ("search/alpha_beta/move_picker.rs", "next"),
    ("shogi/position/play.rs", "do_move_announced"),
];

/// The files that may contain unsafe code. Clippy checks that each block states its reason.
const UNSAFE_FILES: [&str; 6] = [
    "eval/kernel/aarch64.rs",
    "eval/kernel/wasm32.rs",
    "eval/kernel/x86_64.rs",
    "large_pages.rs",
    "search/prefetch.rs",
    "web/exports.rs",
];

/// The source files of the crate, with their paths in `src`.
fn sources() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let named = |path: PathBuf| {
        let name = path.strip_prefix(&folder).expect("a file of the folder");
        (name.to_string_lossy().replace('\\', "/"), text(&path))
    };
    files_below(&folder, "rs").into_iter().map(named).collect()
}

/// Names and lengths of the functions of a formatted file. A function ends at the first closing
/// brace with its own indentation.
fn function_lengths(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let Some((before, after)) = code.split_once("fn ") else { continue };
        let visible = before.strip_prefix("pub(").and_then(|rest| rest.split_once(')'));
        let mut words = visible.map_or(before, |(_, rest)| rest).split_ascii_whitespace();
        let is_head = words.all(|word| ["pub", "const", "unsafe"].contains(&word));
        let end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
        if !is_head || end == 0 {
            continue;
        }
        let is_end =
            |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}'));
        let body = lines[start..].iter().position(is_end).unwrap_or(0);
        // A declaration without a body ends before any such line.
        let head = lines[start..].iter().position(|line| line.ends_with(['{', ';', '}']));
        let has_body = head.is_some_and(|at| lines[start + at].ends_with('{'));
        found.push((&after[..end], if has_body { body + 1 } else { 1 }));
    }
    found
}

#[test]
fn functions_are_short_except_for_the_named_ones() {
    let mut long = BTreeSet::new();
    for (file, text) in &sources() {
        for (name, length) in function_lengths(text) {
            assert!(length <= LONGEST_NAMED, "{file}: {name} has {length} lines");
            if length > LONGEST {
                long.insert((file.clone(), name.to_owned()));
            }
        }
    }
    let named = LONG_FUNCTIONS.map(|(file, name)| (file.to_owned(), name.to_owned()));
    assert_eq!(long, BTreeSet::from(named));
}

#[test]
fn function_lengths_are_measured() {
    let text = "trait T {\n    fn a(&self);\n    fn b(\n        &self,\n    ) -> u8;\n}\n\
                /// See fn x.\npub(super) const fn c() {\n    let f = |x| {\n        x\n    };\n}\n\
                fn d() {}\nfn e<T>(f: fn(T))\nwhere\n    T: Copy,\n{\n}\n";
    let found = function_lengths(text);
    assert_eq!(found, [("a", 1), ("b", 1), ("c", 5), ("d", 1), ("e", 5)]);
}

#[test]
fn unsafe_code_is_in_the_named_files_only() {
    let allows = |text: &str| text.contains("allow(unsafe_code)");
    let found = sources().into_iter().filter(|(_, text)| allows(text));
    assert_eq!(found.map(|(file, _)| file).collect::<Vec<_>>(), UNSAFE_FILES);
}
