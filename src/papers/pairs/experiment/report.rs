//! The report: the paper's figures next to Kankei's.

use std::fmt::Write;

use super::bad_shapes::{PROBLEMS, RELATIONS_OF_2, piece};
use super::imitation::{Imitation, Moves, PLIES};
use super::matches::StartScore;
use super::opening::{YAGURA, judge};
use super::setup::{Source, name};
use super::speed::Timings;
use super::training::LearnedPairs;
use crate::lab::chart::{Curve, LineChart};
use crate::papers::pairs::form::relations;

/// All measurements.
pub(super) struct Report<'a> {
    pub about: &'a str,
    pub sources: &'a [Source],
    /// Numbers of training positions and of held-out positions.
    pub positions: [usize; 2],
    /// Memory of the training positions, bytes.
    pub bytes: usize,
    pub min_occurrences: u32,
    pub occurrences: &'a [u32],
    /// The parent model and the sibling model.
    pub models: &'a [LearnedPairs; 2],
    pub timings: Timings,
    pub imitations: Vec<(&'static str, Imitation)>,
    pub scores: Vec<StartScore>,
}

/// The paper's Table 3: largest weights of parent and sibling, with at least 0 and 200 occurrences.
const TABLE_3: [&str; 4] = [
    "+B1b +R9g (23) 2.56, P2b +S2e (56) 2.27, K9a L7h (34) 2.19",
    "+S7i +L9h (30) 2.66, +B6b +B6d (24) 2.61, +R3f +N6c (25) 2.32",
    "R2f P2g (4,011) 1.01, S7i S8h (39,650) 0.90, R7f P7g (1,533) 0.84",
    "K2e P2f (419) 1.05, L2d P2e (765) 1.04, +B3h G3i (378) 1.03",
];

/// The paper's Tables 4 and 5, rows of [`PLIES`] and of all plies: share of the moves that are
/// compared, value rises by parent and sibling, %; legal moves, neutral ones, ranks by parent and
/// sibling.
const TABLES_4_AND_5: [[f64; 7]; PLIES.len() + 1] = [
    [98.4, 99.9, 93.2, 35.0, 30.5, 12.2, 1.7],
    [90.7, 98.3, 87.2, 44.6, 27.2, 8.3, 2.3],
    [65.8, 96.1, 82.4, 68.9, 17.9, 5.7, 2.0],
    [49.8, 96.9, 81.1, 109.3, 12.9, 4.1, 1.8],
    [46.3, 97.2, 80.2, 133.2, 10.3, 3.3, 1.7],
    [46.2, 96.4, 79.0, 161.3, 9.1, 2.9, 1.9],
    [67.5, 97.8, 85.6, 75.7, 21.1, 7.3, 1.9],
];

const CONVERGENCE: &str = "convergence.svg";
const HISTOGRAM: &str = "histogram.svg";

