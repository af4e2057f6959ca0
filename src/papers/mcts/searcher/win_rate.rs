//! Conversion between scores and winning probabilities.

use crate::eval::Score;

/// The winning probability of a score. `scale`: centipawns that multiply the odds by e.
#[inline]
pub(super) fn win_rate(score: Score, scale: i32) -> f32 {
    1.0 / (1.0 + (-(score.to_cp() as f32) / scale as f32).exp())
}

/// The score of a winning probability.
pub(super) fn score_of(win_rate: f32, scale: i32) -> Score {
    let odds = (win_rate / (1.0 - win_rate)).max(f32::MIN_POSITIVE);
    Score::cp((scale as f32 * odds.ln()).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_survive_the_conversion() {
        for cp in [-3_000, -600, -1, 0, 250, 2_000] {
            assert_eq!(score_of(win_rate(Score::cp(cp), 600), 600), Score::cp(cp));
        }
        assert_eq!(win_rate(Score::mate_in(3), 600), 1.0);
        assert!(win_rate(Score::mated_in(2), 600) < 1e-20);
        assert!(score_of(1.0, 600) == Score::MAX_EVAL && score_of(0.0, 600) < Score::cp(-10_000));
    }
}
