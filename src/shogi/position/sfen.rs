//! Positions as text: SFEN and a drawing of the board.

use std::fmt;

use thiserror::Error;

use super::validate::InvalidPosition;
use super::{BoardContent, Position, StateInfo};
use crate::quote::quoted;
use crate::shogi::{Bitboard, Color, Hand, HandPiece, Piece, PieceKind, Square};

/// The largest number of a move in a text. Later moves have it, too.
const LARGEST_NUMBER: u32 = 999_999;

/// SFEN of the start position.
pub const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The reason why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SfenError {
    /// Board, side or hand is missing.
    #[error("SFEN needs board, side and hand, got {}", quoted(.0))]
    TooShort(String),
    /// The board does not have nine ranks of nine squares.
    #[error("SFEN board {} does not have nine ranks of nine squares", quoted(.0))]
    BoardShape(String),
    /// A character that is not a piece, with its `+` if there is one.
    #[error("SFEN board has {0:?}, which is not a piece")]
    BadPiece(String),
    /// Neither `b` nor `w`.
    #[error("SFEN side {} is neither b nor w", quoted(.0))]
    BadSide(String),
    /// The hand is not `-` or counts and letters.
    #[error("SFEN hand {} is invalid", quoted(.0))]
    BadHand(String),
    /// The move number is not a number from 0 to 999,999.
    #[error("SFEN move number {} is not a number from 0 to 999999", quoted(.0))]
    BadMoveNumber(String),
    /// A word follows the move number.
    #[error("unexpected {} after the SFEN: moves follow the word `moves`", quoted(.0))]
    Surplus(String),
    /// Valid text, but the position cannot be played.
    #[error("impossible position: {0}")]
    Invalid(#[from] InvalidPosition),
}

impl Position {
    /// The start position.
    pub fn startpos() -> Position {
        Position::from_sfen(STARTPOS).expect("the start position is valid")
    }

    /// Parses an SFEN: board, side, hands and, optionally, the number of the next move. The
    /// position is [validated](InvalidPosition).
    ///
    /// # Errors
    /// [`SfenError`] with the invalid part.
    pub fn from_sfen(text: &str) -> Result<Position, SfenError> {
        Position::read(text, HandPiece::set_size)
    }

    /// Like [`from_sfen`](Position::from_sfen), but allows up to seven lances, knights, silvers and
    /// golds each, because some published test positions have a surplus piece. Moves are legal in
    /// such a position, but code that assumes a full set (evaluation) must not receive it.
    ///
    /// # Errors
    /// [`SfenError`] with the invalid part.
    pub fn from_sfen_with_surplus(text: &str) -> Result<Position, SfenError> {
        Position::read(text, |piece| if piece.set_size() == 4 { 7 } else { piece.set_size() })
    }

    /// Like [`from_sfen`](Position::from_sfen), but allows what no game can reach: two pawns on a
    /// file, pieces that can never move, the side not to move in check. Such a position can be
    /// evaluated, not played.
    ///
    /// # Errors
    /// [`SfenError`] with the part that is wrong.
    pub fn from_sfen_to_evaluate(text: &str) -> Result<Position, SfenError> {
        let (content, move_number) = Position::parse(text)?;
        InvalidPosition::check_counts(&content, HandPiece::set_size)?;
        Ok(Position::from_counted(&content, move_number))
    }

    fn read(text: &str, limit: fn(HandPiece) -> u32) -> Result<Position, SfenError> {
        let (content, move_number) = Position::parse(text)?;
        InvalidPosition::check_counts(&content, limit)?;
        Position::from_checked(&content, move_number)
    }

    /// What a text says, and the number of the next move.
    fn parse(text: &str) -> Result<(BoardContent, u32), SfenError> {
        let mut fields = text.split_ascii_whitespace();
        let (Some(board), Some(side), Some(hand)) = (fields.next(), fields.next(), fields.next())
        else {
            return Err(SfenError::TooShort(text.trim().to_owned()));
        };
        let board = parse_board(board)?;
        let side = match side {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::BadSide(other.to_owned())),
        };
        let content = BoardContent { board, side, hands: parse_hands(hand)? };
        let move_number = match fields.next() {
            Some(number) => number
                .parse::<u32>()
                .ok()
                .filter(|&n| n <= LARGEST_NUMBER)
                .ok_or_else(|| SfenError::BadMoveNumber(number.to_owned()))?
                .max(1),
            None => 1,
        };
        match fields.next() {
            Some(surplus) => Err(SfenError::Surplus(surplus.to_owned())),
            None => Ok((content, move_number)),
        }
    }

    /// Builds a position from its content; the next move has number 1. The position is
    /// [validated](InvalidPosition).
    ///
    /// Counts in hand must be below 1,000.
    ///
    /// # Errors
    /// [`SfenError::Invalid`] with the violated rule.
    pub fn from_pieces(content: &BoardContent) -> Result<Position, SfenError> {
        InvalidPosition::check_counts(content, HandPiece::set_size)?;
        Position::from_checked(content, 1)
    }

    /// Builds a position from content whose piece counts were checked.
    fn from_checked(content: &BoardContent, move_number: u32) -> Result<Position, SfenError> {
        let pos = Position::from_counted(content, move_number);
        pos.check_playable()?;
        Ok(pos)
    }

    /// The same without asking whether it can be played.
    fn from_counted(content: &BoardContent, move_number: u32) -> Position {
        let side = content.side;
        let mut pos = Position {
            board: content.board,
            by_color: [Bitboard::EMPTY; 2],
            by_kind: [Bitboard::EMPTY; PieceKind::COUNT],
            kings: [None; 2],
            hands: [Hand::EMPTY; 2],
            side,
            move_number,
            state: StateInfo::default(),
            history: Vec::with_capacity(256),
        };
        for sq in Square::all() {
            if let Some(piece) = pos.piece_on(sq) {
                pos.toggle(piece, sq);
                if piece.kind == PieceKind::King {
                    pos.kings[piece.color.index()] = Some(sq);
                }
            }
        }
        for color in Color::ALL {
            for held in HandPiece::ALL {
                for _ in 0..content.hands[color.index()][held.index()] {
                    pos.hands[color.index()] = pos.hands[color.index()].with(held);
                }
            }
        }
        (pos.state.board_key, pos.state.hand_key) = pos.compute_keys();
        pos.state.parts = pos.compute_part_keys();
        pos.state.checkers = pos.compute_checkers();
        pos.state.hand = pos.hands[side.index()];
        pos.state.checks[(!side).index()] = u16::from(pos.in_check());
        pos
    }

    /// The position as SFEN, including the move number.
    pub fn to_sfen(&self) -> String {
        let mut text = String::with_capacity(96);
        for rank in 0..9 {
            let mut empty = 0;
            for sq in Square::of_rank(rank) {
                let Some(piece) = self.piece_on(sq) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text += &piece.to_string();
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            if rank < 8 {
                text.push('/');
            }
        }
        text += [" b ", " w "][self.side.index()];
        let hands = Color::ALL.map(|color| self.hand_text(color)).concat();
        text += if hands.is_empty() { "-" } else { &hands };
        text += &format!(" {}", self.move_number.min(LARGEST_NUMBER));
        text
    }

    /// The hand of a side in the customary order of USI: rook first.
    fn hand_text(&self, color: Color) -> String {
        let mut text = String::new();
        for held in HandPiece::ALL.into_iter().rev() {
            let count = self.hand(color).count(held);
            if count > 1 {
                text += &count.to_string();
            }
            if count > 0 {
                text += &Piece::new(color, held.kind()).to_string();
            }
        }
        text
    }

    /// The position rotated by 180 degrees with colors swapped, without history: the same game from
    /// the other side.
    pub fn turned(&self) -> Position {
        let mut content = self.content();
        content.board.reverse();
        content.board.iter_mut().flatten().for_each(|piece| piece.color = !piece.color);
        content.hands.reverse();
        content.side = !content.side;
        Position::from_checked(&content, self.move_number)
            .expect("a turned position is as valid as the position")
    }
}

fn parse_board(text: &str) -> Result<[Option<Piece>; 81], SfenError> {
    let shape = || SfenError::BoardShape(text.to_owned());
    let mut board = [None; 81];
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 9 {
        return Err(shape());
    }
    for (rank, row) in ranks.into_iter().enumerate() {
        let mut column = 0; // 0 = file 9
        let mut promoted = false;
        for c in row.chars() {
            match c {
                '1'..='9' if !promoted => column += c as usize - '0' as usize,
                '+' if !promoted => promoted = true,
                _ => {
                    let plus = if promoted { "+" } else { "" };
                    let piece = parse_piece(c, promoted)
                        .ok_or_else(|| SfenError::BadPiece(format!("{plus}{c}")))?;
                    promoted = false;
                    let file = 8usize.checked_sub(column).ok_or_else(shape)?;
                    let sq = Square::new(file, rank).ok_or_else(shape)?;
                    board[sq.index()] = Some(piece);
                    column += 1;
                }
            }
        }
        if column != 9 || promoted {
            return Err(shape());
        }
    }
    Ok(board)
}

fn parse_piece(letter: char, promoted: bool) -> Option<Piece> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    let kind = match letter.to_ascii_uppercase() {
        'K' => PieceKind::King,
        other => HandPiece::from_letter(other)?.kind(),
    };
    Some(Piece::new(color, if promoted { kind.promoted()? } else { kind }))
}

