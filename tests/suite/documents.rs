//! The commands in the documents are valid, and the targets of their links exist.

use std::fs;
use std::path::Path;

use clap::Parser;
use kankei::cli::Cli;

use crate::command_support::words;

const DOCUMENTS: [&str; 13] = [
    "README.md",
    "README.ja.md",
    "eval/README.md",
    "eval/LABORATORY.md",
    "eval/reports/strength.md",
    "eval/reports/gui.md",
    "eval/reports/mates.md",
    "eval/reports/nnue.md",
    "eval/reports/mcts/discussion.md",
    "eval/reports/mcts/ladder.md",
    "eval/reports/skill.md",
    "eval/reports/reliability.md",
    "eval/reports/records.md",
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

#[test]
fn links_in_the_documents_have_existing_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for name in DOCUMENTS {
        let path = root.join(name);
        let text = fs::read_to_string(&path).expect(name);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for target in targets.filter(|target| !target.is_empty() && !target.contains(':')) {
            assert!(path.parent().expect("a folder").join(target).exists(), "{name}: {target}");
            count += 1;
        }
    }
    assert!(count > 20, "only {count} links found");
}
