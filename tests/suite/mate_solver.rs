//! The mate solver compared with a full search of all checks and replies.

use kankei::cli::mate::solutions::{OtherSolutions, other_solutions};
use kankei::engine::{MateOutcome, MateVerdict, is_mate_by_checks};
use kankei::search::{MateSolver, essential_plies};
use kankei::shogi::{Move, Position, Scope, movegen};
use rayon::prelude::*;

use crate::positions::{position, random_positions};

/// A mate by checks within `nodes` positions, and whether it is proved that no mate is shorter.
fn shortest(solver: &mut MateSolver, pos: &mut Position, nodes: u64) -> (MateOutcome, bool) {
    let found = solver.solve(pos, nodes, &|| false);
    let left = nodes.saturating_sub(found.nodes);
    solver.shorten(pos, found, left, &|| false)
}

/// Whether the side to move mates by checks within `plies` plies, without useless interpositions at
/// the end.
fn mates(pos: &mut Position, plies: usize) -> bool {
    let checks: Vec<Move> = movegen::legal_checks(pos, Scope::USEFUL).collect();
    checks.into_iter().any(|mv| {
        pos.do_move(mv);
        let mate = all_replies_mate(pos, plies - 1);
        pos.undo_move();
        mate
    })
}

/// Whether the side to move is mated, or by checks within `plies` plies whatever it replies.
fn all_replies_mate(pos: &mut Position, plies: usize) -> bool {
    let answers = movegen::legal_moves(pos, Scope::LEGAL);
    if pos.in_check() && answers.iter().all(|&mv| is_useless(pos, mv)) {
        return true;
    }
    plies > 0
        && answers.into_iter().all(|mv| {
            pos.do_move(mv);
            let mate = plies > 1 && mates(pos, plies - 1);
            pos.undo_move();
            mate
        })
}

/// Whether a reply to a check is an interposed drop that the checking piece captures with mate.
fn is_useless(pos: &mut Position, mv: Move) -> bool {
    let checkers = pos.checkers();
    if mv.from().is_some() || checkers.len() != 1 {
        return false;
    }
    pos.do_move(mv);
    let captures: Vec<Move> = movegen::legal_checks(pos, Scope::LEGAL)
        .filter(|check| check.to() == mv.to() && check.from() == checkers.first())
        .collect();
    let mates = captures.into_iter().any(|check| {
        pos.do_move(check);
        let mates = all_replies_mate(pos, 0);
        pos.undo_move();
        mates
    });
    pos.undo_move();
    mates
}

/// Whether a line is a mate by the rules of another library: each move is legal, each attacking move gives check,
/// and at the end no move is left.
fn ends_in_mate_elsewhere(sfen: &str, line: &[Move]) -> bool {
    use rsshogi::board::{Move32List, generate_legal_all_move32, position_from_sfen};
    let mut pos = position_from_sfen(sfen).expect("both libraries accept the position");
    let mut list = Move32List::new();
    for (at, mv) in line.iter().enumerate() {
        list.clear();
        generate_legal_all_move32(&pos, &mut list);
        let same = list.iter().find(|other| other.to_usi() == mv.to_string());
        let Some(&same) = same else { return false };
        pos.apply_move32(same);
        if at % 2 == 0 && !pos.is_in_check() {
            return false;
        }
    }
    list.clear();
    generate_legal_all_move32(&pos, &mut list);
    line.len() % 2 == 1 && list.iter().next().is_none()
}

