//! The report.

use std::fmt::Write;

use super::speed::Speeds;
use super::training::FinishedRun;
use crate::lab::chart::BarChart;
use crate::lab::learn::value::Losses;
use crate::papers::bonanza::hoki::{HokiGroup, HokiWeights, UNIT};
use crate::papers::bonanza::learner::HokiConfig;

/// All measurements.
pub(super) struct Report<'a> {
    pub config: HokiConfig,
    /// Numbers of training positions and of held-out positions.
    pub samples: [usize; 2],
    /// Losses of the search scores themselves.
    pub scores: Losses,
    /// Material only, all groups, and each group left out.
    pub runs: &'a [FinishedRun],
    /// Mean absolute value of each group's part, centipawns.
    pub contributions: [f64; HokiGroup::COUNT],
    pub speeds: [Speeds; 2],
    pub weights: &'a HokiWeights,
}

const ADDED: &str = "added.svg";

impl Report<'_> {
    /// The report as markdown.
    pub fn text(&self) -> String {
        let mut text = self.introduction();
        self.losses(&mut text);
        self.groups(&mut text);
        self.speed(&mut text);
        text += "## Games\n\nAll groups against the hand-made evaluation, 20,000 nodes a move, each \
                 opening with both colours:\n\n```\nkankei match 'self eval=all.weights' \
                 'self eval=material' --nodes 20000 --games 200 --openings openings.sfen\n```\n";
        text
    }

    /// File name and SVG of the gain of each group.
    pub fn drawing(&self) -> (&'static str, String) {
        let all = self.runs[1].excess;
        let height = |run: &FinishedRun| {
            let name = run.name.trim_start_matches("without ").to_owned();
            (name, vec![(1_000.0 * (run.excess - all)).max(0.0)])
        };
        let groups: Vec<(String, Vec<f64>)> = self.runs[2..].iter().map(height).collect();
        let chart = BarChart {
            title: "What each group adds",
            height: "held-out loss without it, 0.001 nats more",
            bars: &["added"],
            groups: &groups,
        };
        (ADDED, chart.to_svg())
    }

    fn introduction(&self) -> String {
        let [training, held_out] = self.samples;
        let HokiConfig { epochs, batch, scale, lambda, seed, many, few, .. } = self.config;
        let mut text = format!(
            "# The evaluation of Hoki (2006)\n\n\
             The appendix of K. Hoki, IPSJ Magazine 47-8 (2006), lists the features of the \
             evaluation of Bonanza. It gives neither the way they are counted nor their weights. \
             Each line of the list is a group of weights here; the definitions of the groups \
             (`src/papers/bonanza/hoki/group.rs`) give our interpretation.\n\n\
             The paper learned more than 10,000 weights so that the moves of 60,000 games agree \
             with those of a search. Here all weights are fitted by logistic regression to the \
             search scores of quiet positions (share of the score in the target {lambda}, {scale} \
             centipawns multiply the odds by e): {training} positions, {held_out} held out by \
             game; passes: {epochs}, in batches of {batch}; AdaGrad with rates {} for kpp and \
             guards and {} for the others, which decrease linearly to zero; seed {seed}. The \
             material weights start at the values of the engine.\n\n",
            many.learning_rate, few.learning_rate
        );
        text += "| group | the paper | weights | not zero | mean size | largest | part of the value |\n\
                 |---|---|---|---|---|---|---|\n";
        for (group, part) in HokiGroup::ALL.into_iter().zip(self.contributions) {
            let table = self.weights.table(group);
            let (mut count, mut total, mut largest) = (0_usize, 0.0, 0.0_f64);
            for size in table.iter().filter(|&&weight| weight != 0).map(|weight| weight.abs()) {
                let size = f64::from(size) / f64::from(UNIT);
                count += 1;
                total += size;
                largest = largest.max(size);
            }
            let mean = total / count.max(1) as f64;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {count} | {mean:.1} | {largest:.0} | {part:.0} |",
                group.name(),
                group.japanese(),
                table.len(),
            );
        }
        text + "\n\
                Weights in centipawns, rounded to a sixteenth. Part of the value: mean size of the \
                group's sum, own minus enemy, over held-out positions.\n\n"
    }

    fn losses(&self, text: &mut String) {
        *text += "## Held-out losses\n\n\
                  Nats. Excess: cross-entropy against the expectation of the search score minus \
                  the entropy of that expectation.\n\n\
                  | evaluation | excess | cross-entropy of results | training |\n\
                  |---|---|---|---|\n";
        let Losses { excess, result, .. } = self.scores;
        let _ = writeln!(text, "| the search score | {excess:.5} | {result:.5} | |");
        for run in &self.runs[..2] {
            let FinishedRun { name, training, excess, result, .. } = run;
            let _ = writeln!(text, "| {name} | {excess:.5} | {result:.5} | {training:.5} |");
        }
        *text += "\n";
    }

    fn groups(&self, text: &mut String) {
        let (material, all) = (&self.runs[0], &self.runs[1]);
        let gained = material.excess - all.excess;
        let _ = writeln!(
            text,
            "## What each group adds\n\n\
             Each run learns again without one group, with all others switched on. The share is \
             relative to the gain of all groups over material alone ({gained:.5}).\n\n\
             | left out | excess | increase | share of the gain | cross-entropy of results |\n\
             |---|---|---|---|---|"
        );
        for run in &self.runs[2..] {
            let FinishedRun { name, excess, result, .. } = run;
            let more = excess - all.excess;
            let _ = writeln!(
                text,
                "| {} | {excess:.5} | {more:+.5} | {:+.1} % | {result:.5} |",
                name.trim_start_matches("without "),
                100.0 * more / gained,
            );
        }
        let _ = writeln!(text, "\n![added]({ADDED})\n");
    }

    fn speed(&self, text: &mut String) {
        *text += "## Speed\n\n\
                  Nodes per second at the positions of `kankei bench`, one thread, the best of \
                  three rounds in turns. The value is computed from scratch at every position.\n\n\
                  | searcher | `<material>` | all groups | ratio |\n\
                  |---|---|---|---|\n";
        for Speeds { searcher, material, hoki } in self.speeds {
            let share = 100.0 * hoki / material;
            let _ = writeln!(text, "| {searcher} | {material:.0} | {hoki:.0} | {share:.0} % |");
        }
        *text += "\n";
    }
}
