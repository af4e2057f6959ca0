//! Parsing of commands.

use std::time::Duration;

use super::setup::PositionText;
use crate::engine::clock::Clock;
use crate::shogi::{Color, Move};

/// A line from the client. Its parts are parsed but not validated: a position may be impossible, an
/// option unknown.
#[derive(Clone, Debug, PartialEq)]
pub enum UsiCommand {
    /// `usi`: identify the engine and its options.
    Usi,
    /// `isready`: load and allocate everything, then reply.
    IsReady,
    /// `usinewgame`.
    NewGame,
    /// `setoption name N [value V]`.
    SetOption {
        /// One word, as sent.
        name: String,
        /// The rest of the line after the word `value`. `Err` with the words that follow the name,
        /// if the first is another one or there are none.
        value: Result<String, String>,
    },
    /// `position ...`.
    Position(PositionText),
    /// `go ...`.
    Go(Go),
    /// `stop`.
    Stop,
    /// `ponderhit`, optionally with a new clock.
    PonderHit(Clock),
    /// `gameover ...`.
    GameOver,
    /// `quit`.
    Quit,
    /// A command for console users.
    Console(ConsoleCommand),
}

/// Commands for console users that are not part of the protocol.
#[derive(Clone, Debug, PartialEq)]
pub enum ConsoleCommand {
    /// `d`: the board.
    Board,
    /// `moves`.
    Moves,
    /// `eval`.
    Eval,
    /// `perft d`, also `go perft d`.
    Perft(u32),
    /// `bench ...`.
    Bench(Vec<String>),
    /// `getoption N`; without a name, all options.
    GetOption(Option<String>),
    /// `compiler`: version, system and kernels of the program.
    Compiler,
    /// `help`.
    Help,
    /// `new`: the start position.
    New,
    /// `undo`.
    Undo,
    /// A move that a person typed in a terminal, in USI or Japanese notation.
    Play(String),
}

/// The contents of a `go`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// Clock tokens, `movetime` and `rtime`.
    pub clock: Clock,
    /// `infinite`.
    pub infinite: bool,
    /// `ponder`.
    pub ponder: bool,
    /// `depth`, at least 1.
    pub depth: Option<u32>,
    /// `nodes`, at least 1.
    pub nodes: Option<u64>,
    /// `mate`.
    pub mate: Option<MateTime>,
    /// `searchmoves`: the moves up to the name of another limit. Words that are not moves are
    /// ignored.
    pub search_moves: Vec<Move>,
}

/// Time limit of a mate search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateTime {
    /// Until stopped.
    Infinite,
    /// This duration.
    Limit(Duration),
}

