//! NNUE files: invalid files are rejected. Valid ones evaluate a position equally from scratch and
//! along a line.

#![no_main]

use std::sync::LazyLock;

use kankei::eval::nnue::{Family, FeatureSet, NnueForm};
use kankei::lab::nnue_file::synthetic;
use kankei::eval::{Evaluation, Evaluator};
use kankei::shogi::Position;
use libfuzzer_sys::fuzz_target;

/// Valid files of both families, which the inputs modify.
static SOUND: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let form = |family, units, hidden| NnueForm { family, features: FeatureSet::Kp, units, hidden };
    [form(Family::Classic, 32, [8, 16]), form(Family::Sfnn, 64, [7, 16])]
        .map(|form| synthetic::file(form, 1))
});

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // A whole file is large for a fuzzer, so the input can also describe changes of a valid one.
    if let Some((&kind, changes)) = bytes.split_first() {
        check(&changed(&SOUND[usize::from(kind) % SOUND.len()], changes));
    }
});

/// Replaces runs of bytes in the file. Each part of the input has three bytes of position, the
/// number of removed bytes, and the number of inserted input bytes.
fn changed(file: &[u8], mut changes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    while let [a, b, c, gone, count, rest @ ..] = changes {
        let (new, rest) = rest.split_at(rest.len().min(usize::from(*count)));
        let at = u32::from_le_bytes([*a, *b, *c, 0]) as usize % (file.len() + 1);
        // 255 truncates the file.
        let end = if *gone == 255 { file.len() } else { (at + usize::from(*gone)).min(file.len()) };
        file.splice(at..end, new.iter().copied());
        changes = rest;
    }
    file
}

fn check(bytes: &[u8]) {
    let Ok(evaluation) = Evaluation::from_bytes(bytes) else { return };
    let mut pos = Position::startpos();
    let mut evaluator = Evaluator::new(&evaluation, &pos);
    for mv in ["7g7f", "3c3d", "8h2b+", "5a4b", "5i4h"] {
        assert_eq!(evaluator.evaluate(&pos), evaluation.evaluate(&pos));
        evaluator.push(&pos.do_move(mv.parse().expect("a move")));
    }
    assert_eq!(evaluator.evaluate(&pos), evaluation.evaluate(&pos));
}
