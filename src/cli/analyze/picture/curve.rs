//! The curve of Black's winning probability as SVG, with labels that stay at their points.

use std::fmt::Write;

use crate::cli::html::escaped;
use crate::command::language::Language;
use crate::command::texts;

/// Colors of the dots.
pub(super) const MISTAKE: &str = "#c05000";
pub(super) const BLUNDER: &str = "#b00020";

/// A curve to draw.
pub(super) struct Curve<'a> {
    /// The probability before each move and at the end, 0 to 1.
    pub chances: &'a [f64],
    /// The most important label first.
    pub labels: &'a [Label],
    /// The position that is drawn next to the curve.
    pub shown: usize,
    pub language: Language,
}

/// A marked position of the curve.
pub(super) struct Label {
    pub at: usize,
    pub is_blunder: bool,
    /// `None` for a dot without a text.
    pub text: Option<String>,
}

/// Left, top, right and bottom.
type Area = [f64; 4];

impl Curve<'_> {
    /// Draws the curve in an area, with its axes outside of the area.
    pub fn draw(&self, svg: &mut String, area: Area) {
        let [left, top, right, bottom] = area;
        let points: Vec<(f64, f64)> =
            (0..self.chances.len()).map(|n| self.point(area, n)).collect();
        self.draw_axes(svg, area);
        let middle = (top + bottom) / 2.0;
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let line = line.join(" ");
        let end = points.last().map_or(left, |point| point.0);
        for (name, color, y, height) in
            [("above", "#4a5568", top, middle - top), ("below", "#e8b77a", middle, bottom - middle)]
        {
            let _ = writeln!(
                svg,
                "<clipPath id=\"{name}\"><rect x=\"{left}\" y=\"{y}\" width=\"{}\" \
                 height=\"{height}\"/></clipPath><polygon clip-path=\"url(#{name})\" \
                 points=\"{left},{middle} {line} {end:.1},{middle}\" fill=\"{color}\" opacity=\".6\"/>",
                right - left
            );
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{line}\" fill=\"none\" stroke=\"#2c3440\" stroke-width=\"1.6\"/>"
        );
        let shown = self.point(area, self.shown).0;
        let _ = writeln!(
            svg,
            "<path d=\"M{shown:.1} {top}V{bottom}\" stroke=\"#1667d0\" stroke-dasharray=\"4 3\"/>"
        );
        self.draw_labels(svg, area, &points);
    }

    fn point(&self, [left, top, right, bottom]: Area, ply: usize) -> (f64, f64) {
        let last = self.chances.len().saturating_sub(1).max(1);
        let chance = self.chances.get(ply).copied().unwrap_or(0.5);
        (left + (right - left) * ply as f64 / last as f64, bottom - (bottom - top) * chance)
    }

    fn draw_axes(&self, svg: &mut String, area: Area) {
        let [left, top, right, bottom] = area;
        let text = |svg: &mut String, x: f64, y: f64, anchor: &str, text: &str| {
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"12\" fill=\"#667\" \
                 text-anchor=\"{anchor}\">{text}</text>"
            );
        };
        for percent in [0, 25, 50, 75, 100] {
            let y = bottom - (bottom - top) * f64::from(percent) / 100.0;
            let color = if percent == 50 { "#9aa0ab" } else { "#e1e3e8" };
            let _ = writeln!(svg, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"{color}\"/>");
            text(svg, left - 7.0, y + 4.0, "end", &format!("{percent} %"));
        }
        let step = [5, 10, 20, 50, 100, 200].into_iter();
        let step = step.clone().find(|step| self.chances.len() / step <= 8).unwrap_or(500);
        for ply in (0..self.chances.len()).step_by(step) {
            let x = self.point(area, ply).0;
            let _ = writeln!(svg, "<path d=\"M{x:.1} {bottom}v4\" stroke=\"#9aa0ab\"/>");
            text(svg, x, bottom + 18.0, "middle", &ply.to_string());
        }
        text(svg, right, bottom + 36.0, "end", texts::MOVE_NUMBER.get(self.language));
        text(svg, left, top - 12.0, "start", texts::CHANCE_AXIS.get(self.language));
    }

    /// Draws the dots, and each label near its dot where it covers no other label and, if possible,
    /// not the curve. A label without a place is left out.
    fn draw_labels(&self, svg: &mut String, area: Area, points: &[(f64, f64)]) {
        let mut used: Vec<Area> = Vec::new();
        for label in self.labels {
            let (x, y) = self.point(area, label.at);
            let color = if label.is_blunder { BLUNDER } else { MISTAKE };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{color}\" stroke=\"#fff\"/>"
            );
            let Some(text) = &label.text else { continue };
            let Some(place) = place((x, y), text_width(text), area, points, &used) else {
                continue;
            };
            let (text, [left, _, _, bottom]) = (escaped(text), place);
            let _ = writeln!(
                svg,
                "<text x=\"{left:.1}\" y=\"{:.1}\" font-size=\"13\" stroke=\"#fff\" \
                 stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\">{text}</text>",
                bottom - 4.0
            );
            used.push(place);
        }
    }
}

