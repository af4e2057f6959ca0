//! Start positions: the normal start position, or positions that occur in searches but rarely in
//! games.

use super::config::Starts;
use crate::eval::PieceList;
use crate::rng::Rng;
use crate::shogi::{
    BoardContent, Color, HandPiece, Piece, PieceKind, Position, Scope, Square, movegen,
};

/// The start of a game.
pub(super) struct Start {
    pub position: Position,
    /// Whether the position must be balanced after the varied moves.
    pub even: bool,
}

/// Shares of the kinds of varied starts, of 100: start position, random, handicap. The rest is
/// composed.
const USUAL: usize = 50;
const RANDOM: usize = 10;
const HANDICAP: usize = 12;

/// Draws the start of a game.
pub(super) fn draw(starts: Starts, rng: &mut Rng) -> Start {
    let usual = || Start { position: Position::startpos(), even: true };
    let uneven = |position| Start { position, even: false };
    if starts == Starts::Usual {
        return usual();
    }
    match rng.below(100) {
        kind if kind < USUAL => usual(),
        kind if kind < USUAL + RANDOM => uneven(after_random_moves(rng)),
        kind if kind < USUAL + RANDOM + HANDICAP => uneven(handicap(rng)),
        _ => uneven(composed(rng)),
    }
}

/// The position after 10 to 80 random moves from the start position.
fn after_random_moves(rng: &mut Rng) -> Position {
    let mut pos = Position::startpos();
    for _ in 0..10 + rng.below(71) {
        let moves = movegen::legal_moves(&pos, Scope::USEFUL);
        let Some(&mv) = rng.choose(&moves) else { break };
        pos.do_move(mv);
    }
    Position::from_pieces(&pos.content()).expect("it was reached by moves")
}

/// The start position without one to eight pieces of one side.
fn handicap(rng: &mut Rng) -> Position {
    let mut content = Position::startpos().content();
    let board = &mut content.board;
    let giver = if rng.below(2) == 0 { Color::Black } else { Color::White };
    for _ in 0..1 + rng.below(8) {
        let is_given = |sq: &Square| {
            board[sq.index()]
                .is_some_and(|piece| piece.color == giver && piece.kind != PieceKind::King)
        };
        let mut places: Vec<Square> = Square::all().filter(is_given).collect();
        // Three of four are chosen among the pieces that are no pawns, the fourth among all.
        if rng.below(4) > 0 {
            places.retain(|sq| board[sq.index()].is_some_and(|p| p.kind != PieceKind::Pawn));
        }
        if let Some(sq) = rng.choose(&places) {
            board[sq.index()] = None;
        }
    }
    content.side = if rng.below(2) == 0 { Color::Black } else { Color::White };
    Position::from_pieces(&content).expect("a handicap")
}

/// A composed random position: kings anywhere, also in the enemy camp, and the pieces distributed
/// over board and hands.
fn composed(rng: &mut Rng) -> Position {
    loop {
        if let Some(mut pos) = try_composed(rng)
            && movegen::has_legal_move(&pos)
            && pos.mate_in_one().is_none()
        {
            return pos;
        }
    }
}

/// Whether a piece is allowed on the square: not dead, and no two pawns on the file (nifu).
fn can_stand(board: &[Option<Piece>; 81], piece: Piece, sq: Square) -> bool {
    let mut file = (0..9).filter_map(|rank| Square::new(sq.file(), rank));
    !piece.is_dead_on(sq)
        && (piece.kind != PieceKind::Pawn || file.all(|other| board[other.index()] != Some(piece)))
}

/// Attempts to place a piece on the board before it goes to the hand.
const PLACINGS: usize = 8;

fn try_composed(rng: &mut Rng) -> Option<Position> {
    let mut board = [None; 81];
    for color in Color::ALL {
        // Rank 0 is the farthest: half of the kings are at home, a third in the enemy camp.
        let rank = match rng.below(6) {
            0..3 => 6 + rng.below(3),
            3 => 3 + rng.below(3),
            _ => rng.below(3),
        };
        let sq = Square::new(rng.below(9), rank)?.relative(color);
        if board[sq.index()].is_some() {
            return None;
        }
        board[sq.index()] = Some(Piece::new(color, PieceKind::King));
    }
    let mut hands = [[0; 7]; 2];
    let (in_hand, black, promoted) = (0.7 * rng.unit(), 0.25 + 0.5 * rng.unit(), rng.unit());
    let pieces =
        HandPiece::ALL.into_iter().flat_map(|held| (0..held.set_size()).map(move |_| held));
    debug_assert_eq!(pieces.clone().count(), PieceList::SLOTS);
    for held in pieces {
        let color = if rng.unit() < black { Color::Black } else { Color::White };
        let on_board = rng.unit() >= in_hand;
        let place = (0..PLACINGS).filter(|_| on_board).find_map(|_| {
            let sq = Square::from_index(rng.below(81))?;
            let rank = sq.relative(color).rank();
            // Pieces deep in the enemy camp are mostly promoted.
            let is_promoted = held != HandPiece::Gold && rank < 5 && rng.unit() < promoted;
            let kind = if is_promoted { held.kind().promoted()? } else { held.kind() };
            let piece = Piece::new(color, kind);
            (board[sq.index()].is_none() && can_stand(&board, piece, sq)).then_some((sq, piece))
        });
        match place {
            Some((sq, piece)) => board[sq.index()] = Some(piece),
            None => hands[color.index()][held.index()] += 1,
        }
    }
    let side = if rng.below(2) == 0 { Color::Black } else { Color::White };
    Position::from_pieces(&BoardContent { board, hands, side }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_have_the_documented_properties() {
        let mut rng = Rng::from_seed(3);
        let (mut entered, mut in_hand, mut missing) = (0, 0, 0);
        for _ in 0..400 {
            let Start { position: pos, even } = draw(Starts::Varied, &mut rng);
            assert_eq!(even, pos.to_sfen() == Position::startpos().to_sfen());
            assert!(movegen::has_legal_move(&pos) && pos.moves_made() == 0);
            assert!(Color::ALL.iter().all(|&color| pos.king(color).is_some()));
            entered += usize::from(Color::ALL.iter().any(|&color| pos.has_entered(color)));
            let held = |color| pos.hand(color).iter().map(|(_, count)| count).sum::<u32>();
            let held = held(Color::Black) + held(Color::White);
            in_hand += usize::from(held >= 8);
            missing += usize::from(pos.occupied().iter().count() as u32 + held < 40);
            assert!(draw(Starts::Usual, &mut rng).even);
        }
        assert!(entered > 40 && in_hand > 40 && missing > 20, "{entered} {in_hand} {missing}");
    }
}
