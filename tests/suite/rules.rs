//! The rules, tested on boards.

use std::collections::HashSet;

use kankei::shogi::{
    Color, Delta, HandPiece, IllegalMove, Move, Place, Position, Repetition, Scope, Square, movegen,
};

use crate::positions::{position, random_positions};

fn read(text: &str) -> Move {
    text.parse().unwrap_or_else(|()| panic!("{text} is not a move"))
}

/// Plays the moves, all of which must be legal.
fn play(pos: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = read(text);
        assert_eq!(pos.check_legal(mv), Ok(()), "{mv} in {pos}");
        pos.do_move(mv);
    }
}

/// Checks the legality of a move and of the rotated move for the other side, and that the generator
/// agrees.
fn assert_verdict(sfen: &str, text: &str, reason: Option<fn(Move) -> IllegalMove>) {
    let pos = position(sfen);
    let mv = read(text);
    for (pos, mv) in [(pos.turned(), mv.flip()), (pos, mv)] {
        assert_eq!(pos.check_legal(mv).err(), reason.map(|reason| reason(mv)), "{mv} in {pos}");
        let generated = movegen::legal_moves(&pos, Scope::LEGAL).contains(&mv);
        assert_eq!(generated, reason.is_none(), "{mv} in {pos}");
    }
}

/// Checks legal moves, and moves that are illegal for this reason.
fn assert_verdicts(sfen: &str, legal: &str, illegal: &str, reason: fn(Move) -> IllegalMove) {
    legal.split_whitespace().for_each(|text| assert_verdict(sfen, text, None));
    illegal.split_whitespace().for_each(|text| assert_verdict(sfen, text, Some(reason)));
}

#[test]
fn two_pawns_on_a_file_are_illegal() {
    for (sfen, legal, illegal) in [
        ("4k4/9/9/9/9/2P6/9/9/4K4 b P 1", "P*6d", "P*7d P*7i"),
        // Promoted pawns and enemy pawns do not count.
        ("4k4/9/9/9/9/2+P6/9/9/4K4 b P 1", "P*7d", ""),
        ("4k4/9/9/9/9/2p6/9/9/4K4 b P 1", "P*7d", ""),
    ] {
        assert_verdicts(sfen, legal, illegal, IllegalMove::TwoPawns);
    }
}

#[test]
fn pieces_without_further_moves_are_illegal() {
    let (hand, board) = ("4k4/9/9/9/9/9/9/9/4K4 b PLNS 1", "4k4/P7L/9/2N6/4N4/9/9/9/4K4 b - 1");
    let dead = IllegalMove::DeadPiece;
    assert_verdicts(hand, "P*1b L*1b N*1c S*1a", "P*1a L*1a N*1a N*1b", dead);
    assert_verdicts(board, "9b9a+ 1b1a+ 7d8b+ 5e4c 5e6c+", "9b9a 1b1a 7d8b 7d6b", dead);
}

#[test]
fn moves_of_no_piece_are_illegal() {
    for (sfen, legal, illegal) in [
        (
            "4k4/9/9/9/9/4P4/9/1B5R1/4K4 b G 1",
            "2h2c+",
            "5f5d 5f4e 5f5e+ 5g5f 8h5i 2h8h 5a5b G*5f S*5e",
        ),
        // Golds, kings and promoted pieces do not promote.
        ("4k4/2G6/+P7K/9/9/9/9/9/9 b - 1", "", "7b7a+ 1c1b+ 9c9b+"),
        // Promotion when leaving the zone.
        ("4k4/9/1S7/9/9/9/9/9/4K4 b - 1", "8c9d+", ""),
    ] {
        assert_verdicts(sfen, legal, illegal, IllegalMove::NotAMove);
    }
}

#[test]
fn checks_must_be_answered() {
    for (sfen, legal, illegal) in [
        // A pinned piece, a check, a double check.
        ("4k4/4r4/9/9/9/9/9/4S4/4K4 b G 1", "5h5g G*1e", "5h4g"),
        ("4k4/4r4/9/9/9/9/9/9/3GK4 b GP 1", "P*5c 6i5h 5i4h", "G*4e 6i7i 5i5h"),
        ("4k4/4r4/9/9/9/9/9/3g5/4K4 b G 1", "5i6h 5i4h", "G*5e"),
        // The king cannot step back along the line of the check.
        ("4k4/4l4/9/9/9/9/4K4/9/9 b - 1", "", "5g5h"),
    ] {
        assert_verdicts(sfen, legal, illegal, IllegalMove::KingInCheck);
    }
}

