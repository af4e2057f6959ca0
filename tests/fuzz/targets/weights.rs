//! Weights files of every kind: broken ones are refused, sound ones value a position.

#![no_main]

use kankei::eval::Evaluation;
use kankei::shogi::Position;
use libfuzzer_sys::fuzz_target;

/// How files begin whose rest is compressed.
const MAGICS: [&[u8; 8]; 3] = [b"KANKEI\0W", b"KANKEI\0P", b"KANKEI\0H"];

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // The checksum of a compressed file would hide what is behind it.
    if let Some((&kind, rest)) = bytes.split_first() {
        let magic = MAGICS[usize::from(kind) % MAGICS.len()];
        let rest = zstd::encode_all(rest, 1).expect("into memory");
        check(&[&magic[..], &rest].concat());
    }
});

fn check(bytes: &[u8]) {
    if let Ok(evaluation) = Evaluation::from_bytes(bytes) {
        evaluation.evaluate(&Position::startpos());
    }
}
