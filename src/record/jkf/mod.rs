//! JKF, the JSON Kifu Format: one object for each game.
//!
//! ```json
//! {"header": {"先手": "甲"}, "initial": {"preset": "HIRATE"}, "moves": [
//!   {"comments": ["before the first move"]},
//!   {"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"},
//!    "time": {"now": {"m": 0, "s": 3}, "total": {"h": 0, "m": 0, "s": 3}}},
//!   {"special": "TORYO"}]}
//! ```
//!
//! Keys of the header are those of KIF, kinds and closing words those of CSA. Squares count files
//! (`x`) and ranks (`y`) from 1; `piece` is the kind before the move. A file has one object per
//! game, one after the other or in an array. `forks` of an entry are variations that replace it. A win
//! without an ending is stored in the header as 勝者 (winner), 先手 or 後手, because any closing word
//! would be a guess.
//!
//! Source: the definition of JKF 1.0 (na2hiro, json-kifu-format).

mod objects;
mod start;
mod writer;

pub(super) use self::writer::write;

use std::io::{self, BufRead};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Deserializer, StreamDeserializer};

use self::objects::{Entry, Record};
use super::forks::{Fork, read_variations};
use super::lines::{Broken, Reading, TextLine};
use super::notation::words::side_of;
use super::records::Records;
use super::transcript::Transcript;
use super::{Fault, GameBuilder, GameResult, Header, csa, handicap, preamble};

/// The byte order mark that some editors put before JSON.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Whether a file with these first bytes is JKF.
pub(super) fn is_typical(head: &[u8]) -> bool {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let names = |key: &[u8]| head.windows(key.len()).any(|part| part == key);
    head.starts_with(b"{") && (names(b"\"moves\"") || names(b"\"header\""))
        || head.starts_with(b"[") && names(b"{") && names(b"\"moves\"")
}

/// Header key of the winner of a game without an ending.
const WINNER: &str = "勝者";

/// Whether a header field with this key and this value is read as that field.
pub(super) fn keeps(key: &str, value: &str) -> bool {
    let is_winner = key == WINNER && side_of(value).is_some();
    key != preamble::HANDICAP && !preamble::is_player(key) && !is_winner
}

/// The deepest nesting of variations that is read. A move of each variation is later than that of
/// the one around it, so no game needs more.
const DEEPEST: usize = 512;

/// A variation that is not parsed yet, in `depth` others.
struct Nested {
    text: Box<RawValue>,
    depth: usize,
}

/// The games of a file.
pub(super) struct JkfRecords {
    values:
        StreamDeserializer<'static, serde_json::de::IoRead<Box<dyn BufRead + Send>>, Box<RawValue>>,
    /// The remaining games of an array in reverse order.
    array: Vec<Box<RawValue>>,
    read: usize,
    is_over: bool,
}

impl JkfRecords {
    pub fn new(input: impl BufRead + Send + 'static) -> JkfRecords {
        let mut input: Box<dyn BufRead + Send> = Box::new(input);
        if input.fill_buf().is_ok_and(|bytes| bytes.starts_with(BYTE_ORDER_MARK)) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        let values = Deserializer::from_reader(input).into_iter();
        JkfRecords { values, array: Vec::new(), read: 0, is_over: false }
    }

    fn next_value(&mut self) -> Option<Result<Box<RawValue>, serde_json::Error>> {
        loop {
            if let Some(value) = self.array.pop() {
                return Some(Ok(value));
            }
            let value = self.values.next()?;
            match value.as_ref().map(|text| serde_json::from_str(text.get())) {
                Ok(Ok(array)) => self.array = array,
                _ => return Some(value),
            }
            self.array.reverse();
        }
    }
}

impl Records for JkfRecords {
    fn next(&mut self) -> Option<io::Result<Result<Reading, Broken>>> {
        if self.is_over {
            return None;
        }
        let value = self.next_value()?;
        self.read += 1;
        let value = match value {
            Ok(value) => value,
            Err(error) => {
                // After text that is not JSON, the start of the next game is unknown.
                self.is_over = true;
                return Some(match error.io_error_kind() {
                    Some(kind) => Err(kind.into()),
                    None => {
                        let fault = Fault::Json { game: self.read, error: error.to_string() };
                        Ok(Err(Broken { line: error.line(), fault }))
                    }
                });
            }
        };
        let record = parse(&value, self.read);
        Some(Ok(record.and_then(|record: Record| record.read(self.read))))
    }
}

