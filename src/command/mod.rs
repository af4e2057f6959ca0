//! Shared parts of the commands: arguments that select searcher and evaluation, parsing of
//! positions and games, progress bars, interruption, and the error type.
//!
//! The commands are in [`cli`](crate::cli) and, for measurement and learning, in
//! [`lab`](crate::lab) and [`papers`](crate::papers).

pub(crate) mod book_args;
mod error;
pub mod games;
pub mod interrupt;
pub(crate) mod language;
mod mate_costs;
pub(crate) mod notation;
pub(crate) mod output;
pub(crate) mod run_log;
pub mod score_parts;
pub mod searcher;
pub mod suite_line;
pub(crate) mod texts;

use std::fmt::Display;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::RangeInclusive;
use std::str::FromStr;

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use self::error::CliError;
pub(crate) use self::mate_costs::MateCosts;
pub(crate) use self::score_parts::score_by_parts;
use crate::engine::{Engine, SEARCH_STACK};
use crate::shogi::Position;
use crate::usi::PositionText;

/// Builds new searchers.
pub(crate) type EngineFactory = Box<dyn Fn() -> Box<dyn Engine> + Send + Sync>;

/// Parses a position in the form of USI, with or without the word `position`: `startpos`, or an
/// SFEN with or without the word `sfen`, optionally followed by `moves` and a list.
pub(crate) fn parse_position(text: &str) -> Result<Position, CliError> {
    let form = text.trim_start().strip_prefix("position ").unwrap_or(text);
    PositionText(form.to_owned())
        .to_position()
        .map_err(|source| CliError::Position { text: text.trim().to_owned(), source })
}

/// A new seed for every process, so that games from the same book differ.
pub(crate) fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Parses a percentage, 0 to 100.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    number_in(0.0..=100.0)(text)
}

/// A parser of the numbers in a range. Name the type: clap compares it with the type of the field
/// only when the command runs.
pub(crate) fn number_in<N: FromStr + PartialOrd + Display + Clone>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let value = text.parse().ok().filter(|value| range.contains(value));
        let kind = if "0.5".parse::<N>().is_ok() { "number" } else { "whole number" };
        value.ok_or_else(|| {
            format!("{text:?} is not a {kind} from {} to {}", range.start(), range.end())
        })
    }
}

/// Parses a whole number of at least `least`.
fn whole_from<N>(least: u8, text: &str) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display + Clone + From<u8> + TryFrom<u64>,
{
    let most = (0..64).find_map(|shift| N::try_from(u64::MAX >> shift).ok());
    number_in(N::from(least)..=most.expect("a number of at least 8 bits"))(text)
}

/// Parses a whole number.
pub(crate) fn whole_number<N>(text: &str) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display + Clone + From<u8> + TryFrom<u64>,
{
    whole_from(0, text)
}

/// Parses a whole number of at least 1.
pub(crate) fn at_least_one<N>(text: &str) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display + Clone + From<u8> + TryFrom<u64>,
{
    whole_from(1, text)
}

/// Maximum size of a transposition table in MiB, as for the USI option `USI_Hash`.
const MOST_HASH_MIB: u64 = 33_554_432;

/// Parses the size of a transposition table in MiB.
pub(crate) fn hash_mib<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let value = text.parse().ok().filter(|value| (1..=MOST_HASH_MIB).contains(value));
    let value = value.and_then(|value| N::try_from(value).ok());
    value.ok_or_else(|| format!("{text:?} is not a size from 1 to {MOST_HASH_MIB} MiB"))
}

/// A progress bar with rate and remaining time on standard error. Draws nothing if that is not a
/// terminal.
pub(crate) fn progress_bar(len: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {per_sec} {eta} left")
        .expect("the template is well formed");
    ProgressBar::new(len as u64).with_style(style)
}

/// Maximum number of threads. More threads only use memory, and the system may take minutes to
/// start them.
const MOST_THREADS: usize = 512;

/// A pool of `threads` threads; 0 means all cores.
pub(crate) fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, CliError> {
    if threads > MOST_THREADS {
        return Err(CliError::TooManyThreads { threads, most: MOST_THREADS });
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(SEARCH_STACK)
        .build()
        .map_err(|source| CliError::Threads { threads, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_at_least_one_are_parsed() {
        assert_eq!(at_least_one::<u64>("18446744073709551615"), Ok(u64::MAX));
        for bad in ["0", "-5", "x", "", "1.5", "99999999999"] {
            let error = at_least_one::<u32>(bad).expect_err(bad);
            assert!(error.contains(&format!("{bad:?}")), "{error}");
        }
        let error = at_least_one::<i32>("99999999999").expect_err("too large");
        assert_eq!(error, "\"99999999999\" is not a whole number from 1 to 2147483647");
        assert_eq!(whole_number::<u8>("0"), Ok(0));
        assert!(number_in(0.0..=1.0)("x").is_err_and(|error| error.contains("not a number from")));
        assert_eq!(hash_mib::<u32>("33554432"), Ok(33_554_432));
        for bad in ["0", "-1", "33554433", "99999999", "1.5", ""] {
            let error = hash_mib::<usize>(bad).expect_err(bad);
            assert!(error.contains(&format!("{bad:?}")), "{error}");
        }
    }

    #[test]
    fn positions_are_parsed() {
        let played = parse_position(" startpos moves 7g7f\n").expect("a legal move");
        assert_eq!(played.moves_made(), 1);
        let same = parse_position(" position startpos moves 7g7f").expect("a legal move");
        assert_eq!(same.to_sfen(), played.to_sfen());
        let error = parse_position("9/9 b -").expect_err("not a board").to_string();
        assert!(error.contains("9/9 b -"), "{error}");
    }
}
