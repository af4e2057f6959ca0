//! Game records in KIF and KI2, and their conversion to every format.

#![no_main]

mod records;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    records::games(bytes, "game.kif");
    records::games(bytes, "game.ki2");
});
