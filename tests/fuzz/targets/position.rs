//! The `position` command and other lines of a client: parsed, and set up if the line is a
//! position.

#![no_main]

use kankei::usi::UsiCommand;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in [text, &format!("position {text}"), &format!("position startpos moves {text}")] {
        if let Some(UsiCommand::Position(setup)) = UsiCommand::parse(line) {
            if let Ok(pos) = setup.to_position() {
                // Undoing the moves returns to the start of the list.
                let mut start = pos.clone();
                (0..pos.moves_made()).for_each(|_| start.undo_move());
                assert_eq!(start.moves_made(), 0);
            }
        }
    }
});
