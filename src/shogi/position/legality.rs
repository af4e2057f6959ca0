//! Legality of moves, and tests for check.

use thiserror::Error;

use super::Position;
use crate::shogi::{Bitboard, HandPiece, Move, Origin, Piece, PieceKind, Square, attacks};

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// No such piece, path or promotion exists.
    #[error("{0} is not a move of any piece here")]
    NotAMove(Move),
    /// The drop puts two unpromoted pawns on one file (nifu).
    #[error("{0} puts two pawns on one file")]
    TwoPawns(Move),
    /// The piece could never move again.
    #[error("{0} leaves a piece that can never move")]
    DeadPiece(Move),
    /// The dropped pawn mates (uchifuzume).
    #[error("{0} is a pawn-drop mate")]
    PawnDropMate(Move),
    /// The move leaves the own king in check.
    #[error("{0} leaves the king in check")]
    KingInCheck(Move),
}

/// The squares from which pieces of the side to move give check, and the pieces that can discover a
/// check. Built once per node, so that [`Position::gives_check`] takes only a few instructions.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    king: Option<Square>,
    /// Squares from which each unpromoted kind and a gold give check, indexed by [`HandPiece`].
    squares: [Bitboard; 7],
    /// The union of these squares, for a fast test that most moves fail.
    any: Bitboard,
    /// Pieces that alone shield the enemy king from own sliders. Own pieces discover a check when
    /// they leave the line; enemy pieces are pinned.
    pub(in crate::shogi) shields: Bitboard,
}

impl CheckSquares {
    /// Squares from which an unpromoted piece or gold gives check.
    #[inline]
    pub(in crate::shogi) fn direct(&self, held: HandPiece) -> Bitboard {
        self.squares[held.index()]
    }

    /// Squares on which a piece of this kind gives check after a move, promoted or not.
    #[inline]
    pub(in crate::shogi) fn of(&self, kind: PieceKind) -> Bitboard {
        let promoted = kind.promoted().map_or(Bitboard::EMPTY, |promoted| self.as_is(promoted));
        self.as_is(kind) | promoted
    }

    /// Squares from which a piece of this kind gives check.
    #[inline]
    fn as_is(&self, kind: PieceKind) -> Bitboard {
        let near = || self.king.map_or(Bitboard::EMPTY, attacks::king);
        match kind {
            PieceKind::Pawn => self.direct(HandPiece::Pawn),
            PieceKind::Lance => self.direct(HandPiece::Lance),
            PieceKind::Knight => self.direct(HandPiece::Knight),
            PieceKind::Silver => self.direct(HandPiece::Silver),
            PieceKind::Bishop => self.direct(HandPiece::Bishop),
            PieceKind::Rook => self.direct(HandPiece::Rook),
            PieceKind::King => Bitboard::EMPTY,
            PieceKind::Horse => self.direct(HandPiece::Bishop) | near(),
            PieceKind::Dragon => self.direct(HandPiece::Rook) | near(),
            // Golds and pieces that move like a gold.
            _ => self.direct(HandPiece::Gold),
        }
    }
}

