//! The analysis as a chart.

use super::review::{Mark, Review};
use super::table::title;
use crate::command::notation::Wording;
use crate::lab::chart::{ChanceChart, PointLabel};

/// Draws Black's winning probability at each position as SVG, with the turning points.
pub(super) fn draw(review: &Review<'_>, wording: Wording) -> String {
    let Wording { notation, language } = wording;
    let mut names = Vec::new();
    review.game.replay(|pos, mv| names.push(notation.name(pos, mv)));
    let chances: Vec<f64> = review.black_chances().iter().map(|chance| 100.0 * chance).collect();
    let label = |ply: usize| {
        let mv = &review.moves[ply];
        let sign = mv.mark.map_or("", Mark::sign);
        PointLabel { at: ply + 1, text: format!("{} {}{sign}", ply + 1, names[ply]) }
    };
    let labels: Vec<PointLabel> = review.turning_points().map(label).collect();
    ChanceChart {
        title: &title(review.game, language),
        x: "moves",
        y: "Black's winning probability, %",
        percents: &chances,
        label: "turning points",
        labels: &labels,
    }
    .to_svg()
}
