//! Imitation of recorded moves: runs and the commands.

use std::fs;
use std::path::Path;

use kankei::eval::learned::file;
use kankei::eval::learned::full::evaluate;
use kankei::eval::material::PieceValues;
use kankei::lab::learn::{Interrupted, LearnError};
use kankei::papers::policy::learner::{
    ImitatedGames, ImprovedConfig, KingHalf, Learner, Online, OnlineConfig, Pass, PassCurve,
    PolicyMethod, PolicyRun, PolicyTable, PolicyTrainer, each_example,
};
use kankei::record::{Game, GameReader};
use kankei::shogi::{Color, STARTPOS};

use crate::command_support::Folder;
use crate::learn_support::{games, text};

const CONFIG: OnlineConfig = OnlineConfig { learning_rate: 1.0, temperature: 10.0 };

/// A position whose kings are not on the middle file.
const CASTLED: &str = "lr4krl/2b1g1b2/p1p1p1p1p/9/9/9/P1P1P1P1P/2K1G4/LN5NL w 2GS2Ps2n6p 1";

fn run<'a>(improved: bool, games: ImitatedGames<'a>, checkpoint: &Path) -> PolicyRun<'a> {
    PolicyRun {
        method: match improved {
            true => PolicyMethod::Improved(ImprovedConfig { batch: 16, ..ImprovedConfig::DEFAULT }),
            false => PolicyMethod::Paper(CONFIG),
        },
        games,
        seed: Some(5),
        passes: 2,
        patience: None,
        checkpoint: checkpoint.to_owned(),
    }
}

/// Runs one more pass.
fn pass(trainer: &mut PolicyTrainer) {
    while trainer.advance(&|| true).expect("nobody interrupts").is_none() {}
}

/// The passes without their times, which differ between runs.
fn agreements(curve: &PassCurve) -> Vec<Pass> {
    curve.points.iter().map(|point| Pass { seconds: 0.0, ..point.measured }).collect()
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let (training, held_out) = (games(STARTPOS, 1, 3, 30), games(CASTLED, 2, 2, 30));
    let games = ImitatedGames { training: &training, held_out: &held_out };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.course");
    for improved in [false, true] {
        let run = run(improved, games, &path);
        let mut unbroken = run.trainer();
        unbroken.measure_before(&|| true).expect("nobody interrupts");
        pass(&mut unbroken);
        unbroken.save(&path).expect("a file");
        pass(&mut unbroken);
        assert!(unbroken.is_done());

        let mut resumed = run.trainer();
        resumed.resume(&path).expect("a checkpoint");
        assert_eq!(resumed.curve().passes().len(), 1);
        resumed.measure_before(&|| true).expect("nobody interrupts");
        assert_eq!(resumed.advance(&|| false), Err(Interrupted), "interrupted");
        let mut resumed = run.trainer();
        resumed.resume(&path).expect("an interrupted pass has no effect");
        pass(&mut resumed);

        let others: Vec<Game> = training.iter().rev().cloned().collect();
        let others = ImitatedGames { training: &others, ..games };
        let error = self::run(improved, others, &path).trainer().resume(&path);
        assert!(matches!(error, Err(LearnError::OtherRun(..))), "as many games, but others");

        assert_eq!(agreements(resumed.curve()), agreements(unbroken.curve()));
        let weights = [&resumed, &unbroken].map(|run| run.objective.learner().table());
        assert!(weights[0] == weights[1], "weights differ, improved: {improved}");
        let [before, first, second] = agreements(unbroken.curve())[..] else {
            panic!("two passes")
        };
        assert_eq!(before.training.positions, 90);
        assert!(
            second.training.percent() > first.training.percent().max(before.training.percent())
        );
    }
}

