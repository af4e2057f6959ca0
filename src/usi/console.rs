//! Commands for people at a console.

use std::sync::Arc;

use super::UsiError;
use super::response::printable;
use super::session::Session;
use crate::shogi::movegen::legal_moves;
use crate::shogi::perft::{MAX_DEPTH, divide};
use crate::shogi::{Position, Scope};

const HELP: &str = "\
usi, isready, usinewgame, position, go, stop, ponderhit, quit: as in the USI protocol
d                  the board and its SFEN
moves              legal moves
eval               the score by its parts
perft D            leaves at depth D, by first move
bench [ARGUMENTS]  searches fixed positions
getoption [NAME]   the value of an option, or of all
help               this

Options:";

impl Session {
    pub(super) fn draw(&self) {
        if let Some(pos) = self.shown_position() {
            self.output.write(&pos.to_string());
        }
    }

    pub(super) fn list_moves(&self) {
        if let Some(pos) = self.shown_position() {
            let moves = legal_moves(&pos, Scope::LEGAL);
            if moves.is_empty() {
                self.output.remark("there is no legal move");
                return;
            }
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            self.output.write(&moves.join(" "));
        }
    }

    pub(super) fn evaluate(&mut self) -> Result<(), UsiError> {
        let Some(pos) = self.shown_position() else { return Ok(()) };
        let evaluate = Arc::clone(&self.backend.evaluate);
        let choice = self.choice();
        self.start_task(move |output| output.write(&evaluate(&choice, &pos)))
    }

    pub(super) fn perft(&mut self, depth: u32) -> Result<(), UsiError> {
        if depth > MAX_DEPTH {
            self.output.remark(&format!("perft {depth}: the greatest depth is {MAX_DEPTH}"));
            return Ok(());
        }
        let Some(pos) = self.shown_position() else { return Ok(()) };
        self.start_task(move |output| {
            let divided = if depth == 0 { Vec::new() } else { divide(&pos, depth) };
            for (mv, leaves) in &divided {
                output.write(&format!("{mv}: {leaves}"));
            }
            let leaves: u64 = divided.iter().map(|(_, leaves)| leaves).sum();
            output.write(&format!("Nodes searched : {}", if depth == 0 { 1 } else { leaves }));
        })
    }

    pub(super) fn bench(&mut self, arguments: Vec<String>) -> Result<(), UsiError> {
        let bench = Arc::clone(&self.backend.bench);
        self.start_task(move |output| {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            bench(&arguments, &mut |line| output.write(line));
        })
    }

    pub(super) fn get_option(&self, name: Option<&str>) {
        let all = || self.options.meanings().map(|(name, _)| name).collect();
        for name in name.map_or_else(all, |name| vec![name]) {
            match self.options.get(name) {
                Some((name, value)) => {
                    self.output.write(&format!("{name} = {}", printable(&value)))
                }
                None => self.output.remark(&format!("unknown option {name:?}")),
            }
        }
    }

    pub(super) fn help(&self) {
        let line = |(name, meaning)| format!("\n{name:20} {meaning}");
        self.output
            .write(&(HELP.to_owned() + &self.options.meanings().map(line).collect::<String>()));
    }

    /// The present position; after a refused one there is none, and that is said.
    fn shown_position(&self) -> Option<Position> {
        if self.position.is_none() {
            self.output.remark("there is no position, the last one was refused");
        }
        self.position.clone()
    }
}
