//! Standard errors by the bootstrap (Efron 1979).

use rayon::prelude::*;

use crate::rng::Rng;

/// Number of resamples.
pub const RESAMPLES: u64 = 1_000;
const SEED: u64 = 1;

/// The mean of independent values and its standard error: the standard deviation of the means of
/// [`RESAMPLES`] samples drawn from them with replacement. Differences of paired values give the
/// paired bootstrap. No values give zeros. Cost: `RESAMPLES` draws per value.
pub fn bootstrap_mean(values: &[f64]) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let resampled = |number| {
        let mut rng = Rng::for_item(SEED, number);
        mean(values.iter().map(|_| values[rng.below(values.len())]))
    };
    let means: Vec<f64> = (0..RESAMPLES).into_par_iter().map(resampled).collect();
    let center = mean(means.iter().copied());
    let variance = mean(means.iter().map(|mean| (mean - center).powi(2)));
    (mean(values.iter().copied()), variance.sqrt())
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_is_the_deviation_by_the_root_of_the_count() {
        // Values 0 to 99 have a variance of (100^2 - 1) / 12.
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let (mean, error) = bootstrap_mean(&values);
        let expected = (9_999.0_f64 / 12.0 / 100.0).sqrt();
        assert_eq!(mean, 49.5);
        assert!((error / expected - 1.0).abs() < 0.1, "{error} instead of {expected}");
        assert_eq!(bootstrap_mean(&values), (mean, error), "the same each time");
        assert_eq!(bootstrap_mean(&[0.25; 8]), (0.25, 0.0));
        assert_eq!(bootstrap_mean(&[]), (0.0, 0.0));
    }
}
