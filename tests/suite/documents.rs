//! The commands in the documents are valid, and the targets of their links exist.

use std::path::Path;

use clap::Parser;
use kankei::cli::Cli;

use crate::command_support::words;
use crate::project_files::{files_below, text};

const DOCUMENTS: [&str; 23] = [
    "README.md",
    "README.ja.md",
    ".github/CHANGELOG.md",
    ".github/CONTRIBUTING.md",
    "eval/README.md",
    "eval/LABORATORY.md",
    "eval/reports/analysis.md",
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
    "src/cli/mate/MATE.md",
    "src/csa/CSA.md",
    "src/record/RECORDS.md",
    "src/record/RECORDS.ja.md",
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
        for command in commands(&text(&root.join(name))) {
            if let Err(error) = Cli::try_parse_from(words(&command)) {
                panic!("{name}: {command}\n{error}");
            }
            count += 1;
        }
    }
    assert!(count > 20, "only {count} commands found");
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
    for path in files_below(root, "md") {
        let name = path.display();
        let text = text(&path);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains(':')) {
            let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
            let linked = match file {
                "" => path.clone(),
                _ => path.parent().expect("a folder").join(file),
            };
            assert!(linked.exists(), "{name}: {target}");
            if !fragment.is_empty() {
                let linked = self::text(&linked);
                let mut headings = linked.lines().filter(|line| line.starts_with('#'));
                assert!(headings.any(|line| anchor(line) == fragment), "{name}: {target}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "only {count} links found");
}
