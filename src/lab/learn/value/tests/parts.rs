//! Tests of the gradients and counts of each part.

use super::super::adam::BatchStep;
use super::super::batch::Batch;
use super::super::king_rows::KingRows;
use super::super::king_views::PIECES;
use super::super::kkp::KkpPart;
use super::super::network::NetworkPart;
use super::super::piece_values::PieceValuesPart;
use super::super::pp::PpPart;
use super::super::tempo::TempoPart;
use super::super::threats::ThreatsPart;
use super::*;

fn value(part: &mut dyn ModelPart, batch: &Batch) -> f64 {
    let mut values = vec![0.0; batch.len()];
    part.forward(batch, &mut values);
    // Different factors, so that the samples are not interchangeable.
    values.iter().zip(1..).map(|(&value, n)| f64::from(value) * f64::from(n)).sum()
}

/// A batch of a few samples, for a part with random weights.
fn prepare(part: &mut dyn ModelPart, rng: &mut Rng) -> Batch {
    let samples = samples(&positions(3, 12));
    let mut batch = Batch::default();
    batch.fill(&samples, &refs(&samples));
    randomize(part, rng, 0.5);
    batch
}

/// The gradient of [`value`] by `backward`, read from Adam's first moments.
fn gradients(part: &mut dyn ModelPart, batch: &Batch) -> Vec<Vec<f64>> {
    value(part, batch);
    let gradients: Vec<f32> = (1..=batch.len()).map(|n| n as f32).collect();
    part.backward(batch, &gradients, BatchStep { number: 1, factor: 1.0, done: 0.0 });
    let gradient = |moment: &f32| 10.0 * f64::from(*moment);
    part.parameters().iter().map(|w| w.moments.iter().map(gradient).collect()).collect()
}

/// The derivative of [`value`] with respect to a weight, as central difference.
fn slope(part: &mut dyn ModelPart, batch: &Batch, (set, at): (usize, usize), step: f32) -> f64 {
    let mut nudged = |by: f32| {
        part.parameters()[set].values[at] += by;
        let value = value(part, batch);
        part.parameters()[set].values[at] -= by;
        value
    };
    (nudged(step) - nudged(-step)) / f64::from(2.0 * step)
}

/// Checks that the gradient of `backward` equals central differences of the value.
fn check_gradient(name: &str, mut part: impl ModelPart) {
    let mut rng = Rng::from_seed(7);
    let batch = prepare(&mut part, &mut rng);
    let found = gradients(&mut part, &batch);
    const STEP: f32 = 0.125;
    let mut checked = 0;
    for (set, found) in found.iter().enumerate() {
        let touched: Vec<usize> = (0..found.len()).filter(|&at| found[at] != 0.0).collect();
        assert!(!touched.is_empty(), "{name}: no weight has a gradient");
        for _ in 0..40 {
            let any = rng.below(found.len());
            let at = *rng.choose(&touched).expect("not empty");
            for at in [at, any] {
                let slope = slope(&mut part, &batch, (set, at), STEP);
                let error = (slope - found[at]).abs();
                assert!(error < 2e-3 * slope.abs().max(1.0), "{name} {at}: {slope} {}", found[at]);
                checked += 1;
            }
        }
    }
    assert!(checked >= 80, "{name}");
}

#[test]
fn gradients_are_central_differences() {
    check_gradient("piece values", PieceValuesPart::new(&config(ModelForm::None)));
    check_gradient("threats", ThreatsPart::new(STILL));
    check_gradient("tempo", TempoPart::new(STILL));
    check_gradient("KP", KingRows::<1>::new(vec![0.0; PIECES], STILL));
    check_gradient("u", KingRows::<32>::new(vec![0.0; 32 * PIECES], STILL));
    check_gradient("KKP", KkpPart::new(STILL));
    check_gradient("PP", PpPart::new(STILL));
}

#[test]
fn gradients_of_networks_are_central_differences() {
    let free = |head| NetworkShape { units: 64, head, king_relative: false };
    for form in [
        free(HeadShape::classic(16)),
        free(HeadShape::classic(32)),
        free(PRODUCTS),
        free(DUAL),
        free(DUAL_PRODUCTS),
        NetworkShape { king_relative: true, ..free(HeadShape::classic(16)) },
    ] {
        let mut rng = Rng::from_seed(7);
        let mut draw = |len: usize, deviation: f32| -> Vec<f32> {
            (0..len).map(|_| deviation * (3.4 * rng.unit() - 1.7) as f32).collect()
        };
        let mut part = NetworkPart::new(form, false, STILL, &mut draw);
        let samples = samples(&positions(3, 12));
        let mut batch = Batch::default();
        batch.fill(&samples, &refs(&samples));
        part.begin(&batch);
        let found = gradients(&mut part, &batch);
        const STEP: f32 = 1.0 / 512.0;
        for (set, found) in found.iter().enumerate() {
            let touched: Vec<usize> = (0..found.len()).filter(|&at| found[at] != 0.0).collect();
            let mut wrong = 0;
            for _ in 0..100 {
                let at = *rng.choose(&touched).expect("not empty");
                let slope = slope(&mut part, &batch, (set, at), STEP);
                let error = (slope - found[at]).abs();
                wrong += u32::from(error > 0.02 * slope.abs().max(1.0));
            }
            // A unit may cross the bend of its activation within the step.
            assert!(wrong <= 8, "{form:?} {set}: {wrong} of 100");
        }
    }
}
