//! The list of the pages of several games.

use std::fmt::Write;
use std::path::PathBuf;

use crate::cli::analyze::review::{Mark, Review};
use crate::cli::analyze::table::{ending, player};
use crate::cli::html::{self, escaped, fill};
use crate::command::language::{Language, Text};
use crate::command::texts;
use crate::shogi::Color;

const INDEX: &str = include_str!("../../../web/analysis/index.html");

/// Width and height of the curve of a game, pixels.
const CURVE: (f64, f64) = (120.0, 32.0);

/// A page with a row for each game and links to the files of their pages, which are next to it.
pub(in crate::cli::analyze) fn index(
    reviews: &[Review<'_>],
    files: &[PathBuf],
    language: Language,
) -> String {
    let mut headings = String::new();
    let columns: [(Text<0>, &str); 7] = [
        (texts::INDEX_NUMBER, "number"),
        (texts::PLAYERS, ""),
        (texts::INDEX_DATE, "wide"),
        (texts::ENDING, "wide"),
        (texts::INDEX_CURVE, ""),
        (texts::ACCURACY_OF_BOTH, "number"),
        (texts::MARKS, "wide"),
    ];
    for (name, class) in columns {
        let _ = write!(headings, "<th class=\"{class}\">{}</th>", name.get(language));
    }
    let mut rows = String::new();
    for (number, (review, file)) in (1..).zip(reviews.iter().zip(files)) {
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        rows += &row(number, review, &escaped(&file), language);
    }
    let title = texts::INDEX_TITLE.count(language, reviews.len());
    let values = [
        ("language", language.code()),
        ("head", html::HEAD),
        ("title", title.as_str()),
        ("columns", &headings),
        ("rows", &rows),
    ];
    fill(INDEX, &values)
}

/// The row of a game, with a link to a file.
fn row(number: usize, review: &Review<'_>, file: &str, language: Language) -> String {
    let game = review.game;
    let [black, white] = Color::ALL.map(|color| escaped(player(game, color, language)));
    let date = escaped(game.header.date.as_deref().unwrap_or_default());
    let ending = escaped(&ending(game, language));
    let sides = Color::ALL.map(|color| review.side(color));
    let [of_black, of_white] = sides
        .map(|side| side.accuracy.map_or_else(String::new, |accuracy| format!("{accuracy:.1}")));
    let mut marks = Vec::new();
    for (mark, _) in Mark::ALL {
        let [black, white] = sides.map(|side| side.marks[mark as usize]);
        let (class, name) = (mark.name(Language::English), mark.name(language));
        marks.push(format!("<span class=\"{class}\">{name} {black}-{white}</span>"));
    }
    let (curve, marks) = (curve(review), marks.join(" "));
    format!(
        "<tr><td class=\"number\">{number}</td><td><a href=\"{file}\">▲ {black}<br>△ {white}</a></td>\
         <td class=\"wide\">{date}</td><td class=\"wide\">{ending}</td><td>{curve}</td>\
         <td class=\"number\">{of_black}<br>{of_white}</td>\
         <td class=\"wide marks\">{marks}</td></tr>\n"
    )
}

/// Black's winning probability as a small curve.
fn curve(review: &Review<'_>) -> String {
    let (chances, (width, height)) = (review.black_chances(), CURVE);
    let step = width / (chances.len().max(2) - 1) as f64;
    let point = |(ply, chance): (usize, &f64)| {
        format!("{:.1},{:.1}", step * ply as f64, height * (1.0 - chance))
    };
    let points: Vec<String> = chances.iter().enumerate().map(point).collect();
    let (points, middle) = (points.join(" "), height / 2.0);
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <path d=\"M0 {middle}H{width}\" stroke=\"#c9ccd3\"/>\
         <polyline points=\"{points}\" fill=\"none\" stroke=\"#2c3440\" stroke-width=\"1.5\"/></svg>"
    )
}
