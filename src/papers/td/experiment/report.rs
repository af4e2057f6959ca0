//! The report: the paper's statements on its figures next to Kankei's results.

use std::fmt::Write;
use std::ops::Range;

use super::finished_run::FinishedRun;
use crate::lab::chart::{BarChart, Curve, LineChart};
use crate::lab::learn::CurvePoint;
use crate::papers::td::features::{FeatureGroup, TABLE_2, WEIGHTS, weight_name};
use crate::papers::td::learner::{Horizon, LearnedGroups, Opponent, Start, TdConfig, TdMeasure};
use crate::shogi::HandPiece;

/// All results.
pub(super) struct Report<'a> {
    pub runs: &'a [FinishedRun],
}

/// Indices of the unpromoted and of the promoted pieces on the board.
const UNPROMOTED: Range<usize> = 0..HandPiece::COUNT;
const PROMOTED: Range<usize> = HandPiece::COUNT..FeatureGroup::Board.places().end;
/// Index of the rook on the board.
const ROOK: usize = HandPiece::Rook.index();

/// The rook's value in Figures 4 and 5.
const ROOK_RATIO: f64 = 5.0;

/// The paper's order of the pieces on the board, cheapest first (section 4.1).
const PAPER_ORDER: [HandPiece; 7] = [
    HandPiece::Knight,
    HandPiece::Pawn,
    HandPiece::Lance,
    HandPiece::Silver,
    HandPiece::Gold,
    HandPiece::Bishop,
    HandPiece::Rook,
];

/// File names of the drawings, by the figure of the paper.
const FIGURES: [&str; 9] = [
    "figure_2_board.svg",
    "figure_3_promoted.svg",
    "figure_4_ratios.svg",
    "figure_5_promoted_ratios.svg",
    "figure_6_hand.svg",
    "figure_7_hand_ratios.svg",
    "figure_8_attacks.svg",
    "figure_9_distance.svg",
    "all_pieces.svg",
];

