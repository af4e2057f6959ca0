//! Formatting of USI text.

use std::fmt::Write;

use crate::engine::{Bound, Info};
use crate::shogi::Move;

/// Maximum length of a message in characters. The important part is at its start.
const LONGEST_REMARK: usize = 1000;

/// Text in the form of a message: printable ASCII, single blanks, limited length. Other characters
/// are escaped (`\u{5c06}`).
pub fn printable(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_ascii_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            if c.is_ascii_graphic() {
                line.push(c)
            } else {
                line.extend(c.escape_default())
            }
            if line.len() > LONGEST_REMARK {
                line += "...";
                return line;
            }
        }
    }
    line
}

/// Formats one `info` line. The pv comes last and is omitted if empty.
///
/// ```
/// use kankei::engine::{Bound, Info, Pv};
/// use kankei::eval::Score;
/// let info = Info {
///     depth: 3, seldepth: 5, multi_pv: 1, score: Score::cp(35), bound: Bound::Exact,
///     nodes: 2_000, time: std::time::Duration::from_millis(4), hashfull: 1,
///     pv: Pv::from_slice(&["7g7f".parse().unwrap()]),
/// };
/// assert_eq!(
///     kankei::usi::info_line(&info),
///     "info depth 3 seldepth 5 multipv 1 score cp 35 nodes 2000 nps 500000 hashfull 1 time 4 pv 7g7f"
/// );
/// ```
pub fn info_line(info: &Info) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {} hashfull {} time {}",
        info.depth,
        info.seldepth.max(info.depth),
        info.multi_pv,
        info.score,
        info.nodes,
        u128::from(info.nodes) * 1_000_000 / info.time.as_micros().max(1),
        info.hashfull.min(1000),
        info.time.as_millis(),
    );
    if !info.pv.is_empty() {
        line += " pv";
        push_moves(&mut line, &info.pv);
    }
    line
}

/// Appends moves, each preceded by a blank.
pub(super) fn push_moves(line: &mut String, moves: &[Move]) {
    for mv in moves {
        write!(line, " {mv}").expect("a string takes any text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u_02_remarks_are_ascii_with_single_blanks() {
        assert_eq!(printable("  a\t b\n c "), "a b c");
        assert_eq!(printable("C:\\将.bin"), "C:\\\\u{5c06}.bin");
        assert_eq!(printable("x\u{0}y"), "x\\u{0}y");
        assert!(printable(&"x".repeat(100_000)).len() < 1100);
    }
}
