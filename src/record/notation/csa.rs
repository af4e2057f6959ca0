//! Moves of CSA: side, origin (`00` = hand), destination, and the piece after the move.

use crate::record::MoveFault;
use crate::record::text::{square_digits, square_from_digits};
use crate::shogi::{Color, Move, PieceKind, Position};

/// Names of the kinds, indexed by [`PieceKind`].
const KINDS: [&str; PieceKind::COUNT] =
    ["FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];

/// Reads a move of the side to move: `+7776FU`. The move may be illegal.
///
/// # Errors
/// [`MoveFault`] if the text is not a move, names the other side, or matches no piece.
pub fn read_csa_move(pos: &Position, text: &str) -> Result<Move, MoveFault> {
    let bad = || MoveFault::NotAMove(text.to_owned());
    if !text.is_ascii() || text.len() != 7 {
        return Err(bad());
    }
    if color(text.as_bytes()[0]) != pos.side_to_move() {
        return Err(MoveFault::WrongSide(text.to_owned()));
    }
    let to = square_from_digits(&text[3..5]).ok_or_else(bad)?;
    let kind = kind(&text[5..]).ok_or_else(bad)?;
    if &text[1..3] == "00" {
        return kind.droppable().map(|held| Move::drop(held, to)).ok_or_else(bad);
    }
    let from = square_from_digits(&text[1..3]).filter(|&from| from != to).ok_or_else(bad)?;
    match pos.piece_on(from).map(|piece| piece.kind) {
        Some(before) if before == kind => Ok(Move::board(from, to)),
        Some(before) if before.promoted() == Some(kind) => Ok(Move::promotion(from, to)),
        _ => Err(MoveFault::NoPiece(text.to_owned())),
    }
}

/// A legal move of the side to move in CSA notation: `+7776FU`.
pub fn csa_move_text(pos: &Position, mv: Move) -> String {
    let from = mv.from().map_or_else(|| "00".to_owned(), square_digits);
    let kind = kind_name(pos.piece_after(mv));
    format!("{}{from}{}{kind}", sign(pos.side_to_move()), square_digits(mv.to()))
}

/// `FU`: the name of a kind.
pub fn kind_name(kind: PieceKind) -> &'static str {
    KINDS[kind.index()]
}

/// The kind of this name.
pub fn kind(name: &str) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|kind| kind_name(*kind) == name)
}

/// The side of a sign.
pub fn color(sign: u8) -> Color {
    if sign == b'+' { Color::Black } else { Color::White }
}

/// The sign of a side.
pub fn sign(color: Color) -> char {
    ['+', '-'][color.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{Scope, movegen};

    #[test]
    fn moves_round_trip() {
        let sfen = "4k4/9/4P4/9/9/9/9/1B7/4K4 b RG2p 1";
        let pos = Position::from_sfen(sfen).expect(sfen);
        for mv in movegen::legal_moves(&pos, Scope::LEGAL) {
            assert_eq!(read_csa_move(&pos, &csa_move_text(&pos, mv)), Ok(mv));
        }
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        assert_eq!(csa_move_text(&pos, mv("G*5b")), "+0052KI");
        assert_eq!(csa_move_text(&pos, mv("8h2b+")), "+8822UM");
    }
}
