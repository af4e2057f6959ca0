//! Move ratings: learning runs, and the command.

use kankei::papers::mcts::learner::{RatingsConfig, RatingsObjective};
use kankei::shogi::STARTPOS;

use crate::command_support::Folder;
use crate::learn_support::{games, text, unbroken_and_resumed};

#[test]
fn a_resumed_run_equals_an_uninterrupted_one_with_any_threads() {
    let folder = Folder::new();
    let (games, path) = (games(STARTPOS, 1, 12, 60), folder.at("checkpoint"));
    let (training, held_out) = games.split_at(9);
    let config = RatingsConfig { epochs: 2, batch: 2, ..RatingsConfig::DEFAULT };
    let trainer = || RatingsObjective::new(config, training, held_out).trainer();
    let [unbroken, resumed] = unbroken_and_resumed(&path, 6, trainer);
    let mut with_threads = trainer();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("the threads start");
    let is_done = pool.install(|| with_threads.run(&path, &|| true, |_| ()));
    assert!(is_done.expect("a file"));
    for other in [resumed, with_threads] {
        assert_eq!(other.objective.ratings(), unbroken.objective.ratings());
        assert_eq!(other.curve(), unbroken.curve());
    }
    let points = &unbroken.curve().points;
    let [first, last] = [0, points.len() - 1].map(|at| points[at].measured.held_out);
    assert!(last < first, "{first} {last}");
    let other = RatingsConfig { seed: 2, ..config };
    let mut other = RatingsObjective::new(other, training, held_out).trainer();
    assert!(other.resume(&path).is_err(), "another run");
    let others: Vec<_> = training.iter().rev().cloned().collect();
    let mut other = RatingsObjective::new(config, &others, held_out).trainer();
    assert!(other.resume(&path).is_err(), "as many games, but others");
}

#[test]
fn the_command_writes_ratings() {
    let folder = Folder::new();
    folder.write("games.txt", text(&games(STARTPOS, 2, 12, 60)));
    let learn = "learn ratings --games games.txt --held-out 30 --batch 2";
    let printed = folder.ok(&format!("{learn} --out a.ratings"));
    assert!(
        printed.contains("epoch  1.00: loss") && printed.contains("a.ratings written"),
        "{printed}"
    );
    folder.ok(&format!("{learn} --threads 1 --out b.ratings"));
    assert_eq!(folder.bytes("a.ratings"), folder.bytes("b.ratings"));
    assert!(!folder.at("a.ratings.checkpoint").exists());
    for option in ["--epochs 2", "--rate 0.01", "--seed 2", "--limit 3"] {
        folder.ok(&format!("{learn} {option} --out c.ratings --force"));
        assert_ne!(folder.bytes("a.ratings"), folder.bytes("c.ratings"), "{option} does nothing");
    }
    folder.fails(&format!("{learn} --out new --resume"), &["new.checkpoint"]);
    folder.fails("learn ratings --games none.txt --out new", &["none.txt"]);
    folder.fails(&format!("{learn} --rate 0 --out new"), &["'0'", "above 0"]);
    folder.fails(&format!("{learn} --out none/new"), &["none/new"]);
}
