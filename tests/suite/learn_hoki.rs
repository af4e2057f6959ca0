//! The features of Hoki (2006): the evaluation along lines, the run, its command, and the
//! experiment.

use std::sync::Arc;

use kankei::eval::{Evaluation, Kernel};
use kankei::lab::learn::{LearnError, SampleSet, held_out_path};
use kankei::papers::bonanza::hoki::{HokiGroup, HokiGroups, HokiTables, HokiWeights};
use kankei::papers::bonanza::learner::{HokiConfig, HokiObjective};
use kankei::rng::Rng;

use crate::command_support::Folder;
use crate::evaluation::{check_game, check_turned};
use crate::learn_support::{unbroken_and_resumed, with_samples};

/// All groups except KPP, with random weights.
fn random(seed: u64) -> Evaluation {
    let mut rng = Rng::from_seed(seed);
    let mut tables = HokiTables::default();
    for group in HokiGroups::ALL.without(HokiGroup::Kpp).iter() {
        tables[group.number()] =
            (0..group.size()).map(|_| 40.0 * rng.unit() as f32 - 20.0).collect();
    }
    let (weights, _) =
        HokiWeights::from_centipawns(&tables).expect("the tables have the right size");
    Evaluation::Registered(Arc::new(weights))
}

#[test]
fn turned_board_has_the_same_value_for_the_side_to_move() {
    check_turned(&random(1), 20);
}

#[test]
fn incremental_material_and_value_equal_full() {
    for seed in 0..30 {
        check_game(&random(2), Kernel::detect(), 0, seed);
    }
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = with_samples();
    let path = folder.at("checkpoint");
    let read = |path: &std::path::Path| SampleSet::read_some(path).expect("samples");
    let training = read(&folder.at("samples.bin"));
    let held_out = read(&held_out_path(&folder.at("samples.bin")));
    let groups = HokiGroups::ALL.without(HokiGroup::Kpp);
    let config = HokiConfig { groups, batch: 64, epochs: 2, ..HokiConfig::DEFAULT };
    let trainer = |config| HokiObjective::new(config, &training, &held_out).trainer();
    let middle = trainer(config).batches() / 2 + 1;
    let [unbroken, resumed] = unbroken_and_resumed(&path, middle, || trainer(config));
    assert_eq!(resumed.objective.export(), unbroken.objective.export());
    assert_eq!(resumed.curve(), unbroken.curve());
    let other = HokiConfig { seed: 2, ..config };
    let error = trainer(other).resume(&path).expect_err("another run");
    assert!(matches!(error, LearnError::OtherRun(..)), "{error}");
}

#[test]
fn the_command_writes_weights_that_both_searchers_read() {
    let folder = with_samples();
    let learn = "learn hoki --samples samples.bin --epochs 2 --batch 64";
    let printed = folder.ok(&format!("{learn} --out all.weights"));
    assert!(printed.contains("epoch   2.00: loss"), "{printed}");
    let fewer = format!("{learn} --without kpp,guards");
    folder.ok(&format!("{fewer} --out a.weights"));
    folder.ok(&format!("{fewer} --out b.weights --threads 1"));
    assert!(folder.bytes("a.weights") == folder.bytes("b.weights"), "the weights differ");
    assert!(!folder.at("a.weights.checkpoint").exists());
    for option in ["--seed 2", "--lambda 0.5", "--few-rate 0.01", "--limit 300", "--scale 600"] {
        folder.ok(&format!("{fewer} {option} --out c.weights --force"));
        assert!(folder.bytes("a.weights") != folder.bytes("c.weights"), "{option} does nothing");
    }

    let info = folder.ok("eval info a.weights");
    assert!(info.contains("disabled: kpp, guards") && info.contains("king-zone"), "{info}");
    assert!(folder.ok("eval info all.weights").contains("53882010"));
    let shown = folder.ok("eval show startpos moves 7g7f --eval all.weights");
    assert!(shown.contains("bishop-pawns") && shown.contains("703"), "{shown}");
    let play = "--nodes 50 --hash 1 --max-plies 20 --games 2";
    folder.ok(&format!("match 'self eval=a.weights' 'self FullWidth eval=a.weights' {play}"));

    folder.fails(&format!("{learn} --out new --resume"), &["new.checkpoint"]);
    folder.fails(&format!("{learn} --out new --without kings"), &["\"kings\"", "king-zone"]);
    folder.fails("learn hoki --samples none.bin --out new", &["none.bin"]);
    let mut broken = folder.bytes("a.weights");
    broken.truncate(broken.len() - 5);
    folder.write("broken.weights", broken);
    folder.fails("eval info broken.weights", &["broken.weights"]);
}

#[test]
fn the_experiment_omits_each_group() {
    let folder = Folder::new();
    let options = "--search FullWidth --nodes 100 --hash 1 --eval material";
    folder.ok(&format!("selfplay --games 30 {options} --out games.txt"));
    let reproduce = "reproduce hoki-evaluation --games games.txt --out out";
    folder.ok(reproduce);
    let report = folder.text("out/report.md");
    for group in HokiGroup::ALL {
        let row = format!("\n| {} | ", group.name());
        assert_eq!(report.matches(&row).count(), 2, "{} in {report}", group.name());
    }
    for part in ["material alone", "all groups", "FullWidth", "kankei match"] {
        assert!(report.contains(part), "{part} is not in {report}");
    }
    assert!(folder.text("out/added.svg").contains("king-zone"));
    assert!(!folder.at("out/run.checkpoint").exists());
    // Learned results are kept; only the speeds are measured again.
    let weights = folder.bytes("out/all.weights");
    folder.ok(reproduce);
    let before_speed = |report: &str| report.split("## Speed").next().map(str::to_owned);
    assert_eq!(before_speed(&folder.text("out/report.md")), before_speed(&report));
    assert!(folder.bytes("out/all.weights") == weights);
    // The samples of other games are not taken.
    folder.fails(&format!("{reproduce} --limit 20"), &["samples.bin", "belongs to another run"]);
}
