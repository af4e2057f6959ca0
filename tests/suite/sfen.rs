//! Positions as text.

use kankei::shogi::{Color, HandPiece, InvalidPosition, Position, STARTPOS, SfenError, Square};
use proptest::prelude::*;

use crate::positions::{BEGINNINGS, position, random_positions};

#[test]
fn texts_round_trip() {
    for sfen in BEGINNINGS {
        assert_eq!(position(sfen).to_sfen(), sfen);
    }
    let loose = "  lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL   b  -\n";
    assert_eq!(position(loose).to_sfen(), STARTPOS);
    let split = "4k4/9/9/9/9/9/9/9/4K4 b PgPRp2P 7";
    let tidy = "4k4/9/9/9/9/9/9/9/4K4 b R4Pgp 7";
    assert_eq!(position(split).to_sfen(), tidy);
}

#[test]
fn positions_round_trip() {
    random_positions(21, 5_000, |pos| {
        let sfen = pos.to_sfen();
        let read = position(&sfen);
        assert_eq!(read.to_sfen(), sfen);
        assert_eq!(read.key(), pos.key(), "{pos}");
        assert_eq!(read.checkers(), pos.checkers(), "{pos}");
        assert_eq!(pos.turned().turned().to_sfen(), sfen);
        assert_eq!(pos.turned().turned().key(), pos.key());
        assert!(pos.to_string().ends_with(&sfen));
    });
}

fn error(sfen: &str) -> SfenError {
    match Position::from_sfen(sfen) {
        Ok(pos) => panic!("{sfen:?} was read as {pos}"),
        Err(error) => error,
    }
}

#[test]
fn every_syntax_fault_has_its_error() {
    let empty = "4k4/9/9/9/9/9/9/9/4K4";
    assert_eq!(error(""), SfenError::TooShort(String::new()));
    assert_eq!(error("4k4/9 b"), SfenError::TooShort("4k4/9 b".to_owned()));
    for board in [
        "4k4/9/9/9/9/9/9/4K4",
        "4k4/9/9/9/9/9/9/9/9/4K4",
        "4k4/8/9/9/9/9/9/9/4K4",
        "4k4/9P/9/9/9/9/9/9/4K4",
        "4k4/91/9/9/9/9/9/9/4K4",
        "4k4/9+/9/9/9/9/9/9/4K4",
    ] {
        assert_eq!(error(&format!("{board} b -")), SfenError::BoardShape(board.to_owned()));
    }
    for (row, piece) in [("4x4", "x"), ("4+G4", "+G"), ("++P8", "++"), ("0", "0")] {
        let sfen = format!("4k4/{row}/9/9/9/9/9/9/4K4 b -");
        assert_eq!(error(&sfen), SfenError::BadPiece(piece.to_owned()));
    }
    assert_eq!(error(&format!("{empty} black -")), SfenError::BadSide("black".to_owned()));
    for hand in ["K", "2", "P2", "0P", "19P", "+P", "--", "P-"] {
        assert_eq!(error(&format!("{empty} b {hand}")), SfenError::BadHand(hand.to_owned()));
    }
    for number in ["x", "-1", "1.5", "1000000", "99999999999"] {
        let expected = SfenError::BadMoveNumber(number.to_owned());
        assert_eq!(error(&format!("{empty} b - {number}")), expected);
    }
    // The first part that is wrong is named.
    assert_eq!(error("9 x x x x"), SfenError::BoardShape("9".to_owned()));
    assert_eq!(error(&format!("{empty} x x x")), SfenError::BadSide("x".to_owned()));
    assert_eq!(error(&format!("{empty} b x x")), SfenError::BadHand("x".to_owned()));
    assert_eq!(error(&format!("{empty} b - x x")), SfenError::BadMoveNumber("x".to_owned()));
}

