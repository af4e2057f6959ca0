//! Move ratings: learning runs, and the command.

use kankei::papers::mcts::learner::{RatingsConfig, RatingsObjective};

use crate::command_support::Folder;
use crate::learn_pairs::{games, text};

#[test]
fn a_resumed_run_equals_an_uninterrupted_one_with_any_threads() {
    let folder = Folder::new();
    let (games, path) = (games(1, 12, 60), folder.at("checkpoint"));
    let (training, held_out) = games.split_at(9);
    let config = RatingsConfig { epochs: 2, batch: 2, ..RatingsConfig::DEFAULT };
    let trainer = || RatingsObjective::new(config, training, held_out).trainer();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let mut unbroken = trainer();
    let is_done =
        pool(3).expect("the threads start").install(|| unbroken.run(&path, &|| true, |_| ()));
    assert!(is_done.expect("a file"));

    let mut broken = trainer();
    let batches = std::cell::Cell::new(0);
    let go_on = || batches.replace(batches.get() + 1) < 6;
    assert!(!broken.run(&path, &go_on, |_| ()).expect("a file"));
    let mut resumed = trainer();
    resumed.resume(&path).expect("a checkpoint");
    assert_eq!(resumed.batches_done(), 6);
    assert!(resumed.run(&path, &|| true, |_| ()).expect("a file"));
    assert_eq!(resumed.objective.ratings(), unbroken.objective.ratings());
    assert_eq!(resumed.curve(), unbroken.curve());
    let points = &resumed.curve().points;
    let [first, last] = [0, points.len() - 1].map(|at| points[at].measured.held_out);
    assert!(last < first, "{first} {last}");
    let other = RatingsConfig { seed: 2, ..config };
    let mut other = RatingsObjective::new(other, training, held_out).trainer();
    assert!(other.resume(&path).is_err(), "another run");
}

#[test]
fn the_command_writes_ratings() {
    let folder = Folder::new();
    folder.write("games.txt", text(&games(2, 12, 60)));
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
