//! Weights in the integer form of the evaluation.

use crate::papers::pairs::form::PairWeights;

/// Weights scaled and rounded to -127..=127.
#[derive(Clone, Debug)]
pub struct QuantizedPairs {
    /// The weights.
    pub weights: PairWeights,
    /// Number of weights that were out of range and clipped.
    pub cut: usize,
}

impl QuantizedPairs {
    /// Scales, rounds and clips the weights, shape [`RELATIONS`](crate::papers::pairs::form::RELATIONS).
    pub fn new(weights: &[f64], scale: f64) -> QuantizedPairs {
        let scaled = weights.iter().map(|weight| (weight * scale).round());
        let cut = scaled.clone().filter(|weight| weight.abs() > 127.0).count();
        let rounded: Vec<i8> = scaled.map(|weight| weight.clamp(-127.0, 127.0) as i8).collect();
        let weights = PairWeights::new(&rounded).expect("a weight for each relation");
        QuantizedPairs { weights, cut }
    }

    /// Number of weights with each value from -127 to 127.
    pub fn histogram(&self) -> [usize; 255] {
        let mut counts = [0; 255];
        for weight in self.weights.triangle() {
            counts[(i32::from(weight) + 127) as usize] += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::pairs::form::RELATIONS;

    #[test]
    fn weights_are_scaled_rounded_and_cut() {
        let mut weights = vec![0.0; RELATIONS];
        weights[..4].copy_from_slice(&[0.5, -0.02, 1.1, -3.0]);
        let quantized = QuantizedPairs::new(&weights, 128.0);
        assert_eq!(quantized.weights.triangle()[..4], [64, -3, 127, -127]);
        assert_eq!(quantized.cut, 2);
        let histogram = quantized.histogram();
        assert_eq!((histogram[127], histogram[254], histogram[0]), (RELATIONS - 4, 1, 1));
    }
}
