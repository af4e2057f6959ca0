//! `Game_Summary`: the server's description of a proposed game.
//!
//! ```text
//! BEGIN Game_Summary
//! Protocol_Version:1.2
//! Format:Shogi 1.0
//! Declaration:Jishogi 1.1
//! Game_ID:wdoor+floodgate-300-10F+fox+cat+20261124043000
//! Name+:fox
//! Name-:cat
//! Your_Turn:-
//! Max_Moves:256
//! BEGIN Time
//! Time_Unit:1sec
//! Total_Time:300
//! Increment:10
//! END Time
//! BEGIN Position
//! PI
//! +
//! +7776FU,T12
//! END Position
//! END Game_Summary
//! ```

use std::io::Cursor;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::message::ServerLine;
use super::time::{GameClock, TimeSettings, read_unit};
use crate::quote::shortened;
use crate::record::{Game, GameReader};
use crate::shogi::{Color, DeclarationRule};

/// The reason why a game cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SummaryError {
    /// A required entry is missing.
    #[error("the summary has no {0}")]
    Missing(&'static str),
    /// An entry has an unsupported value.
    #[error("{key}:{} is not supported", shortened(.value))]
    Value {
        /// The entry.
        key: String,
        /// Its value.
        value: String,
    },
    /// The position cannot be parsed.
    #[error("invalid position: {0}")]
    Position(String),
}

/// A proposed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The server's name of the game, which `AGREE` repeats.
    pub id: String,
    /// The players, Black first.
    pub names: [String; 2],
    /// The side that this client plays.
    pub us: Color,
    /// The declaration rule.
    pub declaration: DeclarationRule,
    /// The game is a draw after this many moves; 0: never.
    pub max_moves: u32,
    /// Whether a draw is followed by another game immediately.
    pub rematch_on_draw: bool,
    /// The start position and the moves already played.
    pub opening: Game,
    /// The times of those moves; `None` if not given.
    pub times: Vec<Option<Duration>>,
    /// Both clocks after those moves.
    pub clock: GameClock,
}

impl GameSummary {
    /// Parses the lines between `BEGIN Game_Summary` and `END Game_Summary`. Unknown entries are
    /// ignored.
    ///
    /// # Errors
    /// [`SummaryError`] for the first entry that prevents a game.
    pub fn parse(lines: &[String]) -> Result<GameSummary, SummaryError> {
        let mut reader = Reader::default();
        lines.iter().try_for_each(|line| reader.read(line.trim()))?;
        reader.finish()
    }
}