impl Report<'_> {
    /// The report as markdown.
    pub fn text(&self) -> String {
        let mut text = self.introduction();
        self.speed(&mut text);
        self.training(&mut text);
        self.strongest(&mut text);
        for (source, imitation) in &self.imitations {
            imitated(&mut text, source, imitation);
        }
        self.opening(&mut text);
        self.bad_shapes(&mut text);
        self.matches(&mut text);
        text
    }

    /// File name and SVG of each drawing.
    pub fn drawings(&self) -> [(&'static str, String); 2] {
        let mut errors = Vec::new();
        for model in self.models {
            let curve = |kind: &str, error: fn(&LearnedPairs, usize) -> f64| Curve {
                name: format!("{} {kind}", name(model.config.comparison)),
                points: (0..model.curve.len())
                    .map(|at| (model.curve[at].epochs, error(model, at)))
                    .collect(),
            };
            errors.push(curve("held out", |model, at| model.curve[at].measured.held_out));
            errors.push(curve("training", |model, at| model.curve[at].measured.training));
        }
        let histogram = |model: &LearnedPairs| {
            let counts = model.quantized.histogram();
            // Every fourth weight, as in the paper; the counts vary smoothly.
            let height = |at: usize| (at as f64 - 127.0, (counts[at].max(1) as f64).log10());
            let points = (3..255).step_by(4).map(height).collect();
            Curve { name: name(model.config.comparison).to_owned(), points }
        };
        let histograms: Vec<Curve> = self.models.iter().map(histogram).collect();
        let chart = |title, x, y, curves| LineChart { title, x, y, curves }.to_svg();
        [
            (CONVERGENCE, chart("Convergence", "iterations", "mean squared error", &errors)),
            (
                HISTOGRAM,
                chart("Weights", "weight, centipawns", "log10 of their number", &histograms),
            ),
        ]
    }

    fn introduction(&self) -> String {
        let mut text = format!(
            "# Pairs of pieces by discriminant analysis\n\n\
             Kaneko, Tanaka, Yamaguchi, Kawai (2007): a weight for every relation of two pieces, \
             found by linear regression on comparisons of positions of games (equation 2, \
             conjugate gradient). The parent model assumes that the position after the record's \
             move is better for the mover than the position before it; the sibling model, that it \
             is better than those after the other moves. Only moves that neither win nor lose \
             material are compared: a search of captures and promotions with the values of Table 2 \
             gives the same balance before and after them. This is our interpretation of section \
             5.1. The alternative, that nothing can be won before or after the move, leaves far \
             fewer moves than the paper has.\n\n\
             {}\n\n\
             Relations of like pieces in a hand count once for each such piece. Moves and pieces \
             are in USI notation, Black's in capitals.\n\n\
             | games | training | held out |\n\
             |---|---|---|\n",
            self.about
        );
        for Source { name, training, held_out } in self.sources {
            let _ = writeln!(text, "| {name} | {} | {} |", training.len(), held_out.len());
        }
        let [training, held_out] = self.positions;
        let _ = writeln!(text, "| positions compared | {training} | {held_out} |\n");
        text
    }

    fn speed(&self, text: &mut String) {
        let Timings { positions, none, material, relations } = self.timings;
        let ratio = |ours: f64, paper: f64| format!("{ours:.2} ({paper:.2})");
        let _ = writeln!(
            text,
            "## Table 1: cost of an evaluation\n\n\
             All {positions} positions some plies below an endgame position, nanoseconds per \
             position (the paper: 3 million positions, cycles of an Athlon MP of 1.7 GHz).\n\n\
             | | no evaluation | material | relations | relations / material |\n\
             |---|---|---|---|---|\n\
             | paper, cycles | 98.2 | 106.3 | 1078.4 | |\n\
             | here, ns | {none:.1} | {material:.1} | {relations:.1} | {} |\n",
            ratio(relations / material, 1078.4 / 106.3)
        );
    }

    fn training(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "## Figures 1 and 2: regression\n\n\
             Relations in fewer than {} positions have no weight (paper: 20). The paper compared \
             about 15 million positions with their parents and had 900 million comparisons with \
             siblings; of 2.58 million relations 1.06 million had a weight. The conjugate gradient \
             is preconditioned by the diagonal of X^t X: the paper names no preconditioner, but \
             without one the weights of rare relations stay near zero in this number of \
             iterations. The training positions take {} MB here.\n\n\
             | model | comparisons | weights | iterations | error, training | held out | scale | \
             not zero | clipped | seconds per iteration | peak memory |\n\
             |---|---|---|---|---|---|---|---|---|---|---|",
            self.min_occurrences,
            self.bytes / 1_000_000
        );
        for (model, paper) in self.models.iter().zip([
            "| parent, paper | 15,000,000 | 1,060,000 | 36 | | | 128 | 970,000 | 500 | | |",
            "| sibling, paper | 900,000,000 | 1,060,000 | 20 | | | 160 | 990,000 | 500 | | |",
        ]) {
            let last = model.curve.last().map(|point| point.measured);
            let number = |value: Option<f64>| value.map_or(String::new(), |x| format!("{x:.4}"));
            let seconds: f64 = model.curve.iter().map(|point| point.measured.seconds).sum();
            let memory = model.memory.map_or(String::new(), |b| format!("{} MB", b / 1_000_000));
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {memory} |\n{paper}",
                name(model.config.comparison),
                model.comparisons,
                model.unknowns,
                model.curve.len(),
                number(last.map(|last| last.training)),
                number(last.map(|last| last.held_out)),
                model.config.scale,
                model.quantized.histogram().iter().sum::<usize>()
                    - model.quantized.histogram()[127],
                model.quantized.cut,
                seconds / model.curve.len().max(1) as f64,
            );
        }
        let _ = writeln!(text, "\n![convergence]({CONVERGENCE})\n\n![histogram]({HISTOGRAM})\n");
    }

    fn strongest(&self, text: &mut String) {
        *text += "## Table 3: the largest weights\n\n\
                  In brackets: number of positions in which the relation occurs.\n\n\
                  | model | at least | paper | here |\n\
                  |---|---|---|---|\n";
        for (row, least) in [0, 200].into_iter().enumerate() {
            for (n, model) in self.models.iter().enumerate() {
                let mut best: Vec<usize> =
                    (0..model.weights.len()).filter(|&at| self.occurrences[at] >= least).collect();
                best.sort_by(|&a, &b| model.weights[b].total_cmp(&model.weights[a]));
                let ours: Vec<String> =
                    best.iter().take(3).map(|&at| self.relation(model, at)).collect();
                let _ = writeln!(
                    text,
                    "| {} | {least} | {} | {} |",
                    name(model.config.comparison),
                    TABLE_3[2 * row + n],
                    ours.join(", ")
                );
            }
        }
        *text += "\n";
    }

    /// A relation with its number of occurrences and its weight.
    fn relation(&self, model: &LearnedPairs, at: usize) -> String {
        let Some((a, b)) = relations().nth(at) else { return String::new() };
        format!("{a} {b} ({}) {:.2}", self.occurrences[at], model.weights[at])
    }

    fn opening(&self, text: &mut String) {
        *text += "## Table 6: the Yagura opening\n\n\
                  Number of neutral moves that are better than the book move, and the best move if \
                  it is another.\n\n\
                  | move | parent, paper | here | sibling, paper | here |\n\
                  |---|---|---|---|---|\n";
        let ours: Vec<_> =
            self.models.iter().map(|model| judge(&model.quantized.weights)).collect();
        let mut sums = [[0; 2]; 2];
        for (at, (mv, paper)) in YAGURA.iter().enumerate() {
            let _ = write!(text, "| {mv} |");
            for (n, (rank, best)) in paper.iter().enumerate() {
                let ours = &ours[n][at];
                let found = ours.rank.map_or("-".to_owned(), |rank| rank.to_string());
                let other = ours.best.filter(|_| ours.rank != Some(0));
                let other = other.map_or(String::new(), |best| format!(" {best}"));
                let _ = write!(text, " {rank} {best} | {found}{other} |");
                sums[n][0] += *rank as usize;
                sums[n][1] += ours.rank.unwrap_or(0);
            }
            *text += "\n";
        }
        let mean = |sum: usize| sum as f64 / YAGURA.len() as f64;
        let _ = writeln!(
            text,
            "| mean rank | {:.2} | {:.2} | {:.2} | {:.2} |\n",
            mean(sums[0][0]),
            mean(sums[0][1]),
            mean(sums[1][0]),
            mean(sums[1][1])
        );
    }

    fn bad_shapes(&self, text: &mut String) {
        *text += "## Tables 7 and 8: bad shapes\n\n\
                  Change of the value of the relations by a move, centipawns. The paper's diagrams \
                  are lost. Problem 2 is the position that its text describes, 3' is the start \
                  position (the same side makes the second move), and 1 and 4 are our own \
                  positions for its moves.\n\n\
                  | problem | move | | parent, paper | here | sibling, paper | here |\n\
                  |---|---|---|---|---|---|---|\n";
        for problem in PROBLEMS {
            let ours: Vec<Vec<i32>> =
                self.models.iter().map(|model| problem.values(&model.quantized.weights)).collect();
            for (at, tried) in problem.tries.iter().enumerate() {
                let kind = if tried.is_bad { "bad" } else { "usual" };
                let _ = writeln!(
                    text,
                    "| {} | {} | {kind} | {} | {} | {} | {} |",
                    problem.name,
                    tried.moves,
                    tried.paper[0],
                    ours[0][at],
                    tried.paper[1],
                    ours[1][at]
                );
            }
        }
        *text += "\nWeights of problem 2:\n\n| relation | parent, paper | here | sibling, paper | here \
                  |\n|---|---|---|---|---|\n";
        for (names, paper) in RELATIONS_OF_2 {
            let [a, b] = names.map(piece);
            let _ = write!(text, "| {a} {b} |");
            for (model, paper) in self.models.iter().zip(paper) {
                let _ = write!(text, " {paper} | {} |", model.quantized.weights.get(a, b));
            }
            *text += "\n";
        }
        *text += "\n";
    }

    fn matches(&self, text: &mut String) {
        if self.scores.is_empty() {
            *text += "Table 9 needs `--data DIR`.\n";
            return;
        }
        *text += "## Table 9: games with the relations against without\n\n\
                  The same searcher (AlphaBeta), Table 2's material on both sides, one thread, \
                  every opening with both colours. The paper: GPS Shogi, 25 minutes a side.\n\n\
                  | model | plies of the start | paper, won-drawn-lost | here |\n\
                  |---|---|---|---|\n";
        for StartScore { plies, model, score, paper } in &self.scores {
            let paper = paper.map_or(String::new(), |[w, d, l]| format!("{w}-{d}-{l}"));
            let _ = writeln!(text, "| {} | {plies} | {paper} | {score} |", name(*model));
        }
    }
}

