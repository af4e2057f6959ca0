//! Many games in one process.

use kankei::engine::{BestMove, Control, Engine, Limits, Outcome, Report, Settings};
use kankei::lab::selfplay::{Opening, SelfplayConfig, play_game};
use kankei::shogi::Position;

use crate::program::Session;

const GAMES: u64 = 1_000;

/// The built program, spoken to in USI.
struct Program(Session);

impl Engine for Program {
    fn configure(&mut self, _: &Settings) -> Vec<String> {
        Vec::new()
    }

    fn new_game(&mut self) {
        self.0.send("gameover draw");
        self.0.send("usinewgame");
    }

    fn search(
        &mut self,
        pos: &Position,
        _: &Limits,
        _: &Control,
        _: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        self.0.send(&format!("position startpos moves{}", moves(pos)));
        self.0.send("go btime 0 wtime 0 byoyomi 4");
        let lines = self.0.read_to("bestmove");
        let answer = lines.last().and_then(|line| line.split_whitespace().nth(1));
        let best = match answer.expect("an answer") {
            "resign" => BestMove::Resign,
            "win" => BestMove::Declare,
            mv => BestMove::Play(mv.parse().expect("a move"), None),
        };
        Outcome { best, info: None, nodes: 0 }
    }
}

/// The moves made from the start, with a blank before each.
fn moves(pos: &Position) -> String {
    let (mut pos, mut moves) = (pos.clone(), Vec::new());
    while pos.moves_made() > 0 {
        moves.extend(pos.last_move());
        pos.undo_move();
    }
    moves.iter().rev().map(|mv| format!(" {mv}")).collect()
}

#[test]
#[ignore = "takes about ten minutes: cargo test --release -- --ignored"]
fn a_thousand_games_leave_memory_as_it_was() {
    let mut session = Session::start();
    for option in ["USI_Hash value 16", "NetworkDelay value 0", "NetworkDelay2 value 0"] {
        session.send(&format!("setoption name {option}"));
    }
    session.send("setoption name MinimumThinkingTime value 1");
    session.send("isready");
    session.read_to("readyok");
    let mut program = Program(session);
    let config = SelfplayConfig {
        seed: 1_000,
        opening: Opening { plies: 6, varied: 6..=6, sensible: 0.0, ..Opening::default() },
        resignation: None,
        ..SelfplayConfig::default()
    };
    let (mut plies, mut early) = (0, None);
    for number in 0..GAMES {
        let game = play_game(&mut program, &config, number);
        plies += game.unwrap_or_else(|fault| panic!("{fault}")).moves().len();
        if number == GAMES / 20 {
            early = program.0.memory_kib();
        }
    }
    let late = program.0.memory_kib();
    println!("{GAMES} games, {plies} plies; memory {early:?} KiB, at the end {late:?} KiB");
    if let (Some(early), Some(late)) = (early, late) {
        assert!(late <= early + 2_048, "memory grew from {early} to {late} KiB");
    }
    program.0.quit();
}
