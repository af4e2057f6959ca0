//! Tests of the parts, the run as a whole, and what comes out of it.

use super::batch::Batch;
use super::king_rows::KingRows;
use super::kkp::KkpPart;
use super::kpp::KppPart;
use super::model::Model;
use super::model_part::{BatchStep, ModelPart};
use super::network::NetworkPart;
use super::pp::PpPart;
use super::sample_ref::SampleRef;
use super::tempo::TempoPart;
use super::trained_weights::TrainedWeights;
use super::*;
use crate::eval::Evaluation;
use crate::eval::learned::{RealKpp, RealWeights};
use crate::lab::learn::sample::{Label, Role};
use crate::lab::learn::{AdaGradRate, Sample, SampleSet};
use crate::rng::Rng;
use crate::shogi::{Position, Scope, movegen};

/// A rate by which a step is minus the gradient itself.
const PLAIN: AdaGradRate = AdaGradRate::new(1e6, 1e12);

/// Positions of random games.
fn positions(seed: u64, count: usize) -> Vec<Position> {
    let mut rng = Rng::from_seed(seed);
    let mut found = Vec::new();
    loop {
        let mut pos = Position::startpos();
        for _ in 0..120 {
            let moves = movegen::legal_moves(&pos, Scope::LEGAL);
            let Some(&mv) = rng.choose(&moves) else { break };
            pos.do_move(mv);
            if rng.below(4) == 0 {
                found.push(pos.clone());
            }
            if found.len() == count {
                return found;
            }
        }
    }
}

fn samples(positions: &[Position]) -> Vec<Sample> {
    let label = Label { score: 100, half_points: 2, same_side: true, ply: 0, role: Role::Position };
    positions.iter().map(|pos| Sample::new(pos, label).expect("two kings")).collect()
}

/// Every other one as its mirror image.
fn refs(samples: &[Sample]) -> Vec<SampleRef> {
    (0..samples.len()).map(|number| SampleRef::new(number).mirrored_if(number % 2 == 1)).collect()
}

/// Fills all weights at random.
fn randomize(part: &mut dyn ModelPart, rng: &mut Rng, size: f64) {
    for weight in part.parameters().into_iter().flat_map(|weights| &mut weights.values) {
        *weight = (size * (2.0 * rng.unit() - 1.0)) as f32;
    }
}

fn value(part: &mut dyn ModelPart, batch: &Batch) -> f64 {
    let mut values = vec![0.0; batch.len()];
    part.forward(batch, &mut values);
    // Each sample counts differently.
    values.iter().zip(1..).map(|(&value, n)| f64::from(value) * f64::from(n)).sum()
}

/// A few samples for a part with random weights.
fn prepare(part: &mut dyn ModelPart, rng: &mut Rng) -> Batch {
    let samples = samples(&positions(3, 12));
    let mut batch = Batch::default();
    batch.fill(&samples, &refs(&samples));
    randomize(part, rng, 0.5);
    batch
}

/// How far `backward` moves the weights against the gradient of [`value`]; they are put back.
fn moves(part: &mut dyn ModelPart, batch: &Batch) -> Vec<Vec<f64>> {
    value(part, batch);
    let before: Vec<Vec<f32>> = part.parameters().iter().map(|w| w.values.clone()).collect();
    let gradients: Vec<f32> = (1..=batch.len()).map(|n| n as f32).collect();
    part.backward(batch, &gradients, BatchStep { number: 1, factor: 1.0 });
    let mut found = Vec::new();
    for (weights, before) in part.parameters().into_iter().zip(&before) {
        let moved = before.iter().zip(&weights.values).map(|(a, b)| f64::from(a - b));
        found.push(moved.collect::<Vec<f64>>());
        weights.values.clone_from(before);
    }
    found
}

