//! The text encodings in which records are written.

use std::path::Path;

use encoding_rs::{EncoderResult, SHIFT_JIS};

use super::{Format, format};

/// 〓 in Shift_JIS, the replacement for missing characters.
const MISSING: [u8; 2] = [0x81, 0xac];

/// Characters that CP932 maps to other code points than other programs, with these code points.
const TWINS: [(char, char); 6] = [
    ('\u{301c}', '\u{ff5e}'),
    ('\u{2016}', '\u{2225}'),
    ('\u{2014}', '\u{2015}'),
    ('\u{a2}', '\u{ffe0}'),
    ('\u{a3}', '\u{ffe1}'),
    ('\u{ac}', '\u{ffe2}'),
];

/// The encoding of a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8.
    Utf8,
    /// Shift_JIS as Japanese Windows has it (CP932).
    ShiftJis,
}

impl TextEncoding {
    /// All encodings.
    pub const ALL: [TextEncoding; 2] = [TextEncoding::Utf8, TextEncoding::ShiftJis];

    /// The name on the command line and in records of KIF.
    pub fn name(self) -> &'static str {
        ["UTF-8", "Shift_JIS"][self as usize]
    }

    /// The encoding of a file name's extension. The specification of KIF and KI2 defines Shift_JIS
    /// for `.kif` and `.ki2`, UTF-8 for `.kifu` and `.ki2u`. All other files are UTF-8.
    pub fn from_file_name(path: &Path) -> TextEncoding {
        match format::extension(path).as_deref() {
            Some("kif" | "ki2") => TextEncoding::ShiftJis,
            _ => TextEncoding::Utf8,
        }
    }

    /// Whether records of a format can be written in this encoding.
    pub fn fits(self, format: Format) -> bool {
        self == TextEncoding::Utf8 || matches!(format, Format::Csa | Format::Kif | Format::Ki2)
    }

    /// The line that declares the encoding in records of this format; `None` if the format has
    /// none.
    pub(super) fn declaration(self, format: Format) -> Option<String> {
        match format {
            Format::Csa => Some(format!("'CSA encoding={}\n", self.name().to_ascii_uppercase())),
            Format::Kif | Format::Ki2 => {
                Some(format!("#KIF version=2.0 encoding={}\n", self.name()))
            }
            _ => None,
        }
    }

    /// The bytes of a text, and the number of its characters that the encoding lacks.
    pub(super) fn encode(self, text: &str) -> (Vec<u8>, usize) {
        if self == TextEncoding::Utf8 {
            return (text.as_bytes().to_vec(), 0);
        }
        let twin = |c: char| TWINS.into_iter().find(|(from, _)| *from == c);
        let mut missing = 0;
        let text: String = text
            .chars()
            .map(|c| {
                let twin = twin(c);
                missing += usize::from(twin.is_some());
                twin.map_or(c, |(_, to)| to)
            })
            .collect();
        let (mut bytes, mut rest) = (Vec::new(), text.as_str());
        let mut encoder = SHIFT_JIS.new_encoder();
        loop {
            bytes.reserve(2 * rest.len() + 16);
            let (result, read) =
                encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
            rest = &rest[read..];
            match result {
                EncoderResult::InputEmpty => return (bytes, missing),
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(_) => {
                    bytes.extend(MISSING);
                    missing += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::decode_line;

    #[test]
    fn characters_that_shift_jis_lacks_are_counted() {
        let encode = |text: &str| {
            let (bytes, missing) = TextEncoding::ShiftJis.encode(text);
            (decode_line(&bytes).into_owned(), missing)
        };
        assert_eq!(encode("先手：羽生　ﾕｶ"), ("先手：羽生　ﾕｶ".to_owned(), 0));
        assert_eq!(encode("a☗b😀c"), ("a〓b〓c".to_owned(), 2));
        assert_eq!(encode("9〜10"), ("9～10".to_owned(), 1));
        assert_eq!(TextEncoding::Utf8.encode("☗"), ("☗".as_bytes().to_vec(), 0));
    }

    #[test]
    fn file_names_promise_an_encoding() {
        for (name, encoding) in [
            ("x.kif", TextEncoding::ShiftJis),
            ("x.KI2.zst", TextEncoding::ShiftJis),
            ("x.kifu", TextEncoding::Utf8),
            ("x.ki2u", TextEncoding::Utf8),
            ("x.csa", TextEncoding::Utf8),
            ("x", TextEncoding::Utf8),
        ] {
            assert_eq!(TextEncoding::from_file_name(Path::new(name)), encoding, "{name}");
        }
    }
}
