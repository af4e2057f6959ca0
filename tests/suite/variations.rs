//! Variations of game records: read, written, and kept apart from the main line.

use std::fmt::Write;

use kankei::record::{Ending, Format, Game, GameBuilder, GameResult, Losses};
use kankei::rng::Rng;
use kankei::shogi::{Move, Scope, movegen};

use crate::records::{add_notes, random_games, read, with_warnings, without_losses, written};

const TREES: [Format; 3] = [Format::Kif, Format::Ki2, Format::Jkf];

/// Each variation as `parent ply: moves`.
fn variations(game: &Game) -> Vec<String> {
    let of = |variation: &kankei::record::Variation| {
        let parent = variation.parent().map_or("main".to_owned(), |at| at.to_string());
        let moves: Vec<String> = variation.line().moves().iter().map(Move::to_string).collect();
        format!("{parent} {}: {}", variation.ply() + 1, moves.join(" "))
    };
    game.variations().iter().map(of).collect()
}

/// A game with up to 12 variations of random moves, with comments, scores, times and ends.
fn with_random_variations(mut game: Game, rng: &mut Rng) -> Game {
    for _ in 0..rng.below(13) {
        let parent = rng.below(game.variations().len() + 1).checked_sub(1);
        let (first, line) = match parent {
            None => (0, &game),
            Some(at) => (game.variations()[at].ply(), game.variations()[at].line()),
        };
        let end = line.moves().len() + usize::from(line.result.is_some());
        if end <= usize::from(parent.is_some()) {
            continue;
        }
        let from = usize::from(parent.is_some());
        let ply = first + from + rng.below(end - from);
        let pos = game.position_before(parent, ply);
        let mut builder = GameBuilder::from_sfen(&pos.to_sfen()).expect("a position of a game");
        for _ in 0..1 + rng.below(9) {
            let moves = movegen::legal_moves(builder.position(), Scope::LEGAL);
            let Some(&mv) = rng.choose(&moves) else { break };
            let score = kankei::record::MoveScore::Centipawns(rng.below(100) as i32);
            let score = (rng.below(2) == 0).then_some(score.into());
            builder.push_scored(mv, score).expect("a generated move is legal");
        }
        let side = builder.position().side_to_move();
        let mut line = builder.finish();
        if rng.below(3) == 0 {
            line.result = Some(GameResult::win_of(!side));
            line.ending = Some(*rng.choose(&[Ending::Resignation, Ending::Mate]).expect("one"));
        }
        add_notes(&mut line, rng);
        line.result = line.result.filter(|_| line.ending.is_some());
        game.add_variation(parent, ply, line);
    }
    game
}

/// The game with everything of its lines that a format can store.
fn storable(game: &Game, format: Format) -> Game {
    let mut held = without_losses(game, format);
    for variation in held.variations_mut() {
        let line = variation.line_mut();
        *line = without_losses(line, format);
        if format == Format::Jkf && line.ending.is_none() {
            line.result = None;
        }
    }
    held
}

#[test]
fn trees_are_kept_by_every_format_that_has_them() {
    let mut rng = Rng::from_seed(2026);
    let games: Vec<Game> = random_games(2026, 300)
        .into_iter()
        .map(|game| with_random_variations(game, &mut rng))
        // Endings that the words of a format do not distinguish are a subject of their own.
        .filter(|game| TREES.iter().all(|&format| Losses::of(game, format).endings == 0))
        .collect();
    let count = |games: &[Game]| games.iter().map(|game| game.variations().len()).sum::<usize>();
    assert!(games.len() > 80 && count(&games) > 400, "{} {}", games.len(), count(&games));
    let again = |games: &[Game], format: Format| {
        read(&format!("x.{}", format.name()), written(games, format))
    };
    for format in TREES {
        let back = again(&games, format);
        for (back, game) in back.iter().zip(&games) {
            assert_eq!(*back, storable(game, format), "{format:?}");
        }
        assert_eq!((back.len(), count(&back)), (games.len(), count(&games)), "{format:?}");
        // KI2 has only the winner of a resignation, and JKF has that of the main line only.
        if format != Format::Ki2 {
            let kif = again(&again(&again(&back, Format::Kif), Format::Jkf), Format::Kif);
            assert!(kif == back.iter().map(|it| storable(it, Format::Jkf)).collect::<Vec<_>>());
        }
    }
    for format in Format::ALL.into_iter().filter(|format| !TREES.contains(format)) {
        let lost: usize = games.iter().map(|game| Losses::of(game, format).variations).sum();
        assert_eq!(lost, count(&games), "{format:?}");
    }
}

#[test]
fn a_variation_leaves_the_last_line_with_the_move() {
    let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 ８四歩(83)\n   5 投了\n\
        まで4手で後手の勝ち\n\n変化：5手\n   5 ２五歩(26)\n変化：3手\n*before\n   3 ６六歩(67)   ( 0:05/00:00:05)\n*after\n\
        ** 35 -8384FU\n   4 ８四歩(83)\n   5 ６八飛(28)\n   6 中断\n変化：5手\n   5 ７八飛(28)\n変化：3手\n   3 ２二角成(88)\n\
        4 ８四歩(83)\n変化：4手\n   4 同　銀(31)\n変化：2手\n   2 ８四歩(83)\n";
    for end in ["", "手合割：平手\n   1 ２六歩(27)\n"] {
        let (games, warnings) = with_warnings("x.kif", format!("{text}{end}"));
        assert_eq!((games.len(), warnings.as_slice()), (1 + end.lines().count() / 2, &[][..]));
        let game = &games[0];
        assert_eq!(game.moves().len(), 4);
        assert_eq!(
            variations(game),
            [
                "main 5: 2f2e",
                "main 3: 6g6f 8c8d 2h6h",
                "1 5: 2h7h",
                "main 3: 8h2b+ 8c8d",
                "3 4: 3a2b",
                "main 2: 8c8d",
            ]
        );
        assert_eq!(game.notes.comment(2), Some("before"));
        let line = game.variations()[1].line();
        assert_eq!(line.notes.comment(1), Some("after"));
        assert_eq!(line.score(0), Some(kankei::record::MoveScore::Centipawns(35)));
        assert_eq!(line.notes.time(0), Some(std::time::Duration::from_secs(5)));
        assert_eq!(line.ending, Some(Ending::Interruption));
        assert_eq!(game.ending, Some(Ending::Resignation));
    }
}

