//! Next-move problems at a fixed time. Each result is written to a file at once, so that an
//! interrupted run can continue.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::command::run_log::{Earlier, RunLog};
use crate::command::suite_line::{Line, lines};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::{BestMove, Control, Engine, Limits, Query, Settings};
use crate::eval::Evaluation;
use crate::file;
use crate::lab::description::identity;
use crate::lab::in_order::InOrder;
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
    let problems = read_problems(data, budget.selection)?;
    let path = journal_path(out, budget.time);
    std::fs::create_dir_all(out)
        .map_err(|source| CliError::Write { path: out.to_owned(), source })?;
    let header = journal_header(&problems, evaluation, solvers);
    let parse = |line: &str| read_notes(line).filter(|notes| notes.len() == solvers.len());
    let (mut journal, mut notes) =
        RunLog::open_steps(&path, &header, Earlier::Resume, "result", parse)?;
    let bar = progress_bar(problems.len()).with_position(notes.len() as u64);
    bar.reset_eta();
    let search_all = |_: &mut (), number: u64, is_over: &dyn Fn() -> bool| {
        let problem = &problems[number as usize];
        let note = |solver| (!is_over()).then(|| search(problem, solver, budget.time));
        solvers.iter().map(note).collect::<Option<Vec<Note>>>()
    };
    let series = InOrder {
        numbers: notes.len() as u64..problems.len() as u64,
        start: &|| (),
        work: &search_all,
        is_stopped: &interrupt::is_interrupted,
    };
    series.run(&thread_pool(budget.threads)?, |of_problem| -> Result<(), CliError> {
        journal.add(write_notes(&of_problem).as_bytes())?;
        notes.push(of_problem);
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    if notes.len() < problems.len() {
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

/// The results of all solvers for a problem: a line of three numbers for each.
fn write_notes(notes: &[Note]) -> String {
    let text = |&(right, depth, nodes): &Note| format!("{}\t{depth}\t{nodes}", u8::from(right));
    notes.iter().map(text).collect::<Vec<_>>().join("\t") + "\n"
}

fn read_notes(line: &str) -> Option<Vec<Note>> {
    let numbers = line.split('\t').map(|field| field.parse().ok());
    let numbers = numbers.collect::<Option<Vec<u64>>>()?;
    let (notes, []) = numbers.as_chunks::<3>() else { return None };
    Some(notes.iter().map(|&[right, depth, nodes]| (right != 0, depth, nodes)).collect())
}

/// The header of the file of results: the program, the solvers, and the problems. A run continues
/// only with an equal header.
fn journal_header(
    problems: &[(Position, Move)],
    evaluation: &Evaluation,
    solvers: &[Solver],
) -> String {
    let keys = problems.iter().fold(0, |sum: u64, (pos, _)| sum.rotate_left(1) ^ pos.key());
    let labels: Vec<&str> = solvers.iter().map(|solver| solver.label.as_str()).collect();
    let (program, labels) = (identity(evaluation), labels.join(" | "));
    format!("# {program} {} problems {keys:016x} {labels}", problems.len())
}

/// Refuses data without the problems.
pub(crate) fn check(data: &Path, selection: Selection) -> Result<(), CliError> {
    read_problems(data, selection).map(|_| ())
}

/// `sfen ; best move ; ...` lines.
fn read_problems(data: &Path, selection: Selection) -> Result<Vec<(Position, Move)>, CliError> {
    let path = &data.join("suites/nextmove_suisho.txt");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_a_problem_are_a_line() {
        let notes = [(true, 7, 12_345), (false, 0, 1)];
        assert_eq!(write_notes(&notes), "1\t7\t12345\t0\t0\t1\n");
        assert_eq!(read_notes("1\t7\t12345\t0\t0\t1"), Some(notes.to_vec()));
        assert_eq!([read_notes("1\t7"), read_notes("1\t7\tx")], [None, None]);
    }
}
