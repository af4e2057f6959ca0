//! Texts in English and Japanese. [`texts`](super::texts) has the table of all of them.

use std::fmt::{Display, Write};

/// A language of printed texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Language {
    /// English
    #[value(name = "en")]
    English,
    /// 日本語
    #[value(name = "ja")]
    Japanese,
}

impl Language {
    /// The code of the language in HTML and on the command line: `en` or `ja`.
    pub fn code(self) -> &'static str {
        self.choose("en", "ja")
    }

    /// Chooses between the two languages.
    pub fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }
}

/// A text with `N` values, in both languages. `{0}` is the place of the first value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<const N: usize> {
    english: &'static str,
    japanese: &'static str,
}

/// A row of the table. The compiler checks that both languages exist and name the same values.
pub(super) const fn text<const N: usize>(english: &'static str, japanese: &'static str) -> Text<N> {
    assert!(english.is_ascii() && !japanese.is_ascii(), "English comes first, then Japanese");
    let all = (1 << N) - 1;
    assert!(values(english) == all, "the English text must name all values");
    assert!(values(japanese) == all, "the Japanese text must name all values");
    Text { english, japanese }
}

/// The values that a text names: bit n is set if `{n}` occurs.
const fn values(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let (mut at, mut found) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'{' {
            assert!(bytes[at + 2] == b'}', "a value has one digit");
            found |= 1 << (bytes[at + 1] - b'0');
        }
        at += 1;
    }
    found
}

impl<const N: usize> Text<N> {
    /// The text with its places for values.
    pub fn template(self, language: Language) -> &'static str {
        language.choose(self.english, self.japanese)
    }

    /// The text with these values.
    pub fn with(self, language: Language, values: [&dyn Display; N]) -> String {
        let mut parts = self.template(language).split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (number, rest) = part.split_at(1);
            let number: usize = number.parse().expect("the compiler checked the digit");
            let _ = write!(filled, "{}{}", values[number], &rest[1..]);
        }
        filled
    }
}

impl<const N: usize> Text<N> {
    /// The text for a script, which puts the values in their places.
    pub(super) const fn for_script(self) -> Text<0> {
        Text { english: self.english, japanese: self.japanese }
    }
}

impl Text<0> {
    /// The text.
    pub fn get(self, language: Language) -> &'static str {
        self.template(language)
    }
}

impl Text<1> {
    /// The text with a number, in the English plural unless the number is 1: `2 mates`.
    pub fn count(self, language: Language, number: usize) -> String {
        let plural = if number == 1 { "" } else { "s" };
        self.with(language, [&number]) + language.choose(plural, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_placed_in_the_order_of_the_language() {
        const TEXT: Text<2> = text("{0} of {1}", "{1}の{0}");
        assert_eq!(TEXT.with(Language::English, [&"move", &"game"]), "move of game");
        // A value is not searched for places.
        assert_eq!(TEXT.with(Language::Japanese, [&"{1}", &"棋譜"]), "棋譜の{1}");
    }

    #[test]
    fn numbers_have_a_plural_in_english() {
        const MATES: Text<1> = text("{0} mate", "詰み{0}題");
        let counts = [0, 1, 2].map(|number| MATES.count(Language::English, number));
        assert_eq!(counts, ["0 mates", "1 mate", "2 mates"]);
        assert_eq!(MATES.count(Language::Japanese, 2), "詰み2題");
    }
}
