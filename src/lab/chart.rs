//! Charts as SVG: bars and curves.

use std::error::Error;
use std::ops::Range;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// A chart of groups of bars.
pub(crate) struct BarChart<'a> {
    pub title: &'a str,
    /// Meaning of the height, with its unit.
    pub height: &'a str,
    /// Names of the bars of each group, in order.
    pub bars: &'a [&'a str],
    /// Name of each group and the heights of its bars.
    pub groups: &'a [(String, Vec<f64>)],
}

/// A chart of curves over one variable.
pub(crate) struct LineChart<'a> {
    pub title: &'a str,
    /// Meaning of the horizontal axis.
    pub x: &'a str,
    /// Meaning of the vertical axis.
    pub y: &'a str,
    pub curves: &'a [Curve],
}

/// One curve.
pub(crate) struct Curve {
    pub name: String,
    /// In the order of x.
    pub points: Vec<(f64, f64)>,
}

const SIZE: (u32, u32) = (760, 420);
/// Height of a row of the legend, pixels.
const LEGEND_ROW: i32 = 20;
const TEXT: (&str, i32) = ("sans-serif", 14);
const COLORS: [RGBColor; 7] = [
    RGBColor(68, 119, 170),
    RGBColor(204, 102, 119),
    RGBColor(34, 136, 51),
    RGBColor(187, 187, 68),
    RGBColor(102, 204, 238),
    RGBColor(170, 51, 119),
    RGBColor(120, 120, 120),
];

impl BarChart<'_> {
    /// The chart as SVG text.
    pub fn to_svg(&self) -> String {
        let heights = self.groups.iter().flat_map(|(_, heights)| heights);
        let top = heights.fold(0.0, |a: f64, &b| a.max(b)).max(1e-9) * 1.1;
        let names = self.bars.iter().map(|bar| (*bar).to_owned());
        let legend: Vec<LegendEntry> = names.zip(COLORS.into_iter().cycle()).collect();
        let x = 0.0..self.groups.len() as f64;
        to_svg(self.title, &legend, x, 0.0..top, |chart| self.draw(chart))
    }

    fn draw(&self, chart: &mut Chart<'_, '_>) -> Drawn {
        let name = |x: &f64| {
            let group = self.groups.get(x.floor().max(0.0) as usize);
            group.filter(|_| (x.fract() - 0.5).abs() < 0.01).map_or(String::new(), |g| g.0.clone())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(2 * self.groups.len() + 1)
            .x_label_formatter(&name)
            .y_label_formatter(&number)
            .max_light_lines(1)
            .y_desc(self.height)
            .label_style(TEXT)
            .draw()?;
        let step = 0.8 / self.bars.len().max(1) as f64;
        for (n, color) in COLORS.into_iter().cycle().take(self.bars.len()).enumerate() {
            let boxes = self.groups.iter().enumerate().filter_map(|(g, (_, heights))| {
                let left = g as f64 + 0.1 + n as f64 * step;
                let height = *heights.get(n)?;
                Some(Rectangle::new([(left, 0.0), (left + step * 0.95, height)], color.filled()))
            });
            chart.draw_series(boxes)?;
        }
        Ok(())
    }
}

impl LineChart<'_> {
    /// The chart as SVG text.
    pub fn to_svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let (x, y) = (points().map(|point| point.0), points().map(|point| point.1));
        let names = self.curves.iter().map(|curve| curve.name.clone());
        let legend: Vec<LegendEntry> = names.zip(COLORS.into_iter().cycle()).collect();
        to_svg(self.title, &legend, range(x), range(y), |chart| self.draw(chart))
    }

    fn draw(&self, chart: &mut Chart<'_, '_>) -> Drawn {
        let mut mesh = chart.configure_mesh();
        mesh.x_label_formatter(&number).y_label_formatter(&number).max_light_lines(1);
        mesh.x_desc(self.x).y_desc(self.y).label_style(TEXT).draw()?;
        for (curve, color) in self.curves.iter().zip(COLORS.into_iter().cycle()) {
            let line = [PathElement::new(curve.points.clone(), color.stroke_width(2))];
            chart.draw_series(line)?;
        }
        Ok(())
    }
}

