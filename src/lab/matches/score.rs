//! The score of a match and the Elo difference that it shows.
//!
//! The two games of a pair have the same opening and are not independent. Errors and the sequential
//! test therefore use the *pentanomial* distribution: the number of pairs with 0, 0.5, 1, 1.5 and 2
//! points.
//!
//! Sources: Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo" (notes for
//! Fishtest), for the likelihood ratio and normalized Elo; Wilson (1927), "Probable inference, the
//! law of succession, and statistical inference", for the interval of few games.

use std::fmt;

/// Results of games in order, from the first engine's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchScore {
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    points: Vec<f64>,
}

/// Half width of a 95 % interval in standard deviations.
const SURE: f64 = 1.96;
/// Minimum number of pairs for an estimate of their variance.
const MIN_PAIRS: usize = 10;

/// Stands for the number of pairs with a result that did not occur, as in Fishtest.
const NEVER_SEEN: f64 = 1e-3;

/// A score, its standard error and its 95 % interval.
struct Estimate {
    score: f64,
    error: f64,
    interval: [f64; 2],
    by_pairs: bool,
}

impl MatchScore {
    /// Adds a game: 1 if the first engine won it, 0 if it was drawn, -1 if it was lost.
    pub fn add(&mut self, result: i32) {
        self.points.push(f64::from(result + 1) / 2.0);
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.points.len()
    }

    /// Games won, drawn and lost by the first engine.
    pub fn counts(&self) -> [usize; 3] {
        [1.0, 0.5, 0.0].map(|points| self.points.iter().filter(|&&game| game == points).count())
    }

    /// Number of pairs in which the first engine scored 0, 0.5, 1, 1.5 and 2 points. A last game
    /// without its partner does not count.
    pub fn pairs(&self) -> [usize; 5] {
        let mut counts = [0; 5];
        for pair in self.points.chunks_exact(2) {
            counts[(2.0 * (pair[0] + pair[1])) as usize] += 1;
        }
        counts
    }

    /// The share of points with its interval.
    fn estimate(&self) -> Estimate {
        let count = self.points.len() as f64;
        let score = mean(&self.points);
        let pairs = self.pair_means();
        let by_pairs = pairs.len() >= MIN_PAIRS && variance(&pairs) > 0.0;
        let error = if by_pairs {
            (variance(&pairs) / pairs.len() as f64).sqrt()
        } else {
            (variance(&self.points) / count).sqrt()
        };
        let interval = [score - SURE * error, score + SURE * error];
        let is_usual = by_pairs && interval[0] > 0.0 && interval[1] < 1.0;
        let interval = if is_usual { interval } else { self.wilson_interval(score, error) };
        Estimate { score, error, interval, by_pairs }
    }

    /// Wilson's interval for the number of independent games that corresponds to this error.
    fn wilson_interval(&self, score: f64, error: f64) -> [f64; 2] {
        let games = if error > 0.0 && score > 0.0 && score < 1.0 {
            score * (1.0 - score) / error.powi(2)
        } else {
            self.points.len() as f64
        };
        let square = SURE.powi(2);
        let middle = (score + square / (2.0 * games)) / (1.0 + square / games);
        let root = (score * (1.0 - score) / games + square / (4.0 * games.powi(2))).sqrt();
        let half = SURE * root / (1.0 + square / games);
        [middle - half, middle + half]
    }

    /// The share of points in each pair.
    fn pair_means(&self) -> Vec<f64> {
        self.points.chunks_exact(2).map(mean).collect()
    }

    /// Normalized Elo and half the width of its 95 % interval: the score above 0.5 in standard
    /// deviations of a game, times 800 / ln 10. `None` if all pairs have the same result.
    pub fn normalized_elo(&self) -> Option<[f64; 2]> {
        let pairs = self.pair_means();
        let variance = Some(variance(&pairs)).filter(|&variance| variance > 0.0)?;
        let unit = 800.0 / 10_f64.ln() / (2.0 * variance).sqrt();
        let error = (variance / pairs.len() as f64).sqrt();
        Some([(mean(&pairs) - 0.5) * unit, SURE * error * unit])
    }

    /// Probability that the first engine is stronger: by the error of pairs, or if there are few,
    /// by the games won and lost.
    fn superiority(&self) -> f64 {
        let Estimate { score, error, by_pairs, .. } = self.estimate();
        let [won, _, lost] = self.counts().map(|count| count as f64);
        let deviations = if by_pairs {
            (score - 0.5) / error
        } else if won + lost == 0.0 {
            0.0
        } else {
            (won - lost) / (won + lost).sqrt()
        };
        0.5 * (1.0 + erf(deviations / 2_f64.sqrt()))
    }

    /// Log-likelihood ratio of the pairs: first engine `elo[1]` stronger against `elo[0]` stronger.
    /// Each hypothesis is the most likely distribution of pairs with its score.
    pub fn log_likelihood_ratio(&self, elo: [f64; 2]) -> f64 {
        let pairs = self.pairs();
        if pairs.iter().sum::<usize>() == 0 {
            return 0.0;
        }
        let counts = pairs.map(|count| (count as f64).max(NEVER_SEEN));
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let [low, high] = elo.map(|elo| most_likely(&shares, expected_score(elo)));
        let ratios = low.iter().zip(high).map(|(low, high)| (high / low).ln());
        total * shares.iter().zip(ratios).map(|(share, ratio)| share * ratio).sum::<f64>()
    }

