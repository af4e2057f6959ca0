//! Header lines of CSA: `N+NAME` and `$KEY:value`.
//!
//! CSA defines the form of dates (`2020/01/02` or `2020/01/02 03:04:05`) and of time limits
//! (`00:25+30`: 25 minutes, then 30 seconds a move). Other formats have free text. What cannot be
//! converted is written as a comment, like keys that CSA does not have: `'$TIME_LIMIT:...`.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use crate::record::Header;
use crate::record::notation::csa::sign;
use crate::record::notation::words::eat;
use crate::record::text::one_line;
use crate::shogi::Color;

/// `$` keys and the fields of [`Header`] that store them.
const KEYS: [(&str, &str); 2] = [("EVENT", "event"), ("START_TIME", "date")];

/// Words in a time limit that change nothing.
const FILLERS: [&str; 10] = ["各", "持ち時間", "切れ負け", "ずつ", "、", ",", "。", " ", "(", ")"];

/// Words in a time limit before the seconds for each move.
const BEFORE_SECONDS: [&str; 8] =
    ["切れたら", "秒読み", "一手につき", "1手につき", "一手", "1手", "以降", "+"];

/// Sets a header field by its key in CSA.
pub fn set(header: &mut Header, key: &str, value: &str) {
    let known = KEYS.into_iter().find(|&(name, _)| name == key);
    let key = known.map_or_else(|| key.to_ascii_lowercase(), |(_, key)| key.to_owned());
    header.set(&key, value);
}

/// Writes the header.
pub fn write(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    for (color, name) in Color::ALL.into_iter().zip(&header.players) {
        if let Some(name) = name {
            writeln!(out, "N{}{}", sign(color), one_line(name))?;
        }
    }
    for (name, key) in KEYS {
        if let Some(value) = header.get(key) {
            write_field(name, value, out)?;
        }
    }
    header.fields.iter().try_for_each(|(key, value)| write_field(key, value, out))
}

fn write_field(key: &str, value: &str, out: &mut dyn Write) -> io::Result<()> {
    let (key, value) = (one_line(key).to_ascii_uppercase(), one_line(value));
    let is_key = key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_+-".contains(&b));
    let converted = match key.as_str() {
        "START_TIME" | "END_TIME" => date(&value),
        "TIME_LIMIT" => time_limit(&value),
        _ => Some(value.clone()).filter(|_| is_key),
    };
    match converted {
        Some(value) => writeln!(out, "${key}:{value}"),
        None => writeln!(out, "'${key}:{value}"),
    }
}

/// The text with ASCII characters in place of wide ones.
fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '　' => ' ',
        '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    };
    text.trim().chars().map(narrow).collect()
}

/// Removes one of these words from the front. Returns whether one was there.
fn eat_any(text: &mut &str, words: &[&str]) -> bool {
    words.iter().any(|word| eat(text, word))
}

/// Removes a number of up to four digits from the front. Returns it if it is in the range.
fn number(text: &mut &str, range: RangeInclusive<u32>) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.parse().ok().filter(|number| end <= 4 && range.contains(number))
}

/// Removes a day of the week from the front: `(月)`, `月曜日`.
fn skip_weekday(text: &mut &str) {
    let mut rest = *text;
    let is_in_parentheses = eat(&mut rest, "(");
    if eat_any(&mut rest, &["月", "火", "水", "木", "金", "土", "日"]) {
        eat_any(&mut rest, &["曜日", "曜"]);
        eat_any(&mut rest, &["・祝", "祝"]);
        if !is_in_parentheses || eat(&mut rest, ")") {
            *text = rest.trim_start();
        }
    }
}

/// A date in the form of CSA; `None` if the text is not a date.
fn date(text: &str) -> Option<String> {
    let text = narrow(text);
    let rest = &mut text.as_str();
    let year = number(rest, 1_000..=9_999)?;
    eat_any(rest, &["/", "-", ".", "年"]).then_some(())?;
    let month = number(rest, 1..=12)?;
    eat_any(rest, &["/", "-", ".", "月"]).then_some(())?;
    let day = number(rest, 1..=31)?;
    eat(rest, "日");
    *rest = rest.trim_start();
    skip_weekday(rest);
    eat(rest, "T");
    let date = format!("{year}/{month:02}/{day:02}");
    if rest.is_empty() {
        return Some(date);
    }
    let hour = number(rest, 0..=23)?;
    let is_full_hour = eat(rest, "時") && rest.is_empty();
    eat(rest, ":");
    let minute = if is_full_hour { 0 } else { number(rest, 0..=59)? };
    eat_any(rest, &[":", "分"]);
    let second = if rest.is_empty() { 0 } else { number(rest, 0..=59)? };
    eat(rest, "秒");
    rest.is_empty().then(|| format!("{date} {hour:02}:{minute:02}:{second:02}"))
}