#[test]
fn verdicts_agree_with_a_full_search() {
    let mut solver = MateSolver::default();
    let (mut long, mut short, mut none) = (0, 0, 0);
    random_positions(17, 600, |pos| {
        // Without game history, because the solver never repeats positions but the full search may.
        let mut pos = position(&pos.to_sfen());
        let before = pos.to_string();
        let solved = solver.solve(&mut pos, 20_000, &|| false);
        assert_eq!(pos.to_string(), before);
        assert!(solved.nodes <= 20_000);
        let found = mates(&mut pos, 3);
        match solved.verdict {
            MateVerdict::Mate(line) => {
                assert!(is_mate_by_checks(&pos, &line), "{before}: {line:?}");
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
fn the_solver_ends_without_checks_and_at_its_limits() {
    let mut pos = Position::startpos();
    let mut solver = MateSolver::new(64);
    assert_eq!(solver.solve(&mut pos, 100, &|| false).verdict, MateVerdict::NoMate);
    // Open boards and full hands, for which the search does not end soon.
    let open = "4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 1";
    let mut pos = position(open);
    let stopped = solver.solve(&mut pos, u64::MAX, &|| true);
    assert_eq!(stopped.verdict, MateVerdict::Unknown);
    assert!(stopped.nodes <= 64, "{}", stopped.nodes);
}

/// The rook mates if only the silver on the board can interpose; a pawn in hand would prevent the
/// mate.
#[test]
fn proofs_with_other_piece_sets_are_dropped() {
    let [bare, held] =
        ["-", "3p"].map(|hand| position(&format!("8k/5s3/8G/9/9/9/9/3R5/9 b {hand} 1")));
    let mut solver = MateSolver::default();
    let mut verdict = |pos: &Position| solver.solve(&mut pos.clone(), 5_000, &|| false).verdict;
    assert!(matches!(verdict(&bare), MateVerdict::Mate(line) if line.len() == 3));
    assert_eq!(verdict(&held), MateVerdict::NoMate);
}

/// The checked line of a mate.
fn mate(solver: &mut MateSolver, sfen: &str, nodes: u64) -> Vec<Move> {
    let mut pos = position(sfen);
    match solver.solve(&mut pos, nodes, &|| false).verdict {
        MateVerdict::Mate(line) => {
            assert!(is_mate_by_checks(&pos, &line), "{sfen}: {line:?}");
            line.to_vec()
        }
        other => panic!("{sfen}: {other:?}"),
    }
}

/// In each first position, a check leads to the second position, where a check would lead back. On
/// that line, the second position has no mate. On its own it has one, through the first position.
#[test]
fn disproofs_by_repetition_hold_only_on_their_line() {
    for (first, second) in [
        ("9/k8/9/S8/1L7/1P7/9/9/9 b P 1", "k8/9/P8/S8/1L7/1P7/9/9/9 b - 1"),
        ("6G1B/9/7k1/9/8+B/9/9/9/9 b GP 1", "6G1B/8k/9/7G1/8+B/9/9/9/9 b P 1"),
        ("9/9/9/1k7/9/1G7/9/9/3+R5 b NP 1", "9/9/k8/9/1P7/1G7/9/9/3+R5 b N 1"),
        ("3B5/6S1k/9/6G+P1/9/9/9/9/9 b P 1", "3B4k/6S2/8P/6G+P1/9/9/9/9/9 b - 1"),
    ] {
        let mut solver = MateSolver::default();
        mate(&mut solver, first, 5_000);
        mate(&mut solver, second, 5_000);
    }
}

/// Perpetual check is not a mate.
#[test]
fn perpetual_check_is_not_a_mate() {
    for sfen in ["9/9/9/9/k8/9/9/9/1R7 b - 1", "k8/9/9/9/9/9/9/9/1+R7 b - 1"] {
        let solved = MateSolver::default().solve(&mut position(sfen), 1_000_000, &|| false);
        assert_eq!(solved.verdict, MateVerdict::NoMate, "{sfen}");
    }
}

/// A promoted bishop would cover 1b, and the pawn drop there would be an illegal mate.
#[test]
fn a_mate_may_need_an_unpromoted_bishop() {
    let line = mate(&mut MateSolver::default(), "4B1G1k/9/9/9/6B2/9/9/9/9 b P 1", 5_000);
    assert_eq!(line[0].to_string(), "5a3c");
}

#[test]
fn a_pawn_drop_is_not_a_mate() {
    let verdict = |hand| {
        let mut pos = position(&format!("7nk/7n1/8G/8P/9/9/9/9/9 b {hand} 1"));
        MateSolver::default().solve(&mut pos, 5_000, &|| false).verdict
    };
    assert!(matches!(verdict("L"), MateVerdict::Mate(line) if line.len() == 1));
    assert_eq!(verdict("P"), MateVerdict::NoMate);
}

/// A proof ignores pieces that its mate does not use. A disproof allows pieces that give no further
/// checks.
#[test]
fn proofs_and_disproofs_apply_to_other_hands() {
    for (board, asked, known) in [
        // The pawns are not used.
        ("k8/9/P8/S8/1L7/1P7/9/9/9", "5Pgsnl", "2P3pgsnl"),
        // Only the gold is used.
        ("k8/9/P8/S8/1L7/1P7/9/9/9", "GSNL5P", "Gsnl5p"),
        // No further pawns can be dropped on the files that the king can reach.
        ("9/k8/9/9/9/2N6/PPP6/9/9", "P4p", "5P"),
    ] {
        let mut solver = MateSolver::default();
        let mut ask = |hand: &str| {
            let mut pos = position(&format!("{board} b {hand} 1"));
            solver.solve(&mut pos, 5_000, &|| false)
        };
        let first = ask(asked);
        assert_ne!(first.verdict, MateVerdict::Unknown);
        let again = ask(known);
        assert_eq!((again.verdict, again.nodes), (first.verdict, 1), "{board} {known}");
    }
}

/// A rook checks from a distance, and pieces of all kinds can be interposed on several squares.
#[test]
fn interpositions_do_not_hide_a_mate() {
    for sfen in [
        "k8/9/1G7/8R/9/9/9/9/9 b Pr2b3g4s4n4l17p 1",
        "k8/1p7/1+PN6/8R/9/9/9/9/9 b Br1b4g4s3n4l16p 1",
    ] {
        let line = mate(&mut MateSolver::default(), sfen, 3_000);
        assert!(line.len() >= 3, "{line:?}");
    }
}

/// Iterative deepening by single plies finds the same lengths.
#[test]
fn the_shortest_mate_is_the_shortest() {
    let mut solver = MateSolver::growing(1);
    let (mut longer, mut mates_found, mut open) = (0, 0, 0);
    random_positions(23, 600, |pos| {
        let mut pos = position(&pos.to_sfen());
        let (found, is_shortest) = shortest(&mut solver, &mut pos, 50_000);
        let MateVerdict::Mate(line) = found.verdict else { return };
        assert!(is_mate_by_checks(&pos, &line));
        if !is_shortest {
            open += 1;
            return;
        }
        let plies = essential_plies(&pos, &line);
        assert_eq!(found.plies, plies, "{}", pos.to_sfen());
        match [1, 3].into_iter().find(|&plies| mates(&mut pos, plies)) {
            Some(expected) => assert_eq!(plies, expected, "{}", pos.to_sfen()),
            None => {
                assert!(plies > 3, "{}", pos.to_sfen());
                longer += 1;
            }
        }
        mates_found += 1;
    });
    assert!(mates_found > 40 && longer > 10 && open < 10, "{mates_found} {longer} {open}");
}

/// The first proof of this mate in 3 is longer.
#[test]
fn a_long_first_mate_is_shortened() {
    let pos = position("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1");
    let (found, is_shortest) = shortest(&mut MateSolver::growing(16), &mut pos.clone(), 1_000_000);
    let MateVerdict::Mate(line) = found.verdict else { panic!("{found:?}") };
    assert!(is_mate_by_checks(&pos, &line), "{line:?}");
    assert_eq!((essential_plies(&pos, &line), found.plies, is_shortest), (3, 3, true));
}

/// The rook mates as fast with and without promotion.
#[test]
fn a_promotion_is_preferred_where_lengths_tie() {
    let mut pos = position("8k/5s3/8G/9/9/9/9/3R5/9 b - 1");
    let mut solver = MateSolver::growing(1);
    let first = solver.solve(&mut pos, 10_000, &|| false);
    let (best, _) = shortest(&mut solver, &mut pos, 10_000);
    for found in [first, best] {
        let MateVerdict::Mate(line) = found.verdict else { panic!("{found:?}") };
        assert_eq!((line[0].to_string(), line.len()), ("6h6a+".to_owned(), 3), "{line:?}");
    }
}

/// Pieces are interposed on every square between, and each time captured with mate.
#[test]
fn useless_interpositions_do_not_lengthen_a_mate() {
    let pos = position("7lk/9/7G1/9/9/9/9/7R1/9 b r2b3g4s4n3l18p 1");
    let (found, is_shortest) = shortest(&mut MateSolver::growing(1), &mut pos.clone(), 10_000);
    let MateVerdict::Mate(line) = found.verdict else { panic!("{found:?}") };
    assert!(is_mate_by_checks(&pos, &line) && line.len() > 1, "{line:?}");
    assert_eq!((essential_plies(&pos, &line), found.plies, is_shortest), (1, 1, true));
}

fn is_same_but_promotion(first: Move, second: Move) -> bool {
    (first.origin(), first.to()) == (second.origin(), second.to())
}

/// The attacker's other moves on the main line, compared with a full search of the same length.
#[test]
fn other_solutions_are_those_of_a_full_search() {
    let mut solver = MateSolver::growing(4);
    let (mut sound, mut unsound, mut open) = (0, 0, 0);
    random_positions(29, 1_500, |pos| {
        let mut pos = position(&pos.to_sfen());
        let (found, is_shortest) = shortest(&mut solver, &mut pos, 20_000);
        let MateVerdict::Mate(main) = found.verdict else { return };
        if !is_shortest || found.plies < 3 || found.plies > 5 {
            return;
        }
        let others = other_solutions(&mut solver, &mut pos, &main, (600, 100_000), &|| false);
        let OtherSolutions { found: solutions, open: left, .. } = &others;
        for other in solutions {
            assert!(is_mate_by_checks(&pos, &other.line), "{}: {other:?}", pos.to_sfen());
            assert_eq!(other.line[..other.ply], main[..other.ply]);
            assert_ne!(other.line[other.ply], main[other.ply]);
        }
        let mut at = pos.clone();
        for (ply, &mv) in main.iter().enumerate().take(found.plies - 1) {
            let checks = movegen::legal_checks(&at, Scope::LEGAL).filter(|_| ply % 2 == 0);
            for check in checks.collect::<Vec<Move>>() {
                at.do_move(check);
                let mates = all_replies_mate(&mut at, found.plies - ply - 1);
                at.undo_move();
                let is_known = is_same_but_promotion(check, mv)
                    || !left.is_empty()
                    || solutions.iter().any(|other| {
                        other.ply == ply && is_same_but_promotion(check, other.line[ply])
                    });
                assert!(!mates || is_known, "{}: {check}", pos.to_sfen());
            }
            at.do_move(mv);
        }
        match others.is_unique() {
            Some(true) => sound += 1,
            Some(false) => unsound += 1,
            None => open += 1,
        }
    });
    println!("{sound} sound, {unsound} unsound, {open} open");
    assert!(sound > 10 && unsound > 20 && open < 5, "{sound} {unsound} {open}");
}

/// Every line that the solver prints for the mate problems, checked by the rules of another
/// program.
#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data, and minutes: cargo test --release -- --ignored"]
fn lines_of_mate_problems_agree_with_another_program() {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    for name in ["mate03", "mate05", "mate07", "mate09", "mate11", "extra", "composed_tanuki"] {
        let path = format!("{shared}/data/suites/tsume_{name}.txt");
        let text = std::fs::read_to_string(&path).expect(&path);
        let sfens: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split(" ; ").next())
            .collect();
        let solved: usize = sfens
            .par_iter()
            .with_max_len(16)
            .map_init(
                || MateSolver::growing(64),
                |solver, sfen| {
                    let Ok(mut pos) = Position::from_sfen(sfen) else { return 0 };
                    solver.clear();
                    let found = solver.solve(&mut pos, 300_000, &|| false);
                    assert_ne!(found.verdict, MateVerdict::NoMate, "{name}: {sfen}");
                    let MateVerdict::Mate(line) = found.verdict else { return 0 };
                    assert!(ends_in_mate_elsewhere(sfen, &line), "{name}: {sfen}: {line:?}");
                    1
                },
            )
            .sum();
        println!("{name}: {solved} of {} solved and played out", sfens.len());
        assert!(solved * 100 > sfens.len() * 80, "{name}: {solved}");
    }
}
