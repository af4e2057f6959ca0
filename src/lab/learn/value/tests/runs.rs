//! Tests of learning runs.

use super::super::adam::BatchStep;
use super::super::model::Model;
use super::*;
use crate::eval::learned::Term;
use crate::eval::learned::network::ByteLayer;
use crate::lab::learn::SampleSet;
use crate::lab::learn::logistic::sigmoid;
use crate::lab::learn::{RealHead, RealUpper};

#[test]
fn a_raised_tempo_favours_the_side_to_move_in_model_and_weights() {
    let data = planted(50);
    let [usual, raised] = [0.0, 30.0].map(|tempo| {
        let config = ValueConfig { tempo, ..config(ModelForm::None) };
        let mut trainer = trainer(config, &data, &data);
        finish(&mut trainer);
        trainer.finalize();
        let model = &mut trainer.objective.model;
        let values = model.forward(&data.samples, &refs(&data.samples)).to_vec();
        (values, model.export().terms[Term::Tempo].clone())
    });
    let equal = |a: f32, b: f32| assert!((a - b).abs() < 1e-4 * b.abs().max(1.0), "{a} {b}");
    usual
        .0
        .iter()
        .zip(&raised.0)
        .for_each(|(usual, raised)| equal(usual + 30.0 / ValueConfig::FACTORED.scale, *raised));
    usual.1.iter().zip(&raised.1).for_each(|(usual, raised)| equal(usual + 30.0, *raised));
}

/// Random positions with values given by planted weights of the pieces alone.
fn planted(count: usize) -> SampleSet {
    let mut samples = samples(&positions(17, count));
    let mut model = small_model();
    let mut rng = Rng::from_seed(23);
    for weight in &mut model.parts[2].parameters()[0].values {
        *weight = 0.4 * rng.unit() as f32 - 0.2;
    }
    let values = model.forward(&samples, &refs(&samples)).to_vec();
    for (sample, value) in samples.iter_mut().zip(values) {
        sample.score = (1_000.0 * value) as i16;
        sample.half_points = if rng.unit() < f64::from(sigmoid(value)) { 2 } else { 0 };
    }
    SampleSet { samples, checksum: count as u64, ..SampleSet::default() }
}

/// A model of piece values, TempoPart, KP and P only.
fn small_model() -> Model {
    let mut config = config(ModelForm::None);
    config.rates.relations = AdamRate::new(0.003);
    let mut model = Model::new(&config);
    model.parts.truncate(3);
    model
}

/// The same positions with the opposite values: learning from one set makes the other worse.
fn reversed(data: &SampleSet) -> SampleSet {
    let mut reversed = data.clone();
    for sample in &mut reversed.samples {
        sample.score = -sample.score;
        sample.half_points = 2 - sample.half_points;
    }
    reversed
}

fn trainer<'d>(
    config: ValueConfig,
    training: &'d SampleSet,
    held_out: &'d SampleSet,
) -> ValueTrainer<'d> {
    ValueObjective::new(config, training, held_out).trainer()
}

fn finish(trainer: &mut ValueTrainer) {
    while !trainer.is_done() {
        trainer.advance(&|| true).expect("nobody interrupts");
    }
}

