//! What many numbers and techniques are worth, from one series of games.
//!
//! Every pair of games sets each factor to its high or low level on either side, drawn anew, so that
//! all games tell of all factors: a randomized two-level factorial design (Box, Hunter and Hunter,
//! *Statistics for Experimenters*, chapter 5). Fifty factors cost hardly more than one; each is
//! measured among the mean of the others' levels.

use crate::rng::Rng;

/// The design: which factors stand high on each side of a pair of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ablation {
    /// Number of factors.
    pub factors: usize,
    /// Each factor is low with this probability on either side. `None`: it is high on one side, low
    /// on the other. (Were the same number of factors low on both sides, only differences between
    /// factors could be told.)
    pub low: Option<f64>,
    /// Seed of the levels.
    pub seed: u64,
}

/// What the high level of a factor is worth over the low one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Difference in Elo between engines of about the same strength.
    pub elo: f64,
    /// Half the width of the 95 % interval, Elo.
    pub error: f64,
    /// Pairs of games that tell of it.
    pub pairs: usize,
}

/// Elo for each unit of a pair's result near an even score: 800 / ln 10.
const ELO: f64 = 800.0 / std::f64::consts::LN_10;
/// Half the width of the 95 % interval of a normal distribution, standard deviations.
const SURE: f64 = 1.96;

impl Ablation {
    /// Whether each factor stands high, for both sides of a pair. Depends on the seed and the
    /// pair's number alone.
    pub fn levels(self, pair: u64) -> [Vec<bool>; 2] {
        let mut rng = Rng::for_item(self.seed, pair);
        if let Some(low) = self.low {
            return [(); 2].map(|()| (0..self.factors).map(|_| rng.unit() >= low).collect());
        }
        let first: Vec<bool> = (0..self.factors).map(|_| rng.below(2) == 1).collect();
        let second = first.iter().map(|high| !high).collect();
        [first, second]
    }

    /// The effect of each factor. `results`: of the pairs from the first on, games won less games
    /// lost by the first side, share of the games. `None` for a factor of which fewer than two pairs
    /// tell.
    pub fn effects(self, results: &[f64]) -> Vec<Option<Effect>> {
        let mut told = vec![Vec::new(); self.factors];
        for (pair, &result) in results.iter().enumerate() {
            let [first, second] = self.levels(pair as u64);
            for (told, (first, second)) in told.iter_mut().zip(first.into_iter().zip(second)) {
                if first != second {
                    told.push(if first { result } else { -result });
                }
            }
        }
        told.iter().map(|told| effect(told)).collect()
    }
}

/// The effect that results of the side with the high level show.
fn effect(results: &[f64]) -> Option<Effect> {
    let count = results.len() as f64;
    if count < 2.0 {
        return None;
    }
    let mean = results.iter().sum::<f64>() / count;
    let square = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>();
    let error = (square / (count - 1.0) / count).sqrt();
    Some(Effect { elo: ELO * mean, error: SURE * ELO * error, pairs: results.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strong_factors_are_found_and_idle_ones_are_not() {
        let ablation = Ablation { factors: 20, low: None, seed: 3 };
        let mut luck = Rng::from_seed(1);
        let results: Vec<f64> = (0..4_000)
            .map(|pair| {
                let [first, _] = ablation.levels(pair);
                let way = |at: usize| if first[at] { 1.0 } else { -1.0 };
                let chance = 0.5 + 0.05 * way(4) - 0.03 * way(9);
                if luck.unit() < chance { 1.0 } else { -1.0 }
            })
            .collect();
        // A score of 55 % is 35 Elo, one of 53 % is 21.
        for (at, effect) in ablation.effects(&results).into_iter().enumerate() {
            let effect = effect.expect("enough pairs");
            let worth = [(4, 34.7), (9, -20.8)].into_iter().find(|known| known.0 == at);
            let worth = worth.map_or(0.0, |known| known.1);
            assert!((effect.elo - worth).abs() < 1.7 * effect.error, "{at}: {effect:?}");
            assert!(effect.error > 5.0 && effect.error < 15.0, "{effect:?}");
        }
        assert_eq!(ablation.effects(&results[..1]), [None; 20]);
    }

    #[test]
    fn factors_seldom_low_are_measured_where_the_sides_differ() {
        let ablation = Ablation { factors: 10, low: Some(0.2), seed: 3 };
        // Whoever lacks the third one loses.
        let results: Vec<f64> = (0..3_000)
            .map(|pair| {
                let [first, second] = ablation.levels(pair).map(|levels| u8::from(levels[3]));
                f64::from(first) - f64::from(second)
            })
            .collect();
        for (at, effect) in ablation.effects(&results).into_iter().enumerate() {
            let effect = effect.expect("enough pairs");
            assert!(effect.pairs > 800 && effect.pairs < 1_100, "{effect:?}");
            if at == 3 {
                assert!((effect.elo - ELO).abs() < 1e-6 && effect.error < 1e-6, "{effect:?}");
            } else {
                assert!(effect.elo.abs() < 30.0, "{at}: {effect:?}");
            }
        }
    }

    #[test]
    fn levels_are_drawn_anew_for_every_pair() {
        for low in [None, Some(0.1)] {
            let ablation = Ablation { factors: 64, low, seed: 1 };
            assert_eq!(ablation.levels(5), ablation.levels(5));
            assert_ne!(ablation.levels(5), ablation.levels(6));
            assert_ne!(ablation.levels(5), Ablation { seed: 2, ..ablation }.levels(5));
        }
        let all_low = Ablation { factors: 3, low: Some(1.0), seed: 1 };
        assert_eq!(all_low.levels(0), [vec![false; 3], vec![false; 3]]);
    }
}