/// Parses a part of the game with this number in the file. Errors do not name the line, which would
/// be that of the part.
fn parse<T: DeserializeOwned>(text: &RawValue, number: usize) -> Result<T, Broken> {
    serde_json::from_str(text.get()).map_err(|error| {
        let text = error.to_string();
        let error = text.rsplit_once(" at line ").map_or(&*text, |(error, _)| error).to_owned();
        Broken { line: number, fault: Fault::Json { game: number, error } }
    })
}

impl Record {
    /// Reads the game. `number` is its number in the file, 1 = first.
    fn read(self, number: usize) -> Result<Reading, Broken> {
        let broken = |fault| Broken { line: number, fault };
        let mut header = Header::default();
        let (mut handicap_name, mut winner) = (None, None);
        for (key, value) in &self.header {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match key.as_str() {
                _ if value.is_null() => {}
                preamble::HANDICAP => handicap_name = Some(text),
                WINNER if side_of(&text).is_some() => winner = side_of(&text),
                key => preamble::set_header(&mut header, key, &text),
            }
        }
        let start = match (&self.initial, &handicap_name) {
            (Some(initial), _) => initial.builder().map(|builder| (builder, None)),
            (None, Some(name)) => handicap::start(name),
            (None, None) => Ok((GameBuilder::new(), None)),
        };
        let (builder, warning) = start.map_err(broken)?;
        let mut transcript = Transcript::new(builder);
        warning.map(broken).into_iter().for_each(|warning| transcript.warn(warning));
        let mut forks = Vec::new();
        read_entries(self.moves, number, 1, &mut transcript, &mut forks)?;
        if let Some(winner) = winner {
            transcript.close_with_result(number, WINNER, GameResult::win_of(winner));
        }
        let mut reading = transcript.finish(header)?;
        read_variations(&mut reading, forks, |transcript, Nested { text, depth }| {
            let mut forks = Vec::new();
            let entries = if depth > DEEPEST {
                let error = format!("variations are nested more than {DEEPEST} times");
                Err(broken(Fault::Json { game: number, error }))
            } else {
                parse(&text, number)
            };
            let end = entries.and_then(|entries| {
                read_entries(entries, number, depth + 1, transcript, &mut forks)
            });
            (forks, end)
        });
        Ok(reading)
    }
}

/// Reads the entries of a line. Adds the variations of their moves, in `depth` others, to `forks`.
fn read_entries(
    entries: Vec<Entry>,
    number: usize,
    depth: usize,
    transcript: &mut Transcript,
    forks: &mut Vec<Fork<Nested>>,
) -> Result<(), Broken> {
    for entry in entries {
        let ply = transcript.position().moves_made();
        match entry.forks.as_deref().map(|texts| parse(texts, number)) {
            Some(Ok(texts)) => {
                let texts: Vec<Box<RawValue>> = texts;
                let nested = texts.into_iter().map(|text| Nested { text, depth });
                forks.extend(nested.map(|content| Fork { ply, line: number, content }));
            }
            Some(Err(broken)) => transcript.warn(broken),
            None => {}
        }
        entry.read(number, transcript)?;
    }
    Ok(())
}

