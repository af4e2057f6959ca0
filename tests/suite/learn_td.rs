//! Temporal difference learning with few features: the evaluation, the run, its command, and the
//! experiment of the paper.

use std::sync::Arc;

use kankei::eval::{Evaluation, Evaluator, Kernel};
use kankei::papers::bonanza::searcher::piece_king_change;
use kankei::papers::td::features::{FeatureWeights, TABLE_2, WEIGHTS};
use kankei::papers::td::learner::{LearnedGroups, TdConfig, TdObjective};
use kankei::rng::Rng;
use kankei::shogi::Color;

use crate::command_support::Folder;
use crate::evaluation::{check_explained, check_game, check_turned, random_game};
use crate::learn_support::unbroken_and_resumed;
use crate::positions::position;

fn random(seed: u64) -> Evaluation {
    let mut rng = Rng::from_seed(seed);
    let weights = [(); WEIGHTS].map(|()| 2000.0 * rng.unit() - 500.0);
    Evaluation::Registered(Arc::new(FeatureWeights::new(weights)))
}

fn table_2() -> Evaluation {
    Evaluation::Registered(Arc::new(FeatureWeights::new(TABLE_2)))
}

#[test]
fn turned_board_has_the_same_value_for_the_side_to_move() {
    for seed in 0..3 {
        check_turned(&random(seed), 20);
    }
}

#[test]
fn a_null_move_negates_the_value() {
    let evaluation = random(4);
    random_game(5, 200, |pos, _, _| {
        if !pos.in_check() {
            let before = evaluation.evaluate(pos);
            pos.do_null_move();
            assert_eq!(evaluation.evaluate(pos), -before, "{pos}");
            pos.undo_null_move();
        }
    });
}

#[test]
fn incremental_material_and_value_equal_full() {
    for seed in 0..50 {
        check_game(&random(seed), Kernel::detect(), 0, seed);
    }
}

#[test]
fn a_missing_king_has_no_features() {
    let pos = position("4k4/9/4P4/9/9/9/9/9/9 b 2G 1");
    let evaluator = Evaluator::new(&table_2(), &pos);
    assert_eq!(evaluator.material(Color::Black), 100 + 2 * 770);
    // The pawn attacks a square next to the existing king, two squares away from the pawn.
    assert_eq!(table_2().evaluate(&pos).to_cp(), 1640 + 50 + 20);
    let mv = "5c5b".parse().expect("a move");
    assert_eq!(piece_king_change(&table_2(), &pos, mv), 0);
}

#[test]
fn explained_parts_add_up() {
    for evaluation in [table_2(), random(9)] {
        check_explained(&evaluation, 4);
    }
}

/// A configuration with quick games.
fn config(learned: LearnedGroups) -> TdConfig {
    TdConfig { depth: 1, ..TdConfig::new(learned, 12, 5) }
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = Folder::new();
    let path = folder.at("checkpoint");
    for learned in [LearnedGroups::Pieces, LearnedGroups::Hand, LearnedGroups::King] {
        let trainer = || TdObjective::new(config(learned)).trainer();
        let [unbroken, resumed] = unbroken_and_resumed(&path, 5, trainer);
        assert_eq!(resumed.objective.weights(), unbroken.objective.weights());
        for (ours, theirs) in resumed.curve().points.iter().zip(&unbroken.curve().points) {
            assert_eq!(ours.measured.weights, theirs.measured.weights);
            assert_eq!(ours.measured.score.games, theirs.measured.score.games);
        }
        assert_eq!(resumed.curve().points.len(), 13);

        // Only the learned weights have changed.
        let first = config(learned).first_weights();
        for (place, weight) in resumed.objective.weights().weights().iter().enumerate() {
            let follows = learned == LearnedGroups::Pieces && (13..20).contains(&place);
            let moves = learned.contains(place) || follows;
            assert!(moves || *weight == TABLE_2[place], "{place}: {weight}");
        }
        let moved = resumed.objective.weights().weights() != &first;
        assert!(moved, "nothing was learned");
        let other = TdConfig { seed: 6, ..config(learned) };
        assert!(TdObjective::new(other).trainer().resume(&path).is_err(), "another run");
    }
}

