//! A game that a person plays in a terminal: typed moves, and the board after each move.

use std::time::Duration;

use super::output::SharedOutput;
use crate::record::{MoveFault, is_japanese_move, read_japanese_move};
use crate::shogi::movegen::has_legal_move;
use crate::shogi::{Move, Position};

/// How long the engine thinks after a `go` without limits.
pub(super) const THINKING_TIME: Duration = Duration::from_secs(3);

/// Whether a typed text has the form of a move: `7g7f`, `７六歩`, `▲７六歩(77)`.
pub(super) fn is_move(text: &str) -> bool {
    text.parse::<Move>().is_ok() || is_japanese_move(text)
}

/// Plays a typed move and shows the board, or reports why the move cannot be played.
pub(super) fn play(pos: &mut Position, text: &str, output: &SharedOutput) {
    match read(pos, text) {
        Ok(mv) => make(pos, mv, output),
        Err(fault) => output.remark(&fault),
    }
}

fn read(pos: &Position, text: &str) -> Result<Move, String> {
    let mv = text.parse().or_else(|()| read_japanese_move(pos, text));
    // Messages are in ASCII, so they cannot repeat a move in Japanese.
    let mv = mv.map_err(|fault| match fault {
        MoveFault::Ambiguous(_, moves) => {
            let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
            format!("the move can mean {}", moves.join(" or "))
        }
        MoveFault::WrongSide(_) => "the move is not of the side to move".to_owned(),
        _ => "no piece can make this move".to_owned(),
    })?;
    pos.check_legal(mv).map(|()| mv).map_err(|illegal| illegal.to_string())
}

/// Plays the move of the engine's answer, if it has one, and shows the board.
pub(super) fn play_answer(pos: &mut Position, answer: &str, output: &SharedOutput) {
    let best = answer.lines().last().and_then(|line| line.strip_prefix("bestmove "));
    if let Some(mv) = best.and_then(|best| best.split(' ').next()?.parse().ok()) {
        make(pos, mv, output);
    }
}

/// Takes back the last move and shows the board.
pub(super) fn take_back(pos: &mut Position, output: &SharedOutput) {
    if pos.last_move().is_some() {
        pos.undo_move();
        output.write(&pos.to_string());
    } else {
        output.remark("no move to take back");
    }
}

fn make(pos: &mut Position, mv: Move, output: &SharedOutput) {
    pos.do_move(mv);
    output.write(&pos.to_string());
    if !has_legal_move(pos) {
        output.remark("no legal move: the game is over");
    } else if pos.fourfold().is_some() {
        output.remark("the fourth occurrence of this position: the game is over");
    }
}
