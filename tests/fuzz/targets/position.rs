//! The `position` command and any other line of a client: read, and where it is a position set up.

#![no_main]

use kankei::usi::UsiCommand;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in [text, &format!("position {text}"), &format!("position startpos moves {text}")] {
        if let Some(UsiCommand::Position(setup)) = UsiCommand::parse(line) {
            if let Ok(pos) = setup.to_position() {
                // Moves can be taken back to where the list began.
                let mut start = pos.clone();
                (0..pos.moves_made()).for_each(|_| start.undo_move());
                assert_eq!(start.moves_made(), 0);
            }
        }
    }
});