#[test]
fn the_first_fork_of_a_fork_is_its_neighbour() {
    let mv = |from: &str, to: &str, forks: &str| {
        let place = |at: &str| format!("{{\"x\":{},\"y\":{}}}", &at[..1], &at[1..]);
        let (from, to) = (place(from), place(to));
        format!("{{\"move\":{{\"from\":{from},\"to\":{to},\"piece\":\"FU\"}}{forks}}}")
    };
    let other = format!(",\"forks\":[[{}]]", mv("97", "96", ""));
    let forks = format!(",\"forks\":[[{}],[{}]]", mv("27", "26", &other), mv("17", "16", ""));
    let text = format!("{{\"moves\":[{{}},{}]}}", mv("77", "76", &forks));
    let (games, warnings) = with_warnings("x.jkf", &text);
    assert_eq!(warnings, [""; 0]);
    assert_eq!(variations(&games[0]), ["main 1: 2g2f", "main 1: 9g9f", "main 1: 1g1f"]);
    // An illegal move does not cost its neighbours.
    let text = text.replace("\"x\":2,\"y\":6", "\"x\":2,\"y\":5");
    let (games, warnings) = with_warnings("x.jkf", &text);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(variations(&games[0]), ["main 1: 9g9f", "main 1: 1g1f"]);
}

#[test]
fn bad_variations_cost_only_themselves() {
    let main = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n";
    for (text, found, line, part) in [
        (
            "変化：2手\n   2 ８四歩(83)\n   3 ２五歩(27)\n",
            &["main 2: 8c8d"][..],
            6,
            "variation ends after move 2",
        ),
        (
            "変化：2手\n   2 ８四歩(83)\n   3 ２五歩(27)\n   4 ３四歩(33)\n",
            &["main 2: 8c8d"],
            6,
            "after move 2",
        ),
        ("変化：2手\n   2 ８四象(83)\n   3 ２六歩(27)\n", &[], 5, "after move 1"),
        ("変化：2手\n   3 ２六歩(27)\n", &[], 5, "is not the next move number"),
        ("変化：9手\n   9 ２六歩(27)\n", &[], 4, "no line has a move 9"),
        ("変化：99999999999999999999手\n   9 ２六歩(27)\n", &[], 4, "no line has a move"),
        ("変化：2手\n   2 ８四歩(83)\n   3 foo\n", &["main 2: 8c8d"], 6, "foo"),
        (
            "変化：2手\n   2 ８五歩(83)\n変化：3手\n   3 ７五歩(76)\n",
            &["main 3: 7f7e"],
            5,
            "after move 1",
        ),
    ] {
        let (games, warnings) = with_warnings("x.kif", format!("{main}{text}"));
        assert_eq!((games[0].moves().len(), games[0].ending), (3, None), "{text}");
        assert_eq!(variations(&games[0]), found, "{text}");
        assert_eq!(warnings.len(), 1, "{text} {warnings:?}");
        assert!(warnings[0].starts_with(&format!("x.kif:{line}: ")), "{}", warnings[0]);
        assert!(warnings[0].contains(part), "{}", warnings[0]);
    }
    let pawn = "{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}";
    for forks in ["5", "[5]", "[[{\"move\":5}]]", &format!("[[{pawn}}},{pawn}}}]]")] {
        let text = format!("{{\"moves\":[{{}},{pawn},\"forks\":{forks}}}]}}");
        let (games, warnings) = with_warnings("x.jkf", &text);
        assert_eq!((games[0].moves().len(), warnings.len()), (1, 1), "{forks} {warnings:?}");
    }
}

/// Kings that step back and forth, from this ply.
fn step(ply: usize) -> String {
    let text = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"][ply % 4];
    format!("{:>4} {text}\n", ply + 1)
}

#[test]
fn deep_and_wide_trees_are_read_and_written() {
    const COUNT: usize = 20_000;
    let mut deep = step(0) + &step(1);
    let mut wide = deep.clone();
    for ply in 1..=COUNT {
        let _ = write!(deep, "変化：{}手\n{}{}", ply + 1, step(ply), step(ply + 1));
        let _ = write!(wide, "変化：2手\n{}", step(1));
    }
    for (text, depth) in [(deep, COUNT), (wide, 1)] {
        let (games, warnings) = with_warnings("x.kif", &text);
        assert_eq!((games[0].variations().len(), warnings.len()), (COUNT, 0));
        assert!(read("x.kif", written(&games, Format::Kif)) == games);
        let jkf = String::from_utf8(written(&games, Format::Jkf)).expect("UTF-8");
        let (again, warnings) = with_warnings("x.jkf", &jkf);
        // No game needs more than 512 levels.
        let is_too_deep = depth > 512;
        assert_eq!(warnings.len(), usize::from(is_too_deep), "{warnings:?}");
        assert_eq!(again[0].variations().len(), if is_too_deep { 512 } else { COUNT });
    }
}
