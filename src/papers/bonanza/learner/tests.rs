//! Tests of the gradients, of planted weights, and of interrupted runs.

use super::model::HokiModel;
use super::*;
use crate::lab::learn::logistic::cross_entropy;
use crate::lab::learn::value::Target;
use crate::lab::learn::{Objective, Sample, SampleSet};
use crate::papers::bonanza::hoki::{HokiGroup, HokiGroups, HokiTables, HokiWeights};
use crate::rng::Rng;
use crate::shogi::{Position, Scope, movegen};

const TARGET: Target = Target { lambda: 1.0, score_scale: 700.0 };

/// Positions of random games, with scores given by `score`.
fn samples(seed: u64, count: usize, mut score: impl FnMut(&Position) -> i32) -> SampleSet {
    println!("seed {seed}");
    let mut rng = Rng::from_seed(seed);
    let mut set = SampleSet { checksum: seed, ..SampleSet::default() };
    while set.samples.len() < count {
        let mut pos = Position::startpos();
        for _ in 0..100 {
            let captures = movegen::legal_moves(&pos, Scope::CAPTURES);
            let moves = movegen::legal_moves(&pos, Scope::LEGAL);
            let wild = if rng.below(3) == 0 { rng.choose(&captures) } else { None };
            let Some(&mv) = wild.or_else(|| rng.choose(&moves)) else { break };
            pos.do_move(mv);
            let label = Sample::clamp_score(score(&pos));
            set.samples.push(Sample { score: label, ..Sample::even(&pos) });
        }
    }
    set.samples.truncate(count);
    set
}

/// All groups except KPP, whose table would slow down each test.
const SMALL: HokiGroups = HokiGroups::ALL.without(HokiGroup::Kpp);

#[test]
fn gradients_are_central_differences() {
    let mut rng = Rng::from_seed(2);
    let set = samples(3, 60, |_| rng.below(2_000) as i32 - 1_000);
    let numbers: Vec<u32> = (0..60).collect();
    for groups in [SMALL, HokiGroups::NONE.with(HokiGroup::Kpp)] {
        let mut model = HokiModel::new(&HokiConfig { groups, ..HokiConfig::DEFAULT });
        let mut rng = Rng::from_seed(4);
        model.add_gradients(&set.samples, &numbers, TARGET);
        for (place, _) in model.gradients() {
            *model.weight(place) = 0.02 * rng.unit() as f32 - 0.01;
        }
        model.step(0.0);
        model.add_gradients(&set.samples, &numbers, TARGET);
        let gradients = model.gradients();
        let loss = |model: &mut HokiModel| -> f64 {
            let values: Vec<f32> = model.forward(&set.samples, &numbers).collect();
            let losses = values.iter().zip(&set.samples);
            losses.map(|(&value, sample)| f64::from(cross_entropy(value, TARGET.of(sample)))).sum()
        };
        for &(place, gradient) in gradients.iter().step_by(gradients.len() / 150) {
            const STEP: f32 = 0.02;
            let old = *model.weight(place);
            let mut at = |value: f32| {
                *model.weight(place) = value;
                loss(&mut model)
            };
            let slope = (at(old + STEP) - at(old - STEP)) / f64::from(2.0 * STEP);
            at(old);
            assert!((slope - f64::from(gradient)).abs() < 5e-3, "{place}: {slope} {gradient}");
        }
    }
}

#[test]
fn planted_weights_are_recovered() {
    let groups = HokiGroups::NONE.with(HokiGroup::Steps).with(HokiGroup::Mobility);
    let mut tables = HokiTables::default();
    tables[HokiGroup::Steps.number()] = vec![-120.0, 30.0, -60.0, 0.0, 45.0, 90.0];
    let mobility = 0..HokiGroup::Mobility.size();
    tables[HokiGroup::Mobility.number()] = mobility.map(|at| (at % 21) as f32 * 15.0).collect();
    let (planted, _) = HokiWeights::from_centipawns(&tables).expect("whole tables");
    let value = |pos: &Position| pos.side_to_move().sign() * planted.value(pos) / 16;
    let (training, held_out) = (samples(5, 6_000, value), samples(6, 500, value));
    let config = HokiConfig {
        groups,
        epochs: 40,
        batch: 64,
        scale: 900.0,
        score_scale: Some(900.0),
        evaluations: 1,
        few: crate::lab::learn::AdaGradRate::new(0.05, 1.0),
        ..HokiConfig::DEFAULT
    };
    let mut trainer = HokiObjective::new(config, &training, &held_out).trainer();
    while !trainer.is_done() {
        trainer.advance(&|| true).expect("not interrupted");
    }
    let excess = trainer.objective.evaluate().excess;
    assert!(excess < 1e-4, "{excess}");
    let learned = trainer.objective.export();
    // One more pawn that can advance instead of one that cannot, both of one side.
    let steps = &learned[HokiGroup::Steps.number()];
    assert!((steps[1] - steps[0] - 150.0).abs() < 10.0, "{steps:?}");
    assert!(learned[HokiGroup::Material.number()].is_empty());
}

#[test]
fn each_epoch_has_its_own_order() {
    let set = samples(7, 300, |_| 0);
    let config = HokiConfig { groups: SMALL, ..HokiConfig::DEFAULT };
    let order = |epochs: &[u64]| {
        let mut objective = HokiObjective::new(config, &set, &set);
        epochs.iter().for_each(|&epoch| objective.begin_epoch(epoch));
        objective.order().to_vec()
    };
    // The order depends on the number of the epoch alone.
    assert_eq!(order(&[0, 1]), order(&[1]));
    assert_ne!(order(&[0]), order(&[1]));
}
