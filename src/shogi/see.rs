//! Static exchange evaluation (SEE): the material result of a move if both sides keep capturing on
//! its destination. Both capture with the least valuable piece first and stop when that is better.

use super::{Bitboard, Color, Move, PieceKind, Position, Square};

/// Values of captures and promotions, in any unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeeValues {
    /// Gain for capturing each kind: its board value to the owner plus its hand value to the
    /// captor. Indexed by [`PieceKind`]. The king's value must exceed all exchanges.
    pub capture: [i32; PieceKind::COUNT],
    /// Gain for promoting each kind; 0 for kinds that do not promote.
    pub promotion: [i32; PieceKind::COUNT],
}

/// Capture order: cheapest first, the king last.
const ORDER: [PieceKind; 14] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::Silver,
    PieceKind::ProSilver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Dragon,
    PieceKind::King,
];

impl Position {
    /// The immediate gain of a move: captured piece and promotion. Mcap(m) of Hoki (2006).
    #[inline]
    pub fn material_gain(&self, mv: Move, values: &SeeValues) -> i32 {
        let taken = self.piece_on(mv.to()).map_or(0, |taken| values.capture[taken.kind.index()]);
        if mv.is_promotion() {
            taken + values.promotion[self.moved_piece(mv).index()]
        } else {
            taken
        }
    }

    /// Static exchange value of a legal move for its mover. An estimate: later captures do not
    /// promote, and pins are ignored.
    pub fn see(&self, mv: Move, values: &SeeValues) -> i32 {
        let mut at_risk = self.piece_after(mv);
        let mut gain = [0; 40];
        gain[0] = self.material_gain(mv, values);
        let mut exchange = Exchange::after(self, mv);
        let mut depth = 0;
        while let Some((kind, from)) = exchange.taker() {
            depth += 1;
            gain[depth] = values.capture[at_risk.index()] - gain[depth - 1];
            exchange.take(from);
            at_risk = kind;
        }
        while depth > 0 {
            gain[depth - 1] = -gain[depth].max(-gain[depth - 1]);
            depth -= 1;
        }
        gain[0]
    }

    /// Whether [`see`](Position::see) is at least `goal`. Cheaper than `see`, because it stops as
    /// soon as the result is certain.
    pub fn see_ge(&self, mv: Move, values: &SeeValues, goal: i32) -> bool {
        // What the side that just moved lacks if its moved piece is lost.
        let mut lacking = goal - self.material_gain(mv, values);
        if lacking > 0 {
            return false;
        }
        lacking += values.capture[self.piece_after(mv).index()];
        if lacking <= 0 {
            return true;
        }
        let us = self.side_to_move();
        let mut exchange = Exchange::after(self, mv);
        while let Some((kind, from)) = exchange.taker() {
            // The capturing side succeeds even if its piece is lost: `us` by reaching the goal, the
            // other side only by staying below it.
            lacking = values.capture[kind.index()] - lacking;
            if lacking <= if exchange.side == us { 0 } else { -1 } {
                return exchange.side == us;
            }
            exchange.take(from);
        }
        exchange.side != us
    }
}

/// The state of an exchange on one square.
struct Exchange<'a> {
    pos: &'a Position,
    to: Square,
    occupied: Bitboard,
    attackers: Bitboard,
    /// The side to capture.
    side: Color,
}

impl Exchange<'_> {
    #[inline]
    fn after(pos: &Position, mv: Move) -> Exchange<'_> {
        let to = mv.to();
        let mut occupied = pos.occupied() | Bitboard::square(to);
        if let Some(from) = mv.from() {
            occupied ^= Bitboard::square(from);
        }
        let attackers = pos.all_attackers(to, occupied);
        Exchange { pos, to, occupied, attackers, side: !pos.side_to_move() }
    }

    /// The least valuable piece that can capture. The king captures only unprotected pieces.
    #[inline]
    fn taker(&self) -> Option<(PieceKind, Bitboard)> {
        let own = self.attackers & self.pos.color(self.side);
        if own.is_empty() {
            return None;
        }
        let of_kind = |kind| (own & self.pos.kind(kind)).first().map(|sq| (kind, sq));
        let (kind, from) = ORDER.into_iter().find_map(of_kind)?;
        let is_free = kind != PieceKind::King || own == self.attackers;
        is_free.then_some((kind, Bitboard::square(from)))
    }

    /// Captures with the piece on `from` and opens the lines behind it.
    #[inline]
    fn take(&mut self, from: Bitboard) {
        self.occupied ^= from;
        let uncovered = self.pos.all_sliding_attackers(self.to, self.occupied);
        self.attackers = self.attackers & self.occupied | uncovered;
        self.side = !self.side;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{Scope, movegen};

    /// One point per piece class, doubled: an exchange of a pawn counts 2.
    fn values() -> SeeValues {
        let points = [1, 3, 3, 5, 6, 8, 10, 1000, 4, 5, 5, 6, 11, 13];
        let mut promotion = [0; 14];
        for kind in PieceKind::ALL {
            if let Some(promoted) = kind.promoted() {
                promotion[kind.index()] = points[promoted.index()] - points[kind.index()];
            }
        }
        let mut capture = [0; 14];
        for kind in PieceKind::ALL {
            let held = kind.hand_piece().map_or(kind, |held| held.kind());
            capture[kind.index()] = points[kind.index()] + points[held.index()];
        }
        SeeValues { capture, promotion }
    }

    fn see(sfen: &str, mv: &str) -> i32 {
        let pos = Position::from_sfen(sfen).expect("valid");
        let mv = mv.parse().expect("a move");
        assert!(pos.is_legal(mv));
        pos.see(mv, &values())
    }

    #[test]
    fn see_ge_agrees_with_see() {
        let (values, mut seen) = (values(), 0);
        for sfen in [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        ] {
            let pos = Position::from_sfen(sfen).expect("valid");
            for mv in movegen::legal_moves(&pos, Scope::LEGAL) {
                let value = pos.see(mv, &values);
                for goal in value - 12..=value + 12 {
                    let at_least = pos.see_ge(mv, &values, goal);
                    assert_eq!(at_least, value >= goal, "{sfen} {mv} {value} {goal}");
                }
                seen += i32::from(value != 0);
            }
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn see_agrees_with_exchanges_computed_by_hand() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(see(start, "7g7f"), 0);
        // The bishop captures a pawn that the knight protects.
        assert_eq!(see("4k4/9/2n6/9/3p5/9/1B7/9/4K4 b - 1", "8g6e"), 2 - 16);
        // An unprotected pawn.
        assert_eq!(see("4k4/9/9/9/3p5/9/1B7/9/4K4 b - 1", "8g6e"), 2);
        // A rook behind the lance joins: pawn for lance, lance recaptured, lance ...
        assert_eq!(see("4k4/9/r8/9/p8/9/L8/R8/4K4 b - 1", "9g9e"), 2);
        // A drop that can be captured loses the piece.
        assert_eq!(see("4k4/4p4/9/9/9/9/9/9/4K4 b G 1", "G*5c"), -12);
        // The king cannot capture a protected piece.
        assert_eq!(see("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"), 0);
    }
}