impl Report<'_> {
    /// The report as markdown.
    pub fn text(&self) -> String {
        let mut text = introduction();
        self.games(&mut text);
        self.board(&mut text);
        self.hand(&mut text);
        self.king(&mut text);
        self.all(&mut text);
        text
    }

    /// File name and SVG of each drawing.
    pub fn drawings(&self) -> Vec<(&'static str, String)> {
        let boards = self.of(LearnedGroups::Pieces);
        let names: Vec<String> = boards.iter().map(|run| run_name(run)).collect();
        let bars: Vec<&str> = names.iter().map(String::as_str).collect();
        let ratios = |title, places: Range<usize>| {
            let group = |place: usize| {
                let of_run = |run: &&FinishedRun| ratio_to_rook(run, place).max(0.0);
                (short_name(place).to_owned(), boards.iter().map(of_run).collect())
            };
            let groups: Vec<(String, Vec<f64>)> = places.map(group).collect();
            BarChart { title, height: "rook = 5", bars: &bars, groups: &groups }.to_svg()
        };
        let hand_runs = self.of(LearnedGroups::Hand);
        let hand_names: Vec<String> = hand_runs.iter().map(|run| run_name(run)).collect();
        let hand_bars: Vec<&str> = hand_names.iter().map(String::as_str).collect();
        let of_hand = |place: usize| {
            let of_run = |run: &&FinishedRun| hand_ratio(run, place).max(0.0);
            (short_name(place).to_owned(), hand_runs.iter().map(of_run).collect())
        };
        let hands: Vec<(String, Vec<f64>)> = FeatureGroup::Hand.places().map(of_hand).collect();
        let hand_chart = BarChart {
            title: "Hand values (Figure 7)",
            height: "value on the board = 1",
            bars: &hand_bars,
            groups: &hands,
        };
        // The paper draws only one of its runs of 10,000 games.
        let board = boards.get(1).copied();
        let hand = self.of(LearnedGroups::Hand).first().copied();
        let king = self.of(LearnedGroups::King).first().copied();
        let all = self.of(LearnedGroups::All).last().copied();
        let drawings = [
            curves("Board values (Figure 2)", board, UNPROMOTED),
            curves("Board values, promoted (Figure 3)", board, PROMOTED),
            ratios("Ratios to the rook (Figure 4)", UNPROMOTED),
            ratios("Ratios to the rook, promoted (Figure 5)", PROMOTED),
            curves("Hand values (Figure 6)", hand, FeatureGroup::Hand.places()),
            hand_chart.to_svg(),
            curves("Attacked squares (Figure 8)", king, FeatureGroup::Attacks.places()),
            curves("Distance (Figure 9)", king, FeatureGroup::Distance.places()),
            curves("Everything at once, against itself", all, UNPROMOTED),
        ];
        FIGURES.into_iter().zip(drawings).collect()
    }

    /// The runs that learned these groups, the paper's first.
    fn of(&self, learned: LearnedGroups) -> Vec<&FinishedRun> {
        self.runs.iter().filter(|run| run.config.learned == learned).collect()
    }

    fn games(&self, text: &mut String) {
        *text += "## Games\n\n\
                  Games won, drawn and lost by the learner, over all games and over the last \
                  fifth.\n\n\
                  | run | rate | games | won-drawn-lost | last fifth | plies per game | positions \
                  per move | games/s |\n\
                  |---|---|---|---|---|---|---|---|\n";
        for run in self.runs {
            let score = run.last().score;
            let before = run.curve[(run.curve.len() - 1) * 4 / 5].measured.score;
            let wins = |[won, drawn, lost]: [u64; 3]| format!("{won}-{drawn}-{lost}");
            let [first, last] = run.config.rates;
            let share = if run.config.learned == LearnedGroups::King { 0.2 } else { 1.0 };
            let (first, last) = (share * first, share * last);
            let _ = writeln!(
                text,
                "| {} | {first} to {last} | {} | {} | {} | {:.0} | {:.0} | {:.1} |",
                run_name(run),
                score.count(),
                wins(score.games),
                wins(score.since(&before).games),
                score.plies as f64 / score.count().max(1) as f64,
                score.nodes as f64 / score.plies.max(1) as f64,
                score.count() as f64 / score.seconds.max(1e-9),
            );
        }
        *text += "\n";
    }

    fn board(&self, text: &mut String) {
        let mut runs = self.of(LearnedGroups::Pieces);
        runs.extend(self.of(LearnedGroups::Board));
        *text += "## Figures 2 to 5: values on the board\n\n\
                  The paper: in all three runs the order is knight, pawn, lance, silver, gold, \
                  bishop, rook; the pawn is a fifth of the rook, which is high; promoted pieces \
                  occur rarely and get unrealistic values, the tokin far too high in every run. It \
                  does not give the values of pieces in hand in these runs. \"pieces\" sets them \
                  to 1.1 times the values on the board, as in Table 2; \"board\" leaves them at \
                  Table 2, far below pieces on the board that start at 1000.\n\n";
        table_head(text, "ratio to the rook, with the rook at 5", &runs, "Table 2");
        for place in FeatureGroup::Board.places() {
            let _ = write!(text, "| {} |", short_name(place));
            for run in &runs {
                let weight = run.last().weights[place];
                let _ = write!(text, " {weight:.0} ({:.2}) |", ratio_to_rook(run, place));
            }
            let known = ROOK_RATIO * TABLE_2[place] / TABLE_2[ROOK];
            let _ = writeln!(text, " {:.0} ({known:.2}) |", TABLE_2[place]);
        }
        *text += "\n\
                  | | cheapest first | pairs of pieces in the opposite order to Table 2 |\n\
                  |---|---|---|\n";
        let paper = PAPER_ORDER.map(|held| short_name(held.index())).join(", ");
        let paper_swaps = swaps(&PAPER_ORDER.map(HandPiece::index));
        let _ = writeln!(text, "| the paper, all three | {paper} | {paper_swaps} |");
        for run in &runs {
            let order = order(&run.last().weights);
            let names: Vec<&str> = order.iter().map(|&place| short_name(place)).collect();
            let _ =
                writeln!(text, "| {} | {} | {} |", run_name(run), names.join(", "), swaps(&order));
        }
        let _ = writeln!(
            text,
            "\n![board]({})\n\n![promoted]({})\n\n![ratios]({})\n\n![promoted ratios]({})\n",
            FIGURES[0], FIGURES[1], FIGURES[2], FIGURES[3]
        );
    }

    fn hand(&self, text: &mut String) {
        let runs = self.of(LearnedGroups::Hand);
        *text += "## Figures 6 and 7: values in hand\n\n\
                  Board values are those of Table 2. The paper: a piece in hand is commonly valued \
                  a tenth above its value on the board. The learned pawn in hand has 4.5 times its \
                  value on the board, the others about 1.0, gold, silver and rook below 1. After \
                  6,000 games the order still changes.\n\n";
        table_head(text, "ratio to the value on the board", &runs, "the paper's ratio");
        for place in FeatureGroup::Hand.places() {
            let _ = write!(text, "| {} |", short_name(place));
            for run in &runs {
                let weight = run.last().weights[place];
                let _ = write!(text, " {weight:.0} ({:.2}) |", hand_ratio(run, place));
            }
            let paper = match short_name(place) {
                "pawn" => "4.5",
                "gold" | "silver" | "rook" => "below 1",
                _ => "about 1.0",
            };
            let _ = writeln!(text, " {paper} |");
        }
        let _ = writeln!(text, "\n![hand]({})\n\n![hand ratios]({})\n", FIGURES[4], FIGURES[5]);
    }

    fn king(&self, text: &mut String) {
        let runs = self.of(LearnedGroups::King);
        *text += "## Figures 8 and 9: attacks around the kings, pieces near them\n\n\
                  The other weights are those of Table 2. The paper: both weights are above 0 for \
                  the own king and below 0 for the enemy's, although a mate needs pieces near the \
                  enemy king; it attributes this to the shallow search.\n\n";
        table_head(text, "", &runs, "the paper");
        for group in [FeatureGroup::Attacks, FeatureGroup::Distance] {
            for (place, paper) in group.places().zip(["above 0", "below 0"]) {
                let _ = write!(text, "| {} |", weight_name(place));
                for run in &runs {
                    let _ = write!(text, " {:.1} |", run.last().weights[place]);
                }
                let _ = writeln!(text, " {paper} |");
            }
        }
        let _ = writeln!(text, "\n![attacks]({})\n\n![distance]({})\n", FIGURES[6], FIGURES[7]);
    }

    fn all(&self, text: &mut String) {
        let runs = self.of(LearnedGroups::All);
        *text += "## Beyond: everything at once\n\n\
                  At ten times the paper's rate. Pieces start at 1000, on the board and in hand, \
                  the kings' weights at 0. \"varied\": Table 2 with each weight multiplied by a \
                  random factor from 1/2 to 3/2 in each game; the learner alternates colours. \
                  \"itself\": the learner plays itself and learns from both sides.\n\n";
        table_head(text, "ratio to the rook on the board, with the rook at 5", &runs, "Table 2");
        for (place, known) in TABLE_2.into_iter().enumerate() {
            let _ = write!(text, "| {} |", weight_name(place));
            let is_piece = place < FeatureGroup::Hand.places().end;
            for run in &runs {
                let weight = run.last().weights[place];
                let _ = match is_piece {
                    true => write!(text, " {weight:.0} ({:.2}) |", ratio_to_rook(run, place)),
                    false => write!(text, " {weight:.1} |"),
                };
            }
            let _ = writeln!(text, " {known:.0} |");
        }
        let _ = writeln!(text, "\n![all]({})", FIGURES[8]);
    }
}

