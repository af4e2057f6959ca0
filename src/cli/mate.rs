//! `kankei mate`: finds mates and their lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::{CliError, MateCosts, interrupt, parse_position, progress_bar};
use crate::engine::{Control, MateOutcome, MateVerdict, Pv};
use crate::search::{MateSolver, essential_plies};
use crate::shogi::Position;

/// Searches for mates by consecutive checks, with or without the attacker's king.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Position in the form after `position` in USI (quotes are optional), or a file with one per
    /// line
    #[arg(required = true, num_args = 1..)]
    position: Vec<String>,
    /// Milliseconds per position; without it and --nodes, the search ends only with a result
    #[arg(long)]
    ms: Option<u64>,
    /// Nodes per position
    #[arg(long)]
    nodes: Option<u64>,
    /// Maximum memory, MiB
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Search for the shortest mate
    #[arg(long)]
    shortest: bool,
    /// First line of the file to search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from: u32,
}

/// Number of positions with each result.
#[derive(Default)]
struct Tally {
    mates: usize,
    none: usize,
    open: usize,
    unreadable: usize,
    costs: MateCosts,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let mut solver = MateSolver::growing(args.hash as usize);
    if let [name] = &args.position[..]
        && Path::new(name).is_file()
    {
        return run_file(args, &mut solver, &PathBuf::from(name));
    }
    let pos = parse_position(&args.position.join(" "))?;
    let (found, is_shortest, costs) = args.ask(&mut solver, &pos);
    println!("{}\n{costs}", answer(&pos, &found.verdict, is_shortest));
    Ok(if interrupt::is_interrupted() { interrupt::EXIT_CODE.into() } else { ExitCode::SUCCESS })
}

/// Solves the lines of a file in order. Only the text before the first semicolon of a line counts.
fn run_file(args: &Args, solver: &mut MateSolver, path: &Path) -> Result<ExitCode, CliError> {
    let text = fs::read_to_string(path)
        .map_err(|source| CliError::Read { path: path.to_owned(), source })?;
    let lines =
        || text.lines().enumerate().skip(args.from as usize - 1).filter(|line| is_position(line.1));
    let bar = progress_bar(lines().count());
    let mut tally = Tally::default();
    for (number, line) in lines() {
        let sfen = line.split(';').next().unwrap_or_default();
        let said = match parse_position(sfen.trim_start().trim_start_matches("position ")) {
            Ok(pos) => {
                let (found, is_shortest, costs) = args.ask(solver, &pos);
                if interrupt::is_interrupted() {
                    eprintln!("interrupted; use --from {} to continue", number + 1);
                    return Ok(interrupt::EXIT_CODE.into());
                }
                tally.note(&found, &costs);
                answer(&pos, &found.verdict, is_shortest)
            }
            Err(error) => {
                tally.unreadable += 1;
                error.to_string()
            }
        };
        bar.suspend(|| println!("line {}: {said}", number + 1));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let Tally { mates, none, open, unreadable, costs } = &tally;
    println!("{mates} mates, {none} without mate, {open} open, {unreadable} unreadable\n{costs}");
    Ok(if *unreadable > 0 { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

fn is_position(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

impl Args {
    /// The result, whether it is known to be the shortest mate, and its costs. The table is cleared
    /// first, so that the costs do not depend on earlier positions.
    fn ask(&self, solver: &mut MateSolver, pos: &Position) -> (MateOutcome, bool, MateCosts) {
        solver.clear();
        let start = Instant::now();
        let control = Control::new(start);
        if let Some(time) = self.ms.map(Duration::from_millis) {
            control.set_deadlines(start, time, time);
        }
        let must_stop = || interrupt::is_interrupted() || control.must_stop(Duration::ZERO);
        let (mut pos, nodes) = (pos.clone(), self.nodes.unwrap_or(u64::MAX));
        let (found, is_shortest) = if self.shortest {
            solver.solve_shortest(&mut pos, nodes, &must_stop)
        } else {
            (solver.solve(&mut pos, nodes, &must_stop), false)
        };
        let costs = MateCosts::of(start.elapsed(), found.nodes, solver.memory());
        (found, is_shortest, costs)
    }
}

impl Tally {
    fn note(&mut self, found: &MateOutcome, costs: &MateCosts) {
        *match found.verdict {
            MateVerdict::Mate(_) => &mut self.mates,
            MateVerdict::NoMate => &mut self.none,
            MateVerdict::Unknown => &mut self.open,
        } += 1;
        self.costs.add(costs);
    }
}

/// The result in words. The length of a mate excludes useless interpositions at its end, as
/// composers of problems count; the line shows them.
fn answer(pos: &Position, verdict: &MateVerdict, is_shortest: bool) -> String {
    let shortest = if is_shortest { ", the shortest" } else { "" };
    match verdict {
        MateVerdict::Mate(line) => {
            let delay = line.len() - essential_plies(pos, line);
            let delay = match delay {
                0 => String::new(),
                _ => format!(", and {delay} plies of useless interpositions"),
            };
            format!("mate in {}{delay}{shortest}: {}", essential_plies(pos, line), text(line))
        }
        MateVerdict::NoMate => "no mate by checks".to_owned(),
        MateVerdict::Unknown => "open: neither a mate nor its absence was proved".to_owned(),
    }
}

fn text(line: &Pv) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
