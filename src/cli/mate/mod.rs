//! `kankei mate`: finds mates and their lines.

mod check;
mod problem;
pub mod solutions;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::language::Language;
use crate::command::notation::{Notation, NotationArg, Wording, json_moves};
use crate::command::{CliError, MateCosts, interrupt, number_in, progress_bar, texts};
use crate::engine::{Control, MateOutcome, MateVerdict};
use crate::search::{MateSolver, essential_plies};
use check::Check;
use problem::Problem;

/// Find mates by checks, in a position or a file of positions.
///
/// The attacker's king may be missing. The first mate found is improved up to the limit, or until no
/// shorter one exists; without a limit, with at most ten times the nodes that found it (at least
/// 5,000,000).
///
/// The length of a mate excludes interpositions at its end that the checking piece captures with
/// mate. With --check, a problem is sound if at each move of the attacker on the main line, no other
/// check mates, in however many plies. Not counted: other last moves, promotion instead of
/// non-promotion and the reverse, detours back to an earlier position, and moves after other replies
/// of the defender. The main line is the given solution, if its length is right.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Position in the form after `position` in USI (quotes are optional), or a file: one position
    /// per line, or records or diagrams in KIF, KI2, BOD, CSA or JKF. Of a record, the start
    /// position is searched; if that is the usual one, the last position
    #[arg(required = true, num_args = 1.., value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// Milliseconds per position; without it and --nodes, the search ends only with a result
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    ms: Option<u64>,
    /// Nodes per position
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    nodes: Option<u64>,
    /// Maximum memory, MiB
    #[arg(long, default_value_t = 1024, value_parser = crate::command::hash_mib::<u32>)]
    hash: u32,
    /// End with the first mate found
    #[arg(long, conflicts_with_all = ["shortest", "check", "all"])]
    first: bool,
    /// Without a limit, search until no shorter mate exists, however long it takes
    #[arg(long)]
    shortest: bool,
    /// Print whether each problem is sound: the solution is unique, of the given length (`; mate 5`
    /// after the position, `; ` and the moves, or the moves of the record), and exists
    #[arg(long)]
    check: bool,
    /// Check, and find up to this many solutions, with the main line [default with --check: 10]
    #[arg(long, value_name = "N", value_parser = number_in(2..=MOST_SOLUTIONS))]
    all: Option<u32>,
    /// First line or record of the file to search
    #[arg(long, default_value_t = 1, value_parser = crate::command::at_least_one::<u32>)]
    from: u32,
    #[command(flatten)]
    notation: NotationArg,
    /// Print one JSON object per position instead
    #[arg(long)]
    json: bool,
}

/// Maximum of `--all`.
const MOST_SOLUTIONS: u32 = 1_000;
/// Number of solutions to find if `--all` does not set it.
const USUAL_SOLUTIONS: u32 = 10;

/// The result of one problem.
struct Solved {
    found: MateOutcome,
    /// Whether the mate is known to be the shortest.
    is_shortest: bool,
    check: Option<Check>,
    costs: MateCosts,
}

/// Number of positions with each result.
#[derive(Default)]
struct Tally {
    mates: usize,
    none: usize,
    open: usize,
    unreadable: usize,
    /// Of the checks: sound, unsound, undecided.
    checks: [usize; 3],
    costs: MateCosts,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let mut solver = MateSolver::growing(args.hash as usize);
    if let [name] = &args.position[..]
        && is_file_name(name)
    {
        return run_file(args, &mut solver, &PathBuf::from(name));
    }
    if args.position.len() > 1 && args.position.iter().all(|word| Path::new(word).exists()) {
        return Err(CliError::SeveralFiles(args.position.clone()));
    }
    let position = args.position.join(OsStr::new(" "));
    let problem = Problem::of_line(&position.to_string_lossy())?;
    let solved = args.ask(&mut solver, &problem);
    if args.json {
        println!("{}", solved.json(None, &problem));
    } else {
        let wording = args.notation.wording();
        let text = solved.text(wording, &problem);
        println!("{text}\n{}", solved.costs.text(wording.language));
    }
    Ok(if interrupt::is_interrupted() { interrupt::EXIT_CODE.into() } else { ExitCode::SUCCESS })
}

/// Whether a single word names a file: the file exists, or the word is not a position.
fn is_file_name(name: &OsStr) -> bool {
    let word = name.to_string_lossy();
    let is_position = word == "startpos" || word.contains(' ') || word.matches('/').count() == 8;
    Path::new(name).is_file() || !is_position
}