#[test]
fn mate_by_a_pawn_drop_is_illegal() {
    for (sfen, legal, illegal) in [
        ("7lk/9/7G1/9/9/9/9/9/4K4 b P 1", "", "P*1b"),
        // The pawn is not protected, the king has a flight square, or the drop gives no check.
        ("7lk/9/6G2/9/9/9/9/9/4K4 b P 1", "P*1b", ""),
        ("8k/9/7G1/9/9/9/9/9/4K4 b P 1", "P*1b", ""),
        ("7lk/9/7G1/9/9/9/9/9/4K4 b P 1", "P*2b", ""),
        // A gold can capture the pawn; a pinned gold cannot, unless it moves along its pin.
        ("7lk/7g1/9/7N1/9/9/9/9/4K4 b P 1", "P*1b", ""),
        ("7lk/7g1/6B2/7N1/9/9/9/9/4K4 b P 1", "", "P*1b"),
        ("7lk/9/6S1r/7NL/9/9/9/9/4K4 b P 1", "P*1b", ""),
        // Mate by a pawn move is legal, and so is mate by a lance drop.
        ("7lk/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b", ""),
        ("7lk/9/7G1/9/9/9/9/9/4K4 b L 1", "L*1b", ""),
    ] {
        assert_verdicts(sfen, legal, illegal, IllegalMove::PawnDropMate);
    }
}

#[test]
fn fourth_occurrence_is_a_draw() {
    let mut pos = Position::startpos();
    let cycle = "2h3h 8b7b 3h2h 7b8b";
    for _ in 0..2 {
        play(&mut pos, cycle);
        assert_eq!(pos.repetition(), Some(Repetition::Draw));
        assert_eq!(pos.fourfold(), None);
    }
    play(&mut pos, "2h3h 8b7b 3h2h");
    assert_eq!(pos.fourfold(), None);
    play(&mut pos, "7b8b");
    assert_eq!(pos.fourfold(), Some(Repetition::Draw));
    play(&mut pos, "2g2f");
    assert_eq!((pos.repetition(), pos.fourfold()), (None, None));
}

#[test]
fn perpetual_check_loses() {
    let sfen = "8k/9/9/9/9/9/9/9/K6R1 b - 1";
    let cycle = ["2i1i", "1a2a", "1i2i", "2a1a"].map(read);
    let black = position(sfen);
    let white = black.turned();
    for (mut pos, moves) in [(black, cycle), (white, cycle.map(Move::flip))] {
        for round in 1..=3 {
            for mv in moves {
                pos.do_move(mv);
            }
            // The side to move gave all checks.
            assert_eq!(pos.repetition(), Some(Repetition::Loss), "{pos}");
            assert_eq!(pos.fourfold(), (round == 3).then_some(Repetition::Loss), "{pos}");
        }
        // One ply later, from the other side's view.
        pos.do_move(moves[0]);
        assert_eq!(pos.repetition(), Some(Repetition::Win), "{pos}");
        assert_eq!(pos.fourfold(), Some(Repetition::Win), "{pos}");
    }
}

#[test]
fn one_quiet_move_in_the_cycle_makes_a_draw() {
    let mut pos = position("8k/9/9/9/9/9/9/9/K6R1 b - 1");
    for _ in 0..3 {
        play(&mut pos, "2i1i 1a2a 1i2i 2a1a 9i9h 1a1b 9h9i 1b1a");
    }
    assert_eq!(pos.repetition(), Some(Repetition::Draw));
    assert_eq!(pos.fourfold(), Some(Repetition::Draw));
}

#[test]
fn superior_and_inferior_repetitions_are_recognized() {
    // White's rook captures two dropped pawns and returns to its square.
    let mut pos = position("4k4/9/2r6/9/9/9/9/9/4K4 b 3P 1");
    play(&mut pos, "P*7e 7c7e P*7c 7e7c");
    assert_eq!(pos.repetition(), Some(Repetition::Inferior));
    assert_eq!(pos.fourfold(), None);
    play(&mut pos, "P*7e");
    assert_eq!(pos.repetition(), Some(Repetition::Superior));
}

