//! Helpers for the tests of learning.

use std::cell::Cell;
use std::path::Path;

use kankei::lab::learn::{Objective, Trainer};
use kankei::record::{Game, GameBuilder};
use kankei::rng::Rng;
use kankei::shogi::{Scope, movegen};

use crate::command_support::Folder;

/// Games whose players capture whenever they can.
pub fn games(start: &str, seed: u64, count: usize, plies: usize) -> Vec<Game> {
    println!("seed {seed}");
    let mut rng = Rng::from_seed(seed);
    let mut game = || {
        let mut builder = GameBuilder::from_sfen(start).expect(start);
        for _ in 0..plies {
            let captures = movegen::legal_moves(builder.position(), Scope::CAPTURES);
            let moves = movegen::legal_moves(builder.position(), Scope::USEFUL);
            let Some(&mv) = rng.choose(&captures).or_else(|| rng.choose(&moves)) else { break };
            builder.push(mv).expect("a legal move");
        }
        builder.finish()
    };
    (0..count).map(|_| game()).collect()
}

/// Games from the start position, one per line.
pub fn text(games: &[Game]) -> String {
    let line = |game: &Game| {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        format!("startpos moves {}\n", moves.join(" "))
    };
    games.iter().map(line).collect()
}

/// Two finished runs: one without an interruption, and one that was interrupted after `batches`
/// batches and resumed from its checkpoint. `trainer` is called for each of the three parts.
pub fn unbroken_and_resumed<O: Objective>(
    checkpoint: &Path,
    batches: u64,
    mut trainer: impl FnMut() -> Trainer<O>,
) -> [Trainer<O>; 2] {
    let mut unbroken = trainer();
    assert!(unbroken.run(checkpoint, &|| true, |_| ()).expect("a file"));
    let mut broken = trainer();
    let asked = Cell::new(0);
    let go_on = || asked.replace(asked.get() + 1) < batches;
    assert!(!broken.run(checkpoint, &go_on, |_| ()).expect("a file"));
    let mut resumed = trainer();
    resumed.resume(checkpoint).expect("a checkpoint");
    assert_eq!(resumed.batches_done(), batches);
    assert!(resumed.run(checkpoint, &|| true, |_| ()).expect("a file"));
    [unbroken, resumed]
}

/// A folder with a file `games.txt` of games.
pub fn with_games() -> Folder {
    let folder = Folder::new();
    // The games of the full-width searcher do not depend on the parameters of the other searcher.
    let options = "--search FullWidth --nodes 200 --hash 1 --eval material";
    folder.ok(&format!("selfplay --games 12 {options} --out games.txt"));
    folder
}

/// The same with samples of the games.
pub fn with_samples() -> Folder {
    let folder = with_games();
    folder.ok(&resolve("--out samples.bin"));
    folder
}

/// The command that makes samples of the games.
pub fn resolve(more: &str) -> String {
    format!("learn resolve --games games.txt --held-out 40 --eval material {more}")
}