/// Approximate width of a text in [`TEXT`], pixels.
fn text_width(text: &str) -> i32 {
    text.chars().map(|c| if c >= '\u{2e80}' { 14 } else { 8 }).sum()
}

/// A number of an axis, without useless decimals.
fn number(value: &f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Name and color of a series.
type LegendEntry = (String, RGBColor);

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn Error>>;

/// A chart with these axes, the series drawn by `draw`, and a legend below the plot.
fn to_svg(
    title: &str,
    legend: &[LegendEntry],
    x: Range<f64>,
    y: Range<f64>,
    draw: impl FnOnce(&mut Chart<'_, '_>) -> Drawn,
) -> String {
    let places = legend_places(legend);
    let rows = places.last().map_or(0, |&(_, row)| row + 1);
    let mut svg = String::new();
    let draw_all = |svg| -> Drawn {
        let (width, height) = (SIZE.0, SIZE.1 + (rows * LEGEND_ROW) as u32);
        let root = SVGBackend::with_string(svg, (width, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let (plot, below) = root.split_vertically(SIZE.1);
        let mut chart = ChartBuilder::on(&plot)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(80)
            .build_cartesian_2d(x, y)?;
        draw(&mut chart)?;
        for ((name, color), (left, row)) in legend.iter().zip(places) {
            let top = row * LEGEND_ROW;
            let corners = [(left, top + 2), (left + 12, top + 12)];
            below.draw(&Rectangle::new(corners, color.filled()))?;
            below.draw(&Text::new(name.clone(), (left + 18, top), TEXT))?;
        }
        Ok(root.present()?)
    };
    // Drawing to a string fails only for an empty range, and no range here is empty.
    let _ = draw_all(&mut svg);
    svg
}

/// Left edge and row of each entry of a legend.
fn legend_places(legend: &[LegendEntry]) -> Vec<(i32, i32)> {
    const LEFT: i32 = 92;
    let (mut left, mut row) = (LEFT, 0);
    let place = |(name, _): &LegendEntry| {
        let width = 18 + text_width(name) + 24;
        if left > LEFT && left + width > SIZE.0 as i32 {
            (left, row) = (LEFT, row + 1);
        }
        let here = (left, row);
        left += width;
        here
    };
    legend.iter().map(place).collect()
}

/// From the least to the greatest value, with a margin.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    if low > high {
        return 0.0..1.0;
    }
    let margin = (0.05 * (high - low)).max(1e-9);
    low - margin..high + margin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_bars_and_names() {
        let groups =
            [("opening".to_owned(), vec![2.0, 1.0]), ("endgame".to_owned(), vec![4.0, 0.5])];
        let chart = BarChart {
            title: "Nodes",
            height: "nodes",
            bars: &["without", "with"],
            groups: &groups,
        };
        let svg = chart.to_svg();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for text in ["Nodes", "without", "with", "opening", "endgame"] {
            assert!(svg.contains(text), "{text} is missing");
        }
        assert!(svg.matches("<rect").count() >= 5);
    }

    #[test]
    fn numbers_have_no_useless_decimals() {
        for (value, text) in [(50.0, "50"), (0.25, "0.25"), (-1e-9, "0"), (1200.0, "1200")] {
            assert_eq!(number(&value), text);
        }
    }

    #[test]
    fn legends_are_wrapped_into_rows() {
        let entry = |name: &str| (name.to_owned(), COLORS[0]);
        let legend: Vec<LegendEntry> = vec![entry("a curve with a name of forty characters"); 4];
        let places = legend_places(&legend);
        assert_eq!(places.iter().map(|place| place.1).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(legend_places(&[entry("a"), entry("b")])[1].1, 0);
    }

    #[test]
    fn a_chart_has_its_curves() {
        let curve = |points| Curve { name: "held out".to_owned(), points };
        for points in [vec![(0.0, 3.0), (1.0, 2.0), (2.0, 1.5)], vec![(1.0, 1.0)], Vec::new()] {
            let lines = usize::from(points.len() > 1);
            let chart =
                LineChart { title: "Losses", x: "epochs", y: "nats", curves: &[curve(points)] };
            let svg = chart.to_svg();
            assert!(svg.trim_end().ends_with("</svg>"));
            assert!(svg.contains("held out") && svg.contains("epochs"));
            assert!(svg.matches("<polyline").count() >= lines);
        }
    }
}
