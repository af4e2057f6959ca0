//! Weights files of every kind: invalid files are rejected, and valid ones evaluate a position.

#![no_main]

use kankei::cli::register_papers;
use kankei::eval::Evaluation;
use kankei::shogi::Position;
use libfuzzer_sys::fuzz_target;

/// Magic bytes of the files whose rest is compressed.
const MAGICS: [&[u8; 8]; 3] = [b"KANKEI\0W", b"KANKEI\0P", b"KANKEI\0H"];

fuzz_target!(|bytes: &[u8]| {
    register_papers();
    check(bytes);
    // The checksum of a compressed file would reject most mutations, so the input is compressed
    // here.
    if let Some((&kind, rest)) = bytes.split_first() {
        let magic = MAGICS[usize::from(kind) % MAGICS.len()];
        let rest = zstd::encode_all(rest, 1).expect("compression in memory cannot fail");
        check(&[&magic[..], &rest].concat());
    }
});

fn check(bytes: &[u8]) {
    if let Ok(evaluation) = Evaluation::from_bytes(bytes) {
        evaluation.evaluate(&Position::startpos());
    }
}