fn assert_same(mut a: ValueTrainer, mut b: ValueTrainer) {
    assert_eq!(a.curve(), b.curve());
    for (a, b) in a.objective.parameters().into_iter().zip(b.objective.parameters()) {
        assert!(a.values == b.values && a.squares == b.squares && a.moments == b.moments);
        assert!(a.sums == b.sums && a.best == b.best);
    }
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.checkpoint");
    let data = planted(400);
    // The first epoch is the best, so its weights must be restored from the checkpoint.
    let held_out = reversed(&data);
    let head = network_of(HeadShape::classic(16));
    for (form, patience) in [
        (ModelForm::None, Some(1)),
        (ModelForm::Factored { rank: 32 }, None),
        (head, None),
        (RELATIVE, None),
        (network_of(DUAL_PRODUCTS), None),
    ] {
        let config = ValueConfig { patience, ..config(form) };
        let mut unbroken = trainer(config, &data, &held_out);
        let half = unbroken.batches() / 2 + 3;
        finish(&mut unbroken);
        let mut broken = trainer(config, &data, &held_out);
        while broken.batches_done() < half {
            broken.advance(&|| true).expect("nobody interrupts");
        }
        broken.save(&path).expect("space");
        let mut resumed = trainer(config, &data, &held_out);
        resumed.resume(&path).expect("a checkpoint");
        finish(&mut resumed);
        let taken = patience.map(|_| 1.0);
        assert_eq!([unbroken.finalize(), resumed.finalize()], [taken; 2]);
        assert_same(unbroken, resumed);

        let mut other = trainer(ValueConfig { lambda: 0.25, ..config }, &data, &held_out);
        let error = other.resume(&path).expect_err("another run").to_string();
        assert!(error.contains("lambda: 0.25"), "{error}");
        let mut bytes = std::fs::read(&path).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).expect("space");
        let mut resumed = trainer(config, &data, &held_out);
        let error = resumed.resume(&path).expect_err("damaged").to_string();
        assert!(error.contains("corrupt checkpoint"), "{error}");
    }
}

#[test]
fn a_run_out_of_patience_keeps_its_best_epoch() {
    let data = planted(400);
    let held_out = reversed(&data);
    let config = ValueConfig { epochs: 5, patience: Some(2), ..config(ModelForm::None) };
    let mut trainer = trainer(config, &data, &held_out);
    finish(&mut trainer);
    assert_eq!(5 * trainer.batches_done(), 3 * trainer.batches());
    assert_eq!(trainer.finalize(), Some(1.0));
    let best = trainer.curve().points.iter().find(|point| point.epochs == 1.0);
    let best = best.map(|point| point.measured.held_out);
    assert_eq!(best, Some(trainer.objective.evaluate()));
}

#[test]
fn patience_changes_nothing_while_a_run_improves() {
    let data = planted(400);
    let [plain, patient] = [None, Some(1)].map(|patience| {
        let config = ValueConfig { patience, ..config(ModelForm::None) };
        let mut trainer = trainer(config, &data, &data);
        finish(&mut trainer);
        trainer.objective.parameters().iter_mut().for_each(|weights| weights.best.clear());
        trainer
    });
    assert_same(plain, patient);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let data = planted(400);
    for form in FORMS {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                let mut trainer = trainer(config(form), &data, &data);
                finish(&mut trainer);
                trainer
            })
        };
        assert_same(run(1), run(3));
    }
}

#[test]
fn weights_of_8_bits_are_final_before_the_others() {
    let data = planted(400);
    let form = network_of(DUAL_PRODUCTS);
    let mut trainer = trainer(config(form), &data, &data);
    finish(&mut trainer);
    trainer.finalize();
    let RealUpper::Network(network) = trainer.objective.export().upper else { panic!("{form:?}") };
    let RealHead { first, first_bias, second, .. } = network.head;
    let can_be_stored = |weight: &f32| (weight * ByteLayer::ONE as f32).fract() == 0.0;
    assert!(first.iter().chain(&second).all(can_be_stored));
    assert!(!first_bias.iter().all(can_be_stored));
}

#[test]
fn planted_weights_are_recovered() {
    let data = planted(4_000);
    let (training, held_out) = data.samples.split_at(3_500);
    let target = Target { lambda: 1.0, score_scale: 1_000.0 };
    let mut model = small_model();
    let losses = |model: &mut Model| {
        Losses::of(target, held_out, model.forward(held_out, &refs(held_out))).excess
    };
    let before = losses(&mut model);
    let refs = refs(training);
    for _ in 0..60 {
        for refs in refs.chunks(128) {
            model.learn(training, refs, target, BatchStep { number: 1, factor: 1.0, done: 0.0 });
        }
    }
    let after = losses(&mut model);
    println!("excess {before} before, {after} after");
    assert!(after < 0.1 * before, "excess {before} before, {after} after");
}
