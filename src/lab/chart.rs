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

/// A chart of a probability over steps.
pub(crate) struct ChanceChart<'a> {
    pub title: &'a str,
    /// Meaning of the steps.
    pub x: &'a str,
    /// The event whose probability is drawn.
    pub y: &'a str,
    /// The probability at each step, percent.
    pub percents: &'a [f64],
    /// Meaning of the labelled points.
    pub label: &'a str,
    pub labels: &'a [PointLabel],
}

/// A labelled point of a chart.
pub(crate) struct PointLabel {
    /// The step.
    pub at: usize,
    pub text: String,
}

const SIZE: (u32, u32) = (760, 420);
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
        to_svg(self.title, 0.0..self.groups.len() as f64, 0.0..top, |chart| self.draw(chart))
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
            .y_desc(self.height)
            .label_style(TEXT)
            .draw()?;
        let step = 0.8 / self.bars.len().max(1) as f64;
        for (n, (bar, color)) in self.bars.iter().zip(COLORS.into_iter().cycle()).enumerate() {
            let boxes = self.groups.iter().enumerate().filter_map(|(g, (_, heights))| {
                let left = g as f64 + 0.1 + n as f64 * step;
                let height = *heights.get(n)?;
                Some(Rectangle::new([(left, 0.0), (left + step * 0.95, height)], color.filled()))
            });
            chart.draw_series(boxes)?.label(*bar).legend(legend(color));
        }
        Ok(())
    }
}

impl LineChart<'_> {
    /// The chart as SVG text.
    pub fn to_svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let (x, y) = (points().map(|point| point.0), points().map(|point| point.1));
        to_svg(self.title, range(x), range(y), |chart| self.draw(chart))
    }

    fn draw(&self, chart: &mut Chart<'_, '_>) -> Drawn {
        chart.configure_mesh().x_desc(self.x).y_desc(self.y).label_style(TEXT).draw()?;
        for (curve, color) in self.curves.iter().zip(COLORS.into_iter().cycle()) {
            let line = [PathElement::new(curve.points.clone(), color.stroke_width(2))];
            chart.draw_series(line)?.label(&curve.name).legend(legend(color));
        }
        Ok(())
    }
}

impl ChanceChart<'_> {
    /// The chart as SVG text.
    pub fn to_svg(&self) -> String {
        let last = self.percents.len().saturating_sub(1).max(1);
        to_svg(self.title, 0.0..last as f64, 0.0..100.0, |chart| self.draw(chart))
    }

    fn draw(&self, chart: &mut Chart<'_, '_>) -> Drawn {
        let whole = |value: &f64| format!("{value:.0}");
        let mut mesh = chart.configure_mesh();
        mesh.x_label_formatter(&whole).y_label_formatter(&whole).max_light_lines(1);
        mesh.x_desc(self.x).y_desc(self.y).label_style(TEXT).draw()?;
        let [line, mark] = [COLORS[0], COLORS[1]];
        let end = self.percents.len() as f64;
        chart.draw_series([PathElement::new([(0.0, 50.0), (end, 50.0)], BLACK.mix(0.5))])?;
        let place = |at: usize| Some((at as f64, *self.percents.get(at)?));
        let points: Vec<(f64, f64)> = (0..).map_while(place).collect();
        chart.draw_series([PathElement::new(points, line.stroke_width(2))])?;
        let labels = || self.labels.iter().filter_map(|label| Some((place(label.at)?, label)));
        let circle = |(place, _)| Circle::new(place, 4, mark.filled());
        chart.draw_series(labels().map(circle))?.label(self.label).legend(legend(mark));
        // Labels stay inside the frame: those on the right and at the top extend inwards.
        let text = |(place, label): ((f64, f64), &PointLabel)| {
            let is_right = place.0 > 0.7 * end;
            let width = 7 * label.text.chars().count() as i32;
            let offset =
                (if is_right { -6 - width } else { 6 }, if place.1 > 90.0 { 4 } else { -16 });
            EmptyElement::at(place) + Text::new(label.text.clone(), offset, TEXT)
        };
        chart.draw_series(labels().map(text))?;
        Ok(())
    }
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn Error>>;

/// A chart with these axes, the series drawn by `draw`, and a legend.
fn to_svg(
    title: &str,
    x: Range<f64>,
    y: Range<f64>,
    draw: impl FnOnce(&mut Chart<'_, '_>) -> Drawn,
) -> String {
    let mut svg = String::new();
    let draw_all = |svg| -> Drawn {
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(80)
            .build_cartesian_2d(x, y)?;
        draw(&mut chart)?;
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK)
            .label_font(TEXT)
            .draw()?;
        Ok(root.present()?)
    };
    // Drawing to a string fails only for an empty range, and no range here is empty.
    let _ = draw_all(&mut svg);
    svg
}

fn legend(color: RGBColor) -> impl Fn((i32, i32)) -> Rectangle<(i32, i32)> {
    move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], color.filled())
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
    fn a_chance_chart_has_its_labels() {
        let label = |at, text: &str| PointLabel { at, text: text.to_owned() };
        // A label beyond the end of the curve is skipped.
        let labels = [label(1, "the blunder"), label(7, "nowhere")];
        for percents in [&[50.0, 10.0, 90.0][..], &[]] {
            let chart = ChanceChart {
                title: "A - B",
                x: "moves",
                y: "%",
                percents,
                label: "turns",
                labels: &labels,
            };
            let svg = chart.to_svg();
            assert!(svg.trim_end().ends_with("</svg>") && svg.contains("A - B"));
            assert_eq!(svg.contains("the blunder"), !percents.is_empty());
            assert!(!svg.contains("nowhere"));
        }
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
