//! A position with its history.
//!
//! [`Position`] is parsed from [SFEN](sfen) and changed by [`do_move`](Position::do_move) and
//! [`undo_move`](Position::undo_move) ([play]). Each move returns a [`Delta`] for incremental
//! evaluators. The rules are in [legality], [repetition] and [declaration].

mod attack_sets;
mod content;
mod declaration;
mod legality;
mod part_keys;
mod play;
mod repetition;
mod sfen;
mod validate;

pub use attack_sets::{AttackSets, Attacker};
pub use content::BoardContent;
pub use declaration::{Declaration, DeclarationRule};
pub use legality::{CheckSquares, IllegalMove};
pub use part_keys::PartKeys;
pub use play::{Change, Delta, Place};
pub use repetition::Repetition;
pub use sfen::{STARTPOS, SfenError};
pub use validate::InvalidPosition;

use super::{Bitboard, Color, Hand, Move, Origin, Piece, PieceKind, Square, attacks};

/// A shogi position and the moves that led to it.
///
/// ```
/// use kankei::shogi::{Color, Move, Position};
/// let mut pos = Position::startpos();
/// let mv: Move = "7g7f".parse().expect("a move in USI notation");
/// assert!(pos.is_legal(mv));
/// pos.do_move(mv);
/// assert_eq!(pos.side_to_move(), Color::White);
/// let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
/// assert_eq!(pos.to_sfen(), sfen);
/// pos.undo_move();
/// assert_eq!(pos.key(), Position::startpos().key());
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    board: [Option<Piece>; 81],
    by_color: [Bitboard; 2],
    by_kind: [Bitboard; PieceKind::COUNT],
    kings: [Option<Square>; 2],
    hands: [Hand; 2],
    side: Color,
    /// Number of the next move, 1 at the start of a game.
    move_number: u32,
    state: StateInfo,
    /// States of the earlier positions, oldest first.
    history: Vec<StateInfo>,
}

/// Data that [`Position::undo_move`] cannot recompute, and data of one position of a line.
#[derive(Clone, Copy, Debug, Default)]
struct StateInfo {
    board_key: u64,
    hand_key: u64,
    parts: PartKeys,
    /// Enemy pieces that check the side to move.
    checkers: Bitboard,
    /// Hand of the side to move.
    hand: Hand,
    /// The move that led to this position; `None` for a null move and at the root.
    last_move: Option<Move>,
    captured: Option<Piece>,
    /// Moves since the root or the last null move. Repetitions are not searched beyond it.
    since_null: u32,
    /// Number of consecutive latest moves of each side that gave check.
    checks: [u16; 2],
}

impl Position {
    /// The piece on a square.
    pub fn piece_on(&self, sq: Square) -> Option<Piece> {
        self.board[sq.index()]
    }

    /// The piece on a square that is known to be occupied.
    #[inline]
    pub(in crate::shogi) fn standing_on(&self, sq: Square) -> Piece {
        match self.piece_on(sq) {
            Some(piece) => piece,
            None => unreachable!("no piece on {sq}"),
        }
    }

    /// All pieces of one side.
    pub fn color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// All pieces of one kind.
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// One side's pieces of one kind.
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// Golds and all pieces that move like a gold.
    #[inline]
    pub fn gold_movers(&self) -> Bitboard {
        self.kind(PieceKind::Gold)
            | self.kind(PieceKind::ProPawn)
            | self.kind(PieceKind::ProLance)
            | self.kind(PieceKind::ProKnight)
            | self.kind(PieceKind::ProSilver)
    }

    /// Bishops and horses.
    pub(in crate::shogi) fn bishops(&self) -> Bitboard {
        self.kind(PieceKind::Bishop) | self.kind(PieceKind::Horse)
    }

    /// Rooks and dragons.
    pub(in crate::shogi) fn rooks(&self) -> Bitboard {
        self.kind(PieceKind::Rook) | self.kind(PieceKind::Dragon)
    }

    /// Pieces that attack all adjacent squares: kings, horses, dragons.
    fn king_movers(&self) -> Bitboard {
        self.kind(PieceKind::King) | self.kind(PieceKind::Horse) | self.kind(PieceKind::Dragon)
    }

    /// All occupied squares.
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The square of a side's king; `None` in mate problems without one.
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// The squares of Black's and White's king; `None` if one is missing.
    #[inline]
    pub fn kings(&self) -> Option<[Square; 2]> {
        let [black, white] = self.kings;
        Some([black?, white?])
    }

    /// The hand of a side.
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Number of the next move, 1 at the start of a game (the last SFEN field).
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// Number of moves, including null moves, made since this value was set up.
    pub fn moves_made(&self) -> usize {
        self.history.len()
    }

    /// Key of board, hands and side to move. Equal positions have equal keys.
    pub fn key(&self) -> u64 {
        self.state.board_key ^ self.state.hand_key
    }

    /// Key of board and side to move without the hands.
    pub fn board_key(&self) -> u64 {
        self.state.board_key
    }

    /// Keys of parts of the board.
    pub fn part_keys(&self) -> &PartKeys {
        &self.state.parts
    }

