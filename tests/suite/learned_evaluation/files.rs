//! Valid and broken weights files.

use kankei::eval::PieceIndex;
use kankei::eval::learned::file::{self, Parts, WeightsError, WeightsHeader};
use kankei::eval::learned::network::{HeadActivation, HeadInput};
use kankei::eval::learned::{KingView, Network, Term, Terms, Upper, Weights, full};
use kankei::eval::material::PieceValues;
use kankei::lab::learn::RealWeights;
use kankei::rng::Rng;

use super::{Form, HEADS, network, random_weights};
use crate::evaluation::random_game;

#[test]
fn files_round_trip() {
    let forms = [Form::None, Form::Factored(64), Form::Table];
    let networks = HEADS.map(|head| network(32, head == HEADS[1], head));
    for form in forms.into_iter().chain(networks) {
        let weights = random_weights(form, 9);
        let mut bytes = Vec::new();
        file::write(&weights, &mut bytes, 1).expect("writing to a Vec cannot fail");
        let read = file::read(&bytes[..]).expect("the file is valid");
        let header = WeightsHeader::of(&read);
        let wanted = match form {
            Form::None => Parts::empty(),
            Form::Table => Parts::KPP_TABLE,
            Form::Factored(_) => Parts::FACTORS,
            Form::Network(shape) => {
                assert_eq!(header.network, Some(shape));
                Parts::NETWORK
            }
        };
        let terms: Parts = Term::ALL.into_iter().map(Term::part).collect();
        assert_eq!(header.parts, terms | wanted | Parts::PIECE_VALUES);
        assert!(read == *weights, "{form:?}");
    }
}

#[test]
fn broken_files_are_refused() {
    let zero = RealWeights::zero().quantize().weights;
    let mut bytes = Vec::new();
    file::write(&zero, &mut bytes, 1).expect("writing to a Vec cannot fail");
    assert!(bytes.len() < 1_000, "zero weights take {} bytes", bytes.len());
    assert!(file::read(&bytes[..]).expect("the file is valid") == zero);

    let message = |bytes: &[u8]| file::read(bytes).expect_err("broken").to_string();
    assert!(message(b"'not\0a weights file").ends_with("it starts with \"'not\\0a w\""));
    assert!(message(b"").ends_with("it is empty"));
    let last = bytes.len() - 1;
    assert!(message(&bytes[..last]).ends_with("it ends early"));
    let damaged = [[&bytes[..last], &[!bytes[last]]].concat(), [&bytes[..], b"more"].concat()];
    assert!(damaged.iter().all(|bytes| message(bytes).ends_with("its compressed data is damaged")));
    for end in 0..bytes.len() {
        assert!(file::read(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        // Reserved bits of the compressed frame may be ignored; the weights are then unchanged.
        if let Ok(weights) = file::read(&flipped[..]) {
            assert!(weights == zero, "byte {at}");
        }
    }
    let mut rng = Rng::from_seed(1);
    for _ in 0..200 {
        let mut noise = bytes[..8].to_vec();
        noise.extend((0..rng.below(300)).map(|_| rng.next_u64() as u8));
        assert!(file::read(&noise[..]).is_err());
    }
    let with_header = |header: &[u16]| {
        let mut noise = bytes[..8].to_vec();
        let header: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
        noise.extend(zstd::encode_all(&header[..], 1).expect("writing to a Vec cannot fail"));
        message(&noise)
    };
    assert!(with_header(&[9, 32, 0, 0, 0]).contains("version 9"));
    assert!(with_header(&[1, 7, 0, 0, 0]).contains("unit: 7"));
    assert!(with_header(&[1, 32, 0xb00, 0, 0]).contains("parts: 2816"));
    assert!(with_header(&[1, 32, 0x40, 33, 6]).contains("rank: 33"));
    assert!(with_header(&[1, 32, 0x40, 64, 60]).contains("fraction bits: 60"));
    // A network requires version 2, no other KPP, and a valid shape.
    assert!(with_header(&[1, 32, 0x80, 0, 0, 64, 1, 0, 0]).contains("parts: 128"));
    assert!(with_header(&[2, 32, 0xc0, 64, 6, 64, 1, 0, 0]).contains("parts: 192"));
    assert!(with_header(&[2, 32, 0x80, 64, 0, 64, 1, 0, 0]).contains("rank: 64"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 48, 1, 0, 0]).contains("hidden units: 48"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 544, 1, 0, 0]).contains("hidden units: 544"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 2, 0, 0]).contains("king squares with rows: 2"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 1, 3, 0]).contains("kind of network: 3"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 1, 2, 24]).contains("width of the head: 24"));
    assert!(with_header(&[2, 32, 0x80, 0, 0, 64, 1, 2, 16]).ends_with("it ends early"));
    // Version 3 has two more numbers for the head, version 4 another one.
    assert!(with_header(&[3, 32, 0x80, 0, 0, 64, 1, 2, 16, 2, 0]).contains("input of the head: 2"));
    assert!(with_header(&[3, 32, 0x80, 0, 0, 64, 1, 2, 16, 1, 3]).contains("number of heads: 3"));
    assert!(with_header(&[3, 32, 0x80, 0, 0, 64, 1, 2, 16, 1, 0]).ends_with("it ends early"));
    let fourth = |number| with_header(&[4, 32, 0x80, 0, 0, 64, 1, 2, 16, 1, 0, number]);
    assert!(fourth(2).contains("activation of the head: 2"));
    assert!(fourth(1).ends_with("it ends early"));
    assert!(matches!(file::read(&b"KANKEI\0W"[..]), Err(WeightsError::Read(_))));
    // Files of earlier programs.
    for (header, named) in [
        (&[1, 32, 0x20, 0, 0][..], "KPP in 8 bits"),
        (&[2, 32, 0x80, 0, 0, 64, 1, 1, 0], "a network without a head"),
        (&[3, 32, 0x80, 0, 0, 64, 1, 2, 16, 1, 2], "a network with several heads"),
    ] {
        assert_eq!(
            with_header(header),
            format!("this form of weights is no longer supported: {named}")
        );
    }
}

