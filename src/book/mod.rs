//! Opening books: moves that need no search.
//!
//! Comes in: text books in the format of YaneuraOu (`.db`), or games. Goes out: the moves that a book
//! knows for a position ([`Book::look_up`]), one of them by the user's rules ([`BookRules::choose`]),
//! and new books.
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! # NOE:2                                           how many positions there are; may be missing
//! sfen lnsgkgsnl/1r5b1/.../1B5R1/LNSGKGSNL b - 1    the number of the move may be missing
//! 7g7f 3c3d 35 16 12                                move, answer or none, score, depth, count
//! 2g2f none 28 16
//! sfen ...                                          // behind two slashes: a remark
//! ```
//!
//! Scores are centipawns from the view of the side to move; a count says how often a move was
//! played. Lines end as the systems have it, and a byte order mark may stand in front. Positions in the
//! order of their bytes (board, side, hands) are found on the disk by bisection, whatever the size
//! of the book; a book in another order is sorted in memory first.
//!
//! Source: the text format of YaneuraOu's books, version 1.00, as its documents describe it.

mod engine;
mod entry;
mod error;
mod file;
mod games;
mod line;
mod reader;
mod rules;
mod sorted_text;
mod writer;

pub use engine::BookEngine;
pub use entry::{BookEntry, BookMove};
pub use error::BookError;
pub use file::{Book, Page};
pub use games::GameBook;
pub use reader::read;
pub use rules::BookRules;
pub use writer::write;
