//! `kankei learn report`: quality of an evaluation on games that were held out from learning.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use rayon::prelude::*;

use crate::command::games::each_game_while;
use crate::command::output::ForceArg;
use crate::command::run_log;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, progress_bar, thread_pool};
use crate::eval::Evaluation;
use crate::lab::QuiescenceLeaf;
use crate::lab::chart::{Curve, LineChart};
use crate::lab::description;
use crate::lab::learn::RealWeights;
use crate::lab::learn::logistic::fit_slope;
use crate::lab::learn::report::{Observation, ObservationSummary, PHASES, observe};
use crate::record::{Game, GameHash};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Evaluation: `internal`, `material`, or a weights file
    #[arg(value_name = "EVAL", default_value = "internal")]
    table: String,
    /// Files or folders of labelled games
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Percentage of the games that were held out from learning, by a hash of their moves; 100 =
    /// all
    #[arg(long, value_name = "PERCENT", default_value_t = 2.5, value_parser = crate::command::percent)]
    held_out: f64,
    /// Largest number of games to use
    #[arg(long, value_name = "GAMES", default_value_t = 300, value_parser = crate::command::whole_number::<usize>)]
    limit: usize,
    /// Draw the calibration into this SVG file
    #[arg(long, value_name = "FILE", value_parser = crate::command::output::svg_path)]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    /// Threads; 0 = all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.force.check(&args.svg.iter().collect::<Vec<_>>(), &args.games)?;
    let evaluation = EvalArgs::named(&args.table).load()?;
    let mut games = Vec::new();
    each_game_while(&args.games, |game| {
        if games.len() < args.limit && GameHash::of(&game).is_held_out(args.held_out) {
            games.push(game);
        }
        Ok(games.len() < args.limit)
    })?;
    let weights = description::describe(&evaluation);
    let material = Evaluation::Learned(RealWeights::zero().quantize().weights.into());
    let rows: Vec<ReportRow> = thread_pool(args.threads)?.install(|| {
        [("material alone", material), (args.table.as_str(), evaluation)]
            .into_iter()
            .map(|(name, evaluation)| ReportRow::new(name, &games, evaluation))
            .collect()
    });
    print!("{}\n{weights}", describe(&games, &rows));
    if let Some(path) = &args.svg {
        run_log::write(path, &calibration_chart(&rows))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One evaluation and its observations.
struct ReportRow {
    name: String,
    /// Centipawns that multiply the odds of winning by e, fitted to the results.
    scale: f32,
    observations: Vec<Observation>,
}

impl ReportRow {
    fn new(name: &str, games: &[Game], evaluation: Evaluation) -> ReportRow {
        let bar = progress_bar(games.len());
        let observations: Vec<Observation> = games
            .par_iter()
            .map_init(
                || QuiescenceLeaf::new(&evaluation),
                |leaf, game| {
                    bar.inc(1);
                    observe(game, leaf)
                },
            )
            .collect::<Vec<_>>()
            .concat();
        bar.finish_and_clear();
        let valued: Vec<(f32, f32)> =
            observations.iter().filter_map(|o| Some((o.value? as f32, o.result?))).collect();
        let scale = fit_slope(&valued, |point| point.0, |point| point.1);
        ReportRow { name: name.to_owned(), scale, observations }
    }

    /// Summary of a phase, or of all phases.
    fn summary(&self, phase: Option<usize>) -> ObservationSummary {
        let wanted = |o: &&Observation| phase.is_none_or(|phase| o.phase == phase);
        ObservationSummary::of(self.observations.iter().filter(wanted), self.scale)
    }
}

fn describe(games: &[Game], rows: &[ReportRow]) -> String {
    let text = agreement_table(games, rows);
    if rows.iter().all(|row| row.summary(None).valued == 0) {
        return text + "\nNo game has a result, so there is no loss and no calibration.\n";
    }
    text + &calibration_table(rows)
}

/// Each evaluation with each phase of a game, and with all of them.
fn phases(rows: &[ReportRow]) -> impl Iterator<Item = (&ReportRow, Option<usize>)> {
    let phases = || (0..PHASES.len()).map(Some).chain([None]);
    rows.iter().flat_map(move |row| phases().map(move |phase| (row, phase)))
}

fn agreement_table(games: &[Game], rows: &[ReportRow]) -> String {
    let mut text = format!(
        "{} games. Loss: cross-entropy of the results given the value of the quiescence leaf.\n\
         Agreement: how often the move played is the best by the value after it (a tie of n\n\
         counts 1/n), and its mean rank; without and with quiescence.\n\n\
         | evaluation | plies | positions | loss | agreement | rank | with quiescence | rank |\n\
         |---|---|---|---|---|---|---|---|\n",
        games.len()
    );
    for (row, phase) in phases(rows) {
        let ObservationSummary { positions, valued, loss, moves: [raw, quiet], .. } =
            row.summary(phase);
        let loss = if valued > 0 { format!("{loss:.4}") } else { "-".to_owned() };
        let _ = writeln!(
            text,
            "| {} | {} | {positions} | {loss} | {:.2} % | {:.2} | {:.2} % | {:.2} |",
            row.name,
            phase_name(phase),
            100.0 * raw.top,
            raw.rank,
            100.0 * quiet.top,
            quiet.rank
        );
    }
    text
}

fn calibration_table(rows: &[ReportRow]) -> String {
    let tenths: String = (0..10).map(|tenth| format!(" .{tenth} |")).collect();
    let mut text = format!(
        "\nCalibration: points expected and scored, by tenths of the expectation.\n\n\
         | evaluation | plies | cp per factor e |{tenths}\n|---|---|---|{}\n",
        "---|".repeat(10)
    );
    for (row, phase) in phases(rows) {
        let _ = write!(text, "| {} | {} | {:.0} |", row.name, phase_name(phase), row.scale);
        for bin in row.summary(phase).calibration {
            let _ = match bin.count {
                0 => write!(text, " |"),
                _ => write!(text, " {:.2} {:.2} |", bin.expected, bin.scored),
            };
        }
        text.push('\n');
    }
    text
}

fn phase_name(phase: Option<usize>) -> String {
    match phase {
        None => "all".to_owned(),
        Some(phase) => match PHASES.get(phase + 1) {
            Some(end) => format!("{}-{}", PHASES[phase], end - 1),
            None => format!("{}+", PHASES[phase]),
        },
    }
}

fn calibration_chart(rows: &[ReportRow]) -> String {
    let curve = |row: &ReportRow| {
        let calibration = row.summary(None).calibration;
        let bins = calibration.iter().filter(|bin| bin.count > 0);
        Curve {
            name: row.name.clone(),
            points: bins.map(|bin| (bin.expected, bin.scored)).collect(),
        }
    };
    let ideal = Curve { name: "ideal".to_owned(), points: vec![(0.0, 0.0), (1.0, 1.0)] };
    let curves: Vec<Curve> = rows.iter().map(curve).chain([ideal]).collect();
    LineChart {
        title: "Calibration on held-out games",
        x: "points expected",
        y: "points scored",
        curves: &curves,
    }
    .to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_a_row_for_each_phase() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.txt");
        let line = "7g7f 3c3d 8h2b+ 3a2b | 10 . 400 -60 | b\n";
        std::fs::write(&path, line).expect("space");
        let svg = folder.path().join("calibration.svg");
        let args = Args {
            table: "material".to_owned(),
            games: vec![path],
            held_out: 100.0,
            limit: 5,
            svg: Some(svg.clone()),
            force: ForceArg::default(),
            threads: 1,
        };
        run(&args).expect("a report");
        assert!(std::fs::read_to_string(svg).expect("a drawing").contains("ideal"));
        assert_eq!(phase_name(Some(0)), "0-39");
        assert_eq!(phase_name(Some(3)), "120+");
    }
}