/// The gradient that `backward` finds equals central differences of the value.
fn check_gradient(name: &str, mut part: impl ModelPart) {
    let mut rng = Rng::from_seed(7);
    let batch = prepare(&mut part, &mut rng);
    let found = moves(&mut part, &batch);
    const STEP: f32 = 0.125;
    let mut checked = 0;
    for (set, found) in found.iter().enumerate() {
        let touched: Vec<usize> = (0..found.len()).filter(|&at| found[at] != 0.0).collect();
        assert!(!touched.is_empty(), "{name}: no weight moved");
        for _ in 0..40 {
            let any = rng.below(found.len());
            let at = *rng.choose(&touched).expect("not empty");
            for at in [at, any] {
                let mut nudged = |by: f32| {
                    part.parameters()[set].values[at] += by;
                    let value = value(&mut part, &batch);
                    part.parameters()[set].values[at] -= by;
                    value
                };
                let slope = (nudged(STEP) - nudged(-STEP)) / f64::from(2.0 * STEP);
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
    check_gradient("tempo", TempoPart::new(PLAIN));
    check_gradient("KP", KingRows::<1>::new(vec![0.0; king_views::PIECES], PLAIN));
    check_gradient("u", KingRows::<32>::new(vec![0.0; 32 * king_views::PIECES], PLAIN));
    check_gradient("KKP", KkpPart::new(PLAIN));
    check_gradient("PP", PpPart::new(PLAIN));
    check_gradient("KPP", KppPart::new(PLAIN, false));
}

/// The gradients of networks, as Adam's first moments show them, equal central differences. The
/// weights stay: the learning rate is nothing.
#[test]
fn gradients_of_networks_are_central_differences() {
    let free = |top| NetworkForm { units: 64, top, king_relative: false };
    for form in [
        free(TopForm::Clipped),
        free(TopForm::Squared),
        free(TopForm::Head16),
        free(TopForm::Head32),
        NetworkForm { king_relative: true, ..free(TopForm::Head16) },
    ] {
        let mut rng = Rng::from_seed(7);
        let mut draw = |len: usize, deviation: f32| -> Vec<f32> {
            (0..len).map(|_| deviation * (3.4 * rng.unit() - 1.7) as f32).collect()
        };
        let still = AdamRate { learning_rate: 0.0, weight_decay: 0.0 };
        let mut part = NetworkPart::new(form, still, PLAIN, &mut draw);
        let samples = samples(&positions(3, 12));
        let mut batch = Batch::default();
        batch.fill(&samples, &refs(&samples));
        value(&mut part, &batch);
        let gradients: Vec<f32> = (1..=batch.len()).map(|n| n as f32).collect();
        part.backward(&batch, &gradients, BatchStep { number: 1, factor: 1.0 });
        // King-relative rows have no moments: they have moved by their gradients, from zero.
        let gradients_of = |w: &mut &mut TrainedWeights| -> Vec<f32> {
            if w.moments.is_empty() {
                let moved = std::mem::replace(&mut w.values, vec![0.0; w.squares.len()]);
                return moved.iter().map(|moved| -moved).collect();
            }
            w.moments.iter().map(|moment| moment * 10.0).collect()
        };
        let found: Vec<Vec<f32>> = part.parameters().iter_mut().map(gradients_of).collect();
        const STEP: f32 = 1.0 / 512.0;
        for (set, found) in found.iter().enumerate() {
            let touched: Vec<usize> = (0..found.len()).filter(|&at| found[at] != 0.0).collect();
            let mut wrong = 0;
            for _ in 0..100 {
                let at = *rng.choose(&touched).expect("not empty");
                let mut nudged = |by: f32| {
                    part.parameters()[set].values[at] += by;
                    let value = value(&mut part, &batch);
                    part.parameters()[set].values[at] -= by;
                    value
                };
                let slope = (nudged(STEP) - nudged(-STEP)) / f64::from(2.0 * STEP);
                let error = (slope - f64::from(found[at])).abs();
                wrong += u32::from(error > 0.02 * slope.abs().max(1.0));
            }
            // A unit may come to its bend within the step.
            assert!(wrong <= 8, "{form:?} {set}: {wrong} of 100");
        }
    }
}

/// All that learning moves is counted. Returns the sum of the uses of each set of weights.
fn check_count(name: &str, mut part: impl ModelPart, row_len: usize) -> Vec<u32> {
    let batch = prepare(&mut part, &mut Rng::from_seed(7));
    let moved = moves(&mut part, &batch);
    part.count(&batch);
    let mut sums = Vec::new();
    for (weights, moved) in part.parameters().into_iter().zip(&moved) {
        let uses = weights.uses(row_len);
        let missed = (0..moved.len()).find(|&at| moved[at] != 0.0 && uses[at / row_len] == 0);
        assert_eq!(missed, None, "{name}");
        sums.push(uses.iter().sum());
    }
    sums
}

#[test]
fn all_uses_are_counted() {
    let samples = samples(&positions(3, 12));
    let pieces = |sample: &Sample| sample.view().expect("sound").pieces.len();
    let sum = |uses: fn(u32) -> u32| samples.iter().map(|s| uses(pieces(s) as u32)).sum::<u32>();
    let rows = |row_len: usize| vec![0.0; row_len * king_views::PIECES];
    assert_eq!(check_count("tempo", TempoPart::new(PLAIN), 1), [sum(|_| 2)]);
    assert_eq!(check_count("KP", KingRows::<1>::new(rows(1), PLAIN), 1), [sum(|n| 2 * n); 2]);
    assert_eq!(check_count("u", KingRows::<32>::new(rows(32), PLAIN), 32), [sum(|n| 2 * n); 2]);
    assert_eq!(check_count("KPP", KppPart::new(PLAIN, false), 1), [sum(|n| n * (n - 1))]);
    // Two pieces that turning swaps are no pair, and in some positions both sides' kings count.
    let pairs = sum(|n| n * (n - 1) / 2);
    assert!((pairs * 9 / 10..=pairs).contains(&check_count("PP", PpPart::new(PLAIN), 1)[0]));
    let signs = sum(|n| n + 1);
    assert!((signs..=2 * signs).contains(&check_count("KKP", KkpPart::new(PLAIN), 1)[0]));
}

#[test]
fn shrinking_touches_rare_weights_most() {
    let data = planted(400);
    let [full, shrunk] = [0.0, 20.0].map(|shrink| {
        let config = ValueConfig { shrink, ..config(ModelForm::None) };
        let mut trainer = trainer(config, &data, &data);
        finish(&mut trainer);
        trainer.finalize();
        let parameters = trainer.objective.parameters();
        parameters.into_iter().map(|weights| weights.values.clone()).collect::<Vec<_>>()
    });
    // The weight of the tempo for all: every sample uses it.
    let last = king_views::KING_PAIRS;
    assert_eq!(shrunk[0][last], full[0][last] * (400.0 / 420.0));
    for (full, shrunk) in full.iter().flatten().zip(shrunk.iter().flatten()) {
        assert!(shrunk.abs() <= full.abs() * (800.0 / 820.0), "{full} became {shrunk}");
    }
}

fn config(form: ModelForm) -> ValueConfig {
    ValueConfig { form, batch: 64, epochs: 2, snapshots: 4, ..ValueConfig::DEFAULT }
}

const fn network_of(top: TopForm) -> ModelForm {
    ModelForm::Network(NetworkForm { units: 32, top, king_relative: false })
}

const RELATIVE: ModelForm =
    ModelForm::Network(NetworkForm { units: 32, top: TopForm::Head16, king_relative: true });

const FORMS: [ModelForm; 8] = [
    ModelForm::None,
    ModelForm::Table { narrow: false },
    ModelForm::Factored { rank: 32 },
    network_of(TopForm::Clipped),
    network_of(TopForm::Squared),
    network_of(TopForm::Head16),
    network_of(TopForm::Head32),
    RELATIVE,
];

/// A model with random weights up to this size; networks keep their first ones, which are random.
fn random_model(form: ModelForm, size: f64) -> Model {
    let mut rng = Rng::from_seed(11);
    let mut model = Model::new(&config(form));
    let randomized = model.parts.len() - usize::from(matches!(form, ModelForm::Network(_)));
    for part in &mut model.parts[..randomized] {
        randomize(part.as_mut(), &mut rng, size);
    }
    model
}

/// The weights handed out value every position as the model does.
#[test]
fn exported_weights_have_the_values_of_the_model() {
    let positions = positions(5, 200);
    let samples = samples(&positions);
    for form in FORMS {
        let mut model = random_model(form, 0.01);
        let is_network = matches!(form, ModelForm::Network(_));
        let quantized = model.export().quantize();
        assert_eq!(quantized.clipped, 0);
        let evaluation = Evaluation::Learned(std::sync::Arc::new(quantized.weights));
        // The evaluation of the factored form and of networks takes one of the mirror images of a king on the
        // middle file, the others their mean.
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
            if in_the_middle && (is_network || form == FORMS[2]) {
                continue;
            }
            compared += 1;
            let expected = ValueConfig::DEFAULT.scale * (plain[at] + mirrored[at]) / 2.0;
            let found = evaluation.evaluate(pos).to_cp() as f32;
            errors += (expected - found).powi(2);
            let tolerance = if is_network { 100.0 } else { 3.0 };
            assert!((expected - found).abs() < tolerance, "{form:?} {pos}: {expected} {found}");
        }
        // Hidden units are rounded to 1/128, squares magnify it; layers are rounded to 8 bits.
        let deviation = (errors / compared as f32).sqrt();
        assert!(compared > 10 && deviation < 25.0, "{form:?}: {deviation}");
    }
}

#[test]
fn weights_are_learned_on_by_models_of_their_form() {
    let exported = FORMS.map(|form| random_model(form, 0.1).export().quantize().weights);
    for (at, &form) in FORMS.iter().enumerate() {
        assert!(Model::new(&config(form)).import(&exported[at]), "{form:?}");
        let other = &exported[(at + 1) % exported.len()];
        assert!(!Model::new(&config(form)).import(other), "{form:?} from another form");
    }
    let mut without_pairs = config(FORMS[3]);
    without_pairs.rates.pp.learning_rate = 0.0;
    assert!(!Model::new(&without_pairs).import(&exported[3]), "PP would be lost");
}

#[test]
fn a_table_is_as_narrow_as_is_wanted() {
    for narrow in [false, true] {
        let mut weights = RealWeights::zero();
        KppPart::new(PLAIN, narrow).export(1.0, &mut weights);
        let pairs = weights.kpp;
        assert!(matches!(pairs, RealKpp::Table { narrow: found, .. } if found == narrow));
    }
}

#[test]
fn parts_without_a_step_are_left_out() {
    let mut config = config(network_of(TopForm::Head16));
    let all = Model::new(&config).parameters().count();
    config.rates.pp.learning_rate = 0.0;
    assert_eq!(Model::new(&config).parameters().count(), all - 1);
    config.rates.kkp.learning_rate = 0.0;
    let mut model = Model::new(&config);
    assert!(model.parameters().count() < all - 1);
    let mut rng = Rng::from_seed(3);
    model.parts.iter_mut().for_each(|part| randomize(part.as_mut(), &mut rng, 0.01));
    let weights = model.export();
    assert!(weights.pp.iter().chain(&weights.kk).all(|&weight| weight == 0.0));
    assert!(weights.kkp.iter().any(|&weight| weight != 0.0), "those of KP stay");
}

/// Random positions valued by planted weights of the pieces alone.
fn planted(count: usize) -> SampleSet {
    let mut samples = samples(&positions(17, count));
    let mut model = small_model();
    let mut rng = Rng::from_seed(23);
    for weight in &mut model.parts[1].parameters()[0].values {
        *weight = 0.4 * rng.unit() as f32 - 0.2;
    }
    let values = model.forward(&samples, &refs(&samples)).to_vec();
    for (sample, value) in samples.iter_mut().zip(values) {
        sample.score = (1_000.0 * value) as i16;
        sample.half_points = if rng.unit() < f64::from(target::sigmoid(value)) { 2 } else { 0 };
    }
    SampleSet { samples, checksum: count as u64 }
}

/// TempoPart, KP and P alone.
fn small_model() -> Model {
    let mut model = Model::new(&config(ModelForm::None));
    model.parts.truncate(2);
    model
}

/// The same positions, worth the opposite: what one learns from the others is wrong for them.
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
fn a_resumed_run_equals_an_unbroken_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.checkpoint");
    let data = planted(400);
    // The first epoch is the best: its weights must come back from the checkpoint.
    let held_out = reversed(&data);
    let head = network_of(TopForm::Head16);
    for (form, patience) in [
        (ModelForm::None, Some(1)),
        (ModelForm::Factored { rank: 32 }, None),
        (head, None),
        (RELATIVE, None),
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
fn a_run_out_of_patience_leaves_its_best_epoch() {
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
fn patience_changes_nothing_while_a_run_gets_better() {
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
fn the_number_of_threads_changes_no_bit() {
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
fn planted_weights_are_found_again() {
    let data = planted(4_000);
    let (training, held_out) = data.samples.split_at(3_500);
    let ranking = ValueConfig::DEFAULT.ranking;
    let target = Target { lambda: 1.0, score_scale: 1_000.0, ranking };
    let mut model = small_model();
    let losses = |model: &mut Model| {
        Losses::of(target, held_out, model.forward(held_out, &refs(held_out))).excess
    };
    let before = losses(&mut model);
    let refs = refs(training);
    for _ in 0..60 {
        for refs in refs.chunks(128) {
            model.learn(training, refs, target, BatchStep { number: 1, factor: 1.0 });
        }
    }
    let after = losses(&mut model);
    println!("excess {before} before, {after} after");
    assert!(after < 0.1 * before, "excess {before} before, {after} after");
}