#[test]
fn every_impossible_position_has_its_error() {
    let invalid = |sfen: &str, expected: InvalidPosition| {
        assert_eq!(error(sfen), SfenError::Invalid(expected));
    };
    let square = |text: &str| text.parse::<Square>().expect("a square");
    invalid("4k4/9/9/9/9/9/9/9/4K4 b 3R", InvalidPosition::TooMany(HandPiece::Rook, 3));
    invalid("4k4/4+s4/9/9/9/9/9/9/4K4 w 4S", InvalidPosition::TooMany(HandPiece::Silver, 5));
    invalid("4k4/9/9/9/9/9/9/9/4K4 b 18Pp", InvalidPosition::TooMany(HandPiece::Pawn, 19));
    invalid("3kk4/9/9/9/9/9/9/9/4K4 b -", InvalidPosition::Kings(Color::White, 2));
    invalid("4k4/9/9/9/9/9/9/9/K3K3K b -", InvalidPosition::Kings(Color::Black, 3));
    invalid("9/9/9/9/9/9/9/9/9 b -", InvalidPosition::NoKing);
    invalid("4k4/9/9/2P6/2P6/9/9/9/4K4 b -", InvalidPosition::TwoPawns(Color::Black, 7));
    invalid("4k4/9/9/p8/9/9/9/p8/4K4 b -", InvalidPosition::TwoPawns(Color::White, 9));
    invalid("P3k4/9/9/9/9/9/9/9/4K4 b -", InvalidPosition::DeadPiece(square("9a")));
    invalid("4k4/9/9/9/9/9/9/9/4K3l b -", InvalidPosition::DeadPiece(square("1i")));
    invalid("4k4/N8/9/9/9/9/9/9/4K4 b -", InvalidPosition::DeadPiece(square("9b")));
    invalid("4k4/9/9/9/9/9/9/n8/4K4 b -", InvalidPosition::DeadPiece(square("9h")));
    invalid("4k4/9/9/9/9/9/9/4R4/4K4 b -", InvalidPosition::OpponentInCheck);
}

#[test]
fn surplus_pieces_are_accepted_only_on_request() {
    let sfen = "4k4/4+s4/9/9/9/9/9/9/4K4 w 4S 1";
    assert!(Position::from_sfen(sfen).is_err());
    assert_eq!(
        Position::from_sfen_with_surplus(sfen).expect("surplus pieces are accepted").to_sfen(),
        sfen
    );
    for too_many in ["4k4/9/9/9/9/9/9/9/4K4 b 8S", "4k4/9/9/9/9/9/9/9/4K4 b 3R"] {
        assert!(Position::from_sfen_with_surplus(too_many).is_err(), "{too_many}");
    }
}

/// Text similar to an SFEN.
fn sfen_like() -> impl Strategy<Value = String> {
    let rank = "[1-9]|[pPlLnNsSgGbBrRkK1-8+]{1,9}";
    (
        prop::collection::vec(rank, 8..10).prop_map(|ranks| ranks.join("/")),
        "[bw]",
        "-|[0-9]{0,2}[pPrRgGsSkK]{1,3}",
        "[0-9]{0,7}",
    )
        .prop_map(|(board, side, hand, number)| format!("{board} {side} {hand} {number}"))
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        let _ = Position::from_sfen(&text);
    }

    #[test]
    fn near_misses_never_panic(text in sfen_like()) {
        if let Ok(pos) = Position::from_sfen(&text) {
            let sfen = pos.to_sfen();
            prop_assert_eq!(position(&sfen).to_sfen(), sfen);
        }
    }

    #[test]
    fn broken_positions_never_panic(at in 0..STARTPOS.len(), with in any::<char>()) {
        let mut text = STARTPOS.to_owned();
        text.replace_range(at..=at, &with.to_string());
        let _ = Position::from_sfen(&text);
    }
}

#[test]
fn written_move_numbers_can_be_read() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 999999";
    let mut pos = Position::from_sfen(sfen).expect("the largest number");
    pos.do_move("7g7f".parse().expect("a move"));
    let written = pos.to_sfen();
    assert!(written.ends_with(" w - 999999"), "{written}");
    assert!(Position::from_sfen(&written).is_ok());
}
