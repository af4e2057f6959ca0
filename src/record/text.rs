//! Bits of text that several formats share.

use crate::shogi::Square;

/// A value that cannot end its line.
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
        for bad in ["", "7", "70", "07", "765", "7六"] {
            assert_eq!(square_from_digits(bad), None, "{bad}");
        }
    }
}
