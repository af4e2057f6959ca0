//! The features of a move. A move has at most one feature of each group. Squares are from the
//! mover's view, with the board rotated for White. *Piece* is the moving kind with the type of the
//! move: a move on the board, a drop, or a promotion.

use crate::eval::see_values;
use crate::shogi::{
    CheckSquares, Color, HandPiece, Move, Origin, PieceKind, Position, Square, attacks,
};

/// Number of features.
pub const FEATURES: usize = Group::ALL[Group::ALL.len() - 1].end();

/// A group of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// The piece, and the captured kind.
    Taken,
    /// The piece, and its target square.
    To,
    /// The piece, and its origin square, for moves on the board.
    From,
    /// The piece, and its offset from the enemy king after the move.
    EnemyKing,
    /// The piece, and its offset from the own king after the move.
    OwnKing,
    /// The piece, and its offset after the move from the target square of the opponent's last move.
    LastMove,
    /// The piece, the kind that the opponent moved last, and whether that move was a capture.
    LastPiece,
    /// Static exchange value in steps, and whether the move gives check, recaptures, and answers a
    /// check.
    Exchange,
    /// The piece, and the own and enemy attackers of its target square, each up to two.
    Attackers,
    /// The piece, and whether its origin square is attacked and protected.
    Escape,
    /// The piece, and the most valuable enemy piece that it attacks after the move.
    Threat,
}

const KINDS: usize = PieceKind::COUNT;
/// Number of pieces: on the board, promoting, dropped.
const PIECES: usize = 2 * KINDS + HandPiece::COUNT;
const OFFSETS: usize = 17 * 17;
/// Lower bounds of the steps of static exchange values.
const STEPS: [i32; 13] = [-800, -500, -300, -150, -50, 0, 1, 100, 250, 450, 700, 1_000, 1_500];

impl Group {
    const ALL: [Group; 11] = [
        Group::Taken,
        Group::To,
        Group::From,
        Group::EnemyKing,
        Group::OwnKing,
        Group::LastMove,
        Group::LastPiece,
        Group::Exchange,
        Group::Attackers,
        Group::Escape,
        Group::Threat,
    ];

    const fn size(self) -> usize {
        match self {
            Group::Taken | Group::Threat => PIECES * (KINDS + 1),
            Group::To | Group::From => PIECES * Square::COUNT,
            Group::EnemyKing | Group::OwnKing | Group::LastMove => PIECES * OFFSETS,
            Group::LastPiece => PIECES * 2 * KINDS,
            Group::Exchange => (STEPS.len() + 1) * 8,
            Group::Attackers => PIECES * 9,
            Group::Escape => PIECES * 4,
        }
    }

    /// First index of the features of the group.
    const fn start(self) -> usize {
        let (mut start, mut at) = (0, 0);
        while at < self as usize {
            start += Group::ALL[at].size();
            at += 1;
        }
        start
    }

    const fn end(self) -> usize {
        self.start() + self.size()
    }
}

/// First index of the features of each group.
const STARTS: [usize; Group::ALL.len()] = {
    let mut starts = [0; Group::ALL.len()];
    let mut at = 0;
    while at < starts.len() {
        starts[at] = Group::ALL[at].start();
        at += 1;
    }
    starts
};

/// Data that the features of all moves of a position share.
pub struct RatedPosition<'a> {
    pos: &'a Position,
    us: Color,
    checks: CheckSquares,
    /// The own king's square and the enemy king's.
    kings: [Option<Square>; 2],
    /// The opponent's last move: its target square, the moved kind, and whether it was a capture.
    last: Option<(Square, PieceKind, bool)>,
}