/// The state of the parser.
#[derive(Default)]
struct Reader<'a> {
    /// The current block, such as `Time`.
    block: Option<&'a str>,
    id: Option<&'a str>,
    names: [&'a str; 2],
    us: Option<Color>,
    first: Option<&'a str>,
    declaration: Option<DeclarationRule>,
    max_moves: u32,
    rematch_on_draw: bool,
    /// Time entries in units of the server, with the sides to which they apply.
    times: Vec<(&'a str, [bool; 2], u32)>,
    unit: [Option<Duration>; 2],
    position: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, line: &'a str) -> Result<(), SummaryError> {
        if let Some(block) = line.strip_prefix("BEGIN ") {
            self.block = Some(block);
        } else if line.starts_with("END ") {
            self.block = None;
        } else if self.block == Some("Position") {
            self.position.push(line);
        } else if let Some((key, value)) = line.split_once(':') {
            let value = value.trim();
            let bad = || SummaryError::Value { key: key.to_owned(), value: value.to_owned() };
            match self.block {
                None => self.read_entry(key, value).ok_or_else(bad)?,
                Some("Time") => self.read_time(key, value, [true, true]).ok_or_else(bad)?,
                Some("Time+") => self.read_time(key, value, [true, false]).ok_or_else(bad)?,
                Some("Time-") => self.read_time(key, value, [false, true]).ok_or_else(bad)?,
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Parses an entry outside of blocks; `None` if its value is not supported.
    fn read_entry(&mut self, key: &str, value: &'a str) -> Option<()> {
        match key {
            "Format" => return value.starts_with("Shogi 1").then_some(()),
            // Without a server between the players, other lines are exchanged.
            "Protocol_Mode" => return (value == "Server").then_some(()),
            "Declaration" => {
                // The only rule in use. Under other rules the client never declares.
                let rule = if value == "Jishogi 1.1" {
                    DeclarationRule::Csa27
                } else {
                    DeclarationRule::None
                };
                self.declaration = Some(rule);
            }
            "Game_ID" => self.id = Some(value).filter(|id| !id.is_empty()),
            "Name+" => self.names[0] = value,
            "Name-" => self.names[1] = value,
            "Your_Turn" => self.us = Some(side(value)?),
            "To_Move" => self.first = Some(value).filter(|value| side(value).is_some()),
            "Max_Moves" => self.max_moves = value.parse().ok()?,
            "Rematch_On_Draw" => self.rematch_on_draw = value == "YES",
            _ => {}
        }
        Some(())
    }

    /// Parses an entry of a time block; `None` if its value is invalid.
    fn read_time(&mut self, key: &'a str, value: &str, sides: [bool; 2]) -> Option<()> {
        match key {
            "Time_Unit" => {
                let unit = read_unit(value)?;
                for color in Color::ALL.into_iter().filter(|color| sides[color.index()]) {
                    self.unit[color.index()] = Some(unit);
                }
            }
            "Remaining_Time+" => {
                self.times.push(("Remaining_Time", [true, false], value.parse().ok()?))
            }
            "Remaining_Time-" => {
                self.times.push(("Remaining_Time", [false, true], value.parse().ok()?))
            }
            "Total_Time" | "Byoyomi" | "Increment" | "Delay" | "Least_Time_Per_Move" => {
                self.times.push((key, sides, value.parse().ok()?));
            }
            _ => {}
        }
        Some(())
    }

    fn finish(self) -> Result<GameSummary, SummaryError> {
        let us = self.us.ok_or(SummaryError::Missing("Your_Turn"))?;
        let opening = self.opening()?;
        let settings = Color::ALL.map(|color| self.settings(color));
        let mut times = Vec::new();
        let mut clock = GameClock::new(settings);
        let mut side = opening.start_position().side_to_move();
        for line in &self.position {
            if let ServerLine::Move { time, .. } = ServerLine::parse(line) {
                let time = time.map(|time| settings[side.index()].units(time));
                clock.spend(side, time.unwrap_or_default());
                times.push(time);
                side = !side;
            }
        }
        for color in Color::ALL {
            if let Some(left) = self.time("Remaining_Time", color) {
                clock.set_remaining(color, settings[color.index()].units(left));
            }
        }
        Ok(GameSummary {
            id: self.id.ok_or(SummaryError::Missing("Game_ID"))?.to_owned(),
            names: self.names.map(str::to_owned),
            us,
            declaration: self.declaration.unwrap_or(DeclarationRule::None),
            max_moves: self.max_moves,
            rematch_on_draw: self.rematch_on_draw,
            opening,
            times,
            clock,
        })
    }

    fn time(&self, key: &str, color: Color) -> Option<u32> {
        let fits = |entry: &&(&str, [bool; 2], u32)| entry.0 == key && entry.1[color.index()];
        self.times.iter().rev().find(fits).map(|entry| entry.2)
    }

    fn settings(&self, color: Color) -> TimeSettings {
        let plain = TimeSettings::default();
        let plain = TimeSettings { unit: self.unit[color.index()].unwrap_or(plain.unit), ..plain };
        let span = |key| self.time(key, color).map(|count| plain.units(count));
        TimeSettings {
            total: span("Total_Time"),
            byoyomi: span("Byoyomi").unwrap_or_default(),
            increment: span("Increment").unwrap_or_default(),
            delay: span("Delay").unwrap_or_default(),
            least: span("Least_Time_Per_Move").unwrap_or_default(),
            ..plain
        }
    }

    /// The position block is parsed as a CSA record.
    fn opening(&self) -> Result<Game, SummaryError> {
        let mut record = self.position.join("\n");
        if record.is_empty() {
            record.push_str("PI");
        }
        let tells_side = |line: &&str| line.starts_with(['+', '-']);
        if !self.position.iter().any(tells_side) {
            record = record + "\n" + self.first.unwrap_or("+");
        }
        let failed = |error: &dyn std::error::Error| SummaryError::Position(error.to_string());
        let games = GameReader::new(Path::new("position.csa"), Cursor::new(record.into_bytes()));
        let mut games = games.map_err(|error| failed(&error))?.strict(true);
        let game = games.next().ok_or_else(|| SummaryError::Position("no position".to_owned()))?;
        game.map_err(|error| failed(&error))
    }
}

/// The side of a `+` or `-` sign.
pub(super) fn side(sign: &str) -> Option<Color> {
    match sign {
        "+" => Some(Color::Black),
        "-" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "Protocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n\
        Declaration:Jishogi 1.1\nGame_ID:20261124-1\nName+:fox\nName-:cat\nYour_Turn:-\n\
        Rematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\nNew_Entry:1\nBEGIN Time\nTime_Unit:1sec\n\
        Total_Time:300\nByoyomi:0\nIncrement:10\nLeast_Time_Per_Move:1\nTime_Roundup:NO\n\
        END Time\nBEGIN Position\nPI\n+\n+7776FU,T12\n-3334FU,T6\nEND Position";

    fn parse(text: &str) -> Result<GameSummary, SummaryError> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        GameSummary::parse(&lines)
    }

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn a_complete_summary_is_parsed() {
        let summary = parse(WHOLE).expect("a summary");
        assert_eq!((summary.id.as_str(), summary.us), ("20261124-1", Color::White));
        assert_eq!(summary.names, ["fox", "cat"]);
        assert_eq!((summary.declaration, summary.max_moves), (DeclarationRule::Csa27, 256));
        assert!(!summary.rematch_on_draw && summary.opening.is_from_usual_start());
        assert_eq!(summary.opening.moves().len(), 2);
        assert_eq!(summary.times, [Some(seconds(12)), Some(seconds(6))]);
        assert_eq!(summary.clock.remaining(Color::Black), Some(seconds(298)));
        assert_eq!(summary.clock.remaining(Color::White), Some(seconds(304)));
        assert_eq!(summary.clock.settings(Color::White).least, seconds(1));
    }

    #[test]
    fn only_two_entries_are_required() {
        let summary = parse("Game_ID:x\nYour_Turn:+").expect("a summary");
        assert!(summary.opening.is_from_usual_start() && summary.opening.moves().is_empty());
        assert_eq!((summary.declaration, summary.max_moves), (DeclarationRule::None, 0));
        assert!(summary.clock.to_clock(Color::Black, 1).is_unlimited());
    }

    #[test]
    fn handicaps_and_positions_are_parsed() {
        let start = |position: &str| {
            let text = format!("Game_ID:x\nYour_Turn:+\nTo_Move:-\nBEGIN Position\n{position}");
            parse(&text).map(|summary| summary.opening.start_sfen().to_owned())
        };
        let bishop = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(start("PI22KA\n-").as_deref(), Ok(bishop));
        assert_eq!(start("PI22KA").as_deref(), Ok(bishop));
        let mate = "4k4/9/4+P4/9/9/9/9/9/4K4 b G 1";
        assert_eq!(start("P-51OU\nP+53TO00KI\nP+59OU\n+").as_deref(), Ok(mate));
        for bad in ["PI22HI\n-", "P1-KY\n+", "PI\n+\n+7775FU", "hello"] {
            assert!(matches!(start(bad), Err(SummaryError::Position(_))), "{bad}");
        }
    }

    #[test]
    fn times_of_each_side_are_parsed() {
        let text = "Game_ID:x\nYour_Turn:+\nBEGIN Time+\nTime_Unit:1min\nTotal_Time:2\nByoyomi:1\n\
            END Time+\nBEGIN Time-\nTime_Unit:100msec\nTotal_Time:50\nDelay:3\nEND Time-\n\
            BEGIN Time\nRemaining_Time+:1\nEND Time";
        let clock = parse(text).expect("a summary").clock;
        assert_eq!(clock.remaining(Color::Black), Some(seconds(60)));
        assert_eq!(clock.remaining(Color::White), Some(seconds(5)));
        assert_eq!(clock.to_clock(Color::Black, 1).byoyomi, Some(seconds(60)));
        assert_eq!(clock.to_clock(Color::White, 1).byoyomi, Some(Duration::from_millis(300)));
    }

    #[test]
    fn errors_name_the_invalid_entry() {
        let message = |text: &str| parse(text).expect_err(text).to_string();
        assert!(message("Game_ID:x").contains("Your_Turn"));
        assert!(message("Your_Turn:+").contains("Game_ID"));
        for bad in [
            "Your_Turn:b",
            "Format:Chess 1.0",
            "Protocol_Mode:Direct",
            "Max_Moves:many",
            "BEGIN Time\nTotal_Time:-5",
            "BEGIN Time\nTime_Unit:1day",
        ] {
            let entry = bad.lines().last().expect("a line");
            assert!(message(&format!("Game_ID:x\nYour_Turn:+\n{bad}")).contains(entry), "{bad}");
        }
    }
}
