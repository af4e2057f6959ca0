//! Mate in one.

use super::movegen;
use super::{Bitboard, CheckSquares, HandPiece, Move, PieceKind, Position, Square, attacks};

/// Drops that can mate, most likely first. A pawn drop must not mate.
const DROPS: [HandPiece; 6] = [
    HandPiece::Gold,
    HandPiece::Silver,
    HandPiece::Rook,
    HandPiece::Bishop,
    HandPiece::Lance,
    HandPiece::Knight,
];

/// Data about both kings for one test.
struct Attack<'a> {
    /// The enemy king and its flight squares before the move.
    king: Square,
    flights: Bitboard,
    without_king: Bitboard,
    /// Enemy pieces that shield their king.
    pinned: Bitboard,
    checks: &'a CheckSquares,
    /// Destinations for pieces other than the own king: all squares, or those that answer a check.
    answers: Bitboard,
    /// Whether the enemy can answer every single check from a distance by a drop.
    can_interpose: bool,
    /// Squares from which such an answer is impossible.
    close: Bitboard,
}

impl Position {
    /// A move that mates at once, if one exists, including drops and discovered and double checks.
    /// Exact. `self` is unchanged on return.
    ///
    /// Only checks are considered. The checking piece must cover every remaining flight square, so
    /// set operations reject most moves. The rest is tested on the board.
    pub fn mate_in_one(&mut self) -> Option<Move> {
        let checks = self.check_squares();
        self.mate_in_one_by(&checks)
    }

    /// Like [`mate_in_one`](Position::mate_in_one), with given check squares.
    pub(crate) fn mate_in_one_by(&mut self, checks: &CheckSquares) -> Option<Move> {
        let us = self.side_to_move();
        let king = self.king(!us)?;
        let occupied = self.occupied();
        let can_interpose = self.hand(!us).has_unrestricted();
        let attack = Attack {
            king,
            flights: self.flights(!us, king, occupied),
            without_king: occupied ^ Bitboard::square(king),
            pinned: checks.shields & self.color(!us),
            checks,
            answers: self.check_answers(),
            can_interpose,
            close: if can_interpose {
                attacks::king(king) | attacks::knight(!us, king)
            } else {
                Bitboard::ALL
            },
        };
        self.mating_drop(&attack).or_else(|| self.mating_board_move(&attack))
    }

    /// Squares that answer a check to the own king: all squares without check, none in double
    /// check.
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
        if !self.hand(us).has_non_pawn() {
            return None;
        }
        let squares = attack.answers & attack.close & !occupied & !attack.flights;
        for held in DROPS {
            if !self.hand(us).has(held) {
                continue;
            }
            for to in attack.checks.direct(held) & squares {
                let covered = attacks::piece(us, held.kind(), to, attack.without_king);
                if !(attack.flights & !covered).is_empty() {
                    continue;
                }
                // A drop pins no piece, so a piece that was not pinned can capture it.
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
        for from in self.color(us) & (self.check_origins(attack) | shields) {
            let kind = self.standing_on(from).kind;
            let mut reach = attacks::piece(us, kind, from, self.occupied()) & !self.color(us);
            if kind != PieceKind::King {
                reach &= attack.answers;
            }
            if !shields.contains(from) {
                reach &= attack.checks.of(kind) & attack.close;
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

    /// Pieces that may give a direct check by one move, except checks that can be answered by a
    /// drop.
    #[inline]
    fn check_origins(&self, attack: &Attack<'_>) -> Bitboard {
        let king = attack.king;
        let [pawn, knight, silver, gold] = attacks::check_origins_of(self.side_to_move(), king);
        let steps = self.kind(PieceKind::Pawn) & pawn
            | self.kind(PieceKind::Knight) & knight
            | self.kind(PieceKind::Silver) & silver
            | self.gold_movers() & gold;
        let (lances, rooks, bishops) = (self.kind(PieceKind::Lance), self.rooks(), self.bishops());
        if !attack.can_interpose {
            return steps | lances | rooks | bishops;
        }
        let straight = lances | rooks;
        steps
            | straight & attacks::rook_near(king)
            | bishops & attacks::bishop_near(king)
            | (rooks | bishops) & attacks::near(king)
    }

    fn is_mating_board_move(&mut self, mv: Move, from: Square, attack: &Attack<'_>) -> bool {
        self.gives_check(mv, attack.checks)
            && self.may_cover(mv, from, attack)
            && !self.can_be_taken(mv, from, attack)
            && self.is_legal(mv)
            && self.mates(mv)
    }

    /// Whether a checking board move may leave no flight square: the moved piece covers all of
    /// them, or its departure opens a line of another piece.
    fn may_cover(&self, mv: Move, from: Square, attack: &Attack<'_>) -> bool {
        let (us, to) = (self.side_to_move(), Bitboard::square(mv.to()));
        let occupied = (attack.without_king ^ Bitboard::square(from)) | to;
        let covered = attacks::piece(us, self.piece_after(mv), mv.to(), occupied);
        (attack.flights & !covered & !to).is_empty()
            || !self.sliding_attackers(from, us, self.occupied()).is_empty()
    }

    /// Whether an enemy piece can certainly capture the checking piece and thereby end the check.
    fn can_be_taken(&self, mv: Move, from: Square, attack: &Attack<'_>) -> bool {
        let (us, occupied) = (self.side_to_move(), self.occupied());
        // A line opened behind the moved piece may give another check or pin a capturing piece.
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