fn parse_hands(text: &str) -> Result<[[u32; 7]; 2], SfenError> {
    let bad = || SfenError::BadHand(text.to_owned());
    let mut hands = [[0; 7]; 2];
    if text == "-" {
        return Ok(hands);
    }
    let mut count: Option<u32> = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            let value = count.unwrap_or(0) * 10 + digit;
            if value == 0 || value > 18 {
                return Err(bad());
            }
            count = Some(value);
        } else {
            let piece = parse_piece(c, false).ok_or_else(bad)?;
            let held = piece.kind.hand_piece().ok_or_else(bad)?;
            hands[piece.color.index()][held.index()] += count.take().unwrap_or(1);
        }
    }
    if count.is_some() || text.is_empty() { Err(bad()) } else { Ok(hands) }
}

impl fmt::Display for Position {
    /// A drawing: White's hand, the board with file and rank names, Black's hand, and the SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |color: Color| {
            let text = self.hand_text(color);
            if text.is_empty() { "-".to_owned() } else { text }
        };
        writeln!(f, "White holds {}", hand(Color::White))?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for rank in 0..9 {
            for sq in Square::of_rank(rank) {
                let text =
                    self.piece_on(sq).map_or_else(|| ".".to_owned(), |piece| piece.to_string());
                write!(f, "{text:>3}")?;
            }
            writeln!(f, "  {}", (b'a' + rank as u8) as char)?;
        }
        writeln!(f, "Black holds {}", hand(Color::Black))?;
        write!(f, "sfen {}", self.to_sfen())
    }
}
