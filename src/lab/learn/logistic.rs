//! Odds, probabilities and losses of the logistic model.

/// 1 / (1 + e^-x).
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// [`sigmoid`] in double precision.
#[inline]
pub fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// ln(p / (1 - p)), the inverse of [`probability`]; infinite at 0 and 1.
#[inline]
pub fn logit(probability: f64) -> f64 {
    (probability / (1.0 - probability)).ln()
}

/// - t ln sigmoid(v) - (1 - t) ln(1 - sigmoid(v)).
#[inline]
pub fn cross_entropy(value: f32, aim: f32) -> f32 {
    // ln(1 + e^v) - t v, in the form that does not overflow.
    value.max(0.0) + (-value.abs()).exp().ln_1p() - aim * value
}

/// Cross-entropy of a value against the aim minus the entropy of the aim, nats.
pub fn excess(value: f32, aim: f32) -> f64 {
    f64::from(cross_entropy(value, aim)) - entropy(aim)
}

/// - p ln p - (1 - p) ln(1 - p), nats.
pub fn entropy(probability: f32) -> f64 {
    let p = f64::from(probability);
    [p, 1.0 - p].into_iter().filter(|&p| p > 0.0).map(|p| -p * p.ln()).sum()
}

/// The bias b for which sigmoid((x - b) / `scale`) explains the results best, in the unit of `x`:
/// then its mean is the mean result.
pub fn fit_bias<T>(
    items: &[T],
    scale: f32,
    x: impl Fn(&T) -> f32,
    result: impl Fn(&T) -> f32,
) -> f32 {
    /// More steps than needed: the loss is convex in one variable.
    const STEPS: usize = 20;
    let scale = f64::from(scale);
    let mut bias = 0.0;
    for _ in 0..STEPS {
        let (mut surplus, mut curvature) = (0.0, 1e-9);
        for item in items {
            let expected = probability((f64::from(x(item)) - bias) / scale);
            surplus += expected - f64::from(result(item));
            curvature += expected * (1.0 - expected);
        }
        let change = surplus / curvature * scale;
        bias += change;
        if change.abs() < 1e-3 {
            break;
        }
    }
    bias as f32
}

/// The scale s for which sigmoid(x / s) explains the results best: logistic regression of the
/// results (0 to 1) on `x` alone. Newton's method finds the reciprocal of s. Infinite if the
/// results do not depend on `x`.
pub fn fit_slope<T>(items: &[T], x: impl Fn(&T) -> f32, result: impl Fn(&T) -> f32) -> f32 {
    /// More steps than needed: the loss is convex in one variable.
    const STEPS: usize = 20;
    /// Magnitude of the scores. Dividing by it keeps slopes near 1.
    const UNIT: f64 = 1_000.0;
    let mut slope = 0.0;
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = (0.0, 1e-9);
        for item in items {
            let x = f64::from(x(item)) / UNIT;
            let expected = probability(slope * x);
            gradient += x * (expected - f64::from(result(item)));
            curvature += x * x * expected * (1.0 - expected);
        }
        let change = gradient / curvature;
        slope -= change;
        if change.abs() < 1e-6 {
            break;
        }
    }
    (UNIT / slope) as f32
}