/// Earlier programs read all files whose parts they know.
#[test]
fn files_have_the_first_version_with_their_parts() {
    let forms = [(Form::None, 1)];
    let networks = HEADS.map(|head| {
        let version = match (head.activation, head.input) {
            (HeadActivation::Dual, _) => 4,
            (HeadActivation::Clipped, HeadInput::Products) => 3,
            (HeadActivation::Clipped, HeadInput::Clipped) => 2,
        };
        (network(32, false, head), version)
    });
    for (form, version) in forms.into_iter().chain(networks) {
        let mut bytes = Vec::new();
        file::write(&random_weights(form, 9), &mut bytes, 1).expect("writing to a Vec cannot fail");
        let content = zstd::decode_all(&bytes[8..]).expect("the file is valid");
        assert_eq!(content[..2], u16::to_le_bytes(version), "{form:?}");
    }
}

#[test]
fn broken_networks_are_refused() {
    // 32 hidden units: the header, then rows, biases and a head of zeros.
    let number = |number: i16| number.to_le_bytes();
    let header = [2, 32, 0x80, 0, 0, 32, 1, 2, 16];
    let head = [0; 64 * 16 + 4 * 16 + 16 * 32 + 4 * 32 + 2 * 32 + 4];
    let rows = Network::ROWS * 32;
    let content = |change: &dyn Fn(&mut [i16], &mut [i16])| {
        let (mut weights, mut biases) = (vec![0; rows], vec![0; KingView::KINGS * 32]);
        change(&mut weights, &mut biases);
        let mut bytes: Vec<u8> = header.into_iter().flat_map(number).collect();
        for part in [&weights, &biases] {
            for byte in 0..2 {
                bytes.extend(part.iter().map(|&weight| number(weight)[byte]));
            }
        }
        bytes.extend(head);
        bytes
    };
    let read = |content: &[u8]| {
        let mut bytes = b"KANKEI\0W".to_vec();
        bytes.extend(zstd::encode_all(content, 1).expect("writing to a Vec cannot fail"));
        file::read(&bytes[..])
    };
    let whole = content(&|weights, biases| {
        weights[32] = Network::LARGEST_WEIGHT;
        biases[0] = -Network::LARGEST_BIAS;
    });
    let network = read(&whole)
        .expect("the weights are within the bounds")
        .network()
        .cloned()
        .expect("a network");
    assert_eq!(network.rows()[32], Network::LARGEST_WEIGHT);
    let message = |content: &[u8]| read(content).expect_err("broken").to_string();
    assert!(message(&whole[..whole.len() - 1]).ends_with("it ends early"));
    assert!(message(&[&whole[..], &[0]].concat()).contains("after the end"));
    for broken in [
        content(&|weights, _| weights[32] = Network::LARGEST_WEIGHT + 1),
        content(&|weights, _| weights[0] = 1),
        content(&|_, biases| biases[0] = i16::MIN),
    ] {
        assert!(message(&broken).contains("corrupt weights file: a weight"));
    }
}

#[test]
fn weights_of_empty_slots_are_refused() {
    let new = |change: &dyn Fn(&mut Terms<Vec<i16>>)| {
        let mut tables = Terms::from_fn(|term| vec![0; term.size()]);
        change(&mut tables);
        Weights::new(PieceValues::ENGINE, tables, Upper::None)
    };
    assert!(new(&|_| ()).is_some());
    for term in Term::ALL {
        let cut = |tables: &mut Terms<Vec<i16>>| tables[term].truncate(1);
        assert!(new(&cut).is_none(), "{term:?} is too short");
    }
    assert!(new(&|tables| tables[Term::Kkp][100 * PieceIndex::COUNT] = 1).is_none());
    assert!(new(&|tables| tables[Term::Pp][0] = 1).is_none());
}

#[test]
fn zero_weights_give_material() {
    let weights = RealWeights::zero().quantize().weights;
    random_game(1, 150, |pos, _, _| {
        let us = pos.side_to_move();
        let material = us.sign() * PieceValues::ENGINE.balance(pos);
        assert_eq!(full::evaluate(&weights, pos).to_cp(), material);
    });
}
