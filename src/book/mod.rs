//! Opening books: moves that need no search.
//!
//! Input: YaneuraOu's text books (`.db`) and [binary books](ybb) (`.ybb`), or games. Output: the
//! moves of a book for a position ([`Book::look_up`]), one of them chosen by the user's rules
//! ([`BookRules::choose`]), and new text books.
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! # NOE:2                                           number of positions; optional
//! sfen lnsgkgsnl/1r5b1/.../1B5R1/LNSGKGSNL b - 1    the move number is optional
//! 7g7f 3c3d 35 16 12                                move, reply or none, score, depth, count
//! 2g2f none 28 16
//! sfen ...                                          // a comment follows two slashes
//! ```
//!
//! Scores are centipawns from the view of the side to move. A count is how often a move was played.
//! Line ends of all systems and a byte order mark are accepted. Pieces in hand may have any order.
//! If the positions are sorted by board and side, they are found on disk by bisection. Other books
//! are sorted in memory first.
//!
//! Source: the text format of YaneuraOu's books, version 1.00, as described in its documentation.

mod engine;
mod entry;
mod error;
mod file;
mod format;
mod games;
mod line;
mod minimax;
mod reader;
mod rules;
mod sorted_text;
mod writer;
mod ybb;

pub use engine::BookEngine;
pub use entry::{BookEntry, BookMove};
pub use error::BookError;
pub use file::{Book, BookSize, Page};
pub use games::GameBook;
pub use minimax::back_up;
pub use reader::{BookContent, read_valid};
pub use rules::BookRules;
pub use writer::write;