/// Height of a label.
const LINE: f64 = 17.0;
/// Distances of a label from its point. A label is never further away.
const DISTANCES: [f64; 4] = [6.0, 14.0, 24.0, 36.0];

/// The place of a label of this width next to a point.
fn place(
    (x, y): (f64, f64),
    width: f64,
    area: Area,
    curve: &[(f64, f64)],
    used: &[Area],
) -> Option<Area> {
    let at = |left: f64, top: f64| [left, top, left + width, top + LINE];
    let near = DISTANCES.into_iter().flat_map(|d| {
        let (above, below) = (y - d - LINE, y + d);
        [
            at(x + 4.0, above),
            at(x - width - 4.0, above),
            at(x + 4.0, below),
            at(x - width - 4.0, below),
            at(x + d, y - LINE / 2.0),
            at(x - width - d, y - LINE / 2.0),
        ]
    });
    let is_inside = |place: &Area| {
        place[0] >= area[0] && place[1] >= area[1] && place[2] <= area[2] && place[3] <= area[3]
    };
    let is_free = |place: &Area| !used.iter().any(|other| overlap(place, other));
    let places: Vec<Area> = near.filter(|place| is_inside(place) && is_free(place)).collect();
    let is_off = |place: &&Area| !curve.windows(2).any(|two| crosses(place, two[0], two[1]));
    places.iter().find(is_off).or(places.first()).copied()
}

fn overlap(a: &Area, b: &Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Whether a part of the curve between two of its points passes through a place.
fn crosses(place: &Area, from: (f64, f64), to: (f64, f64)) -> bool {
    (0..=8).any(|n| {
        let part = f64::from(n) / 8.0;
        let (x, y) = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
        place[0] <= x && x <= place[2] && place[1] <= y && y <= place[3]
    })
}

/// Approximate width of a label.
fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if c >= '\u{2500}' { 13.5 } else { 7.8 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stay_at_their_points_and_apart() {
        let area = [0.0, 0.0, 400.0, 200.0];
        let curve = [(0.0, 100.0), (100.0, 100.0), (110.0, 180.0), (390.0, 20.0)];
        let mut used = Vec::new();
        for point in [(100.0, 100.0), (102.0, 101.0), (110.0, 180.0), (390.0, 5.0), (0.0, 199.0)] {
            let place = place(point, 80.0, area, &curve, &used).expect("a place");
            let [left, top, right, bottom] = place;
            assert!(left >= 0.0 && top >= 0.0 && right <= 400.0 && bottom <= 200.0, "{place:?}");
            let far =
                (left - point.0).max(point.0 - right).max(top - point.1).max(point.1 - bottom);
            assert!(far <= 36.0, "{far}: {place:?}");
            assert!(used.iter().all(|other| !overlap(&place, other)), "{place:?}");
            used.push(place);
        }
        // Without a place, there is no label.
        assert_eq!(place((10.0, 10.0), 500.0, area, &curve, &[]), None);
    }
}