impl Entry {
    fn read(self, number: usize, transcript: &mut Transcript) -> Result<(), Broken> {
        if let Some(step) = &self.mv {
            let line = TextLine { number, text: String::new() };
            transcript.play(&line, &step.to_string(), |pos, _| step.to_move(pos))?;
        }
        if let Some(word) = &self.special {
            let mover = transcript.mover();
            match csa::read_closing(word, mover) {
                Some(statement) => transcript.state(number, word, statement, mover),
                None => transcript.close_by_unknown_word(number, word),
            }
        }
        if let Some(time) = self.time.and_then(|times| times.now.time()) {
            transcript.spend(time);
        }
        self.comments
            .iter()
            .flat_map(|text| text.split('\n'))
            .for_each(|text| transcript.comment(text));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::record::{Ending, Game, testing};

    fn read_text(text: &str) -> Vec<Result<Game, String>> {
        let mut records = JkfRecords::new(io::Cursor::new(text.as_bytes().to_vec()));
        std::iter::from_fn(|| records.next())
            .map(|game| {
                testing::whole(game.expect("memory")).map_err(|broken| broken.fault.to_string())
            })
            .collect()
    }

    #[test]
    fn games_of_other_writers() {
        let text = r#"{"header": {"先手": "甲", "後手": "乙", "棋戦": null},
            "moves": [{"comments": ["start"]},
              {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "color": 0, "piece": "FU"},
               "time": {"now": {"m": 1, "s": 2}, "total": {"h": 0, "m": 1, "s": 2}}},
              {"move": {"from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "piece": "FU"}},
              {"move": {"from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "piece": "KA",
                        "promote": true, "capture": "KA"}, "forks": [[{}], [{}]]},
              {"move": {"from": {"x": 3, "y": 1}, "same": true, "piece": "GI"}},
              {"move": {"to": {"x": 4, "y": 5}, "piece": "KA", "relative": "H"}},
              {"special": "TORYO"}]}"#;
        let games = read_text(&format!("{text}\n[{text},{text}]"));
        assert_eq!(games.len(), 3);
        for game in games {
            let game = game.expect("a game");
            assert_eq!(testing::moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
            assert_eq!(game.result, Some(GameResult::BlackWins));
            assert_eq!(game.ending, Some(Ending::Resignation));
            assert_eq!(game.header.players, [Some("甲".to_owned()), Some("乙".to_owned())]);
            assert_eq!(game.notes.time(0), Some(Duration::from_secs(62)));
            assert_eq!(game.notes.comment(0), Some("start"));
        }
    }

    #[test]
    fn times_may_have_fractions() {
        let time = |seconds: &str| {
            let mv = r#""move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"}"#;
            let now = format!(r#""time": {{"now": {{"m": 1, "s": {seconds}}}}}"#);
            let games = read_text(&format!(r#"{{"moves": [{{}}, {{{mv}, {now}}}]}}"#));
            games[0].as_ref().map(|game| game.notes.time(0)).map_err(Clone::clone)
        };
        assert_eq!(time("2"), Ok(Some(Duration::from_secs(62))));
        assert_eq!(time("2.5"), Ok(Some(Duration::from_millis(62_500))));
        assert_eq!(time("1e9"), Ok(None));
        assert!(time("-1").is_err());
    }

    #[test]
    fn starts() {
        let start = |initial: &str| {
            let games = read_text(&format!("{{\"initial\": {initial}, \"moves\": [{{}}]}}"));
            games[0].as_ref().map(|game| game.start_sfen().to_owned()).map_err(Clone::clone)
        };
        let two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(start(r#"{"preset": "2"}"#).as_deref(), Ok(two));
        assert_eq!(start(r#"{"preset": "HIRATE"}"#).as_deref(), Ok(crate::shogi::STARTPOS));
        assert!(start(r#"{"preset": "11"}"#).is_err_and(|error| error.contains("11")));
        let bad = r#"{"preset": "OTHER", "data": {"color": 0, "board": [[{"color": 0, "kind": "XX"}]], "hands": []}}"#;
        assert!(start(bad).is_err_and(|error| error.contains("XX")));
        let side = r#"{"preset": "OTHER", "data": {"color": 7, "board": [], "hands": []}}"#;
        assert!(start(side).is_err_and(|error| error.contains("color 7")));
    }

    #[test]
    fn a_win_without_an_ending_is_in_the_header() {
        let game = testing::game("startpos moves 7g7f | winner=b");
        let text = testing::written(write, &game);
        assert!(text.contains("\"勝者\":\"先手\"") && !text.contains("special"), "{text}");
        assert_eq!(read_text(&text), [Ok(game)]);
        // A closing word takes precedence; other values are a field.
        let closed = text.replace("}]}", "},{\"special\":\"TORYO\"}]}").replace("先手", "後手");
        let game = read_text(&closed).remove(0).expect("a game");
        assert_eq!(game.result, Some(GameResult::BlackWins), "{closed}");
        let named = read_text(&text.replace("先手", "甲")).remove(0).expect("a game");
        assert_eq!((named.result, named.header.get(WINNER)), (None, Some("甲")));
    }

    #[test]
    fn broken_text_is_an_error() {
        for (text, part) in [
            ("{\"moves\": [", "EOF"),
            ("{\"moves\": 5}", "invalid type"),
            ("{\"header\": {}}", "moves"),
            (&*format!("{{\"moves\": {:?}}}", "x".repeat(90_000)), "invalid type"),
            ("{\"moves\": [{\"move\": {\"piece\": \"FU\"}}]}", "0000FU"),
        ] {
            let games = read_text(text);
            let error = games[0].as_ref().expect_err(text);
            assert!(error.contains(part) && error.len() < 300, "{error}");
        }
    }
}