fn introduction() -> String {
    let names: Vec<&str> = FeatureGroup::ALL.into_iter().map(FeatureGroup::name).collect();
    format!(
        "# Few features by temporal differences\n\n\
         Usui, Suzuki, Kotani: TD(0.95) of the weights of a linear evaluation ({}; Table 1), by \
         games of a learner, Black, against an opponent with the weights of Table 2. Both search \
         three plies full width, without quiescence, and add random numbers within +- 10 to the \
         values of leaves. Learned weights start at 1000, those of the kings at 0; the others stay \
         at Table 2. The names of runs give deviations from this. After every own search the \
         weights change by the change of the expected result, P = 1 / (1 + e^(-E / 1000)), where E \
         is the value of the principal leaf.\n\n\
         Corrections: the text of equation (1) weights earlier gradients by lambda^(j-1), but \
         Sutton's lambda^(i-j) is used; a feature is own minus enemy (section 2.2; section 3.1 has \
         the opposite sign). Our interpretation: own pieces count around both kings; weights of \
         the kings cannot have started at 1000 (section 3.2), because at their rate they would \
         never fall below 0; the learning rate decreases linearly; a game of 512 plies is drawn, \
         and nobody declares a win. The paper's figures are lost; its text about them remains. \
         `discussion.md` explains the results.\n\n",
        names.join(", ")
    )
}