/// Solves the positions of a file in order.
fn run_file(args: &Args, solver: &mut MateSolver, path: &Path) -> Result<ExitCode, CliError> {
    let (mut problems, unreadable) = problem::problems(path)?;
    let number_read = problems.len();
    problems.retain(|(place, _)| place.number >= args.from as usize);
    if problems.is_empty() {
        let path = path.to_owned();
        return Err(CliError::NoProblem { path, count: number_read, from: args.from });
    }
    let bar = progress_bar(problems.len());
    let mut tally = Tally { unreadable, ..Tally::default() };
    let wording = args.notation.wording();
    let language = wording.language;
    for (place, problem) in problems {
        // Programs read the names in English.
        let name = place.text(Language::English);
        let text = match problem {
            Ok(problem) => {
                let solved = args.ask(solver, &problem);
                if interrupt::is_interrupted() {
                    eprintln!("{}", texts::CONTINUE_FROM.with(language, [&place.number]));
                    return Ok(interrupt::EXIT_CODE.into());
                }
                tally.note(&solved);
                if args.json {
                    solved.json(Some(&name), &problem).to_string()
                } else {
                    format!("{}: {}", place.text(language), solved.text(wording, &problem))
                }
            }
            Err(error) => {
                tally.unreadable += 1;
                if args.json {
                    serde_json::json!({ "name": name, "error": error.to_string() }).to_string()
                } else {
                    format!("{}: {error}", place.text(language))
                }
            }
        };
        bar.suspend(|| println!("{text}"));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !args.json {
        println!("{}", tally.text(language));
    }
    Ok(if tally.unreadable > 0 { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

impl Args {
    /// Solves a problem. The table is cleared first, so that the costs do not depend on earlier
    /// problems.
    fn ask(&self, solver: &mut MateSolver, problem: &Problem) -> Solved {
        solver.clear();
        let start = Instant::now();
        let control = Control::new(start);
        if let Some(time) = self.ms.map(Duration::from_millis) {
            control.set_deadlines(start, time, time);
        }
        let must_stop = || interrupt::is_interrupted() || control.must_stop(Duration::ZERO);
        let (mut pos, nodes) = (problem.pos.clone(), self.nodes.unwrap_or(u64::MAX));
        let mut found = solver.solve(&mut pos, nodes, &must_stop);
        let mut is_shortest = false;
        if !self.first {
            let is_limited = self.ms.is_some() || self.nodes.is_some() || self.shortest;
            let further = if is_limited {
                nodes.saturating_sub(found.nodes)
            } else {
                MateSolver::improvement_nodes(found.nodes)
            };
            (found, is_shortest) = solver.shorten(&mut pos, found, further, &must_stop);
        }
        let check = self.most_solutions().map(|most| {
            let left = nodes.saturating_sub(found.nodes);
            Check::run(problem, (&found, is_shortest), most, solver, left, &must_stop)
        });
        found.nodes += check.as_ref().map_or(0, |check| check.others.nodes);
        let costs = MateCosts::of(start.elapsed(), found.nodes, solver.memory());
        Solved { found, is_shortest, check, costs }
    }

    /// Maximum number of solutions to find; `None` without a check.
    fn most_solutions(&self) -> Option<usize> {
        let usual = self.check.then_some(USUAL_SOLUTIONS);
        self.all.or(usual).map(|most| most as usize)
    }
}

impl Tally {
    fn note(&mut self, solved: &Solved) {
        *match solved.found.verdict {
            MateVerdict::Mate(_) => &mut self.mates,
            MateVerdict::NoMate => &mut self.none,
            MateVerdict::Unknown => &mut self.open,
        } += 1;
        if let Some(check) = &solved.check {
            let at = check.is_sound().map_or(2, |is_sound| usize::from(!is_sound));
            self.checks[at] += 1;
        }
        self.costs.add(&solved.costs);
    }

    fn text(&self, language: Language) -> String {
        let Tally { mates, none, open, unreadable, checks, costs } = self;
        let mates = texts::MATES.count(language, *mates);
        let mut text = texts::MATES_TALLY.with(language, [&mates, none, open, unreadable]);
        let [sound, unsound, undecided] = checks;
        if sound + unsound + undecided > 0 {
            text += &texts::CHECKS_TALLY.with(language, [sound, unsound, undecided]);
        }
        format!("{text}\n{}", costs.text(language))
    }
}

impl Solved {
    /// The result in words. The length of a mate excludes useless interpositions at its end, as
    /// composers of problems count; the line shows them.
    fn text(&self, wording: Wording, problem: &Problem) -> String {
        let pos = &problem.pos;
        let Wording { notation, language } = wording;
        let shortest = if self.is_shortest { texts::SHORTEST.get(language) } else { "" };
        let answer = match &self.found.verdict {
            MateVerdict::Mate(line) => {
                let plies = essential_plies(pos, line);
                let delay = match line.len() - plies {
                    0 => String::new(),
                    delay => texts::INTERPOSITIONS.with(language, [&delay]),
                };
                let line = notation.line(pos, line);
                texts::MATE_IN.with(language, [&plies, &delay, &shortest, &line])
            }
            MateVerdict::NoMate => texts::NO_MATE.get(language).to_owned(),
            MateVerdict::Unknown => texts::OPEN.get(language).to_owned(),
        };
        let check = self.check.as_ref().map(|check| check.text(wording, problem));
        answer + &check.unwrap_or_default()
    }

    /// The result as JSON.
    fn json(&self, name: Option<&str>, problem: &Problem) -> serde_json::Value {
        let pos = &problem.pos;
        let (verdict, line): (&str, &[_]) = match &self.found.verdict {
            MateVerdict::Mate(line) => ("mate", line),
            MateVerdict::NoMate => ("no mate", &[]),
            MateVerdict::Unknown => ("open", &[]),
        };
        let mut object = serde_json::json!({ "position": pos.to_sfen(), "verdict": verdict });
        if let Some(name) = name {
            object["name"] = name.into();
        }
        if !line.is_empty() {
            object["plies"] = essential_plies(pos, line).into();
            object["shortest"] = self.is_shortest.into();
            object["moves"] = json_moves(line);
            object["japanese"] = Notation::Japanese.line(pos, line).into();
        }
        if let Some(check) = &self.check {
            check.add_to(&mut object, problem);
        }
        object["nodes"] = self.found.nodes.into();
        object["seconds"] = self.costs.seconds().into();
        object
    }
}
