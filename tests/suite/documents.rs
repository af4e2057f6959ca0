//! The commands in the documents are valid, and the targets of their links exist.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use kankei::cli::Cli;

use crate::command_support::words;

const DOCUMENTS: [&str; 20] = [
    "README.md",
    "README.ja.md",
    ".github/CHANGELOG.md",
    ".github/CONTRIBUTING.md",
    "eval/README.md",
    "eval/LABORATORY.md",
    "eval/reports/book.md",
    "eval/reports/strength.md",
    "eval/reports/gui.md",
    "eval/reports/mates.md",
    "eval/reports/nnue.md",
    "eval/reports/mcts/discussion.md",
    "eval/reports/mcts/ladder.md",
    "eval/reports/skill.md",
    "eval/reports/reliability.md",
    "eval/reports/records.md",
    "src/book/BOOK.md",
    "src/csa/CSA.md",
    "src/record/RECORDS.md",
    "src/usi/USI.ja.md",
];

/// The lines in code blocks of a document that start with `kankei`. Comments are removed, and lines
/// with shell variables are skipped.
fn commands(text: &str) -> Vec<String> {
    let code = text.split("```").skip(1).step_by(2).collect::<String>().replace("\\\n", " ");
    let lines = code.lines().map(|line| line.split(" # ").next().unwrap_or_default().trim());
    lines
        .filter(|line| line.starts_with("kankei ") && !line.contains('$'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn commands_in_the_documents_are_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for name in DOCUMENTS {
        let text = fs::read_to_string(root.join(name)).expect(name);
        for command in commands(&text) {
            if let Err(error) = Cli::try_parse_from(words(&command)) {
                panic!("{name}: {command}\n{error}");
            }
            count += 1;
        }
    }
    assert!(count > 20, "only {count} commands found");
}

/// Words and phrases that plain English does without, and what replaces them.
const WORDS: [(&str, &str); 15] = [
    ("mend", "fix"),
    ("mended", "fixed"),
    ("so many", "N, or that many"),
    ("so much", "N, or that much"),
    ("tell", "report, print or show"),
    ("tells", "reports, prints or shows"),
    ("told", "reported, printed or shown"),
    ("says itself", "defines or implements"),
    ("of before", "previous or old"),
    ("beside", "alongside, in addition to or next to"),
    ("wheels", "the name of the mechanism"),
    ("may cost", "costs, with a figure"),
    ("is as good as", "is equal to"),
    ("nothing of weight", "no heavy load"),
    ("what came of", "results"),
];

/// Whether a text has a phrase as whole words. The text is in lower case, with single spaces.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })
}

#[test]
fn texts_are_in_plain_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> =
        ["src", "tests", "benches", "eval", ".github"].map(|name| root.join(name)).into();
    let mut files = vec![root.join("README.md")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("rs" | "md" | "yml") => files.push(path),
                _ => {}
            }
        }
    }
    // This file has the list.
    files.retain(|path| !path.ends_with("tests/suite/documents.rs"));
    assert!(files.len() > 400, "only {} files found", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("a text");
        let comment_marks = ["//!", "///", "//"];
        let text = comment_marks.iter().fold(text, |text, mark| text.replace(mark, " "));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        for (phrase, better) in WORDS {
            assert!(!has_phrase(&text, phrase), "{}: {phrase:?}: write {better}", path.display());
        }
    }
}

#[test]
fn phrases_are_whole_words() {
    assert!(has_phrase("it was told.", "told") && has_phrase("told", "told"));
    assert!(!has_phrase("is_told and untold", "told") && !has_phrase("besides", "beside"));
}

/// The anchor of a heading, as GitHub derives it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_in_the_documents_have_existing_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for name in DOCUMENTS {
        let path = root.join(name);
        let text = fs::read_to_string(&path).expect(name);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains(':')) {
            let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
            let linked = match file {
                "" => path.clone(),
                _ => path.parent().expect("a folder").join(file),
            };
            assert!(linked.exists(), "{name}: {target}");
            if !fragment.is_empty() {
                let linked = fs::read_to_string(linked).expect(target);
                let mut headings = linked.lines().filter(|line| line.starts_with('#'));
                assert!(headings.any(|line| anchor(line) == fragment), "{name}: {target}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "only {count} links found");
}