impl UsiCommand {
    /// Parses a line. Returns `None` for empty lines and unknown commands, which are ignored.
    ///
    /// ```
    /// use kankei::usi::UsiCommand;
    /// assert_eq!(UsiCommand::parse(" usi \t"), Some(UsiCommand::Usi));
    /// assert_eq!(UsiCommand::parse("use"), None);
    /// ```
    pub fn parse(line: &str) -> Option<UsiCommand> {
        let tokens: Vec<&str> = line.split_ascii_whitespace().collect();
        let command = match *tokens {
            ["usi"] => UsiCommand::Usi,
            ["isready", ..] => UsiCommand::IsReady,
            ["usinewgame", ..] => UsiCommand::NewGame,
            ["setoption", "name", name, ref rest @ ..] => {
                let has_value = rest.first() == Some(&"value");
                let value = if has_value { Ok(after_words(4, line)) } else { Err(rest.join(" ")) };
                UsiCommand::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
            }
            ["position", ref rest @ ..] => UsiCommand::Position(PositionText(rest.join(" "))),
            ["go", "perft", depth, ..] | ["perft", depth] => {
                UsiCommand::Console(ConsoleCommand::Perft(depth.parse().ok()?))
            }
            ["go", ref rest @ ..] => UsiCommand::Go(parse_go(rest)),
            ["stop", ..] => UsiCommand::Stop,
            ["ponderhit", ref rest @ ..] => UsiCommand::PonderHit(parse_go(rest).clock),
            ["gameover", ..] => UsiCommand::GameOver,
            ["quit", ..] => UsiCommand::Quit,
            ["d"] => UsiCommand::Console(ConsoleCommand::Board),
            ["moves"] => UsiCommand::Console(ConsoleCommand::Moves),
            ["eval"] => UsiCommand::Console(ConsoleCommand::Eval),
            ["bench", ref rest @ ..] => {
                let arguments = rest.iter().map(ToString::to_string).collect();
                UsiCommand::Console(ConsoleCommand::Bench(arguments))
            }
            ["getoption"] => UsiCommand::Console(ConsoleCommand::GetOption(None)),
            ["getoption", name, ..] => {
                UsiCommand::Console(ConsoleCommand::GetOption(Some(name.to_owned())))
            }
            ["compiler"] => UsiCommand::Console(ConsoleCommand::Compiler),
            ["help"] => UsiCommand::Console(ConsoleCommand::Help),
            ["new"] => UsiCommand::Console(ConsoleCommand::New),
            ["undo"] => UsiCommand::Console(ConsoleCommand::Undo),
            _ => return None,
        };
        Some(command)
    }
}

/// The text after the first `count` words; inner blanks are kept.
fn after_words(count: usize, line: &str) -> &str {
    let rest = (0..count).fold(line, |rest, _| {
        let rest = rest.trim_ascii_start();
        rest.split_once(|c: char| c.is_ascii_whitespace()).map_or("", |(_, after)| after)
    });
    rest.trim_ascii()
}

/// Parses the tokens of `go` or `ponderhit`. Unknown tokens are skipped, also in place of a number:
/// `btime wtime 5` sets only White's time.
fn parse_go(mut tokens: &[&str]) -> Go {
    let mut go = Go::default();
    loop {
        let clock = &mut go.clock;
        let mut used = 2;
        match *tokens {
            [] => return go,
            ["infinite", ..] => (go.infinite, used) = (true, 1),
            ["ponder", ..] => (go.ponder, used) = (true, 1),
            ["searchmoves", ref rest @ ..] => {
                let end = rest.iter().position(|word| is_limit(word)).unwrap_or(rest.len());
                let moves = rest[..end].iter().filter_map(|word| word.parse().ok());
                go.search_moves.extend::<Vec<Move>>(moves.collect());
                used = 1 + end;
            }
            ["mate", number, ..] if millis(number).is_some() => {
                go.mate = millis(number).map(MateTime::Limit);
            }
            ["mate", "infinite", ..] => go.mate = Some(MateTime::Infinite),
            ["mate", ..] => (go.mate, used) = (Some(MateTime::Infinite), 1),
            ["depth", number, ..] if count(number).is_some() => {
                go.depth = count(number).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
            }
            ["nodes", number, ..] if count(number).is_some() => go.nodes = count(number),
            [name, number, ..] => match (clock_field(clock, name), millis(number)) {
                (Some(field), Some(time)) => *field = Some(time),
                _ => used = 1,
            },
            [_] => used = 1,
        }
        tokens = &tokens[used..];
    }
}

/// Whether this token of `go` is the name of a limit, which ends the list of `searchmoves`.
fn is_limit(word: &str) -> bool {
    ["infinite", "ponder", "searchmoves", "mate", "depth", "nodes"].contains(&word)
        || clock_field(&mut Clock::default(), word).is_some()
}

fn clock_field<'a>(clock: &'a mut Clock, name: &str) -> Option<&'a mut Option<Duration>> {
    let (black, white) = (Color::Black.index(), Color::White.index());
    Some(match name {
        "btime" => &mut clock.remaining[black],
        "wtime" => &mut clock.remaining[white],
        "binc" => &mut clock.increment[black],
        "winc" => &mut clock.increment[white],
        "byoyomi" => &mut clock.byoyomi,
        "movetime" => &mut clock.movetime,
        "rtime" => &mut clock.rtime,
        _ => return None,
    })
}

