//! Many games in one process.

use std::time::Instant;

use kankei::rng::Rng;
use kankei::shogi::{DeclarationRule, Position, Scope, movegen};

use crate::program::Session;

const GAMES: u64 = 1_000;

/// Plies and nodes of a self-play game after six random moves, with at most 320 plies.
fn play(session: &mut Session, rng: &mut Rng) -> (usize, u64) {
    session.send("gameover draw\nusinewgame");
    let (mut pos, mut moves, mut nodes) = (Position::startpos(), String::new(), 0);
    while pos.moves_made() < 320 && movegen::has_legal_move(&pos) && pos.fourfold().is_none() {
        let mv = if pos.moves_made() < 6 {
            *rng.choose(&movegen::legal_moves(&pos, Scope::LEGAL)).expect("a legal move")
        } else {
            session.send(&format!("position startpos moves{moves}"));
            let lines = session.ask("go btime 0 wtime 0 byoyomi 4", "bestmove");
            nodes += lines.iter().rev().find_map(|line| reported_nodes(line)).unwrap_or(0);
            let answer = lines.last().and_then(|line| line.split(' ').nth(1)).expect("an answer");
            if answer == "win" && pos.declaration(DeclarationRule::default()).is_some() {
                break;
            }
            answer.parse().unwrap_or_else(|()| panic!("{answer} in {pos}"))
        };
        assert_eq!(pos.check_legal(mv), Ok(()), "{mv} in {pos}");
        moves += &format!(" {mv}");
        pos.do_move(mv);
    }
    (pos.moves_made(), nodes)
}

/// The nodes in a line of output.
fn reported_nodes(line: &str) -> Option<u64> {
    line.split(' ').skip_while(|word| *word != "nodes").nth(1)?.parse().ok()
}

#[test]
#[ignore = "takes about ten minutes: cargo test --release -- --ignored"]
fn a_thousand_games_do_not_increase_memory() {
    let mut session = Session::start();
    for option in ["USI_Hash value 16", "NetworkDelay value 0", "NetworkDelay2 value 0"] {
        session.send(&format!("setoption name {option}"));
    }
    session.ask("setoption name MinimumThinkingTime value 1\nisready", "readyok");
    let mut early = None;
    for fifty in 0..GAMES / 50 {
        let (mut plies, mut nodes, began) = (0, 0, Instant::now());
        for number in 0..50 {
            let game = play(&mut session, &mut Rng::for_item(1_000, 50 * fifty + number));
            (plies, nodes) = (plies + game.0, nodes + game.1);
        }
        let (rate, memory) = (nodes as f64 / began.elapsed().as_secs_f64(), session.memory_kib());
        println!("{} games: {plies} plies, {rate:.0} nodes/s, {memory:?} KiB", 50 * fifty + 50);
        early = early.or(memory);
    }
    if let (Some(early), Some(late)) = (early, session.memory_kib()) {
        assert!(late <= early + 2_048, "memory grew from {early} to {late} KiB");
    }
    session.quit();
}
