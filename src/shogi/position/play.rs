//! Making and unmaking moves.

use super::{PartKeys, Position, StateInfo};
use crate::shogi::zobrist;
use crate::shogi::{Bitboard, Color, HandPiece, Move, Origin, Piece, PieceKind, Square, attacks};

/// The location of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the board.
    Board(Square, Piece),
    /// The n-th piece (1 is the first) of its kind in a hand.
    Hand(Color, HandPiece, u32),
}

/// A change of one piece's location, kind or owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Before the move.
    pub before: Place,
    /// After it.
    pub after: Place,
}

/// The changes of a move, for consumers such as an incremental evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta {
    /// The moved or dropped piece, including kings.
    pub moved: Change,
    /// The captured piece, from the board to the mover's hand.
    pub captured: Option<Change>,
}

impl Place {
    /// The owner of the piece.
    #[inline]
    pub fn color(self) -> Color {
        match self {
            Place::Board(_, piece) => piece.color,
            Place::Hand(color, ..) => color,
        }
    }
}

impl Delta {
    /// The destination of the king, if the king moved.
    #[inline]
    pub fn king_move(&self) -> Option<Square> {
        match self.moved.after {
            Place::Board(to, Piece { kind: PieceKind::King, .. }) => Some(to),
            _ => None,
        }
    }
}

impl Position {
    /// Makes a legal move. The caller must ensure legality
    /// ([`check_legal`](Position::check_legal)); an illegal move corrupts the position.
    #[inline]
    pub fn do_move(&mut self, mv: Move) -> Delta {
        self.do_move_announced(mv, |_| ())
    }

    /// Like [`do_move`](Position::do_move). Calls `announce` with the new
    /// [`key`](Position::key) as soon as it is known, so that memory for the new position can be
    /// fetched while the rest is computed.
    #[inline]
    pub fn do_move_announced(&mut self, mv: Move, announce: impl FnOnce(u64)) -> Delta {
        debug_assert!(self.is_legal(mv), "{mv} is illegal in {self}");
        let (us, to) = (self.side, mv.to());
        let mut board_key = self.state.board_key ^ zobrist::WHITE_TO_MOVE;
        let mut hand_key = self.state.hand_key;
        let mut parts = self.state.parts;
        let mut toggle_key = |piece: Piece, sq: Square| {
            let key = zobrist::board_key(piece, sq);
            board_key ^= key;
            parts.toggle(piece, key);
        };

        let captured = self.board[to.index()];
        let mut captured_change = None;
        if let Some(piece) = captured {
            self.toggle(piece, to);
            toggle_key(piece, to);
            if let Some(held) = piece.kind.hand_piece() {
                let hand = &mut self.hands[us.index()];
                let count = hand.count(held) + 1;
                *hand = hand.with(held);
                hand_key ^= zobrist::hand_step(us, held, count - 1);
                captured_change = Some(Change {
                    before: Place::Board(to, piece),
                    after: Place::Hand(us, held, count),
                });
            }
        }

        let moved = match mv.origin() {
            Origin::Board(from) => {
                let kind = self.moved_piece(mv);
                let promoted = if mv.is_promotion() { kind.promoted() } else { None };
                let before = Piece::new(us, kind);
                let after = Piece::new(us, promoted.unwrap_or(kind));
                self.shift(before, from, after, to);
                self.board[from.index()] = None;
                self.board[to.index()] = Some(after);
                if kind == PieceKind::King {
                    self.kings[us.index()] = Some(to);
                }
                toggle_key(before, from);
                toggle_key(after, to);
                Change { before: Place::Board(from, before), after: Place::Board(to, after) }
            }
            Origin::Hand(held) => {
                let after = Piece::new(us, held.kind());
                let hand = &mut self.hands[us.index()];
                let count = hand.count(held);
                *hand = hand.without(held);
                hand_key ^= zobrist::hand_step(us, held, count - 1);
                self.toggle(after, to);
                self.board[to.index()] = Some(after);
                toggle_key(after, to);
                Change { before: Place::Hand(us, held, count), after: Place::Board(to, after) }
            }
        };

        announce(board_key ^ hand_key);
        self.side = !us;
        self.move_number += 1;
        let checkers = self.checkers_after(mv);
        debug_assert_eq!(checkers, self.compute_checkers(), "{mv} to {self}");
        let mut checks = self.state.checks;
        checks[us.index()] =
            if checkers.is_empty() { 0 } else { checks[us.index()].saturating_add(1) };
        self.push_state(StateInfo {
            board_key,
            hand_key,
            parts,
            checkers,
            hand: self.hands[self.side.index()],
            last_move: Some(mv),
            captured,
            since_null: self.state.since_null + 1,
            checks,
        });
        debug_assert_eq!((board_key, hand_key), self.compute_keys(), "{mv} to {self}");
        debug_assert_eq!(parts, self.compute_part_keys(), "{mv} to {self}");
        Delta { moved, captured: captured_change }
    }

