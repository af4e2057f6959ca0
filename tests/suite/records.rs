//! Game records in every format, hand-written and written by the program.

use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use encoding_rs::SHIFT_JIS;
use kankei::record::{
    Ending, Format, Game, GameBuilder, GameReader, GameResult, GameWriter, Header, Losses,
    MoveScore, Statistics, dedup,
};
use kankei::rng::Rng;
use kankei::shogi::{Color, Move, Position, Scope, movegen};

use crate::positions::BEGINNINGS;

/// All games of a file, which must be valid.
pub fn read(name: &str, bytes: Vec<u8>) -> Vec<Game> {
    with_warnings(name, bytes).0
}

/// All games of a file, which must be valid, and the warnings.
pub fn with_warnings(name: &str, bytes: impl AsRef<[u8]>) -> (Vec<Game>, Vec<String>) {
    let input = Cursor::new(bytes.as_ref().to_vec());
    let mut reader = GameReader::new(Path::new(name), input).expect("a known format");
    let games =
        reader.by_ref().map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect();
    (games, reader.take_warnings().iter().map(ToString::to_string).collect())
}

pub fn written(games: &[Game], format: Format) -> Vec<u8> {
    let mut writer = GameWriter::new(Vec::new(), format);
    for game in games {
        writer.write(game).expect("writing to a Vec cannot fail");
    }
    writer.into_inner()
}

