//! Selection of book moves.

use super::BookMove;
use crate::rng::Rng;
use crate::shogi::Color;

/// The rules that select book moves. The defaults are those of the USI options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookRules {
    /// Last move number of a game that is played from the book; 0 = none.
    pub last_move: u32,
    /// Maximum difference of a move to the best book move, centipawns.
    pub score_difference: i32,
    /// Minimum score of a move, centipawns, indexed by [`Color`].
    pub least_score: [i32; 2],
    /// Minimum depth of a move, plies.
    pub least_depth: u32,
    /// Whether book positions match at any move number. If false, a position with a move number
    /// matches only at that number.
    pub any_number: bool,
    /// Whether the position rotated by 180 degrees with swapped colors is looked up as well.
    pub turned: bool,
}

impl Default for BookRules {
    fn default() -> BookRules {
        BookRules {
            last_move: 16,
            score_difference: 30,
            least_score: [0, -140],
            least_depth: 0,
            any_number: false,
            turned: true,
        }
    }
}

impl BookRules {
    /// The book moves that `side` may play.
    pub fn allowed<'a>(&self, side: Color, moves: &'a [BookMove]) -> Vec<&'a BookMove> {
        let deep = || moves.iter().filter(|known| known.depth >= self.least_depth);
        let best = deep().map(|known| known.score).max().unwrap_or_default();
        let least = self.least_score[side.index()].max(best - self.score_difference);
        deep().filter(|known| known.score >= least).collect()
    }

    /// Draws one of the allowed moves with probability proportional to its count.
    pub fn choose(&self, side: Color, moves: &[BookMove], rng: &mut Rng) -> Option<BookMove> {
        let allowed = self.allowed(side, moves);
        let weight = |known: &BookMove| known.weight() as usize;
        let total = allowed.iter().map(|known| weight(known)).sum();
        if total == 0 {
            return None;
        }
        let mut left = rng.below(total);
        let chosen = allowed.into_iter().find(|known| {
            let is_chosen = left < weight(known);
            left = left.saturating_sub(weight(known));
            is_chosen
        });
        chosen.copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(lines: &[&str]) -> Vec<BookMove> {
        lines.iter().map(|line| line.parse().expect(line)).collect()
    }

    #[test]
    fn limits_hold_for_each_side() {
        let moves = moves(&[
            "7g7f none 20 16 1",
            "2g2f none 0 32 1",
            "5g5f none -11 16 1",
            "6g6f none -140 16 1",
            "1g1f none 500 15 1",
        ]);
        let allowed = |rules: &BookRules, side| -> Vec<String> {
            rules.allowed(side, &moves).iter().map(|known| known.mv.to_string()).collect()
        };
        let rules = BookRules { least_depth: 16, ..BookRules::default() };
        assert_eq!(allowed(&rules, Color::Black), ["7g7f", "2g2f"]);
        let wide = BookRules { score_difference: 31, ..rules.clone() };
        assert_eq!(allowed(&wide, Color::Black), ["7g7f", "2g2f"]);
        assert_eq!(allowed(&wide, Color::White), ["7g7f", "2g2f", "5g5f"]);
        let any_depth = BookRules { least_depth: 0, ..rules };
        assert_eq!(allowed(&any_depth, Color::Black), ["1g1f"]);
        let deepest = BookRules { least_depth: 33, ..any_depth };
        assert_eq!(deepest.choose(Color::Black, &moves, &mut Rng::from_seed(1)), None);
    }

    #[test]
    fn moves_are_chosen_as_often_as_they_were_played() {
        let moves = moves(&["7g7f none 0 16 3", "2g2f none 0 16 1", "5g5f none 0 16 0"]);
        let (rules, mut rng) = (BookRules::default(), Rng::from_seed(7));
        let mut chosen = [0; 3];
        for _ in 0..5_000 {
            let mv = rules.choose(Color::White, &moves, &mut rng).expect("a move");
            chosen[moves.iter().position(|known| *known == mv).expect("one of them")] += 1;
        }
        for (times, expected) in chosen.into_iter().zip([3_000, 1_000, 1_000]) {
            assert!(i32::abs(times - expected) < 150, "{chosen:?}");
        }
    }
}