    /// Enemy pieces that check the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.state.checkers.is_empty()
    }

    /// The move that led to this position; `None` at the root and after a null move.
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// The piece that the last move captured, in its form on the board.
    pub fn last_captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// `color`'s pieces that attack `sq`, given the `occupied` squares.
    #[inline]
    pub fn attackers(&self, sq: Square, color: Color, occupied: Bitboard) -> Bitboard {
        self.step_attackers(sq, color) | self.sliding_attackers(sq, color, occupied)
    }

    /// `color`'s pieces that reach `sq` by one step.
    #[inline]
    fn step_attackers(&self, sq: Square, color: Color) -> Bitboard {
        let them = !color;
        let steps = attacks::pawn(them, sq) & self.kind(PieceKind::Pawn)
            | attacks::knight(them, sq) & self.kind(PieceKind::Knight)
            | attacks::silver(them, sq) & self.kind(PieceKind::Silver)
            | attacks::gold(them, sq) & self.gold_movers()
            | attacks::king(sq) & self.king_movers();
        steps & self.color(color)
    }

    /// `color`'s sliders that reach `sq` along their lines.
    #[inline]
    pub(in crate::shogi) fn sliding_attackers(
        &self,
        sq: Square,
        color: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        let ours = self.color(color);
        let lances = self.kind(PieceKind::Lance) & ours & attacks::lance_ray(!color, sq);
        let (rooks, bishops) = (self.rooks() & ours, self.bishops() & ours);
        let mut found = Bitboard::EMPTY;
        if !lances.is_empty() {
            found |= attacks::lance(!color, sq, occupied) & lances;
        }
        if rooks.intersects(attacks::rook_rays(sq)) {
            found |= attacks::rook(sq, occupied) & rooks;
        }
        if bishops.intersects(attacks::bishop_rays(sq)) {
            found |= attacks::bishop(sq, occupied) & bishops;
        }
        found
    }

    /// Pieces of either side on `occupied` squares that attack `sq`.
    #[inline]
    pub fn all_attackers(&self, sq: Square, occupied: Bitboard) -> Bitboard {
        let [black, white] = Color::ALL.map(|color| self.step_attackers(sq, color));
        (black | white) & occupied | self.all_sliding_attackers(sq, occupied)
    }

    /// Sliders of either side on `occupied` squares that reach `sq` along their lines.
    #[inline]
    pub(in crate::shogi) fn all_sliding_attackers(
        &self,
        sq: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let (rooks, bishops) = (self.rooks() & occupied, self.bishops() & occupied);
        let mut found = Bitboard::EMPTY;
        if rooks.intersects(attacks::rook_rays(sq)) {
            found |= attacks::rook(sq, occupied) & rooks;
        }
        if bishops.intersects(attacks::bishop_rays(sq)) {
            found |= attacks::bishop(sq, occupied) & bishops;
        }
        for color in Color::ALL {
            let lances = self.pieces(color, PieceKind::Lance) & occupied;
            if lances.intersects(attacks::lance_ray(!color, sq)) {
                found |= attacks::lance(!color, sq, occupied) & lances;
            }
        }
        found
    }

    /// Whether `color` attacks `sq`, given the `occupied` squares.
    #[inline]
    pub fn is_attacked(&self, sq: Square, color: Color, occupied: Bitboard) -> bool {
        !self.attackers(sq, color, occupied).is_empty()
    }

    /// Flight squares of a king: adjacent squares without own pieces that no enemy piece attacks
    /// after the king leaves its square. `occupied`: the occupied squares.
    ///
    /// Computes all squares at once, which is much cheaper than
    /// [`is_attacked`](Position::is_attacked) for each.
    #[inline]
    pub fn flights(&self, color: Color, king: Square, occupied: Bitboard) -> Bitboard {
        let steps = attacks::king(king) & !self.color(color);
        let occupied = occupied & !Bitboard::square(king);
        let attackers = self.pieces_near(!color, king);
        steps & !self.attack_sets_of(attackers, !color, occupied).all()
    }

    /// Pieces of either side that alone stand between a slider of `attacker` and the square `sq`,
    /// usually a king. Pieces of the king's side are pinned. Pieces of the attacker's side discover
    /// a check when they leave the line.
    #[inline]
    pub fn blockers(&self, sq: Square, attacker: Color) -> Bitboard {
        let theirs = self.color(attacker);
        let snipers = theirs
            & (attacks::lance_ray(!attacker, sq) & self.kind(PieceKind::Lance)
                | attacks::rook_rays(sq) & self.rooks()
                | attacks::bishop_rays(sq) & self.bishops());
        let occupied = self.occupied();
        snipers.union_of(|sniper| {
            let between = attacks::between(sq, sniper) & occupied;
            if between.has_many() { Bitboard::EMPTY } else { between }
        })
    }

    /// Own pieces that shield the king of the side to move.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        match self.king(self.side) {
            Some(king) => self.blockers(king, !self.side) & self.color(self.side),
            None => Bitboard::EMPTY,
        }
    }

    /// Kind of the moved piece before the move. The move must be pseudo-legal.
    #[inline]
    pub fn moved_piece(&self, mv: Move) -> PieceKind {
        match mv.origin() {
            Origin::Board(from) => self.standing_on(from).kind,
            Origin::Hand(held) => held.kind(),
        }
    }

    /// Kind of the moved piece after the move.
    #[inline]
    pub fn piece_after(&self, mv: Move) -> PieceKind {
        let kind = self.moved_piece(mv);
        if mv.is_promotion() { kind.promoted_or_same() } else { kind }
    }

    /// Whether the move is a capture.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.piece_on(mv.to()).is_some()
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, sq: Square) {
        self.by_color[piece.color.index()].toggle(sq);
        self.by_kind[piece.kind.index()].toggle(sq);
    }
}
