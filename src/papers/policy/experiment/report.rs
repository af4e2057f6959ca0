//! The report on the runs.

use std::fmt::Write;

use super::course::{FinishedCourse, PATIENCE};
use crate::lab::chart::{Curve, LineChart};
use crate::lab::learn::CurvePoint;
use crate::papers::policy::learner::{ImprovedConfig, OnlineConfig, Pass, PolicyMethod};

/// All results.
pub(super) struct Report<'a> {
    pub about: &'a str,
    /// Number of held-out games.
    pub held_out: usize,
    pub short: Vec<FinishedCourse>,
    pub long: Vec<FinishedCourse>,
    pub improved: Vec<FinishedCourse>,
}

/// File names of the drawings.
const SETTINGS_SVG: &str = "settings.svg";
const LONG_SVG: &str = "long.svg";
const IMPROVED_SVG: &str = "improved.svg";

impl Report<'_> {
    /// The report as markdown.
    pub fn text(&self) -> String {
        let mut text = introduction(self.about, self.held_out);
        self.short_courses(&mut text);
        self.long_courses(&mut text);
        self.improved_course(&mut text);
        text
    }

    /// File name and SVG of each drawing.
    pub fn drawings(&self) -> [(&'static str, String); 3] {
        let training = |pass: &Pass| pass.training.percent();
        let held_out = |pass: &Pass| pass.held_out.percent();
        let both = |runs: &[FinishedCourse]| -> Vec<Curve> {
            let curves = |run| [curve(run, "training", training), curve(run, "held out", held_out)];
            runs.iter().flat_map(curves).collect()
        };
        let short: Vec<Curve> = self.short.iter().map(|run| curve(run, "", training)).collect();
        let draw = |title, curves: &[Curve]| {
            LineChart { title, x: "passes", y: "agreement, %", curves }.to_svg()
        };
        [
            (SETTINGS_SVG, draw("Training moves agreed with, by setting", &short)),
            (LONG_SVG, draw("All games", &both(&self.long))),
            (IMPROVED_SVG, draw("The improved learner", &both(&self.improved))),
        ]
    }

    fn short_courses(&self, text: &mut String) {
        let passes = self.short.iter().map(|run| run.curve.passes().len()).max().unwrap_or(0);
        let games = self.short.first().map_or(0, |run| run.games);
        let _ = write!(
            text,
            "## The five settings\n\n{games} games, {passes} passes each.\n\n\
             | epsilon | T | moves agreed with, % |"
        );
        for pass in 0..=passes {
            let _ = match pass {
                0 => write!(text, " before |"),
                _ => write!(text, " pass {pass} |"),
            };
        }
        let _ = write!(text, " minutes |\n|---|---|---|{}---|\n", "---|".repeat(passes + 1));
        for run in &self.short {
            let PolicyMethod::Paper(OnlineConfig { learning_rate, temperature }) = run.method
            else {
                continue;
            };
            let part = |text: &mut String, name: &str, percent: fn(&Pass) -> f64, minutes: &str| {
                let _ = write!(text, "| {learning_rate} | {temperature} | {name} |");
                for CurvePoint { measured: pass, .. } in &run.curve.points {
                    let _ = write!(text, " {:.1} |", percent(pass));
                }
                let _ = writeln!(text, " {minutes} |");
            };
            let minutes = format!("{:.1}", run.curve.seconds() / 60.0);
            part(text, "training", |pass| pass.training.percent(), &minutes);
            part(text, "held out", |pass| pass.held_out.percent(), "");
        }
        let _ = writeln!(text, "\n![settings]({SETTINGS_SVG})\n");
    }

    fn long_courses(&self, text: &mut String) {
        let games = self.long.first().map_or(0, |run| run.games);
        let _ = write!(
            text,
            "## All games\n\n{games} games: the setting with the best held-out agreement of the \
             five, and the one that the paper found best on its training games.\n\n\
             | | passes | training before | after | held out before | best | last | hours |\n\
             |---|---|---|---|---|---|---|---|\n\
             | the paper, 100, 1 | 100 | 15.7 % | 44.2 % | | | | 98 |\n"
        );
        for run in &self.long {
            let curve = &run.curve;
            let (before, last) = (curve.before(), curve.last());
            let best = curve.best().unwrap_or(last);
            let _ = writeln!(
                text,
                "| {} | {} | {:.1} % | {:.1} % | {:.1} % | {:.1} % | {:.1} % | {:.2} |",
                name(run),
                curve.passes().len(),
                before.training.percent(),
                last.training.percent(),
                before.held_out.percent(),
                best.held_out.percent(),
                last.held_out.percent(),
                curve.seconds() / 3600.0,
            );
        }
        let _ = writeln!(text, "\n![long]({LONG_SVG})\n");
        for run in &self.long {
            let _ = writeln!(text, "{}:\n", name(run));
            passes(text, run);
        }
    }

    fn improved_course(&self, text: &mut String) {
        for run in &self.improved {
            let PolicyMethod::Improved(config) = run.method else { continue };
            let ImprovedConfig { learning_rate, temperature, batch, window } = config;
            let _ = writeln!(
                text,
                "## The improved learner\n\n\
                 {} games. Values are those of quiescence leaves with the current weights, exact \
                 within {window} temperatures of the record move's value. Mini-batches of {batch} \
                 positions, AdaGrad with a first step of {learning_rate} cp, T = {temperature} cp, \
                 tied mirror images. The run ends after {PATIENCE} passes without a better \
                 held-out agreement.\n",
                run.games
            );
            passes(text, run);
            let _ = writeln!(text, "![improved]({IMPROVED_SVG})");
        }
    }
}

