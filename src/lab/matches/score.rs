//! The score of a match and the Elo difference that it shows.
//!
//! Sources: Wilson (1927), "Probable inference, the law of succession, and statistical inference",
//! for the interval; Van den Bergh, "The generalized sequential probability ratio test" (notes for
//! Fishtest), for the likelihood ratio of trinomial results.

use std::fmt;

/// Results of games in order, from the first engine's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchScore {
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    points: Vec<f64>,
}

/// Half width of a 95 % interval in standard deviations.
const SURE: f64 = 1.96;
/// Minimum number of pairs for an estimate of their spread.
const MIN_PAIRS: usize = 10;

/// A score and its 95 % interval.
struct Estimate {
    score: f64,
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

    /// The share of points with its interval. Two games from one opening are not independent, so
    /// the spread is estimated from pairs if there are enough.
    fn estimate(&self) -> Estimate {
        let count = self.points.len() as f64;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let variance = |values: &[f64]| {
            let mean = mean(values);
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64
        };
        let score = mean(&self.points);
        let pairs: Vec<f64> = self.points.chunks_exact(2).map(mean).collect();
        let by_pairs = pairs.len() >= MIN_PAIRS && variance(&pairs) > 0.0;
        let error = if by_pairs {
            (variance(&pairs) / pairs.len() as f64).sqrt()
        } else {
            (variance(&self.points) / count).sqrt()
        };
        // Wilson's interval for the number of independent games that corresponds to this error.
        let games = if error > 0.0 && score > 0.0 && score < 1.0 {
            score * (1.0 - score) / error.powi(2)
        } else {
            count
        };
        let square = SURE.powi(2);
        let middle = (score + square / (2.0 * games)) / (1.0 + square / games);
        let root = (score * (1.0 - score) / games + square / (4.0 * games.powi(2))).sqrt();
        let half = SURE * root / (1.0 + square / games);
        Estimate { score, interval: [middle - half, middle + half], by_pairs }
    }

    /// Probability that the first engine is stronger, ignoring draws.
    fn superiority(&self) -> f64 {
        let [won, _, lost] = self.counts().map(|count| count as f64);
        if won + lost == 0.0 {
            0.5
        } else {
            0.5 * (1.0 + erf((won - lost) / (2.0 * (won + lost)).sqrt()))
        }
    }

    /// Log-likelihood ratio of the results: first engine `elo[1]` stronger against `elo[0]`
    /// stronger.
    pub fn log_likelihood_ratio(&self, elo: [f64; 2]) -> f64 {
        if self.points.len() < 4 {
            return 0.0;
        }
        // Adds half a game of each result, because without a loss the variance would be zero.
        let [won, drawn, lost] = self.counts().map(|count| count as f64 + 0.5);
        let games = won + drawn + lost;
        let score = (won + drawn / 2.0) / games;
        let variance =
            (won * (1.0 - score).powi(2) + drawn * (0.5 - score).powi(2) + lost * score.powi(2))
                / games;
        let [low, high] = elo.map(|elo| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
        games * (high - low) * (2.0 * score - low - high) / (2.0 * variance)
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
        let Estimate { score, interval, by_pairs } = self.estimate();
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

/// The Elo difference with this expected score.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(1e-9, 1.0 - 1e-9) - 1.0).log10()
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

    /// The expected values come from an independent program, `match.py`.
    #[test]
    fn scores_agree_with_an_independent_program() {
        let long = [1, -1, 1, 1, 0, 1, -1, -1, 1, 1, 1, 0, 1, 1, -1, 1, 1, -1, 1, 1, 1, 1, 0, -1];
        for (results, text, ratio) in [
            (&[][..], "no games", 0.0),
            (
                &[1, 1, 1, 0, -1, 1, 1, -1, -1, 1],
                "+6 =1 -3  score 65.0%  Elo +107.5 +/- 201.5 (95%: -94..+309, by games)  LOS 84.1%",
                0.324_513,
            ),
            (&[1; 12], "+12 =0 -0  score 100.0%  Elo > +198  LOS 100.0%", 6.697_532),
            (&[-1; 5], "+0 =0 -5  score 0.0%  Elo < -46  LOS 1.3%", -1.587_556),
            (
                &long,
                "+15 =3 -6  score 68.8%  Elo +137.0 +/- 144.4 (95%: -7..+281, by pairs)  LOS 97.5%",
                1.101_033,
            ),
            (
                &long[..23],
                "+15 =3 -5  score 71.7%  Elo +161.8 +/- 152.1 (95%: +10..+314, by pairs)  LOS 98.7%",
                1.327_771,
            ),
        ] {
            let score = score(results);
            assert_eq!(score.to_string(), text);
            assert!((score.log_likelihood_ratio([-5.0, 30.0]) - ratio).abs() < 1e-6, "{text}");
        }
        assert!((MatchScore::decision_bound() - 2.944).abs() < 1e-3);
    }
}
