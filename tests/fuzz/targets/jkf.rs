//! Game records in JKF, and their conversion to every format.

#![no_main]

mod records;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| records::games(bytes, "game.jkf"));
