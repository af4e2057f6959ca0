//! Next-move problems at a fixed time. Each result is written to a file at once, so that an
//! interrupted run can continue.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::command::suite_line::{Line, lines};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::{BestMove, Control, Engine, Limits, Query, Settings};
use crate::eval::Evaluation;
use crate::file;
use crate::shogi::{Move, Position};

/// A solver of problems.
pub(crate) struct Solver {
    /// Identifies the solver in the file of results.
    pub label: String,
    /// Makes the searcher.
    pub build: Box<dyn Fn() -> Box<dyn Engine> + Sync>,
}

/// Selection of problems from a file.
#[derive(Clone, Copy)]
pub(crate) enum Selection {
    /// The first N.
    First(usize),
    /// N, evenly spaced over the file.
    Spread(usize),
}

/// Amount of search.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    /// The problems.
    pub selection: Selection,
    /// Time per problem.
    pub time: Duration,
    /// Number of problems searched in parallel.
    pub threads: usize,
}

/// Result of one solver.
#[derive(Clone, Copy, Default)]
pub(crate) struct Solved {
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

/// Result of one search: whether it was right, depth, nodes.
type Note = (bool, u64, u64);

/// Solves the problems with every solver, in the order of the file. All solvers search a problem
/// one after the other, so that system load affects all of them. `None` if the user interrupted it;
/// then no further problem is started.
pub(crate) fn solve(
    data: &Path,
    out: &Path,
    budget: Budget,
    evaluation: &Evaluation,
    solvers: &[Solver],
) -> Result<Option<Vec<Solved>>, CliError> {
    let path = data.join("suites/nextmove_suisho.txt");
    let problems = read_problems(&path, budget.selection)?;
    let journal_path = journal_path(out, budget.time);
    let header = journal_header(&problems, evaluation, solvers);
    let noted = read_journal(&journal_path, &header);
    let journal = open_journal(&journal_path, &header, noted.is_empty())
        .map_err(|source| CliError::Write { path: journal_path.clone(), source })?;
    let journal = Mutex::new(journal);
    let bar = progress_bar(problems.len() * solvers.len());
    let notes: Vec<Vec<Note>> = thread_pool(budget.threads)?.install(|| {
        problems
            .par_iter()
            .enumerate()
            .map(|(n, problem)| {
                let search = |(s, solver): (usize, &Solver)| {
                    if interrupt::is_interrupted() {
                        return Note::default();
                    }
                    let note = noted.get(&(n, s)).copied().unwrap_or_else(|| {
                        let note = search(problem, solver, budget.time);
                        write_note(&journal, n, s, note);
                        note
                    });
                    bar.inc(1);
                    note
                };
                solvers.iter().enumerate().map(search).collect()
            })
            .collect()
    });
    bar.finish_and_clear();
    if interrupt::is_interrupted() {
        return Ok(None);
    }
    let mut solved = vec![Solved::default(); solvers.len()];
    for notes in &notes {
        for (sum, &(right, depth, nodes)) in solved.iter_mut().zip(notes) {
            sum.right += usize::from(right);
            sum.total += 1;
            sum.depth += depth;
            sum.nodes += nodes;
        }
    }
    Ok(Some(solved))
}

fn journal_path(out: &Path, time: Duration) -> PathBuf {
    out.join(format!("nextmove-{}ms.tsv", time.as_millis()))
}

/// Removes the results of the searches after the report is written, so that a later run measures
/// again.
pub(crate) fn forget(out: &Path, time: Duration) {
    let _ = std::fs::remove_file(journal_path(out, time));
}

fn search((pos, answer): &(Position, Move), solver: &Solver, time: Duration) -> Note {
    let mut engine = (solver.build)();
    engine.configure(&Settings { hash_mib: 64, ..Settings::default() });
    let start = Instant::now();
    let control = Control::new(start);
    control.set_deadlines(start, time, time);
    let outcome = engine.search(Query::new(pos, &Limits::default(), &control), &mut |_| ());
    let right = matches!(outcome.best, BestMove::Play(mv, _) if mv == *answer);
    (right, outcome.info.map_or(0, |info| u64::from(info.depth)), outcome.nodes)
}

/// A failed write is ignored: after a restart it costs one search.
fn write_note(journal: &Mutex<File>, problem: usize, solver: usize, (right, depth, nodes): Note) {
    if let Ok(mut file) = journal.lock() {
        let _ = writeln!(file, "{problem}\t{solver}\t{}\t{depth}\t{nodes}", u8::from(right));
    }
}

/// The header must be equal for results to be reused: the program, the solvers, and the problems.
fn journal_header(
    problems: &[(Position, Move)],
    evaluation: &Evaluation,
    solvers: &[Solver],
) -> String {
    let keys = problems.iter().fold(0, |sum: u64, (pos, _)| sum.rotate_left(1) ^ pos.key());
    // A hash of the values identifies the evaluation.
    let values = problems.iter().fold(0, |sum: i64, (pos, _)| {
        sum.wrapping_mul(31) + i64::from(evaluation.evaluate(pos).to_cp())
    });
    let labels: Vec<&str> = solvers.iter().map(|solver| solver.label.as_str()).collect();
    let version = env!("CARGO_PKG_VERSION");
    format!("# {version} {} problems {keys:016x} {values} {}", problems.len(), labels.join(" | "))
}

/// Opens a file of results, or creates a new one.
fn open_journal(path: &Path, header: &str, anew: bool) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if anew {
        std::fs::write(path, format!("{header}\n"))?;
    }
    OpenOptions::new().append(true).open(path)
}

/// Results of an earlier run of the same kind; truncated lines are ignored.
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
fn read_problems(path: &Path, selection: Selection) -> Result<Vec<(Position, Move)>, CliError> {
    let text = file::read_to_string(path)
        .map_err(|source| CliError::Read { path: path.to_owned(), source })?;
    let problem = |line: Line<'_>| {
        let read = || Ok((line.position()?, Line::parse(line.after("best", 0)?)?));
        read().map_err(|reason| CliError::SuiteLine {
            path: path.to_owned(),
            line: line.number,
            reason,
        })
    };
    let all: Vec<Line> = lines(&text).collect();
    let chosen: Vec<usize> = match selection {
        Selection::First(count) => (0..count.min(all.len())).collect(),
        Selection::Spread(count) => {
            let count = count.min(all.len());
            (0..count).map(|number| number * all.len() / count.max(1)).collect()
        }
    };
    chosen.into_iter().map(|number| problem(all[number].clone())).collect()
}