/// Tables 4 and 5 of one kind of games.
fn imitated(text: &mut String, source: &str, imitation: &Imitation) {
    let _ = writeln!(
        text,
        "## Tables 4 and 5: held-out {source}\n\n\
         Columns: the share of the moves that are compared; the share of these that raise the \
         value for the mover; their mean rank among the neutral moves (best = 0, ties count half). \
         The paper's numbers are in brackets.\n\n\
         | plies | moves | compared, % | rise, %: parent | sibling | legal | neutral | rank: \
         parent | sibling |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    let names = PLIES.iter().zip(PLIES.iter().skip(1).map(Some).chain([None]));
    let names = names.map(|(first, next)| match next {
        Some(next) => format!("{first}-{next}"),
        None => format!("{first}-"),
    });
    let rows = imitation.0.iter().copied().chain([imitation.total()]);
    for ((name, row), paper) in names.chain(["all".to_owned()]).zip(rows).zip(TABLES_4_AND_5) {
        let _ = write!(text, "| {name} | {} |", row.all);
        for (ours, paper) in figures(&row).into_iter().zip(paper) {
            let _ = write!(text, " {ours:.1} ({paper}) |");
        }
        *text += "\n";
    }
    *text += "\n";
}

/// The figures in the order of [`TABLES_4_AND_5`].
fn figures(row: &Moves) -> [f64; 7] {
    let compared = row.compared.max(1) as f64;
    let share = |count: u64| 100.0 * count as f64 / compared;
    [
        100.0 * row.compared as f64 / row.all.max(1) as f64,
        share(row.rises[0]),
        share(row.rises[1]),
        row.legal as f64 / compared,
        row.neutral as f64 / compared,
        row.half_ranks[0] as f64 / 2.0 / compared,
        row.half_ranks[1] as f64 / 2.0 / compared,
    ]
}
