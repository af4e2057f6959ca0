//! Game records in every format, written by hand and by the program.

use std::io::Cursor;
use std::path::Path;

use encoding_rs::SHIFT_JIS;
use kankei::record::{
    Ending, Format, Game, GameBuilder, GameReader, GameResult, GameWriter, MoveScore, Statistics,
    dedup,
};
use kankei::rng::Rng;
use kankei::shogi::{Color, Move, Scope, movegen};

use crate::positions::BEGINNINGS;

/// All games of a file, which must be sound.
fn read(name: &str, bytes: Vec<u8>) -> Vec<Game> {
    let reader = GameReader::new(Path::new(name), Cursor::new(bytes)).expect("a known format");
    reader.map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn written(games: &[Game], format: Format) -> Vec<u8> {
    let mut writer = GameWriter::new(Vec::new(), format);
    for game in games {
        writer.write(game).expect("memory");
    }
    assert_eq!(writer.written(), games.len());
    writer.into_inner()
}

fn usi(game: &Game) -> String {
    game.moves().iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// One game in five formats: an exchange of bishops, drops, promotions, two golds that reach the
/// same square, captures on the square of the last move.
const MOVES: &str = "7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b 4e3d 2b3c 4i5h 7a6b 5i6h";

const USI: &str = "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b 4e3d 2b3c 4i5h 7a6b 5i6h | \
                   winner=w | ending=resignation | black=甲 | white=乙 | event=試験";

const LABELLED: &str = "7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b 4e3d 2b3c 4i5h 7a6b 5i6h | \
                        12 . -3 4 0 . . m3 -m2 5 6 | b";

const CSA: &str = "V2.2\nN+甲\nN-乙\n$EVENT:試験\nPI\n+\n+7776FU\nT1\n-3334FU\nT1\n+8822UM\n-3122GI\n\
                   +0045KA\n-6152KI\n+4534KA\n-2233GI\n+4958KI\n-7162GI\n+5968OU\n\
                   '* the bishop is in danger\n%+ILLEGAL_ACTION\n";

const KIF: &str = "# ---- 棋譜 ----\n棋戦：試験\n手合割：平手　　\n先手：甲\n後手：乙\n\
                   手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)\n\
                   *注\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ４五角打\n   6 ５二金(61)\n\
                   7 ３四角(45)\n   8 ３三銀(22)\n   9 ５八金(49)\n  10 ６二銀(71)\n\
                   11 ６八玉(59)\n  12 切れ負け\nまで11手で時間切れにより先手の勝ち\n\n\
                   変化：10手\n  10 ６二玉(51)\n";

const KI2: &str = "棋戦：試験\n先手：甲\n後手：乙\n手合割：平手\n\n\
                   ▲７六歩　△３四歩　▲２二角成　△同　銀　▲４五角　△５二金右\n*注\n\
                   ▲３四角　△３三銀　▲５八金右　△６二銀　▲６八玉\n\
                   まで11手で千日手\n";

#[test]
fn one_game_in_every_format() {
    for (text, format, result, ending) in [
        (USI, Format::Usi, GameResult::WhiteWins, Some(Ending::Resignation)),
        (LABELLED, Format::Labelled, GameResult::BlackWins, None),
        (CSA, Format::Csa, GameResult::WhiteWins, Some(Ending::IllegalMove)),
        (KIF, Format::Kif, GameResult::BlackWins, Some(Ending::Time)),
        (KI2, Format::Ki2, GameResult::Draw, Some(Ending::Repetition)),
    ] {
        let dos = text.replace('\n', "\r\n");
        let with_mark = format!("\u{feff}{text}");
        let (shift_jis, _, failed) = SHIFT_JIS.encode(text);
        assert!(!failed, "{format:?}");
        for bytes in [text.as_bytes(), dos.as_bytes(), with_mark.as_bytes(), &shift_jis] {
            let reader = GameReader::new(Path::new("x.txt"), Cursor::new(bytes.to_vec()));
            assert_eq!(reader.map(|reader| reader.format()).ok(), Some(format));
            let games = read("x.txt", bytes.to_vec());
            let [game] = games.as_slice() else { panic!("{} games", games.len()) };
            assert_eq!(usi(game), MOVES, "{format:?}");
            assert_eq!((game.result, game.ending), (Some(result), ending), "{format:?}");
            if format != Format::Labelled {
                let names = ["black", "white", "event"].map(|key| game.header.get(key));
                assert_eq!(names, [Some("甲"), Some("乙"), Some("試験")], "{format:?}");
            }
        }
    }
    let labelled = &read("x", LABELLED.into())[0];
    assert_eq!(labelled.score(1), None);
    assert_eq!(labelled.score(8), Some(MoveScore::MatedIn(2)));
}

#[test]
fn a_handicap_game_in_every_format() {
    let sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let csa = "PI82HI22KA\n-\n-6172KI\n+7776FU\n-5162OU\n";
    let kif =
        "手合割：二枚落ち\n下手：甲\n上手：乙\n   1 ７二金(61)\n   2 ７六歩(77)\n   3 ６二玉(51)\n";
    let ki2 =
        "手合割：二枚落ち\n下手：甲\n上手：乙\n\n△７二金　▲７六歩　△６二玉\nまで3手で上手の勝ち\n";
    let line = format!("sfen {sfen} moves 6a7b 7g7f 5a6b");
    for text in [csa, kif, ki2, &line] {
        let games = read("x", text.into());
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(games[0].start_sfen(), sfen, "{text}");
        assert_eq!(usi(&games[0]), "6a7b 7g7f 5a6b", "{text}");
    }
    assert_eq!(read("x", ki2.into())[0].result, Some(GameResult::WhiteWins));
}

/// Random legal games from several starts, with every result and ending.
fn random_games(seed: u64, count: usize) -> Vec<Game> {
    println!("seed {seed}");
    let mut rng = Rng::from_seed(seed);
    (0..count).map(|number| random_game(&mut rng, number)).collect()
}

fn random_game(rng: &mut Rng, number: usize) -> Game {
    let start = BEGINNINGS[number % BEGINNINGS.len()];
    let mut builder = GameBuilder::from_sfen(start).expect(start);
    let is_scored = rng.below(2) == 0;
    for _ in 0..1 + rng.below(120) {
        let moves = movegen::legal_moves(builder.position(), Scope::LEGAL);
        let Some(&mv) = rng.choose(&moves) else { break };
        let score = match rng.below(4) {
            0 => None,
            1 => Some(MoveScore::MatesIn(1 + rng.below(30) as u32)),
            2 => Some(MoveScore::MatedIn(2 + rng.below(30) as u32)),
            _ => Some(MoveScore::Centipawns(rng.below(6_000) as i32 - 3_000)),
        };
        let score = score.filter(|_| is_scored);
        builder.push_scored(mv, score).expect("a generated move is legal");
    }
    let side = builder.position().side_to_move();
    let mut game = builder.finish();
    let lost = Some(GameResult::win_of(!side));
    (game.result, game.ending) = match rng.below(11) {
        0 => (None, None),
        1 => (None, Some(Ending::Interruption)),
        2 => (lost, Some(Ending::Resignation)),
        3 => (lost, Some(Ending::Mate)),
        4 => (lost, Some(Ending::Time)),
        5 => (lost, Some(Ending::IllegalMove)),
        6 => (Some(GameResult::win_of(side)), Some(Ending::IllegalMove)),
        7 => (Some(GameResult::win_of(side)), Some(Ending::Declaration)),
        8 => (Some(GameResult::Draw), Some(Ending::Repetition)),
        9 => (Some(GameResult::Draw), Some(Ending::Impasse)),
        _ => (Some(GameResult::Draw), Some(Ending::MaxMoves)),
    };
    game.header.set("black", "先手 A");
    game.header.set("event", &format!("第{number}局"));
    game.header.set("site", "東京");
    game.header.set("black_rate", "2100");
    game
}

#[test]
fn formats_round_trip() {
    let games = random_games(31, 300);
    for format in Format::ALL {
        let name = format!("x.{}", format.name());
        let back = read(&name, written(&games, format));
        assert_eq!(back.len(), games.len(), "{format:?}");
        for (back, game) in back.iter().zip(&games) {
            assert_eq!(back.start_sfen(), game.start_sfen(), "{format:?}");
            assert_eq!(usi(back), usi(game), "{format:?}");
            assert_eq!(back.result, game.result, "{format:?} {game:?}");
            let has_scores = matches!(format, Format::Usi | Format::Labelled);
            for ply in (0..game.moves().len()).filter(|_| has_scores) {
                assert_eq!(back.score(ply), game.score(ply), "{format:?}");
            }
            if format != Format::Labelled {
                // KI2 tells a resignation by who won alone.
                let is_told = format != Format::Ki2 || game.ending != Some(Ending::Resignation);
                assert_eq!(back.ending, game.ending.filter(|_| is_told), "{format:?}");
                assert_eq!(back.header, game.header, "{format:?}");
            }
        }
        // A second time nothing changes, not even the letters.
        assert_eq!(written(&back, format), written(&games, format), "{format:?}");
    }
}

/// What this library writes, another one reads; what that one makes of it, this library reads.
fn through_another_library<E: std::fmt::Debug>(
    games: &[Game],
    format: Format,
    other: impl Fn(&str) -> Result<String, E>,
) {
    for game in games {
        let ours = written(std::slice::from_ref(game), format);
        let ours = String::from_utf8(ours).expect("UTF-8");
        let theirs = other(&ours).unwrap_or_else(|error| panic!("{error:?} in\n{ours}"));
        let back = read(&format!("x.{}", format.name()), theirs.clone().into());
        assert_eq!(back.len(), 1, "{theirs}");
        assert_eq!(back[0].start_sfen(), game.start_sfen(), "{ours}\n{theirs}");
        assert_eq!(usi(&back[0]), usi(game), "{ours}\n{theirs}");
        assert_eq!(back[0].result, game.result, "{ours}\n{theirs}");
    }
}

#[test]
fn another_library_understands_the_same_games() {
    use rsshogi::records::formats::{csa, kif};
    let games = random_games(33, 120);
    through_another_library(&games, Format::Csa, |text| {
        csa::parse_csa_str(text).and_then(|record| csa::export_csa(&record))
    });
    through_another_library(&games, Format::Kif, |text| {
        kif::parse_kif_str(text).and_then(|record| kif::export_kif(&record))
    });
    through_another_library(&games, Format::Ki2, |text| {
        kif::parse_ki2_str(text).and_then(|record| kif::export_ki2(&record))
    });
}

#[test]
fn every_result_survives_without_an_ending() {
    for moves in ["7g7f", "7g7f 3c3d"] {
        for winner in [Color::Black, Color::White] {
            let line = format!("startpos moves {moves}");
            let mut game = read("x", line.into())[0].clone();
            game.result = Some(GameResult::win_of(winner));
            for format in Format::ALL {
                let back = read(&format!("x.{}", format.name()), written(&[game.clone()], format));
                assert_eq!(back[0].result, game.result, "{format:?}");
            }
        }
    }
}

#[test]
fn garbage_is_refused_and_never_panics() {
    let mut rng = Rng::from_seed(32);
    let texts = [USI, LABELLED, CSA, KIF, KI2];
    for round in 0..2_000 {
        let mut bytes = texts[round % texts.len()].as_bytes().to_vec();
        for _ in 0..1 + rng.below(4) {
            if bytes.len() < 2 {
                break;
            }
            let at = rng.below(bytes.len());
            match rng.below(3) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let name = format!("x.{}", Format::ALL[round % texts.len()].name());
        if let Ok(reader) = GameReader::new(Path::new(&name), Cursor::new(bytes)) {
            for game in reader.flatten() {
                game.replay(|pos, mv| assert!(pos.is_legal(mv)));
            }
        }
    }
}

/// All games of a shared file, which must be sound, counted.
fn count(file: &str, mut games: Option<&mut Vec<Game>>) -> Statistics {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    let path = Path::new(&shared).join("data").join(file);
    let mut statistics = Statistics::default();
    for game in GameReader::open(&path).expect("a readable file") {
        let game = game.unwrap_or_else(|error| panic!("{error}"));
        statistics.add(&game);
        if let Some(games) = &mut games {
            games.push(game);
        }
    }
    statistics
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn shared_games() {
    let mut games = Vec::new();
    for (file, plies, results) in [
        ("games/pro.usi", 56_319, [214, 189, 11, 61]),
        ("games/computer.usi", 55_292, [224, 190, 10, 31]),
        ("games/unlabelled.usi", 53_714, [284, 259, 0, 0]),
        ("games/amateur.usi", 79_602, [354, 308, 26, 300]),
    ] {
        let statistics = count(file, Some(&mut games));
        assert_eq!((statistics.plies(), statistics.results), (plies, results), "{file}");
    }
    let left = dedup(games.clone());
    assert_eq!((left.games.len(), left.copies, left.beginnings), (2_461, 0, 0));
    for format in Format::ALL {
        let back = read(&format!("x.{}", format.name()), written(&games, format));
        assert_eq!(back.len(), games.len(), "{format:?}");
        for (back, game) in back.iter().zip(&games) {
            assert_eq!((back.moves(), back.result), (game.moves(), game.result), "{format:?}");
        }
    }
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data; replays 6.3 million moves: cargo test --release -- --ignored"]
fn shared_labelled_games() {
    for (file, plies, results) in [
        ("teacher/games_1.txt.zst", 5_613_187, [31_818, 29_841, 581, 0]),
        ("teacher/games_2.txt.zst", 726_795, [4_148, 3_819, 75, 0]),
    ] {
        let statistics = count(file, None);
        assert_eq!((statistics.plies(), statistics.results), (plies, results), "{file}");
        assert_eq!(statistics.lengths().map(|lengths| lengths[1]), Some(90), "{file}");
    }
}
