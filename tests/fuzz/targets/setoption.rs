//! Options: after any input, all options have values of their type.

#![no_main]

use kankei::usi::{Options, UsiCommand};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut options = Options::new(&["AlphaBeta", "FullWidth", "MCTS"]);
    for line in text.lines() {
        for line in [line, &format!("setoption name {line}")] {
            if let Some(UsiCommand::SetOption { name, value }) = UsiCommand::parse(line) {
                let before = options.show(&name);
                let result = match value {
                    Ok(value) => options.set(&name, &value),
                    Err(words) => options.press(&name, &words),
                };
                match result {
                    Ok(name) => assert!(options.show(name).is_some()),
                    Err(_) => assert_eq!(options.show(&name), before),
                }
            }
        }
    }
    // These functions parse the options as numbers and words.
    let _ = (options.settings(), options.book_rules(), options.time());
    assert_eq!(options.declarations().count(), options.meanings().count());
});
