//! The report.

use std::fmt::Write;

use super::players::{OURS, PlayedPairing, Player, SolvedSet, TABLE_1, TABLE_4};
use crate::command::searcher::EvalArgs;
use crate::lab::chart::BarChart;
use crate::papers::problems::Solved;

/// All measurements.
pub(super) struct Report<'a> {
    /// Tables 1 and 4, then the longer searches; empty without data.
    pub solved: &'a [SolvedSet],
    pub played: &'a [PlayedPairing],
    /// Number of games of each pairing, and the time per move, ms.
    pub games: (u64, u64),
    pub eval: &'a EvalArgs,
}

/// Number of problems of the paper's Table 1.
const PAPER_PROBLEMS: usize = 432;

impl SolvedSet {
    fn right(&self, player: Player) -> Option<usize> {
        let found = self.solved.iter().find(|(other, _)| *other == player);
        found.map(|(_, solved)| solved.right)
    }
}

impl Report<'_> {
    /// The report as markdown.
    pub fn text(&self) -> String {
        let mut text = format!(
            "# Monte-Carlo tree search with the evaluation function\n\n\
             The methods of the paper differ in the result of a leaf of the tree. It comes from a \
             playout to the end (playout), from the side that is ahead after some plies of a \
             playout (Leaf), or from the side that first gets ahead by two pawns (Cutoff). Being \
             ahead is measured by the evaluation (EF) or by quiescence search (QS), by the value \
             itself or by its difference from the root's (Diff). \"{}\" is our method: no playout, \
             but the probability of winning from quiescence search, and PUCT. One thread, \
             evaluation {}.\n\n",
            OURS.0, self.eval
        );
        match self.solved.first() {
            Some(set) => {
                self.problems(&mut text);
                ablation(&mut text, set);
            }
            None => text += "The next-move problems need `--data DIR`.\n\n",
        }
        self.matches(&mut text);
        text
    }

    /// File name and SVG of Table 1.
    pub fn drawing(&self) -> Option<(&'static str, String)> {
        let set = self.solved.first()?;
        let share = |right: usize, count: usize| 100.0 * right as f64 / count.max(1) as f64;
        let group = |(player, solved): &(Player, Solved)| {
            let paper = TABLE_1.iter().find(|row| row.0 == player.name());
            let paper = paper.map_or(0.0, |row| share(row.1, PAPER_PROBLEMS));
            (player.name().to_owned(), vec![paper, share(solved.right, solved.total)])
        };
        let groups: Vec<(String, Vec<f64>)> = set.solved.iter().map(group).collect();
        let chart = BarChart {
            title: "Problems solved (Table 1)",
            height: "%",
            bars: &["the paper", "Kankei"],
            groups: &groups,
        };
        Some(("solved.svg", chart.to_svg()))
    }

    fn problems(&self, text: &mut String) {
        *text += "## Table 1: next-move problems\n\n\
                  Problems of `suites/nextmove_suisho.txt`, evenly spaced over the file; the paper \
                  used another collection, at 10 s each.\n\n\
                  | method | the paper |";
        for set in self.solved {
            let SolvedSet { count, ms, .. } = set;
            let _ = write!(text, " {count} at {ms} ms | visits or nodes |");
        }
        *text += "\n|---|---|";
        *text += &"---|---|".repeat(self.solved.len());
        *text += "\n";
        let Some(first) = self.solved.first() else { return };
        for (player, _) in &first.solved {
            let paper = TABLE_1.iter().find(|row| row.0 == player.name());
            let paper = paper.map_or(String::new(), |row| format!("{} of {PAPER_PROBLEMS}", row.1));
            let _ = write!(text, "| {} | {paper} |", player.name());
            for set in self.solved {
                match set.solved.iter().find(|(other, _)| other == player) {
                    Some((_, solved)) => {
                        let _ = write!(text, " {} | {:.0} |", solved.right, solved.mean_nodes());
                    }
                    None => *text += " | |",
                }
            }
            *text += "\n";
        }
        *text += "\n![solved](solved.svg)\n\n";
    }

    fn matches(&self, text: &mut String) {
        let (games, ms) = self.games;
        let _ = writeln!(
            text,
            "## Table 2: games\n\n{games} games each at {ms} ms a move, colours changed; the paper \
             played 48 at 10 s. Won, drawn and lost by the first.\n\n| | against | the paper | Kankei |\n|---|---|---|---|"
        );
        for PlayedPairing { players: [one, other], score, paper } in self.played {
            let of_paper = |[won, drawn, lost]: [usize; 3]| format!("{won}-{drawn}-{lost}");
            let paper = paper.map_or(String::new(), of_paper);
            let _ = writeln!(text, "| {} | {} | {paper} | {score} |", one.name(), other.name());
        }
    }
}

fn ablation(text: &mut String, set: &SolvedSet) {
    *text += "## Table 4: what each part adds\n\n\
              Problems solved by EF alone, and additional problems solved with Diff, with QS, and \
              with both; the paper's numbers in brackets.\n\n\
              | | EF | +Diff | +QS | +QS-Diff |\n\
              |---|---|---|---|---|\n";
    for (title, (names, paper)) in ["Leaf", "Cutoff"].into_iter().zip(TABLE_4) {
        let right = names.map(|name| set.right(Player::of(name)).unwrap_or_default() as i32);
        let _ = write!(text, "| {title} | {} ({}) |", right[0], paper[0]);
        for at in 1..names.len() {
            let _ = write!(text, " {:+} ({:+}) |", right[at] - right[0], paper[at]);
        }
        *text += "\n";
    }
    *text += "\n";
}
