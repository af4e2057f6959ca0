//! `kankei mate`: finds mates and their lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::games::each_game;
use crate::command::language::{Language, Text};
use crate::command::notation::{Notation, NotationArg, Wording, json_moves};
use crate::command::{CliError, MateCosts, interrupt, parse_position, progress_bar, texts};
use crate::engine::{Control, MateOutcome, MateVerdict};
use crate::file;
use crate::record::{Format, Game, GameReader, str_lines};
use crate::search::{MateSolver, essential_plies};
use crate::shogi::Position;

/// Searches for mates by consecutive checks, with or without the attacker's king.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Position as in USI (the word `position` and quotes are optional), or a file: one position
    /// per line, or records or diagrams in KIF, KI2, BOD, CSA or JKF. Of a record, the start
    /// position is searched; if that is the usual one, the last position
    #[arg(required = true, num_args = 1.., value_name = "POSITION|FILE")]
    position: Vec<String>,
    /// Milliseconds per position; without it and --nodes, the search ends only with a result
    #[arg(long)]
    ms: Option<u64>,
    /// Nodes per position
    #[arg(long)]
    nodes: Option<u64>,
    /// Maximum memory, MiB
    #[arg(long, default_value_t = 1024, value_parser = crate::command::hash_mib::<u32>)]
    hash: u32,
    /// Search for the shortest mate
    #[arg(long)]
    shortest: bool,
    /// First line or record of the file to search
    #[arg(long, default_value_t = 1, value_parser = crate::command::at_least_one::<u32>)]
    from: u32,
    #[command(flatten)]
    notation: NotationArg,
    /// Print one JSON object per position instead
    #[arg(long)]
    json: bool,
}

/// A position of a file, or why it cannot be read.
type Problem = Result<Position, CliError>;

/// The place of a problem in its file: a line or a game, with its number from 1.
#[derive(Clone, Copy)]
struct Place {
    name: Text<1>,
    number: usize,
}

impl Place {
    /// Formats as `line 3` or `game 3`.
    fn text(self, language: Language) -> String {
        self.name.with(language, [&self.number])
    }
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
        && is_file_name(name)
    {
        return run_file(args, &mut solver, &PathBuf::from(name));
    }
    let pos = parse_position(&args.position.join(" "))?;
    let (found, is_shortest, costs) = args.ask(&mut solver, &pos);
    if args.json {
        println!("{}", json(None, &pos, &found, is_shortest, &costs));
    } else {
        let wording = args.notation.wording();
        let answer = answer(wording, &pos, &found.verdict, is_shortest);
        println!("{answer}\n{}", costs.text(wording.language));
    }
    Ok(if interrupt::is_interrupted() { interrupt::EXIT_CODE.into() } else { ExitCode::SUCCESS })
}

/// Whether a single word names a file: the file exists, or the word is not a position.
fn is_file_name(word: &str) -> bool {
    let is_position = word == "startpos" || word.contains(' ') || word.matches('/').count() == 8;
    Path::new(word).is_file() || !is_position
}

/// The positions of a file with their places.
fn problems(path: &Path) -> Result<Vec<(Place, Problem)>, CliError> {
    let unreadable = |source| CliError::Read { path: path.to_owned(), source };
    fs::metadata(path).map_err(unreadable)?;
    let is_text = |format| matches!(format, Format::Usi | Format::Labelled);
    let format = GameReader::open(path).map(|reader| reader.format());
    let is_record = path.is_dir() || format.is_ok_and(|format| !is_text(format));
    let mut problems = Vec::new();
    if is_record {
        each_game(&[path.to_owned()], |game| {
            let place = Place { name: texts::GAME_NUMBER, number: problems.len() + 1 };
            problems.push((place, Ok(problem(&game))));
            Ok(())
        })?;
        return Ok(problems);
    }
    let text = file::read_to_string(path).map_err(unreadable)?;
    for (number, line) in str_lines(&text).enumerate().filter(|line| is_position(line.1)) {
        // Only the text before the first semicolon or comment of a line counts.
        let sfen = line.split([';', '#']).next().unwrap_or_default();
        let pos = parse_position(sfen);
        problems.push((Place { name: texts::LINE_NUMBER, number: number + 1 }, pos));
    }
    Ok(problems)
}

/// The position of a record that is searched.
fn problem(game: &Game) -> Position {
    if game.is_from_usual_start() { game.replay(|_, _| ()) } else { game.start_position() }
}

/// Solves the positions of a file in order.
fn run_file(args: &Args, solver: &mut MateSolver, path: &Path) -> Result<ExitCode, CliError> {
    let mut problems = problems(path)?;
    let number_read = problems.len();
    problems.retain(|(place, _)| place.number >= args.from as usize);
    if problems.is_empty() {
        let path = path.to_owned();
        return Err(CliError::NoProblem { path, count: number_read, from: args.from });
    }
    let bar = progress_bar(problems.len());
    let mut tally = Tally::default();
    let wording = args.notation.wording();
    let language = wording.language;
    for (place, problem) in problems {
        // Programs read the names in English.
        let name = place.text(Language::English);
        let text = match problem {
            Ok(pos) => {
                let (found, is_shortest, costs) = args.ask(solver, &pos);
                if interrupt::is_interrupted() {
                    eprintln!("{}", texts::CONTINUE_FROM.with(language, [&place.number]));
                    return Ok(interrupt::EXIT_CODE.into());
                }
                tally.note(&found, &costs);
                if args.json {
                    json(Some(&name), &pos, &found, is_shortest, &costs).to_string()
                } else {
                    let answer = answer(wording, &pos, &found.verdict, is_shortest);
                    format!("{}: {answer}", place.text(language))
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
    let Tally { mates, none, open, unreadable, costs } = &tally;
    if !args.json {
        let mates = texts::MATES.count(language, *mates);
        println!("{}", texts::MATES_TALLY.with(language, [&mates, none, open, unreadable]));
        println!("{}", costs.text(language));
    }
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
fn answer(wording: Wording, pos: &Position, verdict: &MateVerdict, is_shortest: bool) -> String {
    let Wording { notation, language } = wording;
    let shortest = if is_shortest { texts::SHORTEST.get(language) } else { "" };
    match verdict {
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
    }
}

/// The result as JSON.
fn json(
    name: Option<&str>,
    pos: &Position,
    found: &MateOutcome,
    is_shortest: bool,
    costs: &MateCosts,
) -> serde_json::Value {
    let (verdict, line): (&str, &[_]) = match &found.verdict {
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
        object["shortest"] = is_shortest.into();
        object["moves"] = json_moves(line);
        object["japanese"] = Notation::Japanese.line(pos, line).into();
    }
    object["nodes"] = found.nodes.into();
    object["seconds"] = costs.seconds().into();
    object
}
