//! Start positions of CSA: `PI` without some pieces, ranks `P1` to `P9`, single pieces `P+` and
//! `P-`.

use std::io::{self, Write};

use crate::record::Fault;
use crate::record::notation::csa::{color, kind, kind_name, sign};
use crate::record::setup::{hold, hold_rest};
use crate::record::text::square_from_digits;
use crate::shogi::{BoardContent, Color, Piece, PieceKind, Position, Square};

/// `PI82HI22KA`: the standard start position without these pieces.
pub fn read_usual(text: &str) -> Result<BoardContent, Fault> {
    let mut setup = Position::startpos().content();
    for chunk in chunks(text) {
        let chunk = chunk?;
        let (sq, kind) = (square_from_digits(&chunk[..2]), kind(&chunk[2..]));
        let (Some(sq), Some(kind)) = (sq, kind) else {
            return Err(Fault::unexpected("a square and a piece", chunk));
        };
        let piece = setup.board[sq.index()].take();
        if piece.is_none_or(|piece| piece.kind != kind) {
            return Err(Fault::unexpected("a piece of the usual start", chunk));
        }
    }
    Ok(setup)
}

/// `P1-KY-KE-GI ...`: the nine squares of a rank, from file 9. Spaces between squares are ignored,
/// because they collapse when a record passes through mail or a web page.
pub fn read_rank(setup: &mut BoardContent, rank: usize, text: &str) -> Result<(), Fault> {
    let bad = || Fault::unexpected("a rank of nine squares", text);
    let mut rest = text.trim_start();
    for sq in Square::of_rank(rank) {
        let len = if rest.starts_with('*') { 1 } else { 3 };
        let cell = rest.get(..len).ok_or_else(bad)?;
        setup.board[sq.index()] = match cell.as_bytes() {
            b"*" => None,
            [sign @ (b'+' | b'-'), ..] => {
                Some(Piece::new(color(*sign), kind(&cell[1..]).ok_or_else(bad)?))
            }
            _ => return Err(bad()),
        };
        rest = rest[len..].trim_start();
    }
    if rest.is_empty() { Ok(()) } else { Err(bad()) }
}

/// `P+59OU00FU`: pieces on squares, in hand (00), or all the rest in hand (00AL).
pub fn read_pieces(setup: &mut BoardContent, color: Color, text: &str) -> Result<(), Fault> {
    for chunk in chunks(text) {
        let chunk = chunk?;
        let bad = || Fault::unexpected("a square and a piece", chunk);
        match (&chunk[..2], &chunk[2..]) {
            ("00", "AL") => hold_rest(setup, color),
            ("00", name) => {
                let held = kind(name).and_then(PieceKind::droppable).ok_or_else(bad)?;
                hold(setup, color, held, 1);
            }
            (place, name) => {
                let sq = square_from_digits(place).ok_or_else(bad)?;
                let kind = kind(name).ok_or_else(bad)?;
                setup.board[sq.index()] = Some(Piece::new(color, kind));
            }
        }
    }
    Ok(())
}

/// Four characters at a time: a square and a piece.
fn chunks(text: &str) -> impl Iterator<Item = Result<&str, Fault>> {
    let text = text.trim();
    (0..text.len()).step_by(4).map(move |from| {
        let chunk = text.get(from..from + 4).filter(|chunk| chunk.is_ascii());
        chunk.ok_or_else(|| Fault::unexpected("squares and pieces", text))
    })
}

/// Writes a start position rank by rank.
pub fn write_start(pos: &Position, out: &mut dyn Write) -> io::Result<()> {
    for rank in 0..9 {
        write!(out, "P{}", rank + 1)?;
        for sq in Square::of_rank(rank) {
            match pos.piece_on(sq) {
                Some(piece) => write!(out, "{}{}", sign(piece.color), kind_name(piece.kind))?,
                None => write!(out, " * ")?,
            }
        }
        writeln!(out)?;
    }
    for color in Color::ALL {
        let hand = pos.hand(color);
        if hand.is_empty() {
            continue;
        }
        write!(out, "P{}", sign(color))?;
        for (held, count) in hand.iter() {
            let piece = format!("00{}", kind_name(held.kind()));
            write!(out, "{}", piece.repeat(count as usize))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", sign(pos.side_to_move()))
}
