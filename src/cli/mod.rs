//! The command line: one subcommand per file, USI without any.
//!
//! Comes in: arguments ([`Cli`]). Goes out: text on standard output, at most one line of error on
//! standard error, and the exit code: 0 fine, 1 a rule suite has wrong lines, 2 bad input, 130
//! interrupted.

mod analyze;
mod bench;
mod book;
mod check;
mod csa;
mod eval;
mod mate;
mod reading;
mod records;
mod usi;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::lab::{commands as lab, experiments};

/// Kankei, a shogi engine. Without a command it speaks USI on standard input and output.
#[derive(Debug, Parser)]
#[command(version, help_template = HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// `kankei --help`: the commands by who uses them.
const HELP: &str = "\
{about}

{usage-heading} {usage}

The engine:
  usi        Speak USI, as without any command
  csa        Play games on a CSA server, such as floodgate
  bench      Search fixed positions: the searcher's signature and speed
  check      Check that the program works on this machine; perft, positions, suites
Positions and games:
  analyze    Search every position of game records: what each move lost
  mate       Look for a mate by checks, in a position or a file of them
  book       Make opening books, search their moves, look into them
  eval       Look into an evaluation
  records    Convert, filter, split and count game records
The laboratory:
  selfplay   Make labelled games of the engine against itself
  learn      Learn the evaluation from games
  ablate     Measure what numbers and techniques of the searcher are worth
  tune       Tune the searcher's numbers by games
  match      Play a match between two engines
  reproduce  Repeat a paper's experiment

See `kankei COMMAND --help` for the options of a command.

Options:
{options}
";

#[derive(Debug, Subcommand)]
enum Command {
    /// Speak USI, as without any command
    Usi(usi::Args),
    /// Play games on a CSA server, such as floodgate
    Csa(csa::Args),
    /// Search fixed positions: the signature and the speed of the searcher
    Bench(bench::Args),
    /// Check that the program works on this machine
    Check(check::Args),
    /// Search every position of game records: what each move lost, mistakes and turning points
    Analyze(analyze::Args),
    /// Look for a mate by checks, in a position or a file of them
    Mate(mate::Args),
    /// Make opening books, search their moves, look into them
    #[command(subcommand)]
    Book(book::BookCommand),
    /// Look into an evaluation
    #[command(subcommand)]
    Eval(eval::EvalCommand),
    /// Convert, filter, split and count game records
    #[command(subcommand)]
    Records(records::Task),
    /// Make labelled games of the engine against itself
    Selfplay(lab::selfplay::Args),
    /// Learn the evaluation from games
    Learn(lab::learn::Args),
    /// Measure what numbers and techniques of the searcher are worth by games against itself
    #[command(alias = "screen")]
    Ablate(lab::ablate::Args),
    /// Tune the searcher's numbers by games against itself
    Tune(lab::tune::Args),
    /// Play a match between two engines
    Match(lab::matches::Args),
    /// Repeat a paper's experiment
    Reproduce(experiments::Args),
    /// `kankei check perft`
    #[command(hide = true)]
    Perft(check::perft::Args),
    /// `kankei check position`
    #[command(hide = true)]
    Show(check::position::Args),
    /// `kankei check suite`
    #[command(hide = true)]
    Suite(check::suite::Args),
}

impl Cli {
    /// Whether the command talks, with a client, a server or engines, and not just prints what it finds.
    pub fn talks(&self) -> bool {
        matches!(self.command, None | Some(Command::Usi(_) | Command::Csa(_) | Command::Match(_)))
    }

    /// Runs the command; prints the error if there is one.
    pub fn run(self) -> ExitCode {
        let result = match self.command {
            None => usi::run(&usi::Args::default()),
            Some(Command::Usi(args)) => usi::run(&args),
            Some(Command::Csa(args)) => csa::run(&args),
            Some(Command::Bench(args)) => bench::run(&args),
            Some(Command::Check(args)) => check::run(&args),
            Some(Command::Analyze(args)) => analyze::run(&args),
            Some(Command::Mate(args)) => mate::run(&args),
            Some(Command::Book(command)) => book::run(&command),
            Some(Command::Eval(command)) => eval::run(&command),
            Some(Command::Records(task)) => records::run(&task),
            Some(Command::Selfplay(args)) => lab::selfplay::run(&args),
            Some(Command::Learn(args)) => lab::learn::run(&args),
            Some(Command::Ablate(args)) => lab::ablate::run(&args),
            Some(Command::Tune(args)) => lab::tune::run(&args),
            Some(Command::Match(args)) => lab::matches::run(&args),
            Some(Command::Reproduce(args)) => experiments::run(&args),
            Some(Command::Perft(args)) => check::perft::run(&args),
            Some(Command::Show(args)) => check::position::run(&args),
            Some(Command::Suite(args)) => check::suite::run(&args),
        };
        result.unwrap_or_else(|error| {
            eprintln!("error: {error}");
            ExitCode::from(2)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_is_in_the_help() {
        let commands = Cli::command();
        let shown = commands.get_subcommands().filter(|command| !command.is_hide_set());
        for command in shown {
            assert!(HELP.contains(&format!("\n  {} ", command.get_name())), "{command}");
        }
    }
}
