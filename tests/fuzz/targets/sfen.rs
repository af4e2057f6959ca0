//! Positions as text. Reading, writing and reading again gives the same position. Every legal move
//! can be made and undone.

#![no_main]

use kankei::shogi::{Position, Scope, movegen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut pos) = Position::from_sfen(text) else { return };
    let sfen = pos.to_sfen();
    let again = Position::from_sfen(&sfen).expect("the SFEN is valid");
    assert_eq!((again.key(), again.to_sfen()), (pos.key(), sfen.clone()));
    for mv in movegen::legal_moves(&pos, Scope::LEGAL) {
        pos.do_move(mv);
        pos.undo_move();
        assert_eq!(pos.to_sfen(), sfen, "after {mv}");
    }
});
