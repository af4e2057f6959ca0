//! The rules along a game. The generated moves are the legal ones, keys and check information equal
//! those computed from scratch, and taking all moves back restores the start.

#![no_main]

use kankei::shogi::{Position, Scope, movegen};
use libfuzzer_sys::fuzz_target;

// The first line is a position, else the game begins at the start. Each further byte chooses a move.
fuzz_target!(|bytes: &[u8]| {
    let at = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (text, choices) = bytes.split_at(at);
    let given = str::from_utf8(text).ok().and_then(|text| Position::from_sfen(text).ok());
    let mut pos = given.unwrap_or_else(Position::startpos);
    let start = (pos.to_sfen(), pos.key());
    let mut made = 0;
    for &choice in choices {
        let moves = movegen::legal_moves(&pos, Scope::LEGAL);
        assert!(moves.iter().all(|&mv| pos.is_legal(mv)), "{pos}");
        assert_eq!(moves.is_empty(), !movegen::has_legal_move(&pos), "{pos}");
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        let will_check = pos.gives_check(mv, &pos.check_squares());
        pos.do_move(mv);
        made += 1;
        assert_eq!(pos.in_check(), will_check, "{mv} to {pos}");
        assert_eq!(*pos.part_keys(), pos.compute_part_keys(), "{pos}");
        let again = Position::from_sfen(&pos.to_sfen()).expect("the SFEN is valid");
        assert_eq!(again.key(), pos.key(), "{pos}");
    }
    for _ in 0..made {
        pos.undo_move();
    }
    assert_eq!((pos.to_sfen(), pos.key()), start);
});