#[test]
fn the_command_writes_weights_that_the_engine_reads() {
    let folder = Folder::new();
    for weights in ["board", "pieces", "hand", "king", "all"] {
        let learn = format!("learn td --weights {weights} --games 3 --depth 1 --seed 2");
        let printed = folder.ok(&format!("{learn} --out {weights}.weights"));
        assert!(printed.contains("game     3: "), "{printed}");
        let again = folder.ok(&format!("{learn} --out again.weights --force"));
        assert_eq!(folder.bytes("again.weights"), folder.bytes(&format!("{weights}.weights")));
        assert_eq!(again.lines().count(), printed.lines().count());
    }
    let info = folder.ok("eval info board.weights");
    assert!(info.contains("form: features") && info.contains("tokin"), "{info}");
    let shown = folder.ok("eval show startpos moves 7g7f 3c3d 8h2b+ --eval board.weights");
    assert!(shown.contains("board.horse") && shown.contains("attacks.own"), "{shown}");
    let play = "--nodes 50 --hash 1 --max-plies 20 --games 2";
    folder.ok(&format!("match 'self eval=board.weights' 'self eval=king.weights' {play}"));
    folder.ok("bench --depth 2 --search FullWidth --eval king.weights");

    let learn = "learn td --games 3 --depth 1";
    folder.fails(&format!("{learn} --weights board --out new --resume"), &["new.checkpoint"]);
    folder.fails(&format!("{learn} --weights none --out new"), &["none"]);
    folder.fails(&format!("{learn} --weights all --round 0 --out new"), &["round", "0"]);
    folder.fails(&format!("{learn} --weights king --out none/new"), &["none/new.checkpoint"]);
    // The run starts with all weights of the file, including those that it does not learn.
    let from = "--from all.weights --rate 1e-9 --out same.weights";
    folder.ok(&format!("{learn} --weights hand {from}"));
    let first = |name: &str| folder.text(name).lines().nth(1).map(str::to_owned);
    assert_eq!(first("same.weights"), first("all.weights"));
    let wrong = |rest: &str, printed: &[&str]| {
        folder.fails(&format!("{learn} --weights hand --out new {rest}"), printed);
    };
    wrong("--from none.weights", &["none.weights"]);
    wrong("--from all.weights --start 3", &["--start", "--from"]);
    wrong("--rate 0", &["'0'", "above 0"]);
    wrong("--start NaN", &["\"NaN\"", "-10000 to 10000"]);
    folder.fails("learn td --weights king --depth 9 --out new", &["\"9\"", "1 to 8"]);
    let broken = folder.text("board.weights").replace("board.tokin ", "board.token ");
    folder.write("broken.weights", broken);
    folder.fails("eval info broken.weights", &["broken.weights", "line 9", "board.token"]);
}

#[test]
fn rounds_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let learn = "learn td --weights all --games 10 --round 4 --depth 1";
    for (opponent, more) in [("table2", ""), ("varied", " --quiescence"), ("itself", "")] {
        let weights = [1, 3].map(|threads| {
            let name = format!("{opponent}.{threads}");
            let with = format!("--opponent {opponent} --threads {threads} --out {name}{more}");
            let printed = folder.ok(&format!("{learn} {with}"));
            assert!(printed.contains("game    10: "), "{printed}");
            folder.bytes(&name)
        });
        assert_eq!(weights[0], weights[1], "{opponent}");
    }
}

#[test]
fn the_experiment_draws_all_figures() {
    let folder = Folder::new();
    let reproduce = "reproduce td --games 1";
    folder.ok(reproduce);
    let report = folder.text("reproduced/td/report.md");
    for part in ["Figures 2 to 5", "Figures 6 and 7", "Figures 8 and 9", "| tokin |", "4.5"] {
        assert!(report.contains(part), "{part} is not in {report}");
    }
    for figure in 2..=9 {
        let name = format!("(figure_{figure}_");
        assert!(report.contains(&name), "{name}");
    }
    folder.fails(&format!("{reproduce} --data ."), &["--data"]);
    assert!(folder.text("reproduced/td/figure_3_promoted.svg").contains("horse"));
    // Learned results are kept.
    folder.ok(reproduce);
    assert_eq!(folder.text("reproduced/td/report.md"), report);
}