#[test]
fn no_repetition_is_found_across_a_null_move() {
    let mut pos = Position::startpos();
    play(&mut pos, "2h3h 8b7b");
    pos.do_null_move();
    play(&mut pos, "7b8b 3h2h");
    assert_eq!(pos.repetition(), None);
    pos.undo_move();
    pos.undo_move();
    pos.undo_null_move();
    play(&mut pos, "3h2h 7b8b");
    assert_eq!(pos.repetition(), Some(Repetition::Draw));
}

/// The first mating move of the list, tested on the board.
fn mate_by_trial(pos: &mut Position) -> Option<Move> {
    movegen::legal_moves(pos, Scope::LEGAL).into_iter().find(|&mv| {
        pos.do_move(mv);
        let mate = pos.in_check() && movegen::legal_moves(pos, Scope::LEGAL).is_empty();
        pos.undo_move();
        mate
    })
}

#[test]
fn mate_in_one_equals_trial() {
    let mut mates = 0;
    random_positions(31, 6_000, |pos| {
        let before = format!("{pos:?}");
        let found = pos.mate_in_one();
        assert_eq!(format!("{pos:?}"), before);
        let tried = mate_by_trial(pos);
        assert_eq!(found.is_some(), tried.is_some(), "{found:?} {tried:?} in {pos}");
        if let Some(mv) = found {
            mates += 1;
            assert!(pos.is_legal(mv), "{mv} in {pos}");
            pos.do_move(mv);
            assert!(pos.in_check() && !movegen::has_legal_move(pos), "{mv} in {pos}");
            pos.undo_move();
        }
    });
    assert!(mates > 100, "{mates} mates");
}

#[test]
#[ignore = "a million positions take seconds even in a release build: cargo test --release -- --ignored"]
fn mate_in_one_equals_trial_often() {
    let mut evading = 0;
    random_positions(32, 1_000_000, |pos| {
        let found = pos.mate_in_one();
        assert_eq!(found.is_some(), mate_by_trial(pos).is_some(), "{pos}");
        evading += usize::from(found.is_some() && pos.in_check());
    });
    assert!(evading > 5, "{evading} mates out of check");
}

/// Every piece and its location.
fn places(pos: &Position) -> HashSet<String> {
    let board =
        Square::all().filter_map(|sq| pos.piece_on(sq).map(|piece| Place::Board(sq, piece)));
    let hands = Color::ALL.into_iter().flat_map(|color| {
        HandPiece::ALL.into_iter().flat_map(move |held| {
            (1..=pos.hand(color).count(held)).map(move |n| Place::Hand(color, held, n))
        })
    });
    board.chain(hands).map(|place| format!("{place:?}")).collect()
}

fn apply(places: &mut HashSet<String>, delta: &Delta) {
    let changes = [Some(delta.moved), delta.captured];
    // The captured piece must leave before the moved piece arrives.
    for change in changes.iter().flatten() {
        assert!(places.remove(&format!("{:?}", change.before)), "{change:?}");
    }
    for change in changes.iter().flatten() {
        assert!(places.insert(format!("{:?}", change.after)), "{change:?}");
    }
}

#[test]
fn deltas_match_the_moves_and_moves_can_be_undone() {
    random_positions(33, 300, |pos| {
        let before = format!("{pos:?}");
        let standing = places(pos);
        for mv in movegen::legal_moves(pos, Scope::LEGAL) {
            let mut announced = None;
            let delta = pos.do_move_announced(mv, |key| announced = Some(key));
            assert_eq!(announced, Some(pos.key()), "{mv} to {pos}");
            assert_eq!((pos.board_key(), pos.key() ^ pos.board_key()), pos.compute_keys());
            assert_eq!(*pos.part_keys(), pos.compute_part_keys());
            let fresh = position(&pos.to_sfen());
            assert_eq!(fresh.checkers(), pos.checkers(), "{mv} to {pos}");
            assert_eq!(fresh.king(Color::Black), pos.king(Color::Black));
            assert_eq!(fresh.king(Color::White), pos.king(Color::White));
            let mut changed = standing.clone();
            apply(&mut changed, &delta);
            assert_eq!(changed, places(pos), "{mv} to {pos}");
            pos.undo_move();
            assert_eq!(format!("{pos:?}"), before, "{mv} taken back");
        }
        if !pos.in_check() {
            pos.do_null_move();
            assert_eq!((pos.board_key(), pos.key() ^ pos.board_key()), pos.compute_keys());
            assert_eq!(*pos.part_keys(), pos.compute_part_keys());
            pos.undo_null_move();
            assert_eq!(format!("{pos:?}"), before, "null move taken back");
        }
    });
}
