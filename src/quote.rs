//! Quotations of files in messages.

use std::fmt;

/// Maximum length of a quotation, characters.
const LONGEST: usize = 80;

/// Text in quotation marks. Characters that cannot be printed are escaped. Only the first 80 characters
/// are shown, because a line of a binary file can have the length of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Quoted(text) = self;
        let mut width = 0;
        let end = text.char_indices().find(|&(_, c)| {
            width += if c == '\'' { 1 } else { c.escape_debug().len() };
            width > LONGEST
        });
        match end {
            Some((end, _)) => write!(f, "{:?}…", &text[..end]),
            None => write!(f, "{text:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_text_is_cut() {
        for text in ["", "7g7f", "'summary:x", "▲７六歩", "a\tb\"c\\"] {
            assert_eq!(Quoted(text).to_string(), format!("{text:?}"));
        }
        let line = "角".repeat(80);
        assert_eq!(Quoted(&line).to_string(), format!("\"{line}\""));
        assert_eq!(Quoted(&format!("{line}角")).to_string(), format!("\"{line}\"…"));
        let binary = Quoted(&"\u{1}".repeat(100_000)).to_string();
        assert!(binary.len() < 100 && binary.ends_with('…'), "{binary}");
    }
}
