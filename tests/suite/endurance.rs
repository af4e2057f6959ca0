//! Many games in one process.

use kankei::rng::Rng;
use kankei::shogi::{DeclarationRule, Position, Scope, movegen};

use crate::program::Session;

const GAMES: u64 = 1_000;

/// A game of the program against itself after six random moves, of 320 plies at most.
fn play(session: &mut Session, rng: &mut Rng) -> usize {
    session.send("gameover draw\nusinewgame");
    let (mut pos, mut moves) = (Position::startpos(), String::new());
    while pos.moves_made() < 320 && movegen::has_legal_move(&pos) && pos.fourfold().is_none() {
        let mv = if pos.moves_made() < 6 {
            *rng.choose(&movegen::legal_moves(&pos, Scope::LEGAL)).expect("a legal move")
        } else {
            session.send(&format!("position startpos moves{moves}"));
            let lines = session.ask("go btime 0 wtime 0 byoyomi 4", "bestmove");
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
    pos.moves_made()
}

#[test]
#[ignore = "takes about ten minutes: cargo test --release -- --ignored"]
fn a_thousand_games_leave_memory_as_it_was() {
    let mut session = Session::start();
    for option in ["USI_Hash value 16", "NetworkDelay value 0", "NetworkDelay2 value 0"] {
        session.send(&format!("setoption name {option}"));
    }
    session.ask("setoption name MinimumThinkingTime value 1\nisready", "readyok");
    let (mut plies, mut early) = (0, None);
    for number in 0..GAMES {
        plies += play(&mut session, &mut Rng::for_item(1_000, number));
        if number == GAMES / 20 {
            early = session.memory_kib();
        }
    }
    let late = session.memory_kib();
    println!("{GAMES} games, {plies} plies; memory {early:?} KiB, at the end {late:?} KiB");
    if let (Some(early), Some(late)) = (early, late) {
        assert!(late <= early + 2_048, "memory grew from {early} to {late} KiB");
    }
    session.quit();
}
