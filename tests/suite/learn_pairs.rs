//! Pairs of pieces learned from games: the run, its command, and the experiment of the paper.

use kankei::papers::pairs::learner::{Comparison, ExampleSet, PairsConfig, PairsObjective};
use kankei::record::Game;
use kankei::shogi::STARTPOS;

use crate::command_support::Folder;
use crate::learn_support::{games, text, unbroken_and_resumed};

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = Folder::new();
    let path = folder.at("checkpoint");
    for comparison in [Comparison::Parent, Comparison::Sibling] {
        let examples = |games: &[Game]| {
            ExampleSet::of_games(games, comparison, &|_| true).expect("nobody interrupts")
        };
        let set = |seed| examples(&games(STARTPOS, seed, 4, 60));
        assert!(ExampleSet::of_games(&games(STARTPOS, 1, 2, 20), comparison, &|_| false).is_none());
        let (training, held_out) = (set(1), set(2));
        let occurrences = training.occurrences();
        let config =
            PairsConfig { min_occurrences: 2, iterations: 4, ..PairsConfig::new(comparison) };
        let trainer = || PairsObjective::new(config, &training, &occurrences, &held_out).trainer();
        let [unbroken, resumed] = unbroken_and_resumed(&path, 2, trainer);
        assert_eq!(resumed.objective.weights(), unbroken.objective.weights());
        let errors: Vec<f64> =
            unbroken.curve().points.iter().map(|point| point.measured.training).collect();
        assert!(errors.is_sorted_by(|before, after| after < before), "{errors:?}");
        let other = PairsConfig { min_occurrences: 3, ..config };
        let mut other = PairsObjective::new(other, &training, &occurrences, &held_out).trainer();
        assert!(other.resume(&path).is_err(), "another run");
        let others: Vec<Game> = games(STARTPOS, 1, 4, 60).into_iter().rev().collect();
        let others = examples(&others);
        let mut other = PairsObjective::new(config, &others, &occurrences, &held_out).trainer();
        assert!(other.resume(&path).is_err(), "as many comparisons, but of other games");
    }
}

#[test]
fn the_command_writes_weights_that_the_engine_reads() {
    let folder = Folder::new();
    folder.write("games.usi", text(&games(STARTPOS, 3, 20, 60)));
    let learn = "learn pairs --games games.usi --held-out 30 --min-occurrences 2 --iterations 3";
    for (model, scale) in [("parent", ""), ("sibling", "--scale 1000")] {
        let printed = folder.ok(&format!("{learn} --model {model} {scale} --out {model}.weights"));
        assert!(printed.contains("iteration   3: error "), "{printed}");
        let info = folder.ok(&format!("eval info {model}.weights"));
        assert!(info.contains("pairs of pieces"), "{info}");
        let shown = folder.ok(&format!("eval show startpos --eval {model}.weights"));
        assert!(shown.contains("pairs"), "{shown}");
    }
    assert_ne!(folder.bytes("parent.weights"), folder.bytes("sibling.weights"));
    let play = "--nodes 50 --hash 1 --max-plies 20 --games 2";
    folder.ok(&format!("match 'self eval=parent.weights' 'self eval=sibling.weights' {play}"));

    folder.fails(&format!("{learn} --model parent --out new --resume"), &["new.checkpoint"]);
    folder.fails(&format!("{learn} --model cousin --out new"), &["cousin"]);
    folder.write("none.usi", "");
    folder.fails(&learn.replace("games.usi", "none.usi --model parent --out new"), &["none.usi"]);
    let mut broken = folder.bytes("parent.weights");
    broken.truncate(broken.len() - 5);
    folder.write("broken.weights", broken);
    folder.fails("eval info broken.weights", &["broken.weights"]);
}

#[test]
fn the_experiment_runs_from_games_to_the_report() {
    let folder = Folder::new();
    folder.write("games.usi", text(&games(STARTPOS, 4, 30, 80)));
    let reproduce = "reproduce pairs --games games.usi --held-out 20 --out out";
    folder.ok(reproduce);
    let report = folder.text("out/report.md");
    for heading in
        ["Table 1", "Figures 1 and 2", "Table 3", "Tables 4 and 5", "Table 6", "Tables 7"]
    {
        assert!(report.contains(heading), "{heading} is not in {report}");
    }
    assert!(folder.text("out/convergence.svg").contains("sibling held out"));
    let weights = folder.bytes("out/sibling.weights");
    // Learned results are kept.
    folder.ok(reproduce);
    assert_eq!(folder.bytes("out/sibling.weights"), weights);
    let later = |report: &str| report.split_once("## Table 3").expect("a table").1.to_owned();
    assert_eq!(later(&folder.text("out/report.md")), later(&report));
}
