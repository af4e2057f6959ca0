//! Board diagrams of KIF and KI2 (BOD):
//!
//! ```text
//! 後手の持駒：飛　歩二
//!   ９ ８ ７ ６ ５ ４ ３ ２ １
//! +---------------------------+
//! |v香v桂 ・v金v玉v金v銀v桂v香|一
//! ...
//! +---------------------------+
//! 先手の持駒：なし
//! 後手番
//! ```

use super::Fault;
use super::notation::words::{RANKS, count_name, eat_count, eat_kind, kind_symbol, side_names};
use super::setup::{hold, hold_rest};
use crate::shogi::{BoardContent, Color, HandPiece, Piece, PieceKind, Position, Square};

/// Words for an empty hand.
const NOTHING: [&str; 4] = ["なし", "無し", "無", "ナシ"];

/// First words of a hand with all remaining pieces.
const REST: [&str; 4] = ["残", "のこり", "全部", "すべて"];

/// State while a diagram is read.
#[derive(Debug, Default)]
pub(super) struct Diagram {
    pub setup: BoardContent,
    ranks: usize,
    /// The side that has all pieces that are neither on the board nor in the other hand.
    rest: Option<Color>,
}

impl Diagram {
    /// Reads the next rank: `|v香v桂 ・ ...|一`.
    pub fn read_rank(&mut self, text: &str) -> Result<(), Fault> {
        let bad = || Fault::unexpected("a rank of a board diagram", text);
        let squares = text.strip_prefix('|').and_then(|rest| rest.split('|').next());
        let mut rest = squares.ok_or_else(bad)?;
        for file in (0..9).rev() {
            let name = rest.trim_start_matches([' ', '　', '^', 'v', 'V', 'ｖ']);
            let mark = &rest[..rest.len() - name.len()];
            let color = if mark.contains(['v', 'V', 'ｖ']) { Color::White } else { Color::Black };
            rest = name;
            let first = rest.chars().next().ok_or_else(bad)?;
            let piece = if matches!(first, '・' | '･' | '.' | '．' | '*') {
                rest = &rest[first.len_utf8()..];
                None
            } else {
                Some(Piece::new(color, eat_kind(&mut rest).ok_or_else(bad)?))
            };
            let sq = Square::new(file, self.ranks).ok_or_else(bad)?;
            self.setup.board[sq.index()] = piece;
        }
        self.ranks += 1;
        if rest.trim().is_empty() { Ok(()) } else { Err(bad()) }
    }

    /// Reads the pieces in hand of a side: `飛　金二　歩十八`, `なし`, or `残り全部`.
    pub fn read_hand(&mut self, color: Color, text: &str) -> Result<(), Fault> {
        let bad = || Fault::unexpected("a list of pieces in hand", text);
        let mut rest = text.trim();
        if NOTHING.contains(&rest) {
            return Ok(());
        }
        if REST.iter().any(|word| rest.starts_with(word)) {
            self.rest = Some(color);
            return Ok(());
        }
        while !rest.is_empty() {
            let held = eat_kind(&mut rest).and_then(PieceKind::droppable).ok_or_else(bad)?;
            hold(&mut self.setup, color, held, eat_count(&mut rest));
            rest = rest.trim_start_matches([' ', '　', '、', '，', ',']);
        }
        Ok(())
    }

    /// Whether any rank was read.
    pub fn has_board(&self) -> bool {
        self.ranks > 0
    }

    pub fn to_position(&self) -> Result<Position, Fault> {
        if self.ranks != 9 {
            let text = format!("{} ranks", self.ranks);
            return Err(Fault::unexpected("a board of nine ranks", &text));
        }
        let mut setup = self.setup.clone();
        self.rest.into_iter().for_each(|color| hold_rest(&mut setup, color));
        Ok(Position::from_pieces(&setup)?)
    }
}

/// The diagram of a position as in KIF and KI2, with a line end after the last line.
pub fn draw(pos: &Position) -> String {
    let names = side_names(false);
    let hand = |color: Color| {
        let held = HandPiece::ALL.into_iter().rev().filter(|&held| pos.hand(color).has(held));
        let name = |held: HandPiece| {
            format!("{}{}", kind_symbol(held.kind()), count_name(pos.hand(color).count(held)))
        };
        let list: Vec<String> = held.map(name).collect();
        let list = if list.is_empty() { "なし".to_owned() } else { list.join("　") };
        format!("{}の持駒：{list}\n", names[color.index()])
    };
    let mut text = hand(Color::White);
    text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n";
    for (rank, name) in RANKS.into_iter().enumerate() {
        text.push('|');
        for sq in Square::of_rank(rank) {
            match pos.piece_on(sq) {
                None => text += " ・",
                Some(piece) => {
                    text.push(if piece.color == Color::Black { ' ' } else { 'v' });
                    text += kind_symbol(piece.kind);
                }
            }
        }
        text.push('|');
        text.push(name);
        text.push('\n');
    }
    text += "+---------------------------+\n";
    text += &hand(Color::Black);
    if pos.side_to_move() == Color::White {
        text += names[1];
        text += "番\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_the_culprit() {
        let mut diagram = Diagram::default();
        for bad in [
            "|v香",
            "|v香v桂v銀v金v玉v金v銀v桂v象|一",
            "|",
            "一",
            "|v香v桂v銀v金v玉v金v銀v桂v香 ・|一",
        ] {
            let error = diagram.read_rank(bad).expect_err(bad).to_string();
            assert!(error.contains(bad), "{error}");
        }
        for bad in ["飛 王", "飛 二歩", "成銀"] {
            let error = diagram.read_hand(Color::Black, bad).expect_err(bad).to_string();
            assert!(error.contains(bad), "{error}");
        }
        let few = Diagram::default().to_position().expect_err("no board").to_string();
        assert!(few.contains("0 ranks"), "{few}");
    }
}
