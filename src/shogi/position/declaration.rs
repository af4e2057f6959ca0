//! Entering-king declaration (nyugyoku).

use super::Position;
use crate::shogi::{Bitboard, Color, HandPiece, Move, PieceKind, Square, attacks};

/// The rule that ends games with entered kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeclarationRule {
    /// No declaration.
    None,
    /// 31 points win.
    Csa24,
    /// 31 points win; White is credited with the pieces missing from the set.
    Csa24Handicap,
    /// 28 points win for Black, 27 for White.
    #[default]
    Csa27,
    /// 28 points for Black, 27 for White; White is credited with the pieces missing from the set.
    Csa27Handicap,
    /// A king that safely reaches the start square of the enemy king wins.
    Try,
}

/// How the side to move can end the game immediately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// The side may declare instead of moving.
    Declare,
    /// This king move reaches the try square.
    Try(Move),
}

/// Number of pieces, not counting the king, that must have entered the enemy camp.
const PIECES_NEEDED: u32 = 10;

impl Position {
    /// The declaration available to the side to move under `rule`. Exact, because a wrong
    /// declaration loses the game.
    pub fn declaration(&self, rule: DeclarationRule) -> Option<Declaration> {
        let us = self.side_to_move();
        let needed = match (rule, us) {
            (DeclarationRule::None, _) => return None,
            (DeclarationRule::Try, _) => return self.try_move().map(Declaration::Try),
            (DeclarationRule::Csa24 | DeclarationRule::Csa24Handicap, _) => 31,
            (DeclarationRule::Csa27 | DeclarationRule::Csa27Handicap, Color::Black) => 28,
            (DeclarationRule::Csa27 | DeclarationRule::Csa27Handicap, Color::White) => 27,
        };
        if self.in_check() || !self.has_entered(us) || self.entered(us).len() < PIECES_NEEDED {
            return None;
        }
        let handicap =
            matches!(rule, DeclarationRule::Csa24Handicap | DeclarationRule::Csa27Handicap);
        let credit =
            if handicap && us == Color::White { self.points_missing_from_set() } else { 0 };
        (self.declaration_points(us) + credit >= needed).then_some(Declaration::Declare)
    }

    /// Whether the king of `color` is in the far three ranks, the enemy camp.
    #[inline]
    pub fn has_entered(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| Bitboard::far_ranks(color, 3).contains(king))
    }

    /// Pieces of `color` in the far three ranks, except the king.
    fn entered(&self, color: Color) -> Bitboard {
        self.color(color) & Bitboard::far_ranks(color, 3) & !self.pieces(color, PieceKind::King)
    }

    /// Points of `color`: 5 for rooks and bishops (also promoted), 1 for others. Counts the hand
    /// and the pieces in the far three ranks, except the king.
    pub fn declaration_points(&self, color: Color) -> u32 {
        let entered = self.entered(color);
        let big = self.bishops() | self.rooks();
        let held: u32 = self.hand(color).iter().map(|(piece, count)| points(piece) * count).sum();
        entered.len() + 4 * (entered & big).len() + held
    }

    fn points_missing_from_set(&self) -> u32 {
        let content = self.content();
        let missing = |piece: HandPiece| piece.set_size().saturating_sub(content.count(piece));
        HandPiece::ALL.into_iter().map(|piece| points(piece) * missing(piece)).sum()
    }

    fn try_move(&self) -> Option<Move> {
        let us = self.side_to_move();
        let king = self.king(us)?;
        // Black's try square is 5a, the start square of White's king.
        let goal = Square::new(4, 0)?.relative(us);
        let free = attacks::king(king).contains(goal) && !self.color(us).contains(goal);
        let occupied = self.occupied() ^ Bitboard::square(king);
        (free && !self.is_attacked(goal, !us, occupied)).then(|| Move::board(king, goal))
    }
}

fn points(piece: HandPiece) -> u32 {
    match piece {
        HandPiece::Bishop | HandPiece::Rook => 5,
        _ => 1,
    }
}