impl<'a> RatedPosition<'a> {
    /// Prepares the features of a position.
    pub fn new(pos: &'a Position) -> RatedPosition<'a> {
        let us = pos.side_to_move();
        let last = pos.last_move().and_then(|mv| {
            let piece = pos.piece_on(mv.to())?;
            Some((mv.to(), piece.kind, pos.last_captured().is_some()))
        });
        let kings = [pos.king(us), pos.king(!us)];
        RatedPosition { pos, us, checks: pos.check_squares(), kings, last }
    }

    /// Calls `found` with each feature of a legal move. Features are below [`FEATURES`].
    #[inline]
    pub fn each_feature(&self, mv: Move, mut found: impl FnMut(usize)) {
        let (pos, us, to) = (self.pos, self.us, mv.to());
        let kind = pos.moved_piece(mv);
        let piece = match mv.origin() {
            Origin::Board(_) if mv.is_promotion() => KINDS + kind.index(),
            Origin::Board(_) => kind.index(),
            Origin::Hand(held) => 2 * KINDS + held.index(),
        };
        let mut add_row = |group: Group, row: usize, number: usize| {
            let width = group.size() / PIECES;
            found(STARTS[group as usize] + row * width + number);
        };
        let taken = pos.piece_on(to).map_or(0, |taken| 1 + taken.kind.index());
        add_row(Group::Taken, piece, taken);
        add_row(Group::To, piece, to.relative(us).index());
        for (group, king) in [Group::OwnKing, Group::EnemyKing].into_iter().zip(self.kings) {
            if let Some(king) = king {
                add_row(group, piece, self.offset(king, to));
            }
        }
        let mut takes_back = false;
        if let Some((last_to, last_kind, has_taken)) = self.last {
            add_row(Group::LastMove, piece, self.offset(last_to, to));
            add_row(Group::LastPiece, piece, 2 * last_kind.index() + usize::from(has_taken));
            takes_back = last_to == to;
        }
        // Leaving a square opens lines through it. Approaching a square closes some lines.
        let occupied = pos.occupied();
        let (mut own_attackers, mut without) = (pos.attackers(to, us, occupied), occupied);
        if let Some(from) = mv.from() {
            add_row(Group::From, piece, from.relative(us).index());
            let is_attacked = pos.is_attacked(from, !us, occupied);
            let is_protected = pos.is_attacked(from, us, occupied);
            add_row(Group::Escape, piece, 2 * usize::from(is_attacked) + usize::from(is_protected));
            without.toggle(from);
            own_attackers = pos.attackers(to, us, without);
            if own_attackers.contains(from) {
                own_attackers.toggle(from);
            }
        }
        let count = |attackers: u32| attackers.min(2) as usize;
        let enemies = pos.attackers(to, !us, without).len();
        add_row(Group::Attackers, piece, 3 * count(own_attackers.len()) + count(enemies));
        let attacked = attacks::piece(us, pos.piece_after(mv), to, without) & pos.color(!us);
        let values = see_values();
        let dearest = attacked.iter().filter_map(|sq| pos.piece_on(sq)).map(|piece| piece.kind);
        let dearest = dearest.max_by_key(|kind| values.capture[kind.index()]);
        add_row(Group::Threat, piece, dearest.map_or(0, |kind| 1 + kind.index()));

        let exchange = pos.see(mv, values);
        let step = STEPS.iter().filter(|&&step| exchange >= step).count();
        let bits = [pos.gives_check(mv, &self.checks), takes_back, pos.in_check()];
        let bits = bits.into_iter().fold(0, |bits, bit| 2 * bits + usize::from(bit));
        found(STARTS[Group::Exchange as usize] + 8 * step + bits);
    }

    /// The file and rank offset from one square to another, as one number.
    #[inline]
    fn offset(&self, from: Square, to: Square) -> usize {
        let (from, to) = (from.relative(self.us), to.relative(self.us));
        (8 + to.file() - from.file()) * 17 + 8 + to.rank() - from.rank()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::shogi::{Scope, movegen};

    fn features(pos: &Position, mv: Move) -> Vec<usize> {
        let mut found = Vec::new();
        RatedPosition::new(pos).each_feature(mv, |feature| found.push(feature));
        found
    }

    #[test]
    fn each_group_gives_at_most_one_feature_and_all_groups_occur() {
        let mut rng = Rng::from_seed(4);
        let mut seen = [0; Group::ALL.len()];
        for _ in 0..20 {
            let mut pos = Position::startpos();
            for _ in 0..100 {
                let moves = movegen::legal_moves(&pos, Scope::LEGAL);
                for &mv in &moves {
                    let found = features(&pos, mv);
                    assert!(found.iter().all(|&feature| feature < FEATURES));
                    for (group, seen) in Group::ALL.into_iter().zip(&mut seen) {
                        let range = group.start()..group.end();
                        let count = found.iter().filter(|feature| range.contains(feature)).count();
                        assert!(count <= 1, "{group:?} of {mv} in {pos}");
                        *seen += count;
                    }
                }
                let Some(&mv) = rng.choose(&moves) else { break };
                pos.do_move(mv);
            }
        }
        assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
    }

    #[test]
    fn a_turned_board_has_the_same_features() {
        let mut rng = Rng::from_seed(5);
        let mut pos = Position::startpos();
        for _ in 0..80 {
            let moves = movegen::legal_moves(&pos, Scope::LEGAL);
            // A position that is set up has no last move.
            let set_up = Position::from_sfen(&pos.to_sfen()).expect("valid");
            let turned = set_up.turned();
            for &mv in &moves {
                let turn = |sq: Square| sq.relative(Color::White);
                let image = match mv.origin() {
                    Origin::Board(from) if mv.is_promotion() => {
                        Move::promotion(turn(from), turn(mv.to()))
                    }
                    Origin::Board(from) => Move::board(turn(from), turn(mv.to())),
                    Origin::Hand(held) => Move::drop(held, turn(mv.to())),
                };
                assert_eq!(features(&set_up, mv), features(&turned, image), "{mv} in {pos}");
            }
            let Some(&mv) = rng.choose(&moves) else { break };
            pos.do_move(mv);
        }
    }
}
