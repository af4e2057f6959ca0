//! TD-leaf: learning runs, and the command.

use std::sync::Arc;

use kankei::eval::learned::{KingView, Term, Weights};
use kankei::eval::{Evaluation, PieceIndex};
use kankei::lab::learn::Trainer;
use kankei::lab::learn::{RealKpp, RealUpper, RealWeights};
use kankei::papers::td::leaf::{LearnedParts, TdLeafConfig, TdLeafObjective};
use kankei::rng::Rng;

use crate::command_support::Folder;
use crate::learn_support::unbroken_and_resumed;

/// A configuration with a few quick games.
fn config(parts: LearnedParts) -> TdLeafConfig {
    TdLeafConfig {
        games: 10,
        round: 2,
        held_out: 3,
        nodes: 60..=120,
        parts,
        // Large enough that a few steps exceed the rounding.
        relation_rate: 0.1,
        network_rate: 0.02,
        seed: 4,
        ..TdLeafConfig::DEFAULT
    }
}

fn embedded() -> Arc<Weights> {
    match Evaluation::embedded() {
        Evaluation::Learned(weights) => weights,
        other => panic!("{other:?}"),
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("the threads start")
}

fn objective<'p>(
    weights: &Arc<Weights>,
    config: &TdLeafConfig,
    pool: &'p rayon::ThreadPool,
) -> Trainer<TdLeafObjective<'p>> {
    let objective = TdLeafObjective::new(weights, config.clone(), pool, &|| false);
    objective.expect("the form can be learned").trainer()
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one_with_any_threads() {
    let folder = Folder::new();
    let path = folder.at("checkpoint");
    let (weights, config) = (embedded(), config(LearnedParts::All));
    let [one, three] = [pool(1), pool(3)];
    let mut pools = [&one, &three, &one].into_iter();
    let trainer = || objective(&weights, &config, pools.next().expect("three parts"));
    let [mut unbroken, mut resumed] = unbroken_and_resumed(&path, 4, trainer);
    assert_eq!(resumed.curve(), unbroken.curve());
    assert_eq!(resumed.curve().points.len(), 6);
    assert!(resumed.curve().points[5].measured.leaves > 50);
    for trainer in [&mut resumed, &mut unbroken] {
        trainer.objective.finalize();
    }
    let learned = unbroken.objective.weights().weights;
    assert_eq!(resumed.objective.weights().weights, learned);
    assert_ne!(learned, *weights, "nothing was learned");

    let other = TdLeafConfig { lambda: 0.5, ..config.clone() };
    let error = objective(&weights, &other, &one).resume(&path).expect_err("another run");
    assert!(error.to_string().contains("lambda: 0.5"), "{error}");
}

/// Runs the training to its end.
fn learned(weights: &Arc<Weights>, config: &TdLeafConfig) -> Weights {
    let pool = pool(2);
    let mut trainer = objective(weights, config, &pool);
    while !trainer.is_done() {
        trainer.advance(&|| true).expect("nobody interrupts");
    }
    trainer.objective.finalize();
    trainer.objective.weights().weights
}

#[test]
fn only_the_selected_parts_learn() {
    let weights = embedded();
    for parts in [LearnedParts::Relations, LearnedParts::All] {
        let learned = learned(&weights, &config(parts));
        for term in Term::ALL {
            assert_eq!(weights.table(term) == learned.table(term), term == Term::Pp, "{term:?}");
        }
        let is_same = weights.network() == learned.network();
        assert_eq!(is_same, parts == LearnedParts::Relations);
    }
}

#[test]
fn relations_of_every_form_can_be_trained_further() {
    let mut rng = Rng::from_seed(8);
    let mut numbers = |len: usize| (0..len).map(|_| (rng.unit() - 0.5) as f32).collect();
    let rows = numbers(KingView::KINGS * PieceIndex::COUNT * 32);
    let factored = RealKpp::Factored { rank: 32, rows };
    for upper in [RealUpper::None, RealUpper::Kpp(factored)] {
        let zero = RealWeights { upper, ..RealWeights::zero() };
        let weights = Arc::new(zero.quantize().weights);
        // Three games of such weights need not fit any scale.
        let scale = Some(600.0);
        let config = TdLeafConfig { games: 4, scale, ..config(LearnedParts::Relations) };
        let learned = learned(&weights, &config);
        assert_ne!(learned.table(Term::Kkp), weights.table(Term::Kkp));
        assert_eq!(learned.kpp() == weights.kpp(), weights.kpp().is_none());
    }
}

#[test]
fn the_command_writes_weights_that_the_engine_reads() {
    let folder = Folder::new();
    let learn = "learn td-leaf --games 4 --round 2 --held-out 2 --nodes 60..90 --seed 2";
    let printed = folder.ok(&format!("{learn} --threads 1 --out a.weights"));
    assert!(
        printed.contains("cp multiply the odds") && printed.contains("game      4, "),
        "{printed}"
    );
    assert_eq!(folder.ok(&format!("{learn} --threads 2 --out b.weights")).lines().count(), 6);
    assert_eq!(folder.bytes("a.weights"), folder.bytes("b.weights"));
    assert!(folder.text("a.weights.svg").contains("mean |change|"));
    assert!(folder.text("a.weights.held_out.svg").contains("Held-out games"));
    assert!(folder.ok("eval info a.weights").contains("512 hidden units"));
    // Training continues from learned weights.
    let on = folder.ok(&format!("{learn} --parts all --from a.weights --out c.weights"));
    assert!(on.contains("c.weights written"), "{on}");

    folder.fails(&format!("{learn} --out new --resume"), &["new.checkpoint"]);
    folder.fails(&format!("{learn} --from material --out new"), &["\"material\"", "relations"]);
    folder.fails(&format!("{learn} --from none --out new"), &["none"]);
    folder.fails(&format!("{learn} --out none/new"), &["none/new.checkpoint"]);
    folder.fails(&format!("{learn} --parts network --out new"), &["network"]);
    folder.fails(&format!("{learn} --lambda 1.5 --out new"), &["\"1.5\"", "0 to 1"]);
    folder.write("broken.weights", &folder.bytes("a.weights")[..1000]);
    folder.fails(&format!("{learn} --from broken.weights --out new"), &["broken.weights"]);
}
