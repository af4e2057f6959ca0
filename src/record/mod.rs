//! Game records: read, checked, written, compared and counted.
//!
//! [`GameReader`] reads files of USI lines, labelled games, CSA, KIF, KI2, JKF and training positions
//! ([`Format`]), plain or zstd-compressed, in UTF-8, Shift_JIS, EUC-JP, ISO-2022-JP or UTF-16. It
//! returns [`Game`]s whose every move is legal, one by one. [`GameWriter`] writes games in any of the
//! formats, [`GameHash`] and [`dedup()`] compare games, [`Statistics`] counts them.
//!
//! ```text
//! bytes --lines--> text --line_records--> one game's lines --usi, labelled, csa, kif, ki2--> Game
//!                  JSON --jkf--------------------------------------------------------------> Game
//!                  positions --packed------------------------------------------------------> Game
//! ```
//!
//! **The legal prefix is kept.** A game is read up to the first move that cannot be read or played,
//! with a [`Warning`] that names file, line and text. It is a [`RecordError`] only if another move
//! follows, or if nothing of the record was understood. Reading continues with the next game.
//! [`GameReader::strict`] makes every warning an error.
//!
//! **All witnesses are heard.** Closing words and their numbers, closing sentences and the server's verdict
//! state who won. If they disagree, there is a warning, and the winner is unknown unless the server or
//! the rules decide.
//!
//! Kept are moves, result, header, scores, and as [`Notes`] times, comments and expected lines;
//! [`Losses`] counts what a format cannot store. [`Variation`]s of KIF, KI2 and JKF are kept with
//! all of these. Not kept: comments about the file itself (`#` of KIF).
//!
//! ```
//! use kankei::record::{GameReader, GameResult};
//! let file = "startpos moves 7g7f 3c3d 8h2b+ | winner=w | class=mine\nstartpos moves 7g7g\n";
//! let mut games = GameReader::new("mine.usi".as_ref(), file.as_bytes()).expect("a known format");
//! let game = games.next().expect("a line").expect("legal moves");
//! assert_eq!((game.moves().len(), game.result), (3, Some(GameResult::WhiteWins)));
//! let error = games.next().expect("a line").expect_err("no move").to_string();
//! assert_eq!(error, "mine.usi:2: move 1: \"7g7g\" is not a move");
//! ```
//!
//! Source: the CSA file format (Computer Shogi Association, V2.2 and V3.0), the KIF and KI2 formats
//! as Kifu for Windows writes them (Kakinoki), the notation of the Japan Shogi Association, the
//! definition of JKF 1.0.

mod bits;
mod claims;
mod closing;
mod csa;
mod dedup;
mod diagram;
mod encoding;
mod ending;
mod error;
mod forks;
mod format;
mod game;
mod handicap;
mod hash;
mod japanese_record;
mod jkf;
mod ki2;
mod kif;
mod labelled;
mod line_records;
mod lines;
mod losses;
mod notation;
mod notes;
mod packed;
mod packed_position;
mod preamble;
mod reader;
mod records;
mod score;
mod search_comment;
mod setup;
mod statistics;
#[cfg(test)]
mod testing;
mod text;
mod transcript;
mod usi;
mod writer;

pub use dedup::{Deduplicated, dedup};
pub use diagram::draw as diagram_text;
pub use encoding::TextEncoding;
pub use ending::{DRAW, Ending, GameResult};
pub use error::{Fault, MoveFault, RecordError, Warning};
pub use format::Format;
pub use game::{Game, GameBuilder, Header, Variation};
pub use handicap::handicaps;
pub use hash::{GameHash, hash_text};
pub use lines::decode_line;
pub(crate) use lines::{byte_lines, str_lines};
pub use losses::Losses;
pub use notation::csa::{csa_move_text, read_csa_move, sign as csa_sign};
pub use notation::japanese::{is_japanese_move, japanese_move_text, read_japanese_move};
pub use notation::words::{
    kind_name as japanese_kind_name, kind_symbol as japanese_kind_symbol,
    square_name as japanese_square_name,
};
pub use notes::Notes;
pub(crate) use packed::{from_packed_sfen, move_of_word, to_packed_sfen};
pub use packed_position::{PackedPosition, UnpackError};
pub use reader::GameReader;
pub use score::{Bound, MoveScore, SearchedScore};
pub use search_comment::score_comment;
pub use statistics::{PHASES, Statistics};
pub use writer::GameWriter;