impl Position {
    /// Whether the move is legal. Accepts any move value.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.check_legal(mv).is_ok()
    }

    /// Like [`is_legal`](Position::is_legal), but returns the reason.
    ///
    /// # Errors
    /// [`IllegalMove`] with the move.
    pub fn check_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        match mv.origin() {
            Origin::Board(from) => self.check_board_move(mv, from),
            Origin::Hand(held) => self.check_drop(mv, held),
        }
    }

    fn check_board_move(&self, mv: Move, from: Square) -> Result<(), IllegalMove> {
        let (us, to) = (self.side_to_move(), mv.to());
        let piece = self.piece_on(from).filter(|piece| piece.color == us);
        let reaches = piece.is_some_and(|piece| {
            attacks::piece(us, piece.kind, from, self.occupied()).contains(to)
        });
        let (Some(piece), true, false) = (piece, reaches, self.color(us).contains(to)) else {
            return Err(IllegalMove::NotAMove(mv));
        };
        if mv.is_promotion() {
            let zone = from.is_promotion_zone(us) || to.is_promotion_zone(us);
            if !zone || piece.kind.promoted().is_none() {
                return Err(IllegalMove::NotAMove(mv));
            }
        } else if piece.is_dead_on(to) {
            return Err(IllegalMove::DeadPiece(mv));
        }
        let Some(king) = self.king(us) else { return Ok(()) };
        let occupied = (self.occupied() ^ Bitboard::square(from)) | Bitboard::square(to);
        let king = if piece.kind == PieceKind::King { to } else { king };
        let attackers = self.attackers(king, !us, occupied) & !Bitboard::square(to);
        if attackers.is_empty() { Ok(()) } else { Err(IllegalMove::KingInCheck(mv)) }
    }

    fn check_drop(&self, mv: Move, held: HandPiece) -> Result<(), IllegalMove> {
        let (us, to) = (self.side_to_move(), mv.to());
        if !self.hand(us).has(held) || self.piece_on(to).is_some() {
            return Err(IllegalMove::NotAMove(mv));
        }
        if Piece::new(us, held.kind()).is_dead_on(to) {
            return Err(IllegalMove::DeadPiece(mv));
        }
        if held == HandPiece::Pawn
            && self.pieces(us, PieceKind::Pawn).intersects(Bitboard::file(to.file()))
        {
            return Err(IllegalMove::TwoPawns(mv));
        }
        let occupied = self.occupied() | Bitboard::square(to);
        if self.king(us).is_some_and(|king| self.is_attacked(king, !us, occupied)) {
            return Err(IllegalMove::KingInCheck(mv));
        }
        if held == HandPiece::Pawn && self.is_pawn_drop_mate(to) {
            return Err(IllegalMove::PawnDropMate(mv));
        }
        Ok(())
    }

    /// Whether a pawn dropped on `to` by the side to move mates (uchifuzume).
    pub(in crate::shogi) fn is_pawn_drop_mate(&self, to: Square) -> bool {
        let (us, them) = (self.side_to_move(), !self.side_to_move());
        let Some(king) = self.king(them) else { return false };
        if !attacks::pawn(us, to).contains(king) {
            return false;
        }
        let occupied = self.occupied() | Bitboard::square(to);
        // A piece other than the king can capture the pawn, unless it is pinned to another line.
        let pinned = self.blockers(king, us) & self.color(them);
        let takers = self.attackers(to, them, occupied) & !Bitboard::square(king);
        let free =
            |taker: Square| !pinned.contains(taker) || attacks::line_from(king, taker).contains(to);
        if takers.iter().any(free) {
            return false;
        }
        // Otherwise the king needs a flight square, which may be the pawn's square.
        self.flights(them, king, occupied).is_empty()
    }

    /// The check squares for [`gives_check`](Position::gives_check).
    #[inline]
    pub fn check_squares(&self) -> CheckSquares {
        let us = self.side_to_move();
        let king = self.king(!us);
        let Some(sq) = king else {
            let none = Bitboard::EMPTY;
            return CheckSquares { king, squares: [none; 7], any: none, shields: none };
        };
        let occupied = self.occupied();
        let knight = attacks::knight(!us, sq);
        let (silver, gold) = (attacks::silver(!us, sq), attacks::gold(!us, sq));
        let (bishop, rook) = (attacks::bishop(sq, occupied), attacks::rook(sq, occupied));
        CheckSquares {
            king,
            squares: [
                attacks::pawn(!us, sq),
                rook & attacks::lance_ray(!us, sq),
                knight,
                silver,
                gold,
                bishop,
                rook,
            ],
            // All check squares of silver and gold are next to the king.
            any: knight | silver | gold | bishop | rook,
            shields: self.blockers(sq, us),
        }
    }

    /// Whether a legal move of the side to move gives check. `squares` must belong to this
    /// position.
    #[inline]
    pub fn gives_check(&self, mv: Move, squares: &CheckSquares) -> bool {
        let Some(king) = squares.king else { return false };
        let to = mv.to();
        if self.gives_direct_check(mv, squares) {
            return true;
        }
        let Some(from) = mv.from() else { return false };
        // A slider may move along its own line through the square it left. Only a promoting bishop
        // or rook can newly give check in this way. `squares`, computed before the move, already
        // contains every such square, because the line was open to the piece.
        squares.shields.contains(from) && !attacks::line_from(king, from).contains(to)
    }

    /// Whether the moved piece itself gives check. `squares` must belong to this position.
    #[inline]
    pub fn gives_direct_check(&self, mv: Move, squares: &CheckSquares) -> bool {
        // Most moves fail the first test, which is therefore worth inlining.
        squares.any.contains(mv.to()) && self.is_check_square(mv, squares)
    }

    #[inline(never)]
    fn is_check_square(&self, mv: Move, squares: &CheckSquares) -> bool {
        squares.as_is(self.piece_after(mv)).contains(mv.to())
    }

    /// Whether the move is neither a capture nor a promotion: the quiet moves of the pruning rules.
    #[inline]
    pub fn is_quiet(&self, mv: Move) -> bool {
        !self.is_capture(mv) && !mv.is_promotion()
    }
}