#[test]
fn errors_of_checkpoints_name_the_problem() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.course");
    let games = ImitatedGames { training: &[], held_out: &[] };
    let these = run(false, games, &path);
    let others = run(true, games, &path);
    these.trainer().save(&path).expect("a file");
    let load = |run: &PolicyRun| run.kept_curve().map_err(|error| (error.to_string(), error));
    assert_eq!(load(&these).map_err(|e| e.0), Ok(PassCurve::default()));
    let (text, error) = load(&others).expect_err("another method");
    assert!(text.contains(&these.name()) && matches!(error, LearnError::OtherRun(..)));
    let mut bytes = fs::read(&path).expect("a file");
    bytes.truncate(bytes.len() - 9);
    fs::write(&path, bytes).expect("a written file");
    let error = these.trainer().resume(&path).expect_err("cut off");
    assert!(matches!(error, LearnError::Corrupt(..)), "{error}");
    let packed =
        zstd::encode_all(&b"something else\n"[..], 1).expect("compression in memory cannot fail");
    fs::write(&path, packed).expect("a written file");
    let (text, error) = load(&these).expect_err("something else");
    assert!(text.contains("not a checkpoint") && matches!(error, LearnError::NotA(..)));
}

#[test]
fn moves_without_a_score_are_not_examples() {
    let read = |line: &str| {
        let bytes = std::io::Cursor::new(line.as_bytes().to_vec());
        let mut reader = GameReader::new(Path::new("x.txt"), bytes).expect("a known format");
        reader.next().expect("a game").expect("legal moves")
    };
    for (line, expected) in [
        ("7g7f 3c3d 2g2f 8c8d | . 5 . m3 | b", vec!["3c3d", "8c8d"]),
        ("startpos moves 7g7f 3c3d | winner=b", vec!["7g7f", "3c3d"]),
    ] {
        let mut shown = Vec::new();
        each_example(&read(line), |pos, _, mv| {
            assert!(pos.is_legal(mv));
            shown.push(mv.to_string());
        });
        assert_eq!(shown, expected, "{line}");
    }
}

#[test]
fn the_weights_file_gives_the_learned_values() {
    let games = games(CASTLED, 3, 2, 40);
    let mut learner = Online::new(CONFIG, PolicyTable::zero());
    games.iter().for_each(|game| {
        learner.learn(game);
    });
    let table = learner.table().clone();
    let quantized = table.to_real().quantize();
    assert_eq!(quantized.clipped, 0);
    let mut compared = 0;
    for game in &games {
        each_example(game, |pos, list, _| {
            let side = pos.side_to_move();
            let half =
                |of: Color| table.half(&KingHalf::new(pos, list, of).expect("both kings exist"));
            let balance = PieceValues::ENGINE.balance(pos) * side.sign();
            let expected = balance as f32 + half(side) - half(!side);
            let found = evaluate(&quantized.weights, pos).to_cp() as f32;
            // Weights of a king on the middle file are averaged with their mirror images.
            if Color::ALL.iter().any(|&of| pos.king(of).is_some_and(|king| king.file() == 4)) {
                return;
            }
            assert!((found - expected).abs() < 8.0, "{pos}: {found}, not {expected}");
            compared += 1;
        });
    }
    assert!(compared > 40, "{compared} positions");
}

#[test]
fn the_command_learns_resumes_and_writes_weights() {
    let folder = Folder::new();
    folder.write("games.usi", text(&games(STARTPOS, 4, 12, 30)));
    let learn = "learn policy --games games.usi --out learned --held-out 30 --passes";
    let rates = "--learning-rate 10 --temperature 10";
    folder.ok(&format!("{learn} 1 {rates}"));
    let first = folder.bytes("learned");
    file::read(&first[..]).expect("weights");
    // The learning rate belongs to another run.
    folder.fails(&format!("{learn} 2 --resume"), &["learned"]);
    folder.ok(&format!("{learn} 2 {rates} --resume"));
    assert_ne!(folder.bytes("learned"), first);
    // The initial weights, also if the best of all passes are wanted.
    folder.ok(&format!("{} 0 --patience 1", learn.replace("learned", "initial")));
    file::read(&folder.bytes("initial")[..]).expect("weights");
}
