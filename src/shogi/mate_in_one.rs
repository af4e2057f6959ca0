//! The one-move mate test.

use super::movegen;
use super::{Bitboard, CheckSquares, HandPiece, Move, PieceKind, Position, Square, attacks};

/// Drops that can mate, likeliest first. A pawn drop may not.
const DROPS: [HandPiece; 6] = [
    HandPiece::Gold,
    HandPiece::Silver,
    HandPiece::Rook,
    HandPiece::Bishop,
    HandPiece::Lance,
    HandPiece::Knight,
];

/// What one test knows about both kings.
struct Attack<'a> {
    /// The enemy king and the squares it could step to now.
    king: Square,
    flights: Bitboard,
    without_king: Bitboard,
    /// Enemy pieces that shield their king.
    pinned: Bitboard,
    checks: &'a CheckSquares,
    /// Where a piece other than the own king must go: everywhere, or where it answers a check.
    answers: Bitboard,
}

impl Position {
    /// A move that mates at once, if there is one: drops and board moves, discovered and double
    /// checks included. Exact; the position is the same afterwards.
    ///
    /// Only moves that check are looked at. The checking piece must cover every flight square that
    /// is left, so most of them fall to a few set operations; the rest is tried on the board.
    pub fn mate_in_one(&mut self) -> Option<Move> {
        let checks = self.check_squares();
        self.mate_in_one_by(&checks)
    }

    /// [`mate_in_one`](Position::mate_in_one) of a position whose check squares are known.
    pub(crate) fn mate_in_one_by(&mut self, checks: &CheckSquares) -> Option<Move> {
        let us = self.side_to_move();
        let king = self.king(!us)?;
        let occupied = self.occupied();
        let attack = Attack {
            king,
            flights: self.flights(!us, king, occupied),
            without_king: occupied ^ Bitboard::square(king),
            pinned: checks.shields & self.color(!us),
            checks,
            answers: self.check_answers(),
        };
        self.mating_drop(&attack).or_else(|| self.mating_board_move(&attack))
    }

    /// Squares that parry a check to the own king: all without check, none in double check.
    fn check_answers(&self) -> Bitboard {
        let checkers = self.checkers();
        match (self.king(self.side_to_move()), checkers.first()) {
            (Some(_), Some(_)) if checkers.has_many() => Bitboard::EMPTY,
            (Some(own), Some(checker)) => attacks::between(own, checker) | checkers,
            _ => Bitboard::ALL,
        }
    }

    fn mating_drop(&mut self, attack: &Attack<'_>) -> Option<Move> {
        let (us, occupied) = (self.side_to_move(), self.occupied());
        let squares = attack.answers & !occupied & !attack.flights;
        for held in DROPS {
            if !self.hand(us).has(held) {
                continue;
            }
            for to in attack.checks.direct(held) & squares {
                let covered = attacks::piece(us, held.kind(), to, attack.without_king);
                if !(attack.flights & !covered).is_empty() {
                    continue;
                }
                // A drop adds no pin: who was free before may take it.
                let takers = self.attackers(to, !us, occupied) & !Bitboard::square(attack.king);
                let mv = Move::drop(held, to);
                if (takers & !attack.pinned).is_empty() && self.mates(mv) {
                    return Some(mv);
                }
            }
        }
        None
    }

    fn mating_board_move(&mut self, attack: &Attack<'_>) -> Option<Move> {
        let us = self.side_to_move();
        let shields = attack.checks.shields;
        // The others are too far away to check with one move.
        let sliders = self.kind(PieceKind::Lance) | self.bishops() | self.rooks();
        let reaching =
            attacks::near(attack.king) | self.kind(PieceKind::Knight) | sliders | shields;
        for from in self.color(us) & reaching {
            let kind = self.standing_on(from).kind;
            let mut reach = attacks::piece(us, kind, from, self.occupied()) & !self.color(us);
            if kind != PieceKind::King {
                reach &= attack.answers;
            }
            if !shields.contains(from) {
                reach &= attack.checks.of(kind);
            }
            for to in reach {
                let zone = from.is_promotion_zone(us) || to.is_promotion_zone(us);
                let promotes = zone && kind.promoted().is_some();
                let promotion = promotes.then(|| Move::promotion(from, to));
                for mv in promotion.into_iter().chain([Move::board(from, to)]) {
                    if self.is_mating_board_move(mv, from, attack) {
                        return Some(mv);
                    }
                }
            }
        }
        None
    }

    fn is_mating_board_move(&mut self, mv: Move, from: Square, attack: &Attack<'_>) -> bool {
        self.gives_check(mv, attack.checks)
            && self.may_cover(mv, from, attack)
            && !self.can_be_taken(mv, from, attack)
            && self.is_legal(mv)
            && self.mates(mv)
    }

    /// Whether a checking board move could leave no flight square: the moved piece covers them, or
    /// its leaving opens a line of another piece.
    fn may_cover(&self, mv: Move, from: Square, attack: &Attack<'_>) -> bool {
        let (us, to) = (self.side_to_move(), Bitboard::square(mv.to()));
        let occupied = (attack.without_king ^ Bitboard::square(from)) | to;
        let covered = attacks::piece(us, self.piece_after(mv), mv.to(), occupied);
        (attack.flights & !covered & !to).is_empty()
            || !self.sliding_attackers(from, us, self.occupied()).is_empty()
    }

    /// Whether an enemy piece can certainly take the checking piece, and end the check with that.
    fn can_be_taken(&self, mv: Move, from: Square, attack: &Attack<'_>) -> bool {
        let (us, occupied) = (self.side_to_move(), self.occupied());
        // A line that opens behind the moved piece gives another check, or pins a piece that could
        // take.
        let opens_line = attack.checks.shields.contains(from)
            || !self.sliding_attackers(from, us, occupied).is_empty();
        let left = occupied & !Bitboard::square(from);
        let takers = self.attackers(mv.to(), !us, left) & !Bitboard::square(attack.king);
        !opens_line && !(takers & !attack.pinned).is_empty()
    }

    fn mates(&mut self, mv: Move) -> bool {
        self.do_move(mv);
        let mate = self.in_check() && !movegen::has_legal_move(self);
        self.undo_move();
        mate
    }
}
