//! The lines of a suite file.

use super::parse_position;
use crate::quote::quoted;
use crate::record::str_lines;
use crate::shogi::{Move, Position};

/// The reason why a line cannot be judged.
pub(crate) type BadLine = String;

/// One position and the fields after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Line number in the file; 1 is the first.
    pub number: usize,
    pub sfen: &'a str,
    fields: Vec<&'a str>,
}

/// All lines except comments and empty lines. A comment after a position starts with `#`.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    str_lines(text).enumerate().filter_map(|(i, line)| {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let mut fields = line.split([';', '|']).map(str::trim);
        let sfen = fields.next()?.split('#').next()?.trim_end();
        Some(Line { number: i + 1, sfen, fields: fields.collect() })
    })
}

impl Line<'_> {
    /// Parses the position, also in the other forms of [`parse_position`].
    pub fn position(&self) -> Result<Position, BadLine> {
        parse_position(self.sfen).map_err(|error| error.to_string())
    }

    /// Parses the position of a line that only needs a value. An SFEN that no game can reach is
    /// allowed.
    pub fn position_to_evaluate(&self) -> Result<Position, BadLine> {
        Position::from_sfen_to_evaluate(self.sfen).or_else(|_| self.position())
    }

    /// Like [`position`](Line::position), but allows surplus pieces; for lines about moves only.
    pub fn position_with_surplus(&self) -> Result<Position, BadLine> {
        Position::from_sfen_with_surplus(self.sfen)
            .map_err(|error| format!("{}: {error}", quoted(self.sfen)))
    }

    /// The n-th field after the position.
    pub fn field(&self, n: usize) -> Result<&str, BadLine> {
        self.fields.get(n).copied().ok_or_else(|| format!("field {} is missing", n + 2))
    }

    /// The text of the n-th field after `word`. The field must start with `word`.
    pub fn after(&self, word: &str, n: usize) -> Result<&str, BadLine> {
        let field = self.field(n)?;
        field
            .strip_prefix(word)
            .map(str::trim_start)
            .ok_or_else(|| format!("{} does not start with {word:?}", quoted(field)))
    }

    /// Parses a number or a move.
    pub fn parse<T: std::str::FromStr>(text: &str) -> Result<T, BadLine> {
        text.parse().map_err(|_| format!("{} is invalid", quoted(text)))
    }

    /// Parses moves separated by blanks.
    pub fn parse_moves(text: &str) -> Result<Vec<Move>, BadLine> {
        text.split_ascii_whitespace().map(Line::parse).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_comments_are_parsed() {
        let text =
            "# comment\n\n9/9 b - 1 # comment ; depth 2 ; 30 ; checked\r\n4k4 w - 1;nomate1\n";
        let lines: Vec<Line> = lines(text).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].number, lines[0].sfen), (3, "9/9 b - 1"));
        assert_eq!(lines[0].after("depth", 0), Ok("2"));
        assert_eq!(lines[0].field(1).and_then(Line::parse::<u64>), Ok(30));
        assert!(lines[0].after("mate", 0).is_err_and(|e| e.contains("depth 2")));
        assert!(lines[0].position().is_err_and(|e| e.contains("9/9 b - 1")));
        assert_eq!(lines[1].field(0), Ok("nomate1"));
        assert!(lines[1].field(1).is_err());
        assert!(Line::parse::<Move>("7g7").is_err_and(|e| e.contains("7g7")));
    }
}
