//! Whether material can be won by captures and promotions.

use crate::lab::capture_search::{ScoredMove, best_value, ordered};
use crate::papers::pairs::form::TABLE_2;
use crate::shogi::{Move, MoveList, Position, Scope, SeeValues, movegen};

/// Longest line, plies. Longer exchanges are rare.
const MAX_DEPTH: u32 = 16;

/// The search with Table 2's values: either side stands pat or makes a capture or promotion.
#[derive(Clone, Copy, Debug)]
pub struct CaptureSearch {
    values: SeeValues,
}

impl Default for CaptureSearch {
    fn default() -> CaptureSearch {
        CaptureSearch { values: TABLE_2.see_values() }
    }
}

impl CaptureSearch {
    /// Material that the side to move wins, Table 2's centipawns; 0 or more.
    pub fn gain(&self, pos: &mut Position) -> i32 {
        self.search(pos, 0, i32::MAX / 2, 0)
    }

    /// Whether a legal move neither wins nor loses material: the balance at the end of all captures
    /// is the same before and after it. `gain`: material that the side to move wins before the
    /// move.
    ///
    /// So an exchange and its recaptures are neutral. Of 56,319 moves of professionals 65 % are
    /// neutral, and 20.8 of the other legal moves per position (the paper: 67.5 % and 21.1). Only
    /// 45 % meet the stricter condition that nothing can be won before or after the move.
    pub fn is_neutral(&self, pos: &mut Position, mv: Move, gain: i32) -> bool {
        // Material that the opponent must win after a neutral move.
        let loss = pos.material_gain(mv, &self.values) - gain;
        if loss < 0 {
            return false;
        }
        pos.do_move(mv);
        let found = self.search(pos, loss - 1, loss + 1, 0);
        pos.undo_move();
        found == loss
    }

    /// The legal moves that neither win nor lose material.
    pub fn neutral_moves(&self, pos: &mut Position) -> MoveList {
        let gain = self.gain(pos);
        let mut moves = movegen::legal_moves(pos, Scope::LEGAL);
        moves.retain(|mv| self.is_neutral(pos, *mv, gain));
        moves
    }

    /// Material that the side to move wins, exact in the window `alpha..beta`. Fail-soft
    /// alpha-beta.
    fn search(&self, pos: &mut Position, alpha: i32, beta: i32, depth: u32) -> i32 {
        if beta <= 0 || depth == MAX_DEPTH {
            return 0;
        }
        let moves = ordered(pos, Scope::CAPTURES | Scope::PROMOTIONS, |mv| {
            Some(pos.material_gain(mv, &self.values))
        });
        best_value(0, [alpha, beta], moves, |ScoredMove { mv, value: gain }, [alpha, beta]| {
            // The opponent can always stand pat, so a line wins at most what its first move wins.
            if gain <= alpha {
                return None;
            }
            pos.do_move(mv);
            let value = gain - self.search(pos, gain - beta, gain - alpha, depth + 1);
            pos.undo_move();
            Some(value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(sfen: &str) -> (CaptureSearch, Position) {
        (CaptureSearch::default(), Position::from_sfen(sfen).expect("valid"))
    }

    #[test]
    fn material_is_won_by_captures_and_promotions() {
        for (sfen, gain) in [
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0),
            // An unprotected pawn, and one protected by a knight.
            ("4k4/9/9/9/3p5/9/1B7/9/4K4 b - 1", 200),
            ("4k4/9/2n6/9/3p5/9/1B7/9/4K4 b - 1", 0),
            // A promotion; a pawn for a lance; a pawn that a rook recaptures.
            ("4k4/9/9/1P7/9/9/9/9/4K4 b - 1", 500),
            ("4k4/9/1l7/1P7/9/9/9/9/4K4 b - 1", 1300),
            ("1r2k4/9/1l7/1P7/9/9/9/9/4K4 b - 1", 600),
        ] {
            let (search, mut pos) = search(sfen);
            assert_eq!(search.gain(&mut pos), gain, "{sfen}");
        }
    }

    #[test]
    fn neutral_moves_neither_win_nor_lose() {
        let start = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
        let (search, mut pos) = search(start);
        let neutral = search.neutral_moves(&mut pos);
        // The bishops are exchanged, or not, or White captures one for nothing.
        for (mv, is_neutral) in
            [("2g2f", true), ("8h2b+", true), ("8h7g", true), ("8h6f", true), ("8h5e", false)]
        {
            let mv = mv.parse().expect("a move");
            assert!(pos.is_legal(mv));
            assert_eq!(neutral.contains(&mv), is_neutral, "{mv}");
        }
        // The recapture is neutral, as the capture was; any other move loses a bishop.
        pos.do_move("8h2b+".parse().expect("a move"));
        let neutral = search.neutral_moves(&mut pos);
        let retakes = ["3a2b", "8b2b"].map(|mv| mv.parse().expect("a move"));
        assert!(neutral.contains(&retakes[0]) && neutral.iter().all(|mv| retakes.contains(mv)));
    }
}
