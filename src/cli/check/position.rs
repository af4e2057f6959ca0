//! `kankei check position`: describes a position by the rules.

use std::process::ExitCode;

use crate::command::language::Language;
use crate::command::texts::side_name;
use crate::command::{CliError, parse_position};
use crate::quote::count;
use crate::shogi::{Position, Scope, movegen};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Position: `startpos` or an SFEN, optionally followed by `moves` and a list; quotes are
    /// optional
    #[arg(required = true, num_args = 1..)]
    sfen: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    print!("{}", describe(&parse_position(&args.sfen.join(" "))?));
    Ok(ExitCode::SUCCESS)
}

/// The drawing (hands, board, SFEN), check state and number of legal moves.
fn describe(pos: &Position) -> String {
    let moves = movegen::legal_moves(pos, Scope::LEGAL);
    let side = side_name(Language::English, pos.side_to_move());
    let check = match (pos.in_check(), moves.is_empty()) {
        (true, true) => ", checkmate",
        (true, false) => ", in check",
        (false, true) => ", no legal move",
        (false, false) => "",
    };
    let by = if pos.in_check() { " by" } else { "" };
    let checkers: String = pos.checkers().iter().map(|sq| format!(" {sq}")).collect();
    let moves = count(moves.len(), "legal move");
    format!("{pos}\n{side} to move{check}{by}{checkers}\n{moves}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_and_mate_are_described() {
        let text = |sfen| describe(&Position::from_sfen(sfen).expect("valid"));
        let start = describe(&Position::startpos());
        assert!(start.ends_with("Black to move\n30 legal moves\n"), "{start}");
        let mate = text("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
        assert!(mate.ends_with("White to move, checkmate by 5b\n0 legal moves\n"), "{mate}");
        let check = text("4k4/4G4/9/9/9/9/9/9/4K4 w p 1");
        assert!(check.contains("White holds p"), "{check}");
        assert!(check.ends_with("White to move, in check by 5b\n1 legal move\n"), "{check}");
    }
}
