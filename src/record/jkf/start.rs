//! The start position of a game in JKF.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::record::notation::csa::{kind, kind_name};
use crate::record::setup::hold;
use crate::record::{Fault, Game, GameBuilder, handicap};
use crate::shogi::{BoardContent, Color, HandPiece, Piece, PieceKind, Position, Square};

#[derive(Debug, Serialize, Deserialize)]
pub struct Initial {
    preset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<State>,
}

#[derive(Debug, Serialize, Deserialize)]
struct State {
    color: u8,
    /// Shape `[file][rank]`, from file 1.
    board: Vec<Vec<Cell>>,
    /// Kinds and counts of Black and White.
    hands: Vec<Map<String, Value>>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Cell {
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

impl Initial {
    /// The start position of a game.
    pub fn of(game: &Game) -> Initial {
        let preset = handicap::preset(game);
        let is_other = preset == handicap::OTHER_PRESET;
        let data = is_other.then(|| State::of(&game.start_position()));
        Initial { preset: preset.to_owned(), data }
    }

    /// The game at its start position.
    pub fn builder(&self) -> Result<GameBuilder, Fault> {
        match &self.data {
            Some(state) => {
                Ok(GameBuilder::from_position(Position::from_pieces(&state.content()?)?))
            }
            None => handicap::preset_start(&self.preset),
        }
    }
}

impl State {
    fn content(&self) -> Result<BoardContent, Fault> {
        let bad = |what: &str| Fault::unexpected("a position of JKF", what);
        let unknown_side = || bad(&format!("color {}", self.color));
        let side_to_move = side(self.color).ok_or_else(unknown_side)?;
        let mut content = BoardContent { side: side_to_move, ..BoardContent::default() };
        for (file, cells) in self.board.iter().enumerate() {
            for (rank, cell) in cells.iter().enumerate() {
                let Some(name) = &cell.kind else { continue };
                let (sq, kind) = (Square::new(file, rank), kind(name));
                let (Some(sq), Some(kind), Some(color)) = (sq, kind, cell.color.and_then(side))
                else {
                    return Err(bad(name));
                };
                content.board[sq.index()] = Some(Piece::new(color, kind));
            }
        }
        for (color, hand) in Color::ALL.into_iter().zip(&self.hands) {
            for (name, count) in hand {
                let held = kind(name).and_then(PieceKind::droppable);
                let count = count.as_u64().and_then(|count| u32::try_from(count).ok());
                let (Some(held), Some(count)) = (held, count) else { return Err(bad(name)) };
                hold(&mut content, color, held, count);
            }
        }
        Ok(content)
    }

    fn of(pos: &Position) -> State {
        let content = pos.content();
        let cell = |file, rank| {
            let piece = Square::new(file, rank).and_then(|sq| content.board[sq.index()]);
            piece.map_or_else(Cell::default, |piece| Cell {
                color: Some(piece.color.index() as u8),
                kind: Some(kind_name(piece.kind).to_owned()),
            })
        };
        let board = (0..9).map(|file| (0..9).map(|rank| cell(file, rank)).collect()).collect();
        let hand = |color: Color| {
            let count = |held: HandPiece| pos.hand(color).count(held).into();
            let held = HandPiece::ALL.into_iter();
            held.map(|held| (kind_name(held.kind()).to_owned(), count(held))).collect()
        };
        let color = pos.side_to_move().index() as u8;
        State { color, board, hands: Color::ALL.into_iter().map(hand).collect() }
    }
}

/// The side with this number: 0 is Black, 1 is White.
pub fn side(color: u8) -> Option<Color> {
    Color::ALL.get(usize::from(color)).copied()
}
