//! Questions of a page about rules and records, answered in JSON.

use std::io::Cursor;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::quote::quoted;
use crate::record::{
    DRAW, Ending, Format, Game, GameBuilder, GameReader, GameResult, GameWriter, handicaps,
    japanese_move_text,
};
use crate::shogi::movegen::legal_moves;
use crate::shogi::{Color, DeclarationRule, Move, Position, Repetition, Scope};
use crate::usi::PositionText;

/// A question. Positions have the form of the USI command `position`; sides are 0 for Black and 1
/// for White.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Question {
    /// The position after the moves: its legal moves, and whether the game is over.
    Position(Line),
    /// Japanese names of the moves of `line` after `moves`.
    Line {
        #[serde(flatten)]
        before: Line,
        line: Vec<String>,
    },
    /// The first game of a record file.
    Read {
        /// The name of the file, if it has one.
        #[serde(default)]
        name: String,
        /// Its bytes, each as the character of this number.
        bytes: String,
    },
    /// A game as the text of a record.
    Write {
        format: String,
        #[serde(flatten)]
        game: Line,
        /// Other lines from the start position, which become variations.
        #[serde(default)]
        others: Vec<Vec<String>>,
        #[serde(default)]
        players: [Option<String>; 2],
        winner: Option<usize>,
        reason: Option<String>,
    },
    /// The start positions of handicap games.
    Handicaps,
}

/// A start position and moves.
#[derive(Deserialize)]
struct Line {
    start: String,
    moves: Vec<String>,
}

impl Line {
    /// The game; its moves are legal.
    fn game(&self) -> Result<GameBuilder, String> {
        let start = PositionText(self.start.clone()).to_position().map_err(text)?;
        if start.moves_made() > 0 {
            return Err(format!("{} is not a start position: it has moves", quoted(&self.start)));
        }
        let mut game = GameBuilder::from_position(start);
        for word in &self.moves {
            let mv = word.parse().map_err(|()| format!("{} is not a move", quoted(word)))?;
            game.push(mv).map_err(text)?;
        }
        Ok(game)
    }
}

/// The answer to a question in JSON, as one line of JSON: an object, which has the field `error` if
/// the question cannot be answered.
///
/// ```
/// let question = r#"{"ask": "line", "start": "startpos", "moves": [], "line": ["7g7f"]}"#;
/// assert_eq!(kankei::web::answer(question), r#"{"names":["▲７六歩"]}"#);
/// assert!(kankei::web::answer("{}").starts_with(r#"{"error":"#));
/// ```
pub fn answer(question: &str) -> String {
    let answer = serde_json::from_str(question).map_err(text).and_then(answer_to);
    answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
}

fn answer_to(question: Question) -> Result<Value, String> {
    match question {
        Question::Position(line) => Ok(position(&line.game()?.finish())),
        Question::Line { before, line } => {
            let played = before.game()?.finish().moves().len();
            let moves = [before.moves, line].concat();
            let game = Line { moves, ..before }.game()?.finish();
            Ok(json!({ "names": &names(&game)[played..] }))
        }
        Question::Read { name, bytes } => read(&name, &bytes),
        Question::Write {
            format,
            game: Line { start, moves },
            others,
            players,
            winner,
            reason,
        } => {
            let mut line = Line { start, moves };
            let mut game = line.game()?.finish();
            game.header.players = players;
            let color = |side: usize| Color::ALL.get(side).copied();
            let reason = reason.as_deref();
            game.ending = reason.filter(|&name| name != DRAW).map(ending).transpose()?;
            let is_drawn = reason == Some(DRAW) || game.ending.is_some_and(Ending::is_draw);
            let draw = is_drawn.then_some(GameResult::Draw);
            game.result = winner.and_then(color).map(GameResult::win_of).or(draw);
            for other in others {
                line.moves = other;
                add_variation(&mut game, &line.game()?.finish())?;
            }
            write(&format, &game)
        }
        Question::Handicaps => {
            let all = handicaps().map(|(name, sfen)| json!({ "name": name, "sfen": sfen }));
            Ok(json!({ "handicaps": all.collect::<Vec<_>>() }))
        }
    }
}

fn position(game: &Game) -> Value {
    let pos = game.replay(|_, _| ());
    let legal = legal_moves(&pos, Scope::LEGAL);
    let legal = words(&legal);
    json!({
        "sfen": pos.to_sfen(),
        "side": pos.side_to_move().index(),
        "check": pos.in_check(),
        "names": names(game),
        "end": end(&pos, legal.is_empty()),
        "can_declare": pos.declaration(DeclarationRule::default()).is_some(),
        "legal": legal,
    })
}

