//! Against a slow reading of the format, broken files, and the network in the shared folder.

use std::path::Path;

use super::{LabelFeatures, LabelNetwork};
use crate::eval::PieceIndex;
use crate::lab::learn::{LearnError, Sample};
use crate::record::{GameReader, MoveScore};
use crate::rng::Rng;
use crate::shogi::{Color, Position, STARTPOS, Square};

const KP_TEXT: &str = "Features=K+P[1710->256x2],Network=AffineTransform[1<-32](...)";

/// A file of random weights, of a size that leaves most sums within the clipped range.
fn file(text: &str, features: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng::from_seed(seed);
    let mut bytes = Vec::new();
    for number in [0x7af3_2f16, 1, text.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(text.as_bytes());
    bytes.extend([2; 4]);
    for _ in 0..64 * (1 + features) {
        let random = rng.next_u64().to_le_bytes();
        for pair in random.chunks_exact(2) {
            bytes.extend((i16::from_le_bytes([pair[0], pair[1]]) >> 12).to_le_bytes());
        }
    }
    bytes.extend([3; 4]);
    for (outputs, inputs, shift) in [(32, 512, 3), (32, 32, 1), (1, 32, 0)] {
        for _ in 0..outputs {
            bytes.extend((rng.below(8_001) as i32 - 4_000).to_le_bytes());
        }
        bytes.extend((0..outputs * inputs).map(|_| (rng.next_u64() as i8 >> shift) as u8));
    }
    bytes
}

/// The value straight from the bytes of a file: one number at a time, in wide integers.
fn naive(file: &[u8], own: &[usize], other: &[usize], features: usize) -> i64 {
    let number = |at: usize, len: usize| {
        let bytes = &file[at..at + len];
        let raw = (0..len).fold(0, |sum, i| sum | i64::from(bytes[i]) << (8 * i));
        raw << (64 - 8 * len) >> (64 - 8 * len)
    };
    let text = number(8, 4) as usize;
    let bias = 12 + text + 4;
    let mut values = Vec::new();
    for view in [own, other] {
        for unit in 0..256 {
            let rows: i64 = view.iter().map(|f| number(bias + 2 * (256 * (1 + f) + unit), 2)).sum();
            values.push((number(bias + 2 * unit, 2) + rows).clamp(0, 127));
        }
    }
    let mut at = bias + 2 * 256 * (1 + features) + 4;
    for outputs in [32, 32, 1] {
        let weights = at + 4 * outputs;
        let sums: Vec<i64> = (0..outputs)
            .map(|unit| {
                let products = values.iter().enumerate();
                let row = weights + unit * values.len();
                let products: i64 = products.map(|(i, x)| x * number(row + i, 1)).sum();
                number(at + 4 * unit, 4) + products
            })
            .collect();
        at = weights + outputs * values.len();
        values = sums;
        if outputs > 1 {
            values.iter_mut().for_each(|sum| *sum = (*sum >> 6).clamp(0, 127));
        }
    }
    assert_eq!(at, file.len());
    values[0] / 16
}

/// Any indices of pieces, with squares for the kings; not always a position.
fn random_view(rng: &mut Rng) -> (Vec<PieceIndex>, Square, Square) {
    let real: Vec<PieceIndex> =
        PieceIndex::all().filter(|p| p.to_place(Color::Black).is_some()).collect();
    let count = rng.below(39);
    let pieces = (0..count).map(|_| real[rng.below(real.len())]).collect();
    let mut king = || Square::from_index(rng.below(81)).expect("on the board");
    (pieces, king(), king())
}

fn matches_naive(text: &str, kind: LabelFeatures, feature: fn(usize, usize, usize) -> usize) {
    let bytes = file(text, kind.count(), 20);
    let network = LabelNetwork::from_bytes(&bytes).expect("a network");
    assert_eq!(network.features, kind);
    let mut rng = Rng::from_seed(21);
    let mut values = Vec::new();
    for _ in 0..30 {
        let (pieces, own_king, enemy_king) = random_view(&mut rng);
        // Through the places, not through `turned`.
        let [own, other] = [Color::Black, Color::White].map(|view| {
            let (ours, theirs) = match view {
                Color::Black => (own_king.index(), enemy_king.index()),
                Color::White => (80 - enemy_king.index(), 80 - own_king.index()),
            };
            let places = pieces.iter().filter_map(|piece| piece.to_place(Color::Black));
            let indices = places.filter_map(|place| PieceIndex::new(place, view));
            let mut active: Vec<usize> =
                indices.map(|index| feature(index.index(), ours, theirs)).collect();
            if kind == LabelFeatures::KP {
                active.extend([1548 + ours, 1629 + theirs]);
            }
            active
        });
        let slow = naive(&bytes, &own, &other, kind.count());
        assert_eq!(i64::from(network.evaluate(&pieces, own_king, enemy_king)), slow);
        let mut padded = pieces;
        padded.resize(38, PieceIndex::NONE);
        assert_eq!(i64::from(network.evaluate(&padded, own_king, enemy_king)), slow);
        values.push(slow);
    }
    values.sort_unstable();
    assert!(values[0] < 0 && values[29] > 0, "{values:?}");
    values.dedup();
    assert!(values.len() > 20, "{values:?}");
}

#[test]
fn kp_values_are_those_of_the_format() {
    matches_naive(KP_TEXT, LabelFeatures::KP, |piece, _, _| piece);
}

#[test]
fn half_kp_values_are_those_of_the_format() {
    // Told by the size alone.
    matches_naive("mine", LabelFeatures::HalfKP, |piece, own_king, _| 1548 * own_king + piece);
}

#[test]
fn broken_files_are_refused() {
    let sound = file(KP_TEXT, 1710, 1);
    let reason = |bytes: &[u8]| LabelNetwork::from_bytes(bytes).expect_err("broken");
    let len = sound.len();
    assert_eq!(
        reason(&sound[..len - 1]),
        format!("cut short: {} bytes where {len} are expected", len - 1)
    );
    assert_eq!(reason(&[&sound[..], &[0; 3]].concat()), format!("3 bytes follow its end at {len}"));
    assert_eq!(reason(&sound[..11]), "11 bytes are too few for a header");
    assert!(reason(&sound[..20]).starts_with("cut short: 20 bytes"));
    let mut other = sound.clone();
    other[0] += 1;
    assert_eq!(reason(&other), "version 0x7af32f17 where 0x7af32f16 is expected");
    let text = "Features=HalfKP(Friend)[125388->512x2],Network=x";
    assert!(reason(&file(text, 1710, 1)).contains("HalfKP(Friend)[125388->512x2]"));
    assert!(reason(&file("x", 10, 1)).contains("\"x\""));
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nn.bin");
    let missing = LabelNetwork::read(&path).expect_err("no file");
    assert!(matches!(missing, LearnError::Read(..)));
    std::fs::write(&path, [0; 12]).expect("written");
    let message = LabelNetwork::read(&path).expect_err("zeros").to_string();
    assert!(message.contains("nn.bin") && message.contains("network file"), "{message}");
    assert!(message.contains("0x00000000") && !message.contains('\n'), "{message}");
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn the_shared_network_agrees_with_the_scores_of_its_games() {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    let folder = Path::new(&shared).join("data/teacher");
    let network = LabelNetwork::read(&folder.join("network_kp256.bin")).expect("a network");
    let value_of = |pos: &Position| {
        let view = Sample::even(pos).view().expect("two kings");
        network.evaluate(&view.pieces, view.own_king, view.enemy_king)
    };
    let value = |sfen: &str| value_of(&Position::from_sfen(sfen).expect(sfen));
    let start = value(STARTPOS);
    let rook_up = value("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    println!("start position {start}, a rook up {rook_up}");
    assert!(start.abs() < 150 && rook_up > 700);

    let mut pairs = Vec::new();
    let games = GameReader::open(&folder.join("games_2.txt.zst")).expect("games");
    for game in games.take(200) {
        let game = game.expect("a game");
        game.replay(|pos, _| {
            if let Some(MoveScore::Centipawns(score)) = game.score(pos.moves_made())
                && !pos.in_check()
            {
                pairs.push((f64::from(value_of(pos)), f64::from(score)));
            }
        });
    }
    let correlation = correlation(&pairs);
    println!("{} positions, correlation {correlation:.4}", pairs.len());
    assert!(correlation > 0.7);
}

/// Pearson's correlation coefficient.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let mean =
        |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let covariance = mean(&|p| (p.0 - x) * (p.1 - y));
    covariance / (mean(&|p| (p.0 - x).powi(2)) * mean(&|p| (p.1 - y).powi(2))).sqrt()
}
