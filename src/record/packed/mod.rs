//! Training positions in binary form: PackedSfenValue and hcpe.
//!
//! | bytes | PackedSfenValue (`psv`), 40 bytes | hcpe, 38 bytes |
//! |---|---|---|
//! | 32 | the position ([`huffman`]) | the position, other codes |
//! | 2 | score, `i16`, side to move's view | score, the same |
//! | 2 | move | move |
//! | 2, 1 | number of the move, `u16` | result, `u8`: 0 draw, 1 Black won, 2 White won |
//! | 1 | result, `i8`: 1 the side to move won, 0 draw, -1 it lost | 0 |
//! | 1 | 0 | |
//!
//! All numbers are little-endian. A move has its destination in bits 0 to 6, its origin in bits 7
//! to 13, and for a drop a number of the piece there: 1 to 7 with bit 14 set in `psv`, 81 to 87 in
//! hcpe. Promotions set bit 15 in `psv`, bit 14 in hcpe. Squares count from 1a, file by file.
//!
//! A record is read as a game of one move: the position, the chosen move, its score and the result
//! of the whole game. Scores keep the unit of the program that wrote them. Only positions with a
//! score, of games with a result, are written.
//!
//! Source: the record types `PackedSfenValue` and `HuffmanCodedPosAndEval` of cshogi. The bytes
//! were compared with those that cshogi writes.

mod huffman;

use std::io::{self, BufRead, Write};

use self::huffman::Coding;
use super::lines::{Broken, Reading};
use super::records::Records;
use super::{Fault, Game, GameBuilder, GameResult, MoveScore};
use crate::shogi::{Color, HandPiece, Move, Origin, Position, Square};

const PSV_DROP: u16 = 1 << 14;
const PSV_PROMOTION: u16 = 1 << 15;
const HCPE_PROMOTION: u16 = 1 << 14;
const HCPE_DROP: u16 = 81;

/// The two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Psv,
    Hcpe,
}

/// The records of a file.
pub(super) struct PackedRecords {
    layout: Layout,
    input: Box<dyn BufRead + Send>,
    read: usize,
}

impl PackedRecords {
    pub fn new(layout: Layout, input: Box<dyn BufRead + Send>) -> PackedRecords {
        PackedRecords { layout, input, read: 0 }
    }
}

