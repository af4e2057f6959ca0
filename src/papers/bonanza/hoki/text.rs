//! The weights, and a position's sums of them, as text.

use std::fmt::Write as _;

use super::group::HokiGroup;
use super::walk::{Occurrence, walk};
use super::weights::{HokiWeights, UNIT};
use crate::command::language::Language;
use crate::command::notation::{at_right, padded};
use crate::command::texts::{self, part_name, side_name};
use crate::lab::description::{distribution, heading};
use crate::shogi::{Color, Position};

/// The name of the form.
pub(super) const NAME: &str = "Hoki 2006";

/// The distribution of the weights of each group.
pub(super) fn describe(weights: &HokiWeights) -> String {
    let mut text = format!("form: {NAME}\nunit: 1/{UNIT} centipawn\n");
    let off = HokiGroup::ALL.into_iter().filter(|&group| !weights.groups().contains(group));
    let off: Vec<&str> = off.map(HokiGroup::name).collect();
    if !off.is_empty() {
        let _ = writeln!(text, "disabled: {}", off.join(", "));
    }
    let _ = writeln!(text, "\n{}", heading());
    for group in weights.groups().iter() {
        let unit = f64::from(UNIT);
        let centipawns = weights.table(group).iter().map(|&w| f64::from(w) / unit).collect();
        let _ = writeln!(text, "{}", distribution(group.name(), centipawns));
    }
    text
}

/// The number of weights of each group that each side has, and their sum.
pub(crate) fn table(weights: &HokiWeights, pos: &Position, language: Language) -> String {
    let mut sums = [[(0, 0.0); 2]; HokiGroup::COUNT];
    walk(pos, weights.groups(), |Occurrence { group, index, sign }| {
        let (count, sum) = &mut sums[group.number()][usize::from(sign < 0)];
        *count += 1;
        *sum += f64::from(weights.table(group)[index]) / f64::from(UNIT);
    });
    let group = padded(texts::GROUP.get(language), 14);
    let [black, white] = Color::ALL.map(|color| at_right(side_name(language, color), 6));
    let mut text = texts::GROUP_SUMS.get(language).to_owned();
    let _ = writeln!(text, "\n\n{group} {black} {:>9} {white} {:>9}", "", "");
    for group in weights.groups().iter() {
        let [(black, black_sum), (white, white_sum)] = sums[group.number()];
        let name = padded(&part_name(language, group.name()), 14);
        let _ = writeln!(text, "{name} {black:>6} {black_sum:>+9.1} {white:>6} {white_sum:>+9.1}");
    }
    text
}