    /// The [`Delta`] that [`do_move`](Position::do_move) would return, without making the move. The
    /// move must be pseudo-legal.
    #[inline]
    pub fn delta_of(&self, mv: Move) -> Delta {
        let (us, to) = (self.side, mv.to());
        let after = Place::Board(to, Piece::new(us, self.piece_after(mv)));
        let before = match mv.origin() {
            Origin::Board(from) => Place::Board(from, Piece::new(us, self.moved_piece(mv))),
            Origin::Hand(held) => Place::Hand(us, held, self.hand(us).count(held)),
        };
        let captured = self.piece_on(to).and_then(|piece| {
            let held = piece.kind.hand_piece()?;
            let after = Place::Hand(us, held, self.hand(us).count(held) + 1);
            Some(Change { before: Place::Board(to, piece), after })
        });
        Delta { moved: Change { before, after }, captured }
    }

    /// Takes back the last [`do_move`](Position::do_move). Panics if there was none.
    #[inline]
    pub fn undo_move(&mut self) {
        let (mv, captured) = match self.state.last_move {
            Some(mv) => (mv, self.state.captured),
            None => panic!("no move to take back"),
        };
        self.pop_state();
        let (us, to) = (self.side, mv.to());
        let after = self.standing_on(to);
        self.board[to.index()] = captured;
        match mv.origin() {
            Origin::Board(from) => {
                let kind = if mv.is_promotion() { demoted(after.kind) } else { after.kind };
                let before = Piece::new(us, kind);
                self.shift(before, from, after, to);
                self.board[from.index()] = Some(before);
                if kind == PieceKind::King {
                    self.kings[us.index()] = Some(from);
                }
            }
            Origin::Hand(held) => {
                self.toggle(after, to);
                self.hands[us.index()] = self.hands[us.index()].with(held);
            }
        }
        if let Some(piece) = captured {
            self.toggle(piece, to);
            if let Some(held) = piece.kind.hand_piece() {
                self.hands[us.index()] = self.hands[us.index()].without(held);
            }
        }
    }

    /// Makes a null move. Must not be called in check, because the opponent could capture the king.
    pub fn do_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.side = !self.side;
        self.move_number += 1;
        self.push_state(StateInfo {
            board_key: self.state.board_key ^ zobrist::WHITE_TO_MOVE,
            hand_key: self.state.hand_key,
            parts: self.state.parts,
            hand: self.hands[self.side.index()],
            ..StateInfo::default()
        });
    }

    /// Takes back a null move.
    pub fn undo_null_move(&mut self) {
        debug_assert!(self.state.last_move.is_none());
        self.pop_state();
    }

    /// Moves a piece between two squares in the bitboards, in either direction.
    #[inline]
    fn shift(&mut self, before: Piece, from: Square, after: Piece, to: Square) {
        let (from, to) = (Bitboard::square(from), Bitboard::square(to));
        self.by_color[before.color.index()] ^= from | to;
        if before.kind == after.kind {
            self.by_kind[before.kind.index()] ^= from | to;
        } else {
            self.by_kind[before.kind.index()] ^= from;
            self.by_kind[after.kind.index()] ^= to;
        }
    }

    #[inline]
    fn push_state(&mut self, state: StateInfo) {
        self.history.push(self.state);
        self.state = state;
    }

    #[inline]
    fn pop_state(&mut self) {
        match self.history.pop() {
            Some(state) => self.state = state,
            None => panic!("no move to take back"),
        }
        self.side = !self.side;
        self.move_number -= 1;
    }

    /// The checking pieces after `mv`: the moved piece, or a slider whose line it opened.
    #[inline]
    fn checkers_after(&self, mv: Move) -> Bitboard {
        let (us, to) = (!self.side, mv.to());
        let Some(king) = self.king(self.side) else { return Bitboard::EMPTY };
        let piece = self.standing_on(to);
        let occupied = self.occupied();
        let mut checkers = Bitboard::EMPTY;
        // The first test skips the branch on the kind for most moves.
        if attacks::all_directions(king).contains(to)
            && attacks::piece(us, piece.kind, to, occupied).contains(king)
        {
            checkers.insert(to);
        }
        if let Some(from) = mv.from()
            && attacks::queen_rays(king).contains(from)
        {
            checkers |= self.sliding_attackers(king, us, occupied) & attacks::line_from(king, from);
        }
        checkers
    }

    /// The checking pieces, computed from scratch.
    #[inline]
    pub(super) fn compute_checkers(&self) -> Bitboard {
        match self.king(self.side) {
            Some(king) => self.attackers(king, !self.side, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Board key with side to move, and hand key, computed from scratch. Oracle of the incremental
    /// keys.
    pub fn compute_keys(&self) -> (u64, u64) {
        let mut key = if self.side == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
        for sq in self.occupied() {
            if let Some(piece) = self.piece_on(sq) {
                key ^= zobrist::board_key(piece, sq);
            }
        }
        (key, zobrist::hands_key(&self.hands))
    }

    /// Keys of the parts of the board, computed from scratch. Oracle of the incremental keys.
    pub fn compute_part_keys(&self) -> PartKeys {
        let mut parts = PartKeys::default();
        for sq in self.occupied() {
            if let Some(piece) = self.piece_on(sq) {
                parts.toggle(piece, zobrist::board_key(piece, sq));
            }
        }
        parts
    }
}

/// The unpromoted form.
#[inline]
fn demoted(kind: PieceKind) -> PieceKind {
    match kind.hand_piece() {
        Some(held) => held.kind(),
        None => kind,
    }
}
