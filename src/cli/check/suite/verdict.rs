//! The verdict on a line.

use crate::command::suite_line::BadLine;

/// The result of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Right,
    Wrong {
        expected: String,
        got: String,
    },
    Skipped,
    /// The line cannot be judged; with the reason.
    Unreadable(BadLine),
}

impl Verdict {
    /// `Right` if both texts are equal.
    pub fn of(expected: impl ToString, got: impl ToString) -> Verdict {
        let (expected, got) = (expected.to_string(), got.to_string());
        if expected == got { Verdict::Right } else { Verdict::Wrong { expected, got } }
    }
}
