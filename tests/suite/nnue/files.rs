//! Broken files: reading gives an error or a network, never panics, and uses no more memory than
//! allowed.

use kankei::eval::nnue::{FeatureSet, NnueForm};
use kankei::eval::{Evaluation, Kernel};
use kankei::lab::nnue_file::synthetic;
use kankei::rng::Rng;
use kankei::shogi::Position;

use super::allocations::peak_of;
use super::{classic, read, sfnn};

/// Small files of both families.
const SMALL: [NnueForm; 2] =
    [classic(FeatureSet::Kp, 32, [8, 16]), sfnn(FeatureSet::Kp, 64, [7, 16])];

/// Bytes that reading needs in addition to the network: buffers, the text, and the positions of the
/// calibration.
const BUFFERS: usize = 300_000;

/// Changes some bytes or the length, in the header or anywhere.
fn mutated(sound: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    let head = bytes.len().min(400);
    match rng.below(6) {
        0 => bytes.truncate(rng.below(bytes.len())),
        1 => bytes.truncate(rng.below(head)),
        2 => bytes.extend((0..=rng.below(40)).map(|n| n as u8)),
        3 => {
            let at = rng.below(head);
            bytes.drain(at..(at + 1 + rng.below(8)).min(sound.len()));
        }
        _ => {}
    }
    for _ in 0..rng.below(4) {
        let range = if rng.below(2) == 0 { head } else { bytes.len() };
        if let Some(byte) = bytes.get_mut(rng.below(range)) {
            *byte = match rng.below(4) {
                0 => b'0' + rng.below(10) as u8,
                1 => 0xff,
                _ => rng.next_u64() as u8,
            };
        }
    }
    bytes
}

#[test]
fn two_thousand_mutations_are_refused_or_read() {
    for form in SMALL {
        let sound = synthetic::file(form, 1);
        let mut rng = Rng::from_seed(7);
        let mut refused = 0;
        for number in 0..2_000 {
            let bytes = mutated(&sound, &mut rng);
            let (result, peak) = peak_of(|| Evaluation::from_bytes(&bytes));
            assert!(peak <= 2 * bytes.len() + BUFFERS, "{form} {number}: {peak} bytes");
            match result {
                Ok(evaluation) => drop(evaluation.evaluate(&Position::startpos())),
                Err(error) => {
                    let message = error.to_string();
                    assert!(!message.contains('\n') && !message.is_empty(), "{message}");
                    refused += 1;
                }
            }
        }
        assert!((200..1_900).contains(&refused), "{form}: {refused} of 2,000 refused");
    }
}

#[test]
fn memory_is_at_most_twice_the_file() {
    for form in [classic(FeatureSet::HalfKp, 33, [8, 8]), sfnn(FeatureSet::HalfKaHm2, 64, [7, 16])]
    {
        let bytes = synthetic::file(form, 1);
        let (network, peak) = peak_of(|| read(&bytes));
        assert_eq!(network.expect("the file is valid").form(), form);
        assert!(peak <= 2 * bytes.len() + BUFFERS, "{form}: {peak} bytes for {}", bytes.len());
    }
}

#[test]
fn errors_name_the_field() {
    let [classic, sfnn] = SMALL.map(|form| synthetic::file(form, 1));
    let change = |file: &[u8], at: usize, byte: u8| {
        let mut bytes = file.to_vec();
        bytes[at] = byte;
        read(&bytes).expect_err("broken")
    };
    let replace = |file: &[u8], from: &str, to: &str| {
        let at = file.windows(from.len()).position(|part| part == from.as_bytes()).expect(from);
        assert_eq!(from.len(), to.len());
        let mut bytes = file.to_vec();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        read(&bytes)
    };
    for (message, named) in [
        (change(&classic, 0, 0x17), "version: 0x7af32f17; expected 0x7af32f16"),
        (change(&classic, 10, 1), "length of the text: 65"),
        (read(&classic[..9]).expect_err("short"), "text: truncated: 4 bytes needed, 1 left"),
        (read(&classic[..classic.len() - 1]).expect_err("short"), "size: truncated: "),
        (read(&[&classic[..], &[0]].concat()).expect_err("long"), "size: trailing bytes: "),
        (read(&sfnn[..sfnn.len() - 1]).expect_err("short"), "size: truncated: "),
        (read(&[&sfnn[..], &[0]].concat()).expect_err("long"), "size: trailing bytes: "),
        (replace(&classic, "K+P[", "K*P[").expect_err("unknown"), "features: \"K*P\""),
        (replace(&sfnn, "k3k3", "k2k2").expect_err("unknown"), "stack choice: "),
        (replace(&sfnn, "Stack=9", "Stack=8").expect_err("unknown"), "layer stacks: \"8\""),
        (replace(&sfnn, "COMPRESSED", "COMPRESSEE").expect_err("no block"), "size: "),
    ] {
        assert!(message.contains(named), "{message}");
    }
    // Sizes in the text are only hints.
    assert!(replace(&sfnn, "_64_7_16_", "_32_9_99_").is_ok());
}

/// The size of a file does not show these parts, which change the arithmetic.
#[test]
fn unknown_parts_of_the_architecture_are_refused() {
    let sfnn = synthetic::file(SMALL[1], 1);
    let with_part = |before: &str, part: &str| {
        let at = sfnn.windows(before.len()).position(|it| it == before.as_bytes()).expect(before);
        let mut bytes = sfnn.clone();
        bytes.splice(at..at, part.bytes());
        let length = u32::from_le_bytes(*sfnn[8..].first_chunk().expect("the length of the text"));
        bytes[8..12].copy_from_slice(&(length + part.len() as u32).to_le_bytes());
        read(&bytes)
    };
    for (before, part, named) in [
        ("_k3k3", "_C0_S64X2", "\"C0_S64X2\""),
        ("_k3k3", "_XYZ", "\"XYZ\""),
        ("{LayerStack", "_hand16", "\"hand16\""),
        ("_64_7_16", "_psqt", "\"kppsqt\""),
        ("_kp_64", "2", "\"SFNN2_kp_64_7_16_k3k3\""),
        ("}", ",Shards=2", "\"Shards=2\""),
        ("[1710", "+K", "\"K+P+K\""),
    ] {
        let message = with_part(before, part).expect_err(part);
        assert!(message.contains(named) && message.contains("not supported"), "{message}");
    }
    assert!(with_part("_k3k3", "").is_ok());
}

#[test]
fn large_biases_wrap_as_in_other_programs() {
    let mut bytes = synthetic::file(SMALL[0], 1);
    // The bias of the output.
    let at = bytes.len() - 32 - 4;
    let bias = i32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let value = |bytes: &[u8], kernel| {
        let network = read(bytes).expect("only the bias is changed");
        kankei::eval::nnue::full::raw(&network, kernel, &Position::startpos()).expect("kings")
    };
    let kernels = Kernel::available();
    let usual: Vec<i32> = kernels.iter().map(|&kernel| value(&bytes, kernel)).collect();
    for changed in [i32::MAX, i32::MIN] {
        bytes[at..at + 4].copy_from_slice(&changed.to_le_bytes());
        for (&kernel, usual) in kernels.iter().zip(&usual) {
            let expected = usual.wrapping_sub(bias).wrapping_add(changed);
            assert_eq!(value(&bytes, kernel), expected, "{kernel:?}");
        }
    }
}
