//! Parts of messages: quoted texts that users write, and numbers of things. Also splits a text into the
//! words of a command line.

/// Number of characters of a text that a message shows.
const MOST_SHOWN: usize = 80;

/// A text for a message: in quotation marks, with control characters escaped, and cut to at most 80
/// characters, because a line of a binary file can have the length of the file. Three dots after
/// the closing mark stand for the rest.
///
/// ```
/// use kankei::quote::quoted;
/// assert_eq!(quoted("7g7\t"), r#""7g7\t""#);
/// assert_eq!(quoted(&"x".repeat(99)), format!("\"{}\"...", "x".repeat(80)));
/// ```
pub fn quoted(text: &str) -> String {
    let mut shown = 0;
    let first_hidden = text.char_indices().find(|&(_, c)| {
        shown += if c == '\'' { 1 } else { c.escape_debug().len() };
        shown > MOST_SHOWN
    });
    match first_hidden {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// A number of things.
///
/// ```
/// use kankei::quote::count;
/// assert_eq!([0, 1, 2].map(|n| count(n, "game")), ["0 games", "1 game", "2 games"]);
/// ```
pub fn count(number: usize, name: &str) -> String {
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
}

/// The text of another program, such as the message of a library, without quotation marks. More
/// than 160 characters are cut to the first 80 and the last 40.
pub fn shortened(text: &str) -> String {
    if cut(text, 2 * MOST_SHOWN).1.is_empty() {
        return text.to_owned();
    }
    let (shown, dots) = cut(text, MOST_SHOWN);
    let end = text.char_indices().rev().nth(MOST_SHOWN / 2 - 1).map_or(0, |(at, _)| at);
    format!("{shown}{dots}{}", &text[end..])
}

/// The first `most` characters, and three dots if there are more.
fn cut(text: &str, most: usize) -> (&str, &'static str) {
    match text.char_indices().nth(most) {
        Some((end, _)) => (&text[..end], "..."),
        None => (text, ""),
    }
}

/// The words of a command line; `None` if a quotation mark is not closed.
///
/// Blanks separate words. Between two quotation marks of a kind, `'` or `"`, all characters count
/// as they are. A backslash before a blank or a quotation mark makes it part of a word. Unlike in a
/// shell, every other backslash counts as it is, because paths of Windows have them.
///
/// ```
/// use kankei::quote::split;
/// let words = split(r#"C:\my\engine.exe 'a b' eval="c d"/e\ f"#);
/// assert_eq!(words.unwrap(), [r"C:\my\engine.exe", "a b", "eval=c d/e f"]);
/// assert_eq!(split("it's"), None);
/// ```
pub fn split(line: &str) -> Option<Vec<String>> {
    let is_special = |c: &char| c.is_ascii_whitespace() || ['\'', '"'].contains(c);
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match c {
            '\'' | '"' => loop {
                match chars.next()? {
                    end if end == c => break,
                    inside => word.push(inside),
                }
            },
            '\\' => word.push(chars.next_if(is_special).unwrap_or(c)),
            _ => word.push(c),
        }
    }
    words.extend(word);
    Some(words)
}

/// A word in a form that [`split`] and Unix shells read as one word.
pub fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "%+,-./:=@_".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        let words =
            ["kankei", "", "a b", "it's", r"C:\x y\z", "\"", "eval=将/棋", "a\tb", "$HOME *"];
        let line: Vec<String> = words.iter().map(|text| word(text)).collect();
        assert_eq!(split(&line.join(" ")).expect("closed"), words);
        assert_eq!(line[0], "kankei");
    }

    #[test]
    fn blanks_and_marks_separate_words_as_in_a_shell() {
        for (line, words) in [
            ("", &[][..]),
            ("  a \t b\n", &["a", "b"]),
            (r#"'a b'c "d 'e'""#, &["a bc", "d 'e'"]),
            (r"a\ b \'c \\share\x d\", &["a b", "'c", r"\\share\x", r"d\"]),
            (r"'a\' b", &[r"a\", "b"]),
        ] {
            assert_eq!(split(line).expect(line), words, "{line}");
        }
        for open in ["'", "a 'b", r#"a" b"#, r#"'a"'""#] {
            assert_eq!(split(open), None, "{open}");
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let line = "棋".repeat(81);
        assert_eq!(quoted(&line), format!("\"{}\"...", "棋".repeat(80)));
        assert_eq!(quoted(&line["棋".len()..]), format!("\"{}\"", "棋".repeat(80)));
        assert_eq!(quoted(&"\u{1}".repeat(99)), format!("\"{}\"...", "\\u{1}".repeat(16)));
        let long = format!("{}{}", line.repeat(2), "将".repeat(40));
        let expected = format!("{}...{}", "棋".repeat(80), "将".repeat(40));
        assert_eq!((shortened(&line), shortened(&long)), (line, expected));
    }
}