/// How the game is over, if it is.
fn end(pos: &Position, is_mate: bool) -> Option<Value> {
    let side = pos.side_to_move().index();
    let (reason, winner) = match pos.fourfold() {
        Some(Repetition::Win) => ("perpetual_check", Some(side)),
        Some(Repetition::Loss) => ("perpetual_check", Some(1 - side)),
        Some(_) => ("repetition", None),
        None if is_mate => ("mate", Some(1 - side)),
        None => return None,
    };
    Some(json!({ "reason": reason, "winner": winner }))
}

/// The Japanese names of the moves of a game.
fn names(game: &Game) -> Vec<String> {
    let mut names = Vec::new();
    game.replay(|pos, mv| names.push(japanese_move_text(pos, mv)));
    names
}

fn read(name: &str, bytes: &str) -> Result<Value, String> {
    let bytes: Result<Vec<u8>, _> = bytes.chars().map(u8::try_from).collect();
    let bytes = bytes.map_err(|_| "a character of `bytes` is not a byte")?;
    // Messages name the file.
    let name = if name.is_empty() { "record" } else { name };
    let mut games = GameReader::new(Path::new(name), Cursor::new(bytes)).map_err(text)?;
    let game = games.next().ok_or("the record has no game")?.map_err(text)?;
    let warnings: Vec<String> = games.take_warnings().iter().map(text).collect();
    let sfen = format!("sfen {}", game.start_sfen());
    Ok(json!({
        "start": if game.is_from_usual_start() { "startpos" } else { &sfen },
        "moves": words(game.moves()),
        "others": variations(&game).iter().map(|line| words(line)).collect::<Vec<_>>(),
        "players": game.header.players,
        "ending": game.end_name(),
        "winner": game.result.and_then(GameResult::winner).map(Color::index),
        "warnings": warnings,
        "games": 1 + games.count(),
    }))
}

/// The variations, each as a line from the start position.
fn variations(game: &Game) -> Vec<Vec<Move>> {
    let mut lines: Vec<Vec<Move>> = Vec::new();
    for variation in game.variations() {
        let before = variation.parent().map_or(game.moves(), |parent| &lines[parent]);
        lines.push([&before[..variation.ply()], variation.line().moves()].concat());
    }
    lines
}

/// Adds a line from the start position as a variation of the main line, unless it replaces neither
/// a move nor the end.
fn add_variation(game: &mut Game, other: &Game) -> Result<(), String> {
    let pairs = game.moves().iter().zip(other.moves());
    let ply = pairs.take_while(|(one, other)| one == other).count();
    let before = other.position_before(None, ply);
    let mut line = GameBuilder::from_sfen(&before.to_sfen()).map_err(text)?;
    for &mv in &other.moves()[ply..] {
        line.push(mv).map_err(text)?;
    }
    game.add_variation(None, ply, line.finish());
    Ok(())
}

fn write(format: &str, game: &Game) -> Result<Value, String> {
    let unknown = || format!("{} is not a format of records", quoted(format));
    let known = Format::from_name(format).filter(|format| format.is_text());
    let mut writer = GameWriter::new(Vec::new(), known.ok_or_else(unknown)?);
    writer.write(game).map_err(text)?;
    let record = String::from_utf8(writer.into_inner()).map_err(text)?;
    Ok(json!({ "text": record }))
}

/// The ending with this name, as records and [`end`] name it.
fn ending(name: &str) -> Result<Ending, String> {
    let name = match name {
        "resign" => "resignation",
        "perpetual_check" => "illegal_move",
        name => name,
    };
    Ending::from_name(name).ok_or_else(|| format!("{} is not an ending", quoted(name)))
}

