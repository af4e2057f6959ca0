//! The command line: one subcommand per file; USI without a subcommand.
//!
//! Input: arguments ([`Cli`]). Output: text on standard output, and at most one error line on
//! standard error. Exit codes: 0 success, 1 wrong lines in a rule suite, 2 bad input, 130
//! interrupted, 141 nobody reads the output.

mod analyze;
mod bench;
mod book;
mod check;
mod completions;
mod csa;
mod eval;
mod html;
mod learn;
pub mod mate;
mod output;
mod play;
mod printing;
mod reading;
mod records;
mod reproduce;
mod terminal;
mod usi;
mod web_engine;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::command::CliError;
use crate::engines::Searcher;
use crate::eval::register_forms;
use crate::lab::commands as lab;
use crate::papers::bonanza::{FullWidth, hoki};
use crate::papers::mcts::Mcts;
use crate::papers::{pairs, td::features};

/// Makes the searchers and evaluations of the papers known to all commands. Later calls have no
/// effect.
pub fn register_papers() {
    Searcher::register(&[&FullWidth::SEARCHER, &Mcts::SEARCHER]);
    register_forms(&[pairs::form::READER, features::READER, hoki::READER]);
}

/// Kankei, a shogi engine. Without a command, it speaks USI on standard input and output.
#[derive(Debug, Parser)]
#[command(version, help_template = HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The text of `kankei --help`, with the commands grouped by their users.
const HELP: &str = "\
{about}

{usage-heading} {usage}

The engine:
  usi        Speak USI; also the default without a command
  csa        Play games on a CSA server, such as floodgate
  play       Write a page for a browser with the engine in it
  bench      Search fixed positions: signature and speed of the searcher
  check      Test the program on this machine; perft, positions, suites
Positions and games:
  analyze    Search every position of game records; evaluate each move
  mate       Find mates by checks, in a position or a file of positions
  book       Make, search and inspect opening books
  eval       Inspect an evaluation
  records    Convert, filter, split, count and score game records
The laboratory:
  selfplay   Play labelled self-play games
  learn      Learn the evaluation from games
  ablate     Measure the gain of parameters and techniques of the searcher
  match      Play a match between two engines
  reproduce  Reproduce an experiment of a paper
Installation:
  completions  Print completions for a shell, or the manual page

See `kankei COMMAND --help` for the options of a command.

Options:
{options}
";

#[derive(Debug, Subcommand)]
enum Command {
    /// Speak USI; also the default without a command
    Usi(usi::Args),
    Csa(csa::Args),
    /// Write a page for a browser, to play against the engine, analyse and solve
    Play(play::Args),
    /// Search fixed positions: signature and speed of the searcher
    Bench(bench::Args),
    /// Test the program on this machine
    Check(check::Args),
    /// Search every position of game records; find the mistakes and turning points
    Analyze(analyze::Args),
    Mate(mate::Args),
    /// Make, search and inspect opening books
    #[command(subcommand)]
    Book(book::BookCommand),
    /// Inspect an evaluation
    #[command(subcommand)]
    Eval(eval::EvalCommand),
    /// Convert, filter, split, count and score game records
    #[command(subcommand)]
    Records(records::Task),
    /// Play labelled self-play games
    Selfplay(lab::selfplay::Args),
    /// Learn the evaluation from games
    #[command(subcommand)]
    Learn(learn::LearnTask),
    /// Measure the gain of parameters and techniques of the searcher by self-play games
    Ablate(lab::ablate::Args),
    Match(lab::matches::Args),
    /// Reproduce an experiment of a paper
    #[command(subcommand)]
    Reproduce(reproduce::Paper),
    Completions(completions::Args),
}

impl Cli {
    /// Parses the arguments of the process. Prints an error and ends the process if they are
    /// invalid.
    pub fn from_arguments() -> Cli {
        register_papers();
        let matches = with_negative_numbers(Cli::command()).get_matches();
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Whether the command communicates with a client, a server or engines, instead of only
    /// printing results.
    fn talks(&self) -> bool {
        matches!(self.command, None | Some(Command::Usi(_) | Command::Csa(_) | Command::Match(_)))
    }

    /// Runs the command and prints its error, if any.
    pub fn run(self) -> ExitCode {
        printing::handle_failures(self.talks());
        let result = match self.command {
            None => usi::run(&usi::Args::default()),
            Some(Command::Usi(args)) => usi::run(&args),
            Some(Command::Csa(args)) => csa::run(&args),
            Some(Command::Play(args)) => play::run(&args),
            Some(Command::Bench(args)) => bench::run(&args),
            Some(Command::Check(args)) => check::run(&args),
            Some(Command::Analyze(args)) => analyze::run(&args),
            Some(Command::Mate(args)) => mate::run(&args),
            Some(Command::Book(command)) => book::run(&command),
            Some(Command::Eval(command)) => eval::run(&command),
            Some(Command::Records(task)) => records::run(&task),
            Some(Command::Selfplay(args)) => lab::selfplay::run(&args),
            Some(Command::Learn(task)) => learn::run(&task),
            Some(Command::Ablate(args)) => lab::ablate::run(&args),
            Some(Command::Match(args)) => lab::matches::run(&args),
            Some(Command::Reproduce(paper)) => reproduce::run(&paper),
            Some(Command::Completions(args)) => completions::run(&args, Cli::command()),
        };
        result.unwrap_or_else(|error| match error {
            CliError::Print(reason) => ExitCode::from(printing::exit_code(&reason.to_string())),
            error => {
                eprintln!("error: {error}");
                ExitCode::from(2)
            }
        })
    }
}

/// Reads `-5` as a value, not as an option. The error then names the value and the values allowed.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let accept = |arg: clap::Arg| {
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(accept).mut_subcommands(with_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    #[test]
    fn arguments_are_consistent() {
        with_negative_numbers(Cli::command()).debug_assert();
    }

    /// Parses bad values of all arguments; returns the errors.
    fn errors_of_values(command: &clap::Command, path: &[&str]) -> Vec<String> {
        let mut errors = Vec::new();
        for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
            for value in ["x", "-1", "1e30"] {
                let name = arg.get_long().map(|name| format!("--{name}"));
                let count = arg.get_num_args().map_or(1, |range| range.min_values().max(1));
                let values = std::iter::repeat_n(value, count);
                let words = path.iter().copied().chain(name.as_deref()).chain(values);
                let result = with_negative_numbers(Cli::command()).try_get_matches_from(words);
                let error = result.err().filter(|error| error.kind() == ErrorKind::ValueValidation);
                errors.extend(error.map(|error| error.to_string()));
            }
        }
        for inner in command.get_subcommands() {
            errors.extend(errors_of_values(inner, &[path, &[inner.get_name()]].concat()));
        }
        errors
    }

    #[test]
    fn errors_of_numbers_are_no_texts_of_libraries() {
        let errors = errors_of_values(&Cli::command(), &["kankei"]);
        let numbers = errors.iter().filter(|error| error.contains("number from ")).count();
        assert!(numbers > 200, "{numbers}");
        for text in ["invalid digit", "invalid float", "number too", "number would", " is not in "]
        {
            let found = errors.iter().find(|error| error.contains(text));
            assert_eq!(found, None);
        }
    }

    #[test]
    fn every_command_is_in_the_help() {
        for command in Cli::command().get_subcommands() {
            assert!(HELP.contains(&format!("\n  {} ", command.get_name())), "{command}");
        }
    }
}