fn usi(game: &Game) -> String {
    game.moves().iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// One game in five formats, with an exchange of bishops, drops, promotions, two golds that can
/// reach the same square, and recaptures.
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
                   *注\n   3 ２二角成(88)+\n   4 同　銀(31)\n   5 ４五角打\n   6 ５二金(61)\n\
                   7 ３四角(45)\n   8 ３三銀(22)\n   9 ５八金(49)\n  10 ６二銀(71)\n\
                   11 ６八玉(59)\n  12 切れ負け\nまで11手で時間切れにより先手の勝ち\n\n\
                   変化：10手\n  10 ６二玉(51)\n";

const KI2: &str = "棋戦：試験\n先手：甲\n後手：乙\n手合割：平手\n\n\
                   ▲７六歩　△３四歩　▲２二角成　△同　銀　▲４五角　△５二金右\n*注\n\
                   ▲３四角　△３三銀　▲５八金右　△６二銀　▲６八玉\n\
                   まで11手で千日手\n";

#[test]
fn one_game_is_read_from_every_format() {
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
fn a_handicap_game_is_the_same_in_every_format() {
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
pub fn random_games(seed: u64, count: usize) -> Vec<Game> {
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
        builder.push_scored(mv, score.map(Into::into)).expect("a generated move is legal");
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

/// Adds times, comments and principal variations to a game.
pub fn add_notes(game: &mut Game, rng: &mut Rng) {
    if rng.below(4) == 0 {
        game.ending = None;
    }
    let texts =
        ["good", "first\nsecond", "a | b\\n", "* no score", "", "&bookmark", "三手目", "'*x"];
    let mut positions = Vec::new();
    let last = game.replay(|pos, _| positions.push(pos.clone()));
    positions.push(last);
    for (moves, pos) in positions.iter_mut().enumerate() {
        // After the last move, only the player who ended the game can have spent time.
        let is_spent = moves < game.moves().len() || game.ending.is_some();
        if is_spent && rng.below(4) > 0 {
            let millis = if rng.below(4) == 0 { 1_500 } else { 1_000 * rng.below(9_000) as u64 };
            game.notes.set_time(moves, Duration::from_millis(millis));
        }
        if rng.below(4) == 0 {
            game.notes.add_comment(moves, rng.choose(&texts).expect("a text"));
        }
        if moves > 0 && game.score(moves - 1).is_some() && rng.below(2) == 0 {
            let line = random_line(pos, rng);
            game.notes.set_line(moves - 1, &line);
        }
    }
    game.header.event = game.header.event.take().filter(|_| rng.below(2) == 0);
    game.header.set("天気", "雨");
    game.header.set("end_time", "2020/01/02 03:04:05");
    // CSA defines the form of a time limit, and has no key for the second one.
    game.header.set("time_limit", "05:00+60");
    game.header.set("秒読み", "各60秒");
}

pub fn random_line(pos: &mut Position, rng: &mut Rng) -> Vec<Move> {
    let mut line = Vec::new();
    while rng.below(4) > 0
        && let Some(&mv) = rng.choose(&movegen::legal_moves(pos, Scope::LEGAL))
    {
        pos.do_move(mv);
        line.push(mv);
    }
    line
}

/// The game with all data that a format can store.
pub fn without_losses(game: &Game, format: Format) -> Game {
    let mut held = game.clone();
    let notes = std::mem::take(&mut held.notes);
    if format == Format::Labelled {
        held.header = Header::default();
        held.ending = None;
        return held;
    }
    for (ply, time) in notes.times().filter(|_| format != Format::Ki2) {
        let whole = Duration::from_secs(time.as_secs());
        let is_in_seconds = matches!(format, Format::Kif | Format::Jkf);
        held.notes.set_time(ply, if is_in_seconds { whole } else { time });
    }
    notes.comments().for_each(|(moves, text)| held.notes.add_comment(moves, text));
    notes.lines().for_each(|(ply, line)| held.notes.set_line(ply, line));
    if format == Format::Ki2 && game.ending == Some(Ending::Resignation) {
        held.ending = None;
    }
    held
}

#[test]
fn records_keep_everything_that_their_format_can_store() {
    let mut games = random_games(34, 200);
    let mut rng = Rng::from_seed(34);
    games.iter_mut().skip(50).for_each(|game| add_notes(game, &mut rng));
    let mut lossless = [0; Format::OF_GAMES.len()];
    for format in Format::OF_GAMES {
        let back = read(&format!("x.{}", format.name()), written(&games, format));
        assert_eq!(back.len(), games.len(), "{format:?}");
        for (back, game) in back.iter().zip(&games) {
            let losses = Losses::of(game, format);
            let mut held = without_losses(game, format);
            if losses.endings > 0 {
                assert_ne!(back.ending, game.ending, "{format:?}");
                held.ending = back.ending;
            }
            assert_eq!(*back, held, "{format:?}");
            // KI2 stores only the winner of a resignation.
            let is_told = format != Format::Ki2 || game.ending != Some(Ending::Resignation);
            let is_lossless = losses.is_empty();
            assert_eq!(is_lossless && is_told, back == game, "{format:?} {game:?}");
            lossless[format as usize] += usize::from(is_lossless);
        }
        // A second round trip changes nothing, not even a letter.
        assert!(written(&back, format) == written(&games, format), "{format:?}");
        // Convert to the format that stores everything, and back.
        let usi = read("x.usi", written(&back, Format::Usi));
        assert_eq!(usi, back, "{format:?}");
    }
    assert_eq!(lossless[Format::Usi as usize], games.len());
    assert!(lossless[Format::Csa as usize] > games.len() / 2);
    assert_eq!(lossless[Format::Labelled as usize], 0);
}

/// Converts games through every pair of formats. All data that both formats can store must be
/// equal.
fn through_every_pair(games: &[Game]) {
    let again = |games: &[Game], format: Format| {
        read(&format!("x.{}", format.name()), written(games, format))
    };
    for first in Format::OF_GAMES {
        let halfway = again(games, first);
        for second in Format::OF_GAMES {
            let back = again(&halfway, second);
            assert_eq!(back.len(), games.len(), "{first:?} {second:?}");
            for (back, game) in back.iter().zip(games) {
                let mut held = without_losses(&without_losses(game, first), second);
                // The ending is compared only if both formats can store it.
                let is_told = [first, second].into_iter().all(|format| {
                    Losses::of(game, format).endings == 0
                        && (format != Format::Ki2 || game.ending != Some(Ending::Resignation))
                });
                if !is_told {
                    held.ending = back.ending;
                }
                assert_eq!(*back, held, "{first:?} {second:?}");
            }
        }
    }
}

#[test]
fn every_pair_of_formats_keeps_what_both_can_store() {
    let mut games = random_games(36, 60);
    let mut rng = Rng::from_seed(36);
    games.iter_mut().for_each(|game| add_notes(game, &mut rng));
    through_every_pair(&games);
}

#[test]
#[ignore = "takes half a minute: cargo test --release -- --ignored"]
fn two_thousand_games_through_every_pair_of_formats() {
    let mut games = random_games(37, 2_000);
    let mut rng = Rng::from_seed(37);
    games.iter_mut().for_each(|game| add_notes(game, &mut rng));
    through_every_pair(&games);
}

#[test]
fn floodgate_records_have_scores_times_and_ratings() {
    let text = "V2\nN+A\nN-B\n'Max_Moves:256\n$EVENT:wdoor+floodgate-300-10F+A+B+2020\nPI\n+\n\
                'rating:A+x:B+y\n'black_rate:A+x:2800.5\n'white_rate:B+y:3100.0\n\
                +7776FU\nT0\n-3334FU\nT12\n'** 55 +2726FU -8384FU\n+2726FU\nT3\n'** -40 -8384FU\n\
                -8384FU\nT5\n'** 31993 +2625FU\n'** 1\n%TORYO\nT7\n'summary:toryo:A lose:B win\n\
                '$END_TIME:2020/01/02 03:04:05\n";
    let game = &read("x.csa", text.into())[0];
    assert_eq!(usi(game), "7g7f 3c3d 2g2f 8c8d");
    let scores: Vec<_> = (0..4).map(|ply| game.score(ply)).collect();
    let cp = |value| Some(MoveScore::Centipawns(value));
    assert_eq!(scores, [None, cp(-55), cp(-40), Some(MoveScore::MatedIn(7))]);
    assert_eq!(game.notes.line(1).len(), 2);
    let times: Vec<_> = game.notes.times().map(|(ply, time)| (ply, time.as_secs())).collect();
    assert_eq!(times, [(0, 0), (1, 12), (2, 3), (3, 5), (4, 7)]);
    let rates = ["black_rate", "white_rate", "end_time"].map(|key| game.header.get(key));
    assert_eq!(rates, [Some("2800.5"), Some("3100.0"), Some("2020/01/02 03:04:05")]);
    assert_eq!(game.notes.comment(0), Some("Max_Moves:256\nrating:A+x:B+y"));
    assert_eq!(game.notes.comment(4), Some("* 1\nsummary:toryo:A lose:B win"));
    // Every move has a time, so every move is a choice of its player, with or without a score.
    assert!((0..4).all(|ply| game.is_choice(ply)));
    for format in [Format::Usi, Format::Csa, Format::Kif, Format::Jkf] {
        let back =
            read(&format!("x.{}", format.name()), written(std::slice::from_ref(game), format));
        assert_eq!(back[0], *game, "{format:?}");
    }
}

#[test]
fn kif_times_and_comments_are_kept() {
    let text = "*始め\n手合割：平手\n先手：甲\n手数----指手---------消費時間--\n*二\n\
                1 ７六歩(77)   ( 0:12/00:00:12)\n*角道\n&しおり\n2 ３四歩(33)   (1:02:03/01:02:03)\n\
                3 ２六歩(27)   (00:01.5/)+\n** 12 -8384FU\n4 中断   ( 0:09/01:02:12)\n*終わり\n";
    let game = &read("x.kif", text.into())[0];
    let comments: Vec<_> = game.notes.comments().collect();
    assert_eq!(comments, [(0, "始め\n二"), (1, "角道\n&しおり"), (3, "終わり")]);
    let times: Vec<_> = game.notes.times().map(|(_, time)| time.as_millis()).collect();
    assert_eq!(times, [12_000, 3_723_000, 1_500, 9_000]);
    assert_eq!(game.score(2), Some(MoveScore::Centipawns(12)));
    let back = String::from_utf8(written(std::slice::from_ref(game), Format::Kif)).expect("UTF-8");
    assert!(back.contains("   2 ３四歩(33)   (62:03/01:02:03)\n"), "{back}");
    assert!(back.contains("   3 ２六歩(27)   ( 0:01/00:00:13)\n** 12 -8384FU\n"), "{back}");
}

/// Another library reads the output of this library, and this library reads the output of the
/// other.
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
            for format in Format::OF_GAMES {
                let back = read(&format!("x.{}", format.name()), written(&[game.clone()], format));
                assert_eq!(back[0].result, game.result, "{format:?}");
                assert_eq!(back[0].ending, None, "{format:?}: a guess");
            }
        }
    }
}

#[test]
fn garbage_is_rejected_and_never_panics() {
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
        let name = format!("x.{}", Format::OF_GAMES[round % texts.len()].name());
        if let Ok(reader) = GameReader::new(Path::new(&name), Cursor::new(bytes)) {
            for game in reader.flatten() {
                game.replay(|pos, mv| assert!(pos.is_legal(mv)));
            }
        }
    }
}

/// Counts all games of a shared file, which must be valid.
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
    for format in Format::OF_GAMES {
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