    /// The test decides beyond this log-likelihood ratio in either direction, with 5 % errors.
    pub fn decision_bound() -> f64 {
        (0.95_f64 / 0.05).ln()
    }
}

impl fmt::Display for MatchScore {
    /// `+6 =1 -3  score 65.0%  Elo +107.5 +/- 201.5 (95%: -94..+309, by games)  LOS 84.1%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.points.is_empty() {
            return f.write_str("no games");
        }
        let [won, drawn, lost] = self.counts();
        let Estimate { score, interval, by_pairs, .. } = self.estimate();
        write!(f, "+{won} ={drawn} -{lost}  score {:.1}%  ", 100.0 * score)?;
        let [low, high] = interval.map(elo);
        if score == 1.0 {
            write!(f, "Elo > {low:+.0}")?;
        } else if score == 0.0 {
            write!(f, "Elo < {high:+.0}")?;
        } else {
            let (error, kind) = ((high - low) / 2.0, if by_pairs { "pairs" } else { "games" });
            write!(
                f,
                "Elo {:+.1} +/- {error:.1} (95%: {low:+.0}..{high:+.0}, by {kind})",
                elo(score)
            )?;
        }
        write!(f, "  LOS {:.1}%", 100.0 * self.superiority())
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64
}

/// The distribution of pair results with this mean, 0 to 1, that makes the observed shares most
/// likely: share / (1 + t (points - mean)), where t gives the mean.
fn most_likely(shares: &[f64; 5], score: f64) -> [f64; 5] {
    let offsets = [0.0, 0.25, 0.5, 0.75, 1.0].map(|points| points - score);
    let distribution = |t: f64| -> [f64; 5] {
        std::array::from_fn(|result| shares[result] / (1.0 + t * offsets[result]))
    };
    // The mean decreases with t.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let excess: f64 = distribution(middle).iter().zip(offsets).map(|(p, o)| p * o).sum();
        if excess > 0.0 { low = middle } else { high = middle }
    }
    distribution((low + high) / 2.0)
}

/// The expected score with this Elo difference.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference with this expected score.
pub(super) fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-9, 1.0 - 1e-9);
    400.0 * (score / (1.0 - score)).log10()
}

/// The error function with an error below 1.5e-7: Abramowitz and Stegun (1964), formula 7.1.26.
fn erf(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let factors = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let sum = factors.iter().fold(0.0, |sum, factor| (sum + factor) * t);
    (1.0 - sum * (-x * x).exp()).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(results: &[i32]) -> MatchScore {
        let mut score = MatchScore::default();
        results.iter().for_each(|&result| score.add(result));
        score
    }

    /// The expected values come from `eval/reports/match_statistics.py`.
    #[test]
    fn scores_agree_with_an_independent_program() {
        let long = [1, -1, 1, 1, 0, 1, -1, -1, 1, 1, 1, 0, 1, 1, -1, 1, 1, -1, 1, 1, 1, 1, 0, -1];
        for (results, text, ratio) in [
            (&[][..], "no games", 0.0),
            (
                &[1, 1, 1, 0, -1, 1, 1, -1, -1, 1],
                "+6 =1 -3  score 65.0%  Elo +107.5 +/- 201.5 (95%: -94..+309, by games)  LOS 84.1%",
                0.485_055,
            ),
            (&[1; 12], "+12 =0 -0  score 100.0%  Elo > +198  LOS 100.0%", 0.582_897),
            (
                &[1, -1],
                "+1 =0 -1  score 50.0%  Elo +0.0 +/- 392.5 (95%: -393..+393, by games)  LOS 50.0%",
                -0.074_006,
            ),
            (&[-1; 5], "+0 =0 -5  score 0.0%  Elo < -46  LOS 1.3%", -0.208_931),
            (
                &long,
                "+15 =3 -6  score 68.8%  Elo +137.0 +/- 164.8 (95%: +3..+332, by pairs)  LOS 97.7%",
                0.739_922,
            ),
            (
                &long[..23],
                "+15 =3 -5  score 71.7%  Elo +161.8 +/- 179.5 (95%: +24..+383, by pairs)  LOS 99.0%",
                0.752_251,
            ),
        ] {
            let score = score(results);
            assert_eq!(score.to_string(), text);
            let found = score.log_likelihood_ratio([-5.0, 30.0]);
            assert!((found - ratio).abs() < 1e-6, "{text}: {found}");
        }
        let score = score(&long);
        assert_eq!(score.pairs(), [1, 1, 3, 2, 5]);
        let [normalized, error] = score.normalized_elo().expect("pairs differ");
        assert!((normalized - 141.8).abs() < 0.05 && (error - 139.0).abs() < 0.05);
        assert_eq!(MatchScore::default().normalized_elo(), None);
        assert!((MatchScore::decision_bound() - 2.944).abs() < 1e-3);
    }
}
