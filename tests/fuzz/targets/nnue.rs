//! NNUE files: broken ones are refused, sound ones value a position, the same from scratch and along
//! a line.

#![no_main]

use std::sync::LazyLock;

use kankei::eval::nnue::{Family, FeatureSet, NnueForm, synthetic};
use kankei::eval::{Evaluation, Evaluator};
use kankei::shogi::Position;
use libfuzzer_sys::fuzz_target;

/// Sound files of both families, which inputs change.
static SOUND: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let form = |family, units, hidden| NnueForm { family, features: FeatureSet::Kp, units, hidden };
    [form(Family::Classic, 32, [8, 16]), form(Family::Sfnn, 64, [7, 16])]
        .map(|form| synthetic::file(form, 1))
});

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // A whole file is large for a fuzzer: the input also stands for changes of a sound one.
    if let Some((&kind, changes)) = bytes.split_first() {
        check(&changed(&SOUND[usize::from(kind) % SOUND.len()], changes));
    }
});

/// The file with a run of bytes replaced by others for each part of the input: three bytes of
/// position, how many bytes go, how many of the input come.
fn changed(file: &[u8], mut changes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    while let [a, b, c, gone, count, rest @ ..] = changes {
        let (new, rest) = rest.split_at(rest.len().min(usize::from(*count)));
        let at = u32::from_le_bytes([*a, *b, *c, 0]) as usize % (file.len() + 1);
        // 255 cuts the file off.
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
