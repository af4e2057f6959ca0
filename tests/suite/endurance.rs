//! Many games in one process.

use kankei::rng::Rng;
use kankei::shogi::{DeclarationRule, Move, Position, Scope, movegen};

use crate::program::Session;

const GAMES: u32 = 1_000;
const OPENING_PLIES: usize = 6;
const MAX_PLIES: usize = 320;

/// Plays one game of the engine against itself; returns its length.
fn play(session: &mut Session, rng: &mut Rng) -> usize {
    session.send("usinewgame");
    let mut pos = Position::startpos();
    let mut moves = String::new();
    while pos.moves_made() < MAX_PLIES && pos.fourfold().is_none() {
        let mv = if pos.moves_made() < OPENING_PLIES {
            *rng.choose(&movegen::legal_moves(&pos, Scope::USEFUL)).expect("not mated yet")
        } else {
            session.send(&format!("position startpos moves{moves}"));
            session.send("go btime 0 wtime 0 byoyomi 4");
            let lines = session.read_to("bestmove");
            let answer = &lines[lines.len() - 1];
            match answer.split_whitespace().nth(1).expect("a move") {
                "resign" => {
                    assert!(!movegen::has_legal_move(&pos), "resigned in {}", pos.to_sfen());
                    break;
                }
                "win" => {
                    assert!(pos.declaration(DeclarationRule::Csa27).is_some());
                    break;
                }
                text => text.parse::<Move>().expect("a move"),
            }
        };
        assert_eq!(pos.check_legal(mv), Ok(()), "{}", pos.to_sfen());
        pos.do_move(mv);
        moves += &format!(" {mv}");
    }
    session.send("gameover draw");
    pos.moves_made()
}

#[test]
#[ignore = "takes about ten minutes"]
fn a_thousand_games_leave_memory_as_it_was() {
    let mut session = Session::start();
    for option in ["USI_Hash value 16", "NetworkDelay value 0", "NetworkDelay2 value 0"] {
        session.send(&format!("setoption name {option}"));
    }
    session.send("setoption name MinimumThinkingTime value 1");
    session.send("isready");
    session.read_to("readyok");
    let mut rng = Rng::from_seed(1_000);
    let (mut plies, mut early) = (0, None);
    for game in 1..=GAMES {
        plies += play(&mut session, &mut rng);
        if game == GAMES / 20 {
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