fn introduction(about: &str, held_out: usize) -> String {
    let about = if about.is_empty() { String::new() } else { format!(" {about}") };
    format!(
        "# Imitation of recorded moves by policy gradient\n\n\
         Supervised learning of KKP and KPP weights by policy gradients (equations (4) to (9)): a \
         Boltzmann policy over the values of all legal moves one move deep, without quiescence; \
         material fixed, all other weights zero at the start; one update per position, in the \
         order of the games. Agreement is the share of positions where the record's move has the \
         best value, 1/n if n moves share it. On training games it is measured just before each \
         update. So in the first pass the policy has learned only from earlier games and from \
         earlier positions of the same game.\n\n\
         The paper learned from 55,800 games of professionals by Bonanza 6.0's features and \
         reports training moves only: 15.7 % before, 44.2 % after 100 passes with epsilon = 100 \
         and T = 1, in 98 hours on an i7-3770.{about} Held out: {held_out} games.\n\n\
         Differences from Bonanza 6.0: the kings of KPP are mirrored to 45 squares, the piece \
         values are this engine's, and probabilities with an error below 1e-4 are not updated.\n\n"
    )
}

fn name(run: &FinishedCourse) -> String {
    match run.method {
        PolicyMethod::Paper(OnlineConfig { learning_rate, temperature }) => {
            format!("{learning_rate}, {temperature}")
        }
        PolicyMethod::Improved(_) => "improved".to_owned(),
    }
}

/// A table of all passes of a run.
fn passes(text: &mut String, run: &FinishedCourse) {
    *text += "| pass | training moves | agreed | held-out moves | agreed | minutes |\n\
              |---|---|---|---|---|---|\n";
    for CurvePoint { epochs, measured: pass } in &run.curve.points {
        let _ = writeln!(
            text,
            "| {epochs} | {} | {:.2} % | {} | {:.2} % | {:.1} |",
            pass.training.positions,
            pass.training.percent(),
            pass.held_out.positions,
            pass.held_out.percent(),
            pass.seconds / 60.0,
        );
    }
    if let Some(cut) = run.cut {
        let _ = write!(text, "\nWeights clipped to the range of the weights file: {cut}.\n");
    }
    *text += "\n";
}

/// The curve of a run; `kind` is added to its name.
fn curve(run: &FinishedCourse, kind: &str, percent: impl Fn(&Pass) -> f64) -> Curve {
    Curve {
        name: format!("{} {kind}", name(run)).trim_end().to_owned(),
        points: run.curve.points.iter().map(|at| (at.epochs, percent(&at.measured))).collect(),
    }
}