/// Parses milliseconds; fractions are allowed. Negative values become 0, and the maximum is about
/// thirty years.
fn millis(text: &str) -> Option<Duration> {
    if !text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'.' | b'-' | b'+')) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    Some(Duration::from_secs_f64(value.clamp(0.0, 1e12) / 1000.0))
}

/// Parses a limit of at least 1. Values beyond 64 bits become the largest number.
fn count(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        match UsiCommand::parse(text) {
            Some(UsiCommand::Go(go)) => go,
            other => panic!("{text}: {other:?}"),
        }
    }

    const fn ms(value: u64) -> Option<Duration> {
        Some(Duration::from_millis(value))
    }

    #[test]
    fn u_05_unknown_commands_are_ignored() {
        for line in ["", "  ", "\t", "foo", "USI", "go perft", "perft", "perft x", "setoption"] {
            assert!(!matches!(UsiCommand::parse(line), Some(UsiCommand::Console(_))), "{line}");
        }
        for line in ["", "  ", "foo bar", "setoption", "setoption name", "setoption value 3"] {
            assert_eq!(UsiCommand::parse(line), None, "{line}");
        }
        assert_eq!(go("go foo btime 5 bar"), go("go btime 5"));
        assert_eq!(go("go btime wtime 5"), go("go wtime 5"));
    }

    #[test]
    fn options_take_the_rest_of_the_line() {
        let option = |line| match UsiCommand::parse(line) {
            Some(UsiCommand::SetOption { name, value }) => (name, value),
            other => panic!("{line}: {other:?}"),
        };
        let pair = |name: &str, value: &str| (name.to_owned(), Ok(value.to_owned()));
        let without = |name: &str, words: &str| (name.to_owned(), Err(words.to_owned()));
        assert_eq!(
            option("setoption name EvalFile value C:\\a  b\\c.bin "),
            pair("EvalFile", "C:\\a  b\\c.bin")
        );
        assert_eq!(option(" setoption  name Clear_Hash"), without("Clear_Hash", ""));
        assert_eq!(option("setoption name BookFile value"), pair("BookFile", ""));
        assert_eq!(option("setoption name value value value"), pair("value", "value"));
        assert_eq!(option("setoption name A valuex  3"), without("A", "valuex 3"));
    }

    #[test]
    fn go_reads_all_limits() {
        let all =
            go("go ponder btime 1000 wtime -30 binc 5 winc 6 byoyomi 7 movetime 0.9 depth 3 \
                searchmoves 7g7f P*5e x 2g2f nodes 99999999999999999999999");
        assert_eq!(all.clock.remaining, [ms(1000), ms(0)]);
        assert_eq!(all.clock.increment, [ms(5), ms(6)]);
        assert_eq!(all.clock.byoyomi, ms(7));
        assert_eq!(all.clock.movetime, Some(Duration::from_micros(900)));
        assert_eq!((all.ponder, all.infinite, all.mate), (true, false, None));
        assert_eq!((all.depth, all.nodes), (Some(3), Some(u64::MAX)));
        assert_eq!(all.search_moves.len(), 3);
        assert_eq!(go("go mate").mate, Some(MateTime::Infinite));
        assert_eq!(go("go mate infinite").mate, Some(MateTime::Infinite));
        assert!(!go("go mate infinite").infinite);
        assert_eq!(go("go mate 500").mate, ms(500).map(MateTime::Limit));
        assert_eq!(go("go depth 0 nodes 0"), go("go depth 1 nodes 1"));
        assert_eq!(go("go btime 1e9 movetime nan byoyomi inf depth -3"), Go::default());
    }
}
