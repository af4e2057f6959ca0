//! Moves of pieces on the board.

use crate::shogi::table::table;
use crate::shogi::{Bitboard, Color, Move, MoveList, PieceKind, Position, Scope, Square, attacks};

/// Allowed destinations. Promotions and non-promotions have separate sets, so that scopes and
/// evasions need no code of their own.
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

    /// The same targets, restricted to `squares` for all pieces except the king.
    pub fn within(self, squares: Bitboard) -> Targets {
        Targets { promotions: self.promotions & squares, plain: self.plain & squares, ..self }
    }
}

/// Destinations at which a piece promotes, shape `[color][origin]`: all squares from inside the
/// zone, else the zone.
static PROMOTING: [[Bitboard; 81]; 2] = table![color in 2 => table![from in 81 => {
    let zone = Bitboard::far_ranks(Color::ALL[color], 3);
    match Square::from_index(from) {
        Some(from) if zone.contains(from) => Bitboard::ALL,
        _ => zone,
    }
}]];

/// Arguments shared by the methods below.
struct Generator<'a> {
    pos: &'a Position,
    us: Color,
    targets: &'a Targets,
    list: &'a mut MoveList,
}

/// Moves of all pieces except the king. `pinned`: own pieces that shield the king.
#[inline]
pub(super) fn pieces(pos: &Position, targets: &Targets, pinned: Bitboard, list: &mut MoveList) {
    let us = pos.side_to_move();
    let mut generator = Generator { pos, us, targets, list };
    generator.free_pieces(pos.color(us) & !pinned);
    if let Some(king) = pos.king(us) {
        pinned.iter().for_each(|from| generator.pinned_piece(from, king));
    }
}

/// King moves to the `targets` that are not attacked.
#[inline]
pub(super) fn king(pos: &Position, targets: Bitboard, list: &mut MoveList) {
    let us = pos.side_to_move();
    let Some(from) = pos.king(us) else { return };
    // Most kings have no captures.
    if (attacks::king(from) & targets).is_empty() {
        return;
    }
    for to in pos.flights(us, from, pos.occupied()) & targets {
        list.push(Move::board(from, to));
    }
}

impl Generator<'_> {
    /// Moves of the pieces on `own` squares, except the king.
    #[inline]
    fn free_pieces(&mut self, own: Bitboard) {
        let (pos, us, occupied) = (self.pos, self.us, self.pos.occupied());
        self.pawns(own & pos.kind(PieceKind::Pawn));
        for from in own & pos.kind(PieceKind::Lance) {
            self.lance(from, attacks::lance(us, from, occupied));
        }
        for from in own & pos.kind(PieceKind::Knight) {
            self.knight(from, attacks::knight(us, from));
        }
        for from in own & pos.kind(PieceKind::Silver) {
            self.silver(from, attacks::silver(us, from));
        }
        for from in own & pos.gold_movers() {
            self.unpromotable(from, attacks::gold(us, from));
        }
        for from in own & pos.kind(PieceKind::Bishop) {
            self.slider(from, attacks::bishop(from, occupied));
        }
        for from in own & pos.kind(PieceKind::Rook) {
            self.slider(from, attacks::rook(from, occupied));
        }
        for from in own & pos.kind(PieceKind::Horse) {
            self.unpromotable(from, attacks::bishop(from, occupied) | attacks::king(from));
        }
        for from in own & pos.kind(PieceKind::Dragon) {
            self.unpromotable(from, attacks::rook(from, occupied) | attacks::king(from));
        }
    }

    /// Moves of a piece that must stay on the line between its king and the attacker.
    #[inline(never)]
    fn pinned_piece(&mut self, from: Square, king: Square) {
        let piece = self.pos.standing_on(from);
        let reach = attacks::piece(self.us, piece.kind, from, self.pos.occupied());
        let to = reach & attacks::line_from(king, from);
        match piece.kind {
            PieceKind::Pawn if to.is_empty() => (),
            PieceKind::Pawn => self.pawns(Bitboard::square(from)),
            PieceKind::Lance => self.lance(from, to),
            PieceKind::Knight => self.knight(from, to),
            PieceKind::Silver => self.silver(from, to),
            PieceKind::Bishop | PieceKind::Rook => self.slider(from, to),
            _ => self.unpromotable(from, to),
        }
    }

    /// Adds the moves to the squares of both sets that are targets.
    #[inline]
    fn push(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
        let (targets, list) = (self.targets, &mut *self.list);
        let promotions = promotions & targets.promotions;
        promotions.iter().for_each(|to| list.push(Move::promotion(from, to)));
        let plain = plain & targets.plain;
        plain.iter().for_each(|to| list.push(Move::board(from, to)));
    }

    /// The part of `to` at which a piece from `from` may promote.
    #[inline]
    fn promoting(&self, from: Square, to: Bitboard) -> Bitboard {
        to & PROMOTING[self.us.index()][from.index()]
    }

    #[inline]
    fn pawns(&mut self, pawns: Bitboard) {
        let us = self.us;
        let to = pawns.forward(us);
        let zone = Bitboard::far_ranks(us, 3);
        let promotions = to & zone & self.targets.promotions;
        let kept_out = if self.targets.pointless { Bitboard::far_ranks(us, 1) } else { zone };
        let plain = to & !kept_out & self.targets.plain;
        let back = us.sign();
        let origin = |to: Square| Square::from_bit((to.index() as i32 + back) as u32);
        let list = &mut *self.list;
        promotions.iter().for_each(|to| list.push(Move::promotion(origin(to), to)));
        plain.iter().for_each(|to| list.push(Move::board(origin(to), to)));
    }

    #[inline]
    fn lance(&mut self, from: Square, to: Bitboard) {
        let kept_out = Bitboard::far_ranks(self.us, if self.targets.pointless { 1 } else { 2 });
        self.push(from, self.promoting(from, to), to & !kept_out);
    }

    #[inline]
    fn knight(&mut self, from: Square, to: Bitboard) {
        self.push(from, self.promoting(from, to), to & !Bitboard::far_ranks(self.us, 2));
    }

    #[inline]
    fn silver(&mut self, from: Square, to: Bitboard) {
        self.push(from, self.promoting(from, to), to);
    }

    /// Golds and promoted pieces.
    #[inline]
    fn unpromotable(&mut self, from: Square, to: Bitboard) {
        self.push(from, Bitboard::EMPTY, to);
    }

    /// Bishop and rook.
    #[inline]
    fn slider(&mut self, from: Square, to: Bitboard) {
        let promoting = self.promoting(from, to);
        let plain = if self.targets.pointless { to } else { to & !promoting };
        self.push(from, promoting, plain);
    }
}