fn table_head(text: &mut String, figure: &str, runs: &[&FinishedRun], last: &str) {
    let names: Vec<String> = runs.iter().map(|run| run_name(run)).collect();
    if !figure.is_empty() {
        let _ = writeln!(text, "In brackets: {figure}.\n");
    }
    let _ = write!(text, "| | {} | {last} |\n|---|", names.join(" | "));
    *text += &"---|".repeat(runs.len() + 1);
    *text += "\n";
}

/// Identifies a run by its learned groups and its deviation from the paper.
fn run_name(run: &FinishedRun) -> String {
    let TdConfig { learned, games, seed, start, depth, horizon, opponent, round, .. } = run.config;
    let mut name = format!("{}, {games} games, seed {seed}", learned.name());
    if let Start::At(start) = start {
        let _ = write!(name, ", from {start}");
    }
    if round > 1 {
        let _ = write!(name, ", rounds of {round}");
    }
    if depth != TdConfig::new(learned, games, seed).depth {
        let _ = write!(name, ", depth {depth}");
    }
    if horizon == Horizon::Quiescence {
        name += ", quiescence";
    }
    match opponent {
        Opponent::Table2 => {}
        Opponent::Varied => name += ", varied opponents",
        Opponent::Itself => name += ", against itself",
    }
    name
}

/// The name of a weight within its group.
fn short_name(place: usize) -> &'static str {
    let group = FeatureGroup::ALL.into_iter().find(|group| group.places().contains(&place));
    group.map_or("", |group| group.weight_names()[place - group.places().start])
}

fn ratio_to_rook(run: &FinishedRun, place: usize) -> f64 {
    let weights = run.last().weights;
    ROOK_RATIO * weights[place] / weights[ROOK]
}

/// Value in hand divided by value on the board. `place`: index of the value in hand.
fn hand_ratio(run: &FinishedRun, place: usize) -> f64 {
    let weights = run.last().weights;
    weights[place] / weights[place - FeatureGroup::Hand.places().start]
}

/// The indices of the unpromoted pieces on the board, cheapest first.
fn order(weights: &[f64; WEIGHTS]) -> Vec<usize> {
    let mut places: Vec<usize> = UNPROMOTED.collect();
    places.sort_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    places
}

/// Number of pairs of pieces in the opposite order to Table 2.
fn swaps(order: &[usize]) -> usize {
    let later = |n: usize| order[n + 1..].iter().filter(move |&&place| place < order[n]);
    (0..order.len()).map(|n| later(n).count()).sum()
}

fn curves(title: &str, run: Option<&FinishedRun>, places: Range<usize>) -> String {
    let curve = |place: usize| {
        let point = |point: &CurvePoint<TdMeasure>| {
            let TdMeasure { weights, score } = point.measured;
            (score.count() as f64, weights[place])
        };
        let points = run.into_iter().flat_map(|run| &run.curve).map(point).collect();
        Curve { name: short_name(place).to_owned(), points }
    };
    let curves: Vec<Curve> = places.map(curve).collect();
    LineChart { title, x: "games", y: "weight", curves: &curves }.to_svg()
}