fn words(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

fn text(message: impl ToString) -> String {
    message.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(question: Value) -> Value {
        serde_json::from_str(&answer(&question.to_string())).expect("JSON")
    }

    #[test]
    fn positions_have_their_legal_moves_and_their_end() {
        let start = json!({"ask": "position", "start": "startpos", "moves": []});
        let answer = ask(start);
        assert_eq!(answer["legal"].as_array().expect("moves").len(), 30);
        assert_eq!((&answer["side"], &answer["check"]), (&json!(0), &json!(false)));
        assert_eq!(answer["end"], Value::Null);
        let mated = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let answer = ask(json!({"ask": "position", "start": mated, "moves": ["G*5b"]}));
        assert_eq!(answer["end"], json!({"reason": "mate", "winner": 0}));
        assert_eq!((&answer["check"], &answer["names"]), (&json!(true), &json!(["▲５二金"])));
        let round = ["2h3h", "8b7b", "3h2h", "7b8b"].repeat(3);
        let answer = ask(json!({"ask": "position", "start": "startpos", "moves": round}));
        assert_eq!(answer["end"], json!({"reason": "repetition", "winner": null}));
    }

    #[test]
    fn perpetual_check_loses() {
        // The rook follows the king from the fifth file to the fourth and back.
        let start = "sfen 4k4/9/9/9/9/9/9/3R5/K8 b - 1";
        let round = ["5a4a", "5h4h", "4a5a", "4h5h"];
        let moves = [&["6h5h"], &round.repeat(3)[..]].concat();
        let answer = ask(json!({"ask": "position", "start": start, "moves": moves}));
        assert_eq!(answer["end"]["reason"], "perpetual_check", "{answer}");
        assert_eq!(answer["end"]["winner"], 1);
    }

    #[test]
    fn draws_are_written_and_read() {
        for (reason, kif, csa) in [
            ("repetition", "千日手", "%SENNICHITE"),
            ("impasse", "持将棋", "%JISHOGI"),
            ("max_moves", "最大手数", "%MAX_MOVES"),
            ("draw", "引き分け", "%HIKIWAKE"),
        ] {
            for (format, word) in [("kif", kif), ("csa", csa)] {
                let written = ask(json!({
                    "ask": "write", "format": format, "start": "startpos", "moves": ["7g7f"],
                    "winner": null, "reason": reason,
                }));
                let text = written["text"].as_str().expect("a text");
                assert!(text.contains(word), "{text}");
                let bytes: String = text.bytes().map(char::from).collect();
                let read = ask(json!({"ask": "read", "name": "", "bytes": bytes}));
                assert_eq!((&read["ending"], &read["winner"]), (&json!(reason), &Value::Null));
            }
        }
    }

    #[test]
    fn records_are_read_as_they_are_written() {
        let moves = json!(["7g7f", "3c3d", "8h2b+"]);
        for format in ["kif", "ki2", "csa", "usi", "jkf"] {
            let written = ask(json!({
                "ask": "write", "format": format, "start": "startpos", "moves": moves,
                "players": ["甲", "乙"], "winner": 0, "reason": "resign",
            }));
            let record = written["text"].as_str().expect(format);
            let bytes: String = record.bytes().map(char::from).collect();
            let read =
                ask(json!({"ask": "read", "name": format!("game.{format}"), "bytes": bytes}));
            assert_eq!(read["moves"], moves, "{format}: {read}");
            assert_eq!(read["players"], json!(["甲", "乙"]), "{format}");
            assert_eq!(read["winner"], 0, "{format}");
            // KI2 says only who won.
            let ending = if format == "ki2" { Value::Null } else { json!("resignation") };
            assert_eq!(read["ending"], ending, "{format}");
            assert_eq!((&read["start"], &read["warnings"]), (&json!("startpos"), &json!([])));
        }
    }

    #[test]
    fn errors_name_the_value() {
        let error = |question: Value| ask(question)["error"].as_str().expect("an error").to_owned();
        let illegal = json!({"ask": "position", "start": "startpos", "moves": ["7g7e"]});
        assert!(error(illegal).contains("7g7e"));
        let start = json!({"ask": "position", "start": "sfen 9/9", "moves": []});
        assert!(error(start).contains("9/9"));
        let begun = json!({"ask": "position", "start": "startpos moves 7g7f", "moves": []});
        assert!(error(begun).contains("\"startpos moves 7g7f\" is not a start position"));
        let format = json!({"ask": "write", "format": "psv", "start": "startpos", "moves": []});
        assert_eq!(error(format), "\"psv\" is not a format of records");
        assert!(error(json!({"ask": "weather"})).contains("weather"));
        let nonsense = error(json!({"ask": "read", "bytes": "hello"}));
        assert!(nonsense.starts_with("record: ") || nonsense.contains("\"record\""), "{nonsense}");
        assert!(error(json!({"ask": "read", "bytes": "棋"})).contains("not a byte"));
    }

    #[test]
    fn variations_are_read_and_written() {
        let others = json!([["7g7f", "8c8d", "2g2f"], ["2g2f"]]);
        for format in ["kif", "ki2", "jkf"] {
            let written = ask(json!({"ask": "write", "format": format, "start": "startpos",
                "moves": ["7g7f", "3c3d"], "others": others}));
            let text = written["text"].as_str().expect("a record");
            let bytes: String = text.bytes().map(char::from).collect();
            let game = ask(json!({"ask": "read", "name": "", "bytes": bytes}));
            assert_eq!(game["moves"], json!(["7g7f", "3c3d"]), "{text}");
            assert_eq!(game["others"], others, "{text}");
        }
    }

    #[test]
    fn handicaps_begin_with_the_even_game() {
        let answer = ask(json!({"ask": "handicaps"}));
        assert_eq!(answer["handicaps"][0]["name"], "平手");
        let names = answer["handicaps"].as_array().expect("a list");
        assert!(names.iter().any(|one| one["name"] == "二枚落ち"), "{answer}");
    }
}
