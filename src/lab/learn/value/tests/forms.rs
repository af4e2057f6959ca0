//! Tests of the export of each form of the model to the evaluation, and of the import.

use super::super::model::Model;
use super::*;
use crate::eval::Evaluation;
use crate::eval::learned::Term;

/// A model with random weights up to this size. Networks have small changes of their random initial
/// weights, so that all heads and all own kings differ.
fn random_model(form: ModelForm, size: f64) -> Model {
    let mut rng = Rng::from_seed(11);
    let mut model = Model::new(&config(form));
    let randomized = model.parts.len() - usize::from(form.network().is_some());
    let (parts, network) = model.parts.split_at_mut(randomized);
    for (at, part) in parts.iter_mut().enumerate() {
        randomize(part.as_mut(), &mut rng, size);
        // Piece values are exported in whole centipawns.
        if at == 0 {
            let scale = ValueConfig::FACTORED.scale;
            let values = &mut part.parameters()[0].values;
            values.iter_mut().for_each(|value| *value = (scale * *value).round() / scale);
        }
    }
    for (at, weights) in network.iter_mut().flat_map(|part| part.parameters()).enumerate() {
        // The rows of a standalone network must remain without the enemy king.
        if at != 1 && matches!(form, ModelForm::Standalone(_)) {
            continue;
        }
        for weight in &mut weights.values {
            *weight += (0.02 * (2.0 * rng.unit() - 1.0)) as f32;
        }
    }
    model
}

/// The exported weights give every position the value of the model.
#[test]
fn exported_weights_have_the_values_of_the_model() {
    let positions = positions(5, 200);
    let samples = samples(&positions);
    for form in FORMS {
        let mut model = random_model(form, 0.01);
        let is_network = form.network().is_some();
        let quantized = model.export().quantize();
        assert_eq!(quantized.clipped, 0);
        let evaluation = Evaluation::Learned(std::sync::Arc::new(quantized.weights));
        // For a king on the middle file, the evaluation of the factored form and of networks uses
        // one of the mirror images; the other forms use their mean.
        let mut values = |image| {
            let numbers = 0..samples.len();
            let refs: Vec<_> = numbers.map(|n| SampleRef::new(n).mirrored_if(image)).collect();
            model.forward(&samples, &refs).to_vec()
        };
        let (plain, mirrored) = (values(false), values(true));
        let (mut compared, mut errors) = (0, 0.0);
        for (at, pos) in positions.iter().enumerate() {
            let view = samples[at].view().expect("sound");
            let in_the_middle = [view.own_king, view.enemy_king].iter().any(|k| k.file() == 4);
            if in_the_middle && (is_network || form == FORMS[1]) {
                continue;
            }
            compared += 1;
            let expected = ValueConfig::FACTORED.scale * (plain[at] + mirrored[at]) / 2.0;
            let found = evaluation.evaluate(pos).to_cp() as f32;
            errors += (expected - found).powi(2);
            let tolerance = if is_network { 100.0 } else { 3.0 };
            assert!((expected - found).abs() < tolerance, "{form:?} {pos}: {expected} {found}");
        }
        // Hidden units are rounded to 1/128, and squaring amplifies the error; layers are rounded
        // to 8 bits.
        let deviation = (errors / compared as f32).sqrt();
        assert!(compared > 10 && deviation < 25.0, "{form:?}: {deviation}");
    }
}

#[test]
fn weights_are_imported_by_models_of_their_form() {
    let exported = FORMS.map(|form| random_model(form, 0.1).export().quantize().weights);
    for (at, &form) in FORMS.iter().enumerate() {
        assert!(Model::new(&config(form)).import(&exported[at]), "{form:?}");
        let other = &exported[(at + 1) % exported.len()];
        assert!(!Model::new(&config(form)).import(other), "{form:?} from another form");
    }
    let without_pairs = ValueConfig { has_pairs: false, ..config(FORMS[2]) };
    assert!(!Model::new(&without_pairs).import(&exported[2]), "PP would be lost");
}

#[test]
fn pairs_can_be_left_out() {
    let config = ValueConfig { has_pairs: false, ..config(ModelForm::None) };
    let mut model = Model::new(&config);
    let mut rng = Rng::from_seed(3);
    model.parts.iter_mut().for_each(|part| randomize(part.as_mut(), &mut rng, 0.01));
    let weights = model.export();
    assert!(weights.terms[Term::Pp].iter().all(|&weight| weight == 0.0));
    assert!(weights.terms[Term::Kkp].iter().any(|&weight| weight != 0.0));
}
