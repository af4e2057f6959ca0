//! The rules of shogi: squares, pieces, moves, positions, legal moves, static exchange evaluation.
//!
//! Input: SFEN and USI text, or moves. Output: legal moves, changed positions with a [`Delta`]
//! each, and results by the rules. This module does not depend on evaluation or search.
//!
//! ```
//! use kankei::shogi::{MoveList, Position, Scope, movegen};
//! let mut pos = Position::startpos();
//! let mut moves = MoveList::new();
//! movegen::generate(&pos, Scope::LEGAL, &mut moves);
//! assert_eq!(moves.len(), 30);
//! pos.do_move(moves[0]);
//! ```

pub mod attacks;
mod bitboard;
mod color;
mod hand;
mod mate_in_one;
pub mod movegen;
mod moves;
pub mod perft;
mod piece;
mod position;
mod see;
mod square;
mod table;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use hand::Hand;
pub use movegen::Scope;
pub use moves::{MAX_MOVES, Move, MoveList, Origin};
pub use piece::{HandPiece, Piece, PieceKind};
pub use position::{
    AttackSets, Attacker, BoardContent, Change, CheckSquares, Declaration, DeclarationRule, Delta,
    IllegalMove, InvalidPosition, PartKeys, Place, Position, Repetition, STARTPOS, SfenError,
};
pub use see::SeeValues;
pub use square::Square;
