//! Output of the console commands.

use super::options::{OptionError, Options};
use super::output::SharedOutput;
use super::response::printable;
use crate::shogi::movegen::legal_moves;
use crate::shogi::perft::{MAX_DEPTH, divide};
use crate::shogi::{Position, Scope};

const HELP: &str = "\
usi, isready, usinewgame, position, go, stop, ponderhit, quit: as in the USI protocol
new                the start position
7g7f               in a terminal: plays a move, in USI or Japanese notation
go                 in a terminal, without limits: thinks for 3 s and plays the move
undo               takes back a move
d                  the board and its SFEN
moves              legal moves
eval               the score by its parts
perft D            leaves at depth D, by first move
bench [--nodes N | --depth N] [--hash MIB]
                   searches fixed positions with the options that are set
compiler           version, system and CPU kernel of the program
getoption [NAME]   the value of an option, or of all
help               this text

Options:";

pub(super) fn write_moves(pos: &Position, output: &SharedOutput) {
    let moves: Vec<String> =
        legal_moves(pos, Scope::LEGAL).iter().map(ToString::to_string).collect();
    if moves.is_empty() {
        output.remark("no legal move");
    } else {
        output.write(&moves.join(" "));
    }
}

pub(super) fn write_perft(pos: &Position, depth: u32, output: &SharedOutput) {
    if depth > MAX_DEPTH {
        output.remark(&format!("perft {depth}: the maximum depth is {MAX_DEPTH}"));
        return;
    }
    let divided = if depth == 0 { Vec::new() } else { divide(pos, depth) };
    for (mv, leaves) in &divided {
        output.write(&format!("{mv}: {leaves}"));
    }
    let leaves: u64 = divided.iter().map(|(_, leaves)| leaves).sum();
    output.write(&format!("Nodes searched : {}", if depth == 0 { 1 } else { leaves }));
}

/// Writes the option with this name, or all options.
pub(super) fn write_options(options: &Options, name: Option<&str>, output: &SharedOutput) {
    let all = || options.meanings().map(|(name, _)| name).collect();
    for name in name.map_or_else(all, |name| vec![name]) {
        if let Some((name, value)) = options.show(name) {
            output.write(&format!("{name} = {}", printable(&value)));
        } else {
            output.remark(&OptionError::Unknown(name.to_owned()).to_string());
        }
    }
}

pub(super) fn write_help(options: &Options, output: &SharedOutput) {
    let options = options.meanings().map(|(name, meaning)| format!("\n{name:22}{meaning}"));
    output.write(&(HELP.to_owned() + &options.collect::<String>()));
}