impl Records for PackedRecords {
    fn next(&mut self) -> Option<io::Result<Result<Reading, Broken>>> {
        match self.input.fill_buf() {
            Ok([]) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(error)),
        }
        let mut bytes = [0; PSV_BYTES];
        let bytes = &mut bytes[..record_bytes(self.layout)];
        self.read += 1;
        let broken = |fault| Broken { line: self.read, fault };
        match self.input.read_exact(bytes) {
            Ok(()) => Some(Ok(read(self.layout, bytes).map(Reading::from).map_err(broken))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Some(Ok(Err(broken(Fault::Incomplete(self.read)))))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

const PSV_BYTES: usize = 40;
const HCPE_BYTES: usize = 38;

fn record_bytes(layout: Layout) -> usize {
    if layout == Layout::Hcpe { HCPE_BYTES } else { PSV_BYTES }
}

/// The number of positions in whole records.
pub(super) fn count(layout: Layout, records: &[u8]) -> usize {
    records.len() / record_bytes(layout)
}

fn coding(layout: Layout) -> &'static Coding {
    if layout == Layout::Hcpe { &huffman::HCP } else { &huffman::PACKED_SFEN }
}

/// Whether a file with this layout can start with these bytes: they have a valid record, not
/// necessarily at the start.
pub(super) fn is_possible(layout: Layout, head: &[u8]) -> bool {
    let mut records = head.chunks_exact(record_bytes(layout));
    head.is_empty() || records.any(|bytes| read(layout, bytes).is_ok())
}

/// The PackedSfen of a position; `None` unless the position has 40 pieces.
pub(crate) fn to_packed_sfen(pos: &Position) -> Option<[u8; 32]> {
    huffman::PACKED_SFEN.encode(pos)
}

/// The position of a PackedSfen, with move number 1.
///
/// # Errors
/// [`Fault`] if the bytes are not a possible position with 40 pieces.
pub(crate) fn from_packed_sfen(bytes: &[u8; 32]) -> Result<Position, Fault> {
    Ok(Position::from_pieces(&huffman::PACKED_SFEN.decode(bytes)?)?)
}

/// The move of 16 bits, as in PackedSfenValue.
pub(crate) fn move_of_word(word: u16) -> Option<Move> {
    read_psv_move(word)
}

/// Reads one record.
fn read(layout: Layout, bytes: &[u8]) -> Result<Game, Fault> {
    let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let packed = bytes[..32].first_chunk().expect("32 bytes");
    let content = coding(layout).decode(packed)?;
    let pos = Position::from_pieces(&content)?;
    let side = pos.side_to_move();
    let is_psv = layout == Layout::Psv;
    let mut builder = if is_psv {
        let sfen = pos.to_sfen();
        let sfen = &sfen[..sfen.rfind(' ').unwrap_or(sfen.len())];
        GameBuilder::from_sfen(&format!("{sfen} {}", number(36).max(1)))?
    } else {
        GameBuilder::from_position(pos)
    };
    let word = number(34);
    if word != 0 {
        let unknown = || Fault::unexpected("a move in 16 bits", &format!("{word:#06x}"));
        let mv = if is_psv { read_psv_move(word) } else { read_hcpe_move(word) };
        let score = MoveScore::from_value(number(32).cast_signed().into());
        let played = builder.push_scored(mv.ok_or_else(unknown)?, Some(score.into()));
        played.map_err(|error| Fault::Move { number: 1, fault: error.into() })?;
    }
    let result = if is_psv {
        match bytes[38].cast_signed() {
            0 => Some(GameResult::Draw),
            1 => Some(GameResult::win_of(side)),
            -1 => Some(GameResult::win_of(!side)),
            _ => None,
        }
    } else {
        // Other bits say how the game ended.
        [Some(GameResult::Draw), Some(GameResult::BlackWins), Some(GameResult::WhiteWins), None]
            [usize::from(bytes[36] & 3)]
    };
    let byte = if is_psv { bytes[38] } else { bytes[36] };
    let mut game = builder.finish();
    game.result = Some(result.ok_or_else(|| Fault::unexpected("a result", &byte.to_string()))?);
    Ok(game)
}

/// Writes the positions of a game that have a score, if the game has a result.
pub(super) fn write(game: &Game, layout: Layout, out: &mut dyn Write) -> io::Result<()> {
    let Some(result) = game.result else { return Ok(()) };
    let mut written = Ok(());
    game.replay(|pos, mv| {
        let score = game.score(pos.moves_made());
        if let (Ok(()), Some(score)) = (&written, score)
            && let Some(bytes) = record(pos, mv, score, result, layout)
        {
            written = out.write_all(&bytes[..record_bytes(layout)]);
        }
    });
    written
}

/// The positions of a game that are not written: those without a score, all of a game without a
/// result, and those with fewer than 40 pieces, which the formats cannot store.
pub(super) fn left_out(game: &Game) -> usize {
    let moves = game.moves().len();
    if game.result.is_none() || huffman::PACKED_SFEN.encode(&game.start_position()).is_none() {
        return moves;
    }
    (0..moves).filter(|&ply| game.score(ply).is_none()).count()
}

fn record(
    pos: &Position,
    mv: Move,
    score: MoveScore,
    result: GameResult,
    layout: Layout,
) -> Option<[u8; PSV_BYTES]> {
    let mut bytes = [0; PSV_BYTES];
    let is_psv = layout == Layout::Psv;
    bytes[..32].copy_from_slice(&coding(layout).encode(pos)?);
    bytes[32..34].copy_from_slice(&value_of(score).to_le_bytes());
    let word = if is_psv { psv_move(mv) } else { hcpe_move(mv) };
    bytes[34..36].copy_from_slice(&word.to_le_bytes());
    if is_psv {
        let number = u16::try_from(pos.move_number()).unwrap_or(u16::MAX);
        bytes[36..38].copy_from_slice(&number.to_le_bytes());
        bytes[38] = match result.winner() {
            None => 0,
            Some(winner) if winner == pos.side_to_move() => 1,
            Some(_) => u8::MAX,
        };
    } else {
        bytes[36] = match result.winner() {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        };
    }
    Some(bytes)
}

/// The score in 16 bits. No score in centipawns is taken for a mate.
fn value_of(score: MoveScore) -> i16 {
    let largest = MoveScore::MATE - MoveScore::LONGEST_MATE as i32 - 1;
    let value = match score {
        MoveScore::Centipawns(value) => value.clamp(-largest, largest),
        mate => mate.to_value(),
    };
    i16::try_from(value).expect("values are below 32,001")
}

/// The kinds that can be dropped by their numbers in both formats.
const DROPS: [HandPiece; 7] = [
    HandPiece::Pawn,
    HandPiece::Lance,
    HandPiece::Knight,
    HandPiece::Silver,
    HandPiece::Bishop,
    HandPiece::Rook,
    HandPiece::Gold,
];

/// A move whose origin is a square, or the number of a kind counted from `first`.
fn move_of(word: u16, is_drop: bool, is_promotion: bool, first: u16) -> Option<Move> {
    let square = |bits: u16| Square::from_index((bits & 127).into());
    let (to, origin) = (square(word)?, word >> 7 & 127);
    if is_drop {
        let held = DROPS.get(usize::from(origin.checked_sub(first)?))?;
        return (!is_promotion).then_some(Move::drop(*held, to));
    }
    let from = square(origin).filter(|&from| from != to)?;
    Some(if is_promotion { Move::promotion(from, to) } else { Move::board(from, to) })
}

fn read_psv_move(word: u16) -> Option<Move> {
    move_of(word, word & PSV_DROP != 0, word & PSV_PROMOTION != 0, 1)
}

fn read_hcpe_move(word: u16) -> Option<Move> {
    move_of(word, word >> 7 & 127 >= HCPE_DROP, word & HCPE_PROMOTION != 0, HCPE_DROP)
}

fn psv_move(mv: Move) -> u16 {
    word_of(mv, PSV_DROP | 1 << 7, PSV_PROMOTION)
}

fn hcpe_move(mv: Move) -> u16 {
    word_of(mv, HCPE_DROP << 7, HCPE_PROMOTION)
}

/// A move in 16 bits; `drop` is the word of a pawn's drop on 1a.
fn word_of(mv: Move, drop: u16, promotion: u16) -> u16 {
    let to = mv.to().index() as u16;
    match mv.origin() {
        Origin::Hand(held) => {
            let number = DROPS.iter().position(|&known| known == held);
            to + drop + ((number.expect("all kinds have a number") as u16) << 7)
        }
        Origin::Board(from) => {
            let promotes = if mv.is_promotion() { promotion } else { 0 };
            to | (from.index() as u16) << 7 | promotes
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{Scope, movegen};

    #[test]
    fn every_move_round_trips() {
        let sfen = "4k4/9/4P1S2/9/9/9/9/1B5R1/4K4 b PLNSGBR 1";
        let pos = Position::from_sfen(sfen).expect(sfen);
        for mv in movegen::legal_moves(&pos, Scope::LEGAL) {
            assert_eq!(read_psv_move(psv_move(mv)), Some(mv));
            assert_eq!(read_hcpe_move(hcpe_move(mv)), Some(mv));
        }
        let gold = "G*5e".parse().expect("a move");
        assert_eq!((psv_move(gold), hcpe_move(gold)), (0x4000 | 7 << 7 | 40, 87 << 7 | 40));
        for word in [127, 1 << 7 | 1, 81 << 7, PSV_DROP | 8 << 7, PSV_DROP] {
            assert_eq!(read_psv_move(word), None, "{word}");
        }
    }

    #[test]
    fn scores_round_trip() {
        use MoveScore::{Centipawns, MatedIn, MatesIn};
        for score in [Centipawns(0), Centipawns(-31_487), MatesIn(1), MatesIn(512), MatedIn(8)] {
            assert_eq!(MoveScore::from_value(value_of(score).into()), score);
        }
        assert_eq!(value_of(Centipawns(1_000_000)), 31_487);
        assert_eq!(MoveScore::from_value(i16::MIN.into()), Centipawns(-32_768));
    }

    #[test]
    fn broken_records_are_errors() {
        for layout in [Layout::Psv, Layout::Hcpe] {
            let game = GameBuilder::new().finish();
            let mv = "7g7f".parse().expect("a move");
            let score = MoveScore::Centipawns(5);
            let pos = game.start_position();
            let good = record(&pos, mv, score, GameResult::Draw, layout).expect("40 pieces");
            let good = &good[..record_bytes(layout)];
            assert!(is_possible(layout, good) && is_possible(layout, b""));
            let game = read(layout, good).expect("a record");
            assert_eq!((game.score(0), game.result), (Some(score), Some(GameResult::Draw)));
            for (at, byte) in [(0, 0xff), (1, 0xff), (31, 0x55), (35, 0xff), (36, 3), (38, 3)] {
                let mut bytes = good.to_vec();
                let Some(place) = bytes.get_mut(at) else { continue };
                *place = byte;
                let is_number = layout == Layout::Psv && at == 36;
                assert_eq!(read(layout, &bytes).is_ok(), is_number, "{layout:?} {at}");
            }
            assert!(!is_possible(layout, &good[..20]));
        }
    }
}
