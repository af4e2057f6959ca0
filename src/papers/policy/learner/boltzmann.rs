//! The Boltzmann policy: move probabilities from move values.

use std::ops::AddAssign;

/// Moves beyond this many temperatures below the best have no probability (e^-30 = 1e-13).
const NEGLIGIBLE: f32 = -30.0;

/// pi(a|s) = exp(E(a)/T) / Z, Z the sum over all moves (eq. (4) and (5) of the paper).
///
/// `values`: shape `[moves]`, centipawns from the mover's view, not empty. `temperature`:
/// centipawns. `policy` receives shape `[moves]`, sum 1.
pub fn probabilities(values: &[f32], temperature: f32, policy: &mut Vec<f32>) {
    let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    policy.clear();
    policy.extend(values.iter().map(|value| {
        let exponent = (value - best) / temperature;
        if exponent < NEGLIGIBLE { 0.0 } else { exponent.exp() }
    }));
    let total: f32 = policy.iter().sum();
    for probability in policy {
        *probability /= total;
    }
}

/// Agreement of the best-valued move with the record's: 1 if the record's move alone is best, 1/n
/// if it shares the best value with n - 1 others, otherwise 0.
pub fn credit(values: &[f32], record: usize) -> f64 {
    let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if values.get(record).is_none_or(|&value| value < best) {
        return 0.0;
    }
    1.0 / values.iter().filter(|&&value| value == best).count() as f64
}

/// Share of positions where the best-valued move is the record's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Sum of [`credit`]s.
    pub credit: f64,
    /// Number of positions.
    pub positions: u64,
}

impl Agreement {
    /// Counts one position.
    pub fn add(&mut self, credit: f64) {
        self.credit += credit;
        self.positions += 1;
    }

    /// In percent; 0 without positions.
    pub fn percent(&self) -> f64 {
        100.0 * self.credit / self.positions.max(1) as f64
    }
}

impl AddAssign for Agreement {
    fn add_assign(&mut self, other: Agreement) {
        self.credit += other.credit;
        self.positions += other.positions;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_the_formula() {
        let (values, temperature) = ([30.0, -5.0, 12.5, 30.0], 10.0);
        let mut policy = vec![7.0];
        probabilities(&values, temperature, &mut policy);
        let weights = values.map(|value| f64::from(value / temperature).exp());
        let total: f64 = weights.iter().sum();
        assert_eq!(policy.len(), values.len());
        for (found, weight) in policy.iter().zip(weights) {
            assert!((f64::from(*found) - weight / total).abs() < 1e-6, "{policy:?}");
        }
        probabilities(&[1e6, -1e6], 1.0, &mut policy);
        assert_eq!(policy, [1.0, 0.0]);
    }

    #[test]
    fn ties_share_the_credit() {
        let values = [1.0, 3.0, 3.0, 2.0];
        assert_eq!(
            [0, 1, 2, 3, 9].map(|record| credit(&values, record)),
            [0.0, 0.5, 0.5, 0.0, 0.0]
        );
        let mut agreement = Agreement::default();
        assert_eq!(agreement.percent(), 0.0);
        for credit in [0.5, 1.0, 0.0, 0.0] {
            agreement.add(credit);
        }
        assert_eq!((agreement.percent(), agreement.positions), (37.5, 4));
    }
}
