//! The one-move mate test.

use super::movegen;
use super::{Bitboard, HandPiece, Move, MoveList, PieceKind, Position, Scope, Square, attacks};

/// Drops that can mate, likeliest first. A pawn drop may not.
const DROPS: [HandPiece; 6] = [
    HandPiece::Gold,
    HandPiece::Silver,
    HandPiece::Rook,
    HandPiece::Bishop,
    HandPiece::Lance,
    HandPiece::Knight,
];

impl Position {
    /// A move that mates at once, if there is one: drops and board moves, discovered and double
    /// checks included. Exact; the position is the same afterwards.
    ///
    /// A check can only mate if the checking piece covers every flight square that is left, so
    /// most checks fall to a few set operations; the rest is tried on the board.
    pub fn mate_in_one(&mut self) -> Option<Move> {
        let us = self.side_to_move();
        let king = self.king(!us)?;
        let checks = self.check_squares();
        let flights = self.flights(!us, king, self.occupied());
        let empty = !self.occupied();
        let without_king = self.occupied() ^ Bitboard::square(king);
        let parries = match self.king(us) {
            Some(own) if self.in_check() => {
                match (self.checkers().first(), self.checkers().has_many()) {
                    (Some(checker), false) => attacks::between(own, checker),
                    _ => Bitboard::EMPTY,
                }
            }
            _ => empty,
        };
        for held in DROPS {
            if !self.hand(us).has(held) {
                continue;
            }
            for to in self.drop_checks(king, held) & empty & parries & !flights {
                let covered = attacks::piece(us, held.kind(), to, without_king);
                if (flights & !covered).is_empty() && self.mates(Move::drop(held, to)) {
                    return Some(Move::drop(held, to));
                }
            }
        }
        let mut list = MoveList::new();
        movegen::generate(self, Scope::CAPTURES | Scope::QUIETS | Scope::POINTLESS, &mut list);
        list.into_iter().find(|&mv| {
            self.gives_check(mv, &checks)
                && self.may_cover(mv, flights, without_king)
                && self.mates(mv)
        })
    }

    /// Squares from which a dropped `held` checks the king on `king`.
    fn drop_checks(&self, king: Square, held: HandPiece) -> Bitboard {
        attacks::piece(!self.side_to_move(), held.kind(), king, self.occupied())
    }

    /// Whether a checking board move could leave no flight square: the moved piece covers them, or
    /// its leaving opens a line of another piece.
    fn may_cover(&self, mv: Move, flights: Bitboard, without_king: Bitboard) -> bool {
        let us = self.side_to_move();
        let Some(from) = mv.from() else { return false };
        let occupied = (without_king ^ Bitboard::square(from)) | Bitboard::square(mv.to());
        let covered = attacks::piece(us, self.piece_after(mv), mv.to(), occupied);
        (flights & !covered & !Bitboard::square(mv.to())).is_empty()
            || self.attackers(from, us, self.occupied()).intersects(self.sliders())
    }

    fn sliders(&self) -> Bitboard {
        self.kind(PieceKind::Lance)
            | self.kind(PieceKind::Bishop)
            | self.kind(PieceKind::Rook)
            | self.kind(PieceKind::Horse)
            | self.kind(PieceKind::Dragon)
    }

    fn mates(&mut self, mv: Move) -> bool {
        self.do_move(mv);
        let mate = self.in_check() && !movegen::has_legal_move(self);
        self.undo_move();
        mate
    }
}
