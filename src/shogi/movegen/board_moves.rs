//! Moves of pieces on the board.

use crate::shogi::{Bitboard, Color, Move, MoveList, PieceKind, Position, Scope, Square, attacks};

/// Where moves may end. Promotions and plain moves have their own sets, so that the scopes and
/// the evasions need no code of their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    pub promotions: Bitboard,
    pub plain: Bitboard,
    pub king: Bitboard,
    pub pointless: bool,
}

impl Targets {
    #[inline]
    pub fn new(scope: Scope, them: Bitboard, empty: Bitboard) -> Targets {
        let part = |wanted: Scope, set: Bitboard| {
            if scope.intersects(wanted) { set } else { Bitboard::EMPTY }
        };
        let captures = part(Scope::CAPTURES, them);
        Targets {
            promotions: captures | part(Scope::QUIETS | Scope::PROMOTIONS, empty),
            plain: captures | part(Scope::QUIETS, empty),
            king: captures | part(Scope::QUIETS | Scope::KING, empty),
            pointless: scope.contains(Scope::POINTLESS),
        }
    }

    /// The same, for all pieces but the king narrowed to `squares`.
    pub fn within(self, squares: Bitboard) -> Targets {
        Targets { promotions: self.promotions & squares, plain: self.plain & squares, ..self }
    }
}

/// Everything one call needs, so that the functions below stay short.
struct Generator<'a> {
    pos: &'a Position,
    us: Color,
    king: Option<Square>,
    pinned: Bitboard,
    targets: &'a Targets,
    zone: Bitboard,
    list: &'a mut MoveList,
}

/// Moves of all pieces but the king. `pinned`: own pieces that shield the king.
#[inline]
pub(super) fn pieces(pos: &Position, targets: &Targets, pinned: Bitboard, list: &mut MoveList) {
    let us = pos.side_to_move();
    let zone = Bitboard::far_ranks(us, 3);
    let mut generator = Generator { pos, us, king: pos.king(us), pinned, targets, zone, list };
    generator.pawns();
    generator.lances();
    generator.knights();
    generator.silvers();
    generator.gold_movers();
    generator.sliders();
}

/// King moves to those `targets` that are not attacked.
#[inline]
pub(super) fn king(pos: &Position, targets: Bitboard, list: &mut MoveList) {
    let us = pos.side_to_move();
    let Some(from) = pos.king(us) else { return };
    for to in pos.flights(us, from, pos.occupied()) & targets {
        list.push(Move::board(from, to));
    }
}

impl Generator<'_> {
    /// `to` squares that keep a piece on `from` between king and attacker if it is pinned.
    #[inline]
    fn unpinned(&self, from: Square, to: Bitboard) -> Bitboard {
        if self.pinned.contains(from) {
            match self.king {
                Some(king) => to & attacks::line_from(king, from),
                None => to,
            }
        } else {
            to
        }
    }

    #[inline]
    fn own(&self, kind: PieceKind) -> Bitboard {
        self.pos.pieces(self.us, kind)
    }

    #[inline]
    fn push(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
        let list = &mut *self.list;
        promotions.iter().for_each(|to| list.push(Move::promotion(from, to)));
        plain.iter().for_each(|to| list.push(Move::board(from, to)));
    }

    /// Targets at which a piece on `from` promotes.
    #[inline]
    fn promotion_squares(&self, from: Square, to: Bitboard) -> Bitboard {
        let to = to & self.targets.promotions;
        if self.zone.contains(from) { to } else { to & self.zone }
    }

    #[inline]
    fn pawns(&mut self) {
        let mut pawns = self.own(PieceKind::Pawn);
        if let Some(king) = self.king {
            // A pinned pawn may only move along the king's file.
            pawns &= !self.pinned | Bitboard::file(king.file());
        }
        let to = pawns.forward(self.us);
        let promotions = to & self.zone & self.targets.promotions;
        let kept_out =
            if self.targets.pointless { Bitboard::far_ranks(self.us, 1) } else { self.zone };
        let plain = to & !kept_out & self.targets.plain;
        let us = self.us;
        let origin = |to: Square| match us {
            Color::Black => Square::from_bit(to.index() as u32 + 1),
            Color::White => Square::from_bit(to.index() as u32 - 1),
        };
        let list = &mut *self.list;
        promotions.iter().for_each(|to| list.push(Move::promotion(origin(to), to)));
        plain.iter().for_each(|to| list.push(Move::board(origin(to), to)));
    }

    #[inline]
    fn lances(&mut self) {
        let kept_out = Bitboard::far_ranks(self.us, if self.targets.pointless { 1 } else { 2 });
        for from in self.own(PieceKind::Lance) {
            let to = attacks::lance(self.us, from, self.pos.occupied());
            let to = self.unpinned(from, to);
            self.push(from, self.promotion_squares(from, to), to & self.targets.plain & !kept_out);
        }
    }

    #[inline]
    fn knights(&mut self) {
        // A pinned knight never stays on its line.
        for from in self.own(PieceKind::Knight) & !self.pinned {
            let to = attacks::knight(self.us, from);
            let dead = Bitboard::far_ranks(self.us, 2);
            self.push(from, self.promotion_squares(from, to), to & self.targets.plain & !dead);
        }
    }

    #[inline]
    fn silvers(&mut self) {
        for from in self.own(PieceKind::Silver) {
            let to = self.unpinned(from, attacks::silver(self.us, from));
            self.push(from, self.promotion_squares(from, to), to & self.targets.plain);
        }
    }

    #[inline]
    fn gold_movers(&mut self) {
        for from in self.pos.gold_movers() & self.pos.color(self.us) {
            let to = self.unpinned(from, attacks::gold(self.us, from));
            self.push(from, Bitboard::EMPTY, to & self.targets.plain);
        }
    }

    #[inline]
    fn sliders(&mut self) {
        let occupied = self.pos.occupied();
        for from in self.own(PieceKind::Bishop) {
            self.promotable_slider(from, attacks::bishop(from, occupied));
        }
        for from in self.own(PieceKind::Rook) {
            self.promotable_slider(from, attacks::rook(from, occupied));
        }
        for from in self.own(PieceKind::Horse) {
            let to = attacks::bishop(from, occupied) | attacks::king(from);
            let to = self.unpinned(from, to);
            self.push(from, Bitboard::EMPTY, to & self.targets.plain);
        }
        for from in self.own(PieceKind::Dragon) {
            let to = attacks::rook(from, occupied) | attacks::king(from);
            let to = self.unpinned(from, to);
            self.push(from, Bitboard::EMPTY, to & self.targets.plain);
        }
    }

    #[inline]
    fn promotable_slider(&mut self, from: Square, to: Bitboard) {
        let to = self.unpinned(from, to);
        let promoting = if self.zone.contains(from) { to } else { to & self.zone };
        let plain = if self.targets.pointless { to } else { to & !promoting };
        self.push(from, promoting & self.targets.promotions, plain & self.targets.plain);
    }
}
