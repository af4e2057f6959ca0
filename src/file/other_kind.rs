//! Files that are neither records nor books of a supported format, recognized by their first bytes,
//! so that messages can name them.

use std::path::Path;

/// First bytes of files, and the kind of these files. The archives of LHA have their mark in byte 2.
const MARKS: [(usize, &[u8], &str); 11] = [
    (0, b"\xfd7zXZ\0", "an xz file (unpack it)"),
    (0, b"PK\x03\x04", "a zip file (unpack it)"),
    (0, b"\x1f\x8b", "a gzip file (unpack it)"),
    (0, b"BZh", "a bzip2 file (unpack it)"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z file (unpack it)"),
    (0, b"Rar!\x1a\x07", "a rar file (unpack it)"),
    (2, b"-lh", "an lzh file (unpack it)"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd file (unpack it)"),
    (0, b"\xff\xfe", "text in UTF-16 (save it as UTF-8)"),
    (0, b"\xfe\xff", "text in UTF-16 (save it as UTF-8)"),
    (0, b"SQLite format 3\0", "a database of SQLite"),
];

/// Tags of the fields of a book of ShogiGUI: author, description, positions.
const SBK_TAGS: [u8; 3] = [0x0a, 0x12, 0x1a];
/// Most bytes of the length of a field.
const LONGEST_LENGTH: usize = 4;

/// The kind of a file that no reader supports, by its name and first bytes; `None` if it is
/// unknown.
pub fn other_kind(path: &Path, head: &[u8]) -> Option<&'static str> {
    let has_mark = |(at, mark, _): &(usize, &[u8], _)| {
        head.get(*at..).is_some_and(|rest| rest.starts_with(mark))
    };
    let marked = MARKS.into_iter().find(has_mark).map(|(.., kind)| kind);
    let is_named = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("sbk"));
    marked.or_else(|| (is_named || is_sbk(head)).then_some("a book of ShogiGUI (.sbk)"))
}

/// Whether the bytes start a book of ShogiGUI: a message of Protocol Buffers whose fields all have
/// a length. The numbers in it have bytes that no text has.
fn is_sbk(head: &[u8]) -> bool {
    let mut rest = head;
    while let [tag, behind @ ..] = rest {
        let digits = behind.iter().take(LONGEST_LENGTH).position(|byte| byte & 0x80 == 0);
        if !SBK_TAGS.contains(tag) || (digits.is_none() && behind.len() >= LONGEST_LENGTH) {
            return false;
        }
        // The head is cut within the length of its last field.
        let Some(last) = digits else { break };
        let value = |sum, byte: &u8| sum << 7 | usize::from(byte & 0x7f);
        let length = behind[..=last].iter().rev().fold(0_usize, value);
        rest = behind[last + 1..].get(length..).unwrap_or_default();
    }
    head.iter().any(|byte| *byte < b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_their_first_bytes() {
        for (head, kind) in [
            (&b"\xfd7zXZ\0\0\x04"[..], "an xz file"),
            (b"PK\x03\x04\x14\0", "a zip file"),
            (b"\x1f\x8b\x08\0", "a gzip file"),
            (b"\x22\x10-lh5-", "an lzh file"),
            (b"\xff\xfe#\0Y\0", "text in UTF-16"),
            (b"\x12\x04\x08\x05\x10\x07\x12\x02\x08\x01", "a book of ShogiGUI"),
            // The last field is cut, and a field has a long length.
            (b"\x0a\x02me\x12\x85\x01\x08\x05\x10\x07", "a book of ShogiGUI"),
        ] {
            assert!(
                other_kind(Path::new("x"), head).is_some_and(|found| found.starts_with(kind)),
                "{kind}"
            );
        }
        for head in [
            &b""[..],
            b"#YANEURAOU-DB2016 1.00\n",
            b"\n\n\nsfen 9/9",
            b"\n\x02ab\x08",
            b"\x00\x01\x02",
            "手合割：平手\n".as_bytes(),
        ] {
            assert_eq!(other_kind(Path::new("x.gz"), head), None, "{head:?}");
        }
        assert!(other_kind(Path::new("x.SBK"), b"\x0a").is_some());
    }
}
