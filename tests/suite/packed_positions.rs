//! Training positions in packed formats.

use kankei::record::{Format, Game, GameResult, Losses, MoveScore};

use crate::records::{random_games, read, written};

/// Checks the positions of random games in a packed format: Kankei writes and another library
/// reads, and vice versa.
#[test]
fn another_library_packs_the_same_positions() {
    use rsshogi::board::position_from_sfen;
    for game in random_games(35, 60) {
        let mut line = scored(&game);
        line.result = Some(GameResult::Draw);
        for (format, bytes) in [(Format::Psv, 40), (Format::Hcpe, 38)] {
            let packed = written(std::slice::from_ref(&line), format);
            let mut at = 0;
            line.replay(|pos, mv| {
                if Losses::of(&line, format).positions > 0 {
                    return;
                }
                let record = &packed[at..at + bytes];
                at += bytes;
                let other = position_from_sfen(&pos.to_sfen()).expect("a position");
                let theirs = match format {
                    Format::Psv => other.to_packed_sfen().data,
                    _ => other.to_huffman_coded_pos().data,
                };
                assert_eq!(record[..32], theirs, "{format:?} {}", pos.to_sfen());
                let back = &read(&format!("x.{}", format.name()), record.to_vec())[0];
                let board = |sfen: &str| sfen.rsplit_once(' ').map(|(board, _)| board.to_owned());
                assert_eq!(board(back.start_sfen()), board(&pos.to_sfen()));
                assert_eq!(
                    (back.moves(), back.score(0)),
                    (&[mv][..], line.score(pos.moves_made()))
                );
            });
            assert_eq!(at, packed.len());
        }
    }
}

/// The game with a score for every move.
fn scored(game: &Game) -> Game {
    let mut game = game.clone();
    for ply in 0..game.moves().len() {
        game.set_score(ply, MoveScore::Centipawns(ply as i32 * 7 - 300));
    }
    game
}

#[test]
fn an_incomplete_last_position_is_an_error() {
    use kankei::record::GameReader;
    let mut line = scored(&random_games(38, 1)[0]);
    line.result = Some(GameResult::Draw);
    for format in [Format::Psv, Format::Hcpe] {
        let mut packed = written(std::slice::from_ref(&line), format);
        packed.truncate(packed.len() - 1);
        let name = format!("x.{}", format.name());
        let input = std::io::Cursor::new(packed);
        let reader = GameReader::new(name.as_ref(), input).expect("a known format");
        let error = reader.last().expect("an error").expect_err("cut short").to_string();
        let position = format!("position {} is incomplete", line.moves().len());
        assert!(error.contains(&name) && error.ends_with(&position), "{error}");
    }
}
