//! Next-move problems at a fixed time. What is solved is noted in a file at once, so that a
//! stopped run goes on where it was.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::Variant;
use crate::command::suite_line::{Line, lines};
use crate::command::{CliError, progress_bar, thread_pool};
use crate::engine::{BestMove, Control, Engine, Limits, Settings};
use crate::eval::Evaluation;
use crate::search::FullWidth;
use crate::shogi::{Move, Position};

/// How much to search.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    /// Problems.
    pub count: usize,
    /// Time for each.
    pub time: Duration,
    /// Searched at once.
    pub threads: usize,
}

/// Result of one variant.
#[derive(Clone, Copy, Default)]
pub(super) struct Solved {
    pub right: usize,
    pub total: usize,
    depth: u64,
    nodes: u64,
}

impl Solved {
    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.total.max(1) as f64
    }

    pub fn mean_nodes(&self) -> f64 {
        self.nodes as f64 / self.total.max(1) as f64
    }
}

/// One search, as noted: whether it was right, depth, nodes.
type Note = (bool, u64, u64);

/// Solves the problems with every variant; the order of problems is that of the file, and all
/// variants of a problem are searched one after the other, so that load falls on all alike.
pub(super) fn solve(
    data: &Path,
    out: &Path,
    budget: Budget,
    evaluation: &Evaluation,
    variants: &[Variant],
) -> Result<Vec<Solved>, CliError> {
    let path = data.join("suites/nextmove_suisho.txt");
    let problems = read_problems(&path, budget.count)?;
    let journal_path = out.join(format!("nextmove-{}ms.tsv", budget.time.as_millis()));
    let header = journal_header(&problems, evaluation, variants);
    let noted = read_journal(&journal_path, &header);
    let journal = open_journal(&journal_path, &header, noted.is_empty())
        .map_err(|source| CliError::Write { path: journal_path.clone(), source })?;
    let journal = Mutex::new(journal);
    let bar = progress_bar(problems.len() * variants.len());
    let notes: Vec<Vec<Note>> = thread_pool(budget.threads)?.install(|| {
        problems
            .par_iter()
            .enumerate()
            .map(|(n, problem)| {
                let search = |(v, variant): (usize, &Variant)| {
                    let note = noted.get(&(n, v)).copied().unwrap_or_else(|| {
                        let note = search(problem, evaluation, variant, budget.time);
                        write_note(&journal, n, v, note);
                        note
                    });
                    bar.inc(1);
                    note
                };
                variants.iter().enumerate().map(search).collect()
            })
            .collect()
    });
    bar.finish_and_clear();
    // Its work is done; a later run measures anew.
    let _ = std::fs::remove_file(&journal_path);
    let mut solved = vec![Solved::default(); variants.len()];
    for notes in &notes {
        for (sum, &(right, depth, nodes)) in solved.iter_mut().zip(notes) {
            sum.right += usize::from(right);
            sum.total += 1;
            sum.depth += depth;
            sum.nodes += nodes;
        }
    }
    Ok(solved)
}

fn search(
    (pos, answer): &(Position, Move),
    evaluation: &Evaluation,
    variant: &Variant,
    time: Duration,
) -> Note {
    let mut engine = FullWidth::new(variant.params, evaluation.clone());
    engine.configure(&Settings { hash_mib: 64, ..Settings::default() });
    let start = Instant::now();
    let control = Control::new(start);
    control.set_deadlines(start, time, time);
    let outcome = engine.search(pos, &Limits::default(), &control, &mut |_| ());
    let right = matches!(outcome.best, BestMove::Play(mv, _) if mv == *answer);
    (right, outcome.info.map_or(0, |info| u64::from(info.depth)), outcome.nodes)
}

/// A lost note costs one search after a restart, nothing more.
fn write_note(journal: &Mutex<File>, problem: usize, variant: usize, (right, depth, nodes): Note) {
    if let Ok(mut file) = journal.lock() {
        let _ = writeln!(file, "{problem}\t{variant}\t{}\t{depth}\t{nodes}", u8::from(right));
    }
}

/// What notes must agree on to be of use: the program, what it searches with, and the problems.
fn journal_header(
    problems: &[(Position, Move)],
    evaluation: &Evaluation,
    variants: &[Variant],
) -> String {
    let keys = problems.iter().fold(0, |sum: u64, (pos, _)| sum.rotate_left(1) ^ pos.key());
    // Two evaluations that agree on all of these are the same.
    let values = problems.iter().fold(0, |sum: i64, (pos, _)| {
        sum.wrapping_mul(31) + i64::from(evaluation.evaluate(pos).to_cp())
    });
    let params: Vec<String> =
        variants.iter().map(|variant| format!("{:?}", variant.params)).collect();
    let version = env!("CARGO_PKG_VERSION");
    format!("# {version} {} problems {keys:016x} {values} {}", problems.len(), params.join(" | "))
}

/// Goes on with a journal, or begins a new one.
fn open_journal(path: &Path, header: &str, anew: bool) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if anew {
        std::fs::write(path, format!("{header}\n"))?;
    }
    OpenOptions::new().append(true).open(path)
}

/// Notes of an earlier run of the same kind; lines that were cut off are ignored.
fn read_journal(path: &Path, header: &str) -> HashMap<(usize, usize), Note> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if text.lines().next() != Some(header) {
        return HashMap::new();
    }
    text.lines()
        .filter_map(|line| {
            let mut fields = line.split('\t').map(|field| field.parse::<u64>().ok());
            let mut next = || fields.next().flatten();
            let key = (next()? as usize, next()? as usize);
            Some((key, (next()? != 0, next()?, next()?)))
        })
        .collect()
}

/// `sfen ; best move ; ...` lines.
fn read_problems(path: &PathBuf, count: usize) -> Result<Vec<(Position, Move)>, CliError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| CliError::Read { path: path.clone(), source })?;
    let problem = |line: Line<'_>| {
        let read = || Ok((line.position()?, Line::parse(line.after("best", 0)?)?));
        read().map_err(|reason| CliError::SuiteLine {
            path: path.clone(),
            line: line.number,
            reason,
        })
    };
    lines(&text).take(count).map(problem).collect()
}