/// A time limit in the form of CSA: the time of a game, then the seconds of each move after it;
/// `None` if the text is neither.
fn time_limit(text: &str) -> Option<String> {
    let text = narrow(text);
    if is_csa_limit(&text) {
        return Some(text);
    }
    let rest = &mut text.as_str();
    let (mut minutes, mut seconds, mut is_for_moves) = (None, None, false);
    loop {
        while eat_any(rest, &FILLERS) {}
        if eat_any(rest, &BEFORE_SECONDS) {
            is_for_moves = true;
            continue;
        }
        if rest.is_empty() {
            break;
        }
        let value = number(rest, 0..=9_999)?;
        if minutes.is_none() && eat(rest, "時間") {
            minutes = Some(60 * value + if eat(rest, "半") { 30 } else { 0 });
        } else if seconds.is_none() && eat(rest, "分") {
            minutes = Some(minutes.unwrap_or(0) + value);
        } else if seconds.is_none() && (is_for_moves || value == 0) && eat(rest, "秒") {
            seconds = Some(value);
        } else {
            return None;
        }
    }
    let seconds = seconds.or(minutes.map(|_| 0))?;
    let (hours, minutes) = (minutes.unwrap_or(0) / 60, minutes.unwrap_or(0) % 60);
    (hours <= 99 && seconds <= 99).then(|| format!("{hours:02}:{minutes:02}+{seconds:02}"))
}

/// Whether a time limit has the form of CSA: `00:25+30`.
fn is_csa_limit(text: &str) -> bool {
    let is_place =
        |(c, place): (char, char)| if place == '0' { c.is_ascii_digit() } else { c == place };
    text.len() == 8 && text.chars().zip("00:00+00".chars()).all(is_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_the_form_of_csa() {
        for (text, expected) in [
            ("2024/05/06", "2024/05/06"),
            ("2024/05/06 09:00:05", "2024/05/06 09:00:05"),
            ("2024/05/06 09:00", "2024/05/06 09:00:00"),
            ("2024/5/6 9:00:00", "2024/05/06 09:00:00"),
            ("2024/05/06(月) 18:30:05", "2024/05/06 18:30:05"),
            ("2024/05/06（月）", "2024/05/06"),
            ("２０２４／０５／０６　１８：３０", "2024/05/06 18:30:00"),
            ("2024-05-06T18:30:05", "2024/05/06 18:30:05"),
            ("2024年5月6日 9時5分", "2024/05/06 09:05:00"),
            ("2024年5月6日月曜日9時", "2024/05/06 09:00:00"),
            ("2024.05.06", "2024/05/06"),
        ] {
            assert_eq!(date(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "9:00:00",
            "2005/11/29･30日",
            "2024/13/06",
            "2024/05/06 25:00",
            "24/05/06",
            "令和6年5月6日",
            "2024年",
            "2024/05/06 (昼)",
            "2024-05-06T18:30:05+09:00",
            "",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn time_limits_have_the_form_of_csa() {
        for (text, expected) in [
            ("00:25+00", "00:25+00"),
            ("6時間", "06:00+00"),
            ("25分", "00:25+00"),
            ("各5時間", "05:00+00"),
            ("各５時間", "05:00+00"),
            ("1時間01分", "01:01+00"),
            ("1時間半", "01:30+00"),
            ("90分", "01:30+00"),
            ("15分、切れたら1手60秒", "00:15+60"),
            ("各10分（切れたら一手30秒）", "00:10+30"),
            ("10分+30秒", "00:10+30"),
            ("0分 秒読み30秒", "00:00+30"),
            ("1手30秒", "00:00+30"),
            ("20分切れ負け", "00:20+00"),
        ] {
            assert_eq!(time_limit(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "なし", "15分60秒", "100時間", "30秒", "5分/10手", "1手120秒", "1:00:00"]
        {
            assert_eq!(time_limit(text), None, "{text}");
        }
    }
}
