//! What many numbers and techniques are worth, from one series of games.
//!
//! Every pair of games sets each factor to its high level on one side and to its low level on the
//! other, by signs drawn anew: a randomized two-level factorial design (Box, Hunter and Hunter,
//! *Statistics for Experimenters*, chapter 5). All games tell of every factor, so that fifty of
//! them cost no more than one; each is measured among the mean of the others' levels.

use crate::rng::Rng;

/// The design: which factors stand high on the first side of each pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Number of factors.
    pub factors: usize,
    /// Seed of the signs.
    pub seed: u64,
}

/// What the high level of a factor is worth over the low one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Difference in Elo between engines of about the same strength.
    pub elo: f64,
    /// Half the width of the 95 % interval, Elo.
    pub error: f64,
}

/// Elo of a win more in a hundred games between equals, times a hundred: 1600 / ln 10.
const ELO_PER_SCORE: f64 = 1_600.0 / std::f64::consts::LN_10;
/// Half the width of the 95 % interval of a normal distribution, standard deviations.
const SURE: f64 = 1.96;

impl Screen {
    /// Whether each factor stands high on the first side of a pair; on the second side it stands
    /// the other way. Depends on the seed and the pair's number alone.
    pub fn signs(self, pair: u64) -> Vec<bool> {
        let mut rng = Rng::for_item(self.seed, pair);
        (0..self.factors).map(|_| rng.below(2) == 1).collect()
    }

    /// The effect of each factor. `results`: of the pairs from the first on, games won less games
    /// lost by the first side, share of the games. `None` for fewer than two pairs.
    pub fn effects(self, results: &[f64]) -> Option<Vec<Effect>> {
        let count = results.len() as f64;
        if count < 2.0 {
            return None;
        }
        let mut sums = vec![0.0; self.factors];
        for (pair, result) in results.iter().enumerate() {
            for (sum, high) in sums.iter_mut().zip(self.signs(pair as u64)) {
                *sum += if high { *result } else { -result };
            }
        }
        let square = results.iter().map(|result| result * result).sum::<f64>() / count;
        let effect = |sum: f64| {
            let mean = sum / count;
            let error = ((square - mean * mean).max(0.0) / (count - 1.0)).sqrt();
            // A result of 1 is a score of 100 %, half a score above even.
            let elo = ELO_PER_SCORE / 2.0;
            Effect { elo: elo * mean, error: SURE * elo * error }
        };
        Some(sums.into_iter().map(effect).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strong_factors_are_found_and_idle_ones_are_not() {
        let screen = Screen { factors: 20, seed: 3 };
        let mut luck = Rng::from_seed(1);
        let results: Vec<f64> = (0..4_000)
            .map(|pair| {
                let signs = screen.signs(pair);
                let way = |at: usize| if signs[at] { 1.0 } else { -1.0 };
                let chance = 0.5 + 0.05 * way(4) - 0.03 * way(9);
                if luck.unit() < chance { 1.0 } else { -1.0 }
            })
            .collect();
        let effects = screen.effects(&results).expect("enough pairs");
        // A score of 55 % is 35 Elo, one of 53 % is 21.
        for (at, effect) in effects.iter().enumerate() {
            let worth = [(4, 34.7), (9, -20.8)].into_iter().find(|known| known.0 == at);
            let worth = worth.map_or(0.0, |known| known.1);
            assert!((effect.elo - worth).abs() < 1.7 * effect.error, "{at}: {effect:?}");
            assert!(effect.error > 5.0 && effect.error < 15.0, "{effect:?}");
        }
        assert_eq!(screen.effects(&results[..1]), None);
    }

    #[test]
    fn signs_are_drawn_anew_for_every_pair() {
        let screen = Screen { factors: 64, seed: 1 };
        assert_eq!(screen.signs(5), screen.signs(5));
        assert_ne!(screen.signs(5), screen.signs(6));
        assert_ne!(screen.signs(5), Screen { seed: 2, ..screen }.signs(5));
    }
}
