//! Ablation: the effects of many parameters and techniques from one series of games.
//!
//! Each pair of games sets every factor to its high or low level on either side at random, so that
//! all games inform about all factors. This is a randomized two-level factorial design (Box, Hunter
//! and Hunter, *Statistics for Experimenters*, chapter 5). Fifty factors cost hardly more games
//! than one. Each effect is averaged over the levels of the others.

use crate::rng::Rng;

/// The design: the levels of the factors on each side of a pair of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ablation {
    /// Number of factors.
    pub factors: usize,
    /// Probability of the low level of each factor on either side. `None`: the factor is high on
    /// one side and low on the other. (With the same number of low factors on both sides, only
    /// differences between factors could be measured.)
    pub low: Option<f64>,
    /// Seed of the levels.
    pub seed: u64,
}

/// The effect of the high level of a factor compared with the low level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Elo difference between engines of about equal strength.
    pub elo: f64,
    /// Half width of the 95 % interval, Elo.
    pub error: f64,
    /// Number of pairs that inform about the effect.
    pub pairs: usize,
}

/// Elo per unit of a pair's result near an even score: 800 / ln 10.
const ELO: f64 = 800.0 / std::f64::consts::LN_10;
/// Changes the seed for the levels.
const LEVELS: u64 = 0x6c65_7665_6c73;
/// Half width of the 95 % interval of a normal distribution in standard deviations.
const SURE: f64 = 1.96;

impl Ablation {
    /// Whether each factor is high, for both sides of a pair. Depends only on the seed and the
    /// number of the pair.
    pub fn levels(self, pair: u64) -> [Vec<bool>; 2] {
        // The openings of the pair have their own random numbers.
        let mut rng = Rng::for_item(self.seed ^ LEVELS, pair);
        if let Some(low) = self.low {
            return [(); 2].map(|()| (0..self.factors).map(|_| rng.unit() >= low).collect());
        }
        let first: Vec<bool> = (0..self.factors).map(|_| rng.below(2) == 1).collect();
        let second = first.iter().map(|high| !high).collect();
        [first, second]
    }

    /// The effect of each factor. `results`: for each pair in order, games won minus games lost by
    /// the first side, as a share of the games. `None` for a factor with fewer than two pairs.
    pub fn effects(self, results: &[f64]) -> Vec<Option<Effect>> {
        let mut known = vec![Vec::new(); self.factors];
        for (pair, &result) in results.iter().enumerate() {
            let [first, second] = self.levels(pair as u64);
            for (known, (first, second)) in known.iter_mut().zip(first.into_iter().zip(second)) {
                if first != second {
                    known.push(if first { result } else { -result });
                }
            }
        }
        known.iter().map(|known| effect(known)).collect()
    }
}

/// The effect that the results of the side with the high level show.
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
    fn only_factors_with_an_effect_are_found() {
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
        // A score of 55 % is 35 Elo, a score of 53 % is 21 Elo.
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
    fn rarely_low_factors_are_measured_where_the_sides_differ() {
        let ablation = Ablation { factors: 10, low: Some(0.2), seed: 3 };
        // The side without the factor at index 3 loses.
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
    fn levels_differ_between_pairs() {
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
