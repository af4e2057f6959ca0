//! The mate solver against a search of all checks and all answers.

use kankei::engine::MateVerdict;
use kankei::search::MateSolver;
use kankei::shogi::{Move, Position, Scope, movegen};

use crate::positions::{position, random_positions};

/// Whether the side to move mates by checks in at most so many plies.
fn mates(pos: &mut Position, plies: usize) -> bool {
    let checks: Vec<Move> = movegen::legal_checks(pos, Scope::USEFUL).collect();
    checks.into_iter().any(|mv| {
        pos.do_move(mv);
        let answers = movegen::legal_moves(pos, Scope::LEGAL);
        let mate = (plies > 1 || answers.is_empty())
            && answers.into_iter().all(|mv| {
                pos.do_move(mv);
                let mate = plies > 2 && mates(pos, plies - 2);
                pos.undo_move();
                mate
            });
        pos.undo_move();
        mate
    })
}

/// Whether the line is one of checks and answers and ends in mate.
fn ends_in_mate(mut pos: Position, line: &[Move]) -> bool {
    let legal = line.iter().enumerate().all(|(at, &mv)| {
        let legal = pos.is_legal(mv);
        if legal {
            pos.do_move(mv);
        }
        legal && (at % 2 == 1 || pos.in_check())
    });
    legal && line.len() % 2 == 1 && !movegen::has_legal_move(&pos)
}

#[test]
fn verdicts_are_those_of_a_full_search() {
    let mut solver = MateSolver::default();
    let (mut long, mut short, mut none) = (0, 0, 0);
    random_positions(17, 600, |pos| {
        // Without the game before it: the solver does not repeat positions, the full search may.
        let mut pos = position(&pos.to_sfen());
        let before = pos.to_string();
        let solved = solver.solve(&mut pos, 20_000, &|| false);
        assert_eq!(pos.to_string(), before);
        assert!(solved.nodes <= 20_000);
        let found = mates(&mut pos, 3);
        match solved.verdict {
            MateVerdict::Mate(line) => {
                assert!(ends_in_mate(pos.clone(), &line), "{before}: {line:?}");
                assert!(found || line.len() > 3, "{before}: {line:?}");
                *(if found { &mut short } else { &mut long }) += 1;
            }
            MateVerdict::NoMate => {
                assert!(!found, "{before}");
                none += 1;
            }
            MateVerdict::Unknown => assert!(!found, "{before}"),
        }
    });
    assert!(long > 10 && short > 30 && none > 200, "{long} {short} {none}");
}

#[test]
fn it_ends_where_there_is_nothing_to_do_and_where_it_is_told() {
    let mut pos = Position::startpos();
    let mut solver = MateSolver::new(64);
    assert_eq!(solver.solve(&mut pos, 100, &|| false).verdict, MateVerdict::NoMate);
    // Open boards and full hands: no end in sight.
    let open = "4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 1";
    let mut pos = position(open);
    let stopped = solver.solve(&mut pos, u64::MAX, &|| true);
    assert_eq!(stopped.verdict, MateVerdict::Unknown);
    assert!(stopped.nodes <= 64, "{}", stopped.nodes);
}

/// With nothing to interpose but the silver on the board, the rook mates; pawns in hand would stop it.
#[test]
fn proofs_with_other_pieces_are_forgotten() {
    let [bare, held] =
        ["-", "3p"].map(|hand| position(&format!("8k/5s3/8G/9/9/9/9/3R5/9 b {hand} 1")));
    let mut solver = MateSolver::default();
    let mut verdict = |pos: &Position| solver.solve(&mut pos.clone(), 5_000, &|| false).verdict;
    assert!(matches!(verdict(&bare), MateVerdict::Mate(line) if line.len() == 3));
    assert_eq!(verdict(&held), MateVerdict::NoMate);
}
