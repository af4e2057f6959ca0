//! Parts of text that several formats share.

use std::time::Duration;

use crate::shogi::Square;

/// The longest accepted time of a move: 116 days.
const LONGEST_TIME: Duration = Duration::from_secs(10_000_000);

/// Reads seconds with an optional fraction: `12`, `1.5`.
pub(super) fn read_seconds(text: &str) -> Option<Duration> {
    let seconds = text.trim().parse().ok()?;
    believed(Duration::try_from_secs_f64(seconds).ok()?)
}

/// The time, or `None` if it exceeds [`LONGEST_TIME`].
pub(super) fn believed(time: Duration) -> Option<Duration> {
    (time <= LONGEST_TIME).then_some(time)
}

/// Seconds with up to three decimals, without trailing zeros: `12`, `1.5`.
pub(super) fn seconds_text(time: Duration) -> String {
    let text = format!("{}.{:03}", time.as_secs(), time.subsec_millis());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The text with control characters replaced, so that it cannot end its line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Reads a square in two digits, file and rank: `76`.
pub(super) fn square_from_digits(text: &str) -> Option<Square> {
    match text.as_bytes() {
        &[file @ b'1'..=b'9', rank @ b'1'..=b'9'] => {
            Square::new((file - b'1').into(), (rank - b'1').into())
        }
        _ => None,
    }
}

/// A square in two digits.
pub(super) fn square_digits(sq: Square) -> String {
    format!("{}{}", sq.file() + 1, sq.rank() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_round_trip() {
        for sq in Square::all() {
            assert_eq!(square_from_digits(&square_digits(sq)), Some(sq));
        }
        for text in ["0", "12", "1.5", "0.001", "100"] {
            assert_eq!(read_seconds(text).map(seconds_text).as_deref(), Some(text));
        }
        for bad in ["", "-1", "x", "inf", "NaN", "1e300", "10000001"] {
            assert_eq!(read_seconds(bad), None, "{bad}");
        }
        for bad in ["", "7", "70", "07", "765", "7六"] {
            assert_eq!(square_from_digits(bad), None, "{bad}");
        }
    }
}
