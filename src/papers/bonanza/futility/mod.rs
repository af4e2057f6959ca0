//! Hoki 2006, table 1 and the 2,000 next-move problems: the savings and the costs of futility
//! pruning in a full-width search.

mod bounds;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt, progress_bar};
use crate::engine::{BestMove, Control, Engine, Limits, Query, Settings};
use crate::engines::bench_positions::{Phase, positions};
use crate::eval::{Evaluation, PAWN_EXCHANGE, Score};
use crate::lab::chart::BarChart;
use crate::papers::bonanza::searcher::{FullWidth, FullWidthParams, Rules};
use crate::papers::experiment::{ExperimentArgs, Size, interrupted};
use crate::papers::problems::{self, Selection, Solved, Solver};
use crate::shogi::Position;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    /// Folder of data: `suites/` with problems; used with full size only
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    eval: EvalArgs,
    /// Number of next-move problems, of suites/nextmove_suisho.txt
    #[arg(long, default_value_t = 2_000, value_parser = crate::command::whole_number::<usize>)]
    problems: usize,
    /// Time per problem, ms
    #[arg(long, default_value_t = 1_000, value_parser = crate::command::at_least_one::<u64>)]
    ms: u64,
    /// Number of problems searched in parallel
    #[arg(long, default_value_t = 2, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

/// A configuration of the search.
#[derive(Clone, Copy)]
struct Variant {
    name: &'static str,
    params: FullWidthParams,
}

/// The first one, without futility pruning, is the base of all comparisons.
const VARIANTS: [Variant; 3] = [
    Variant { name: "without", params: FullWidthParams::DEFAULT.without(Rules::ALL_FUTILITY) },
    Variant { name: "with, the paper's constants", params: FullWidthParams::HOKI_2006 },
    Variant { name: "with, constants in use", params: FullWidthParams::DEFAULT },
];

/// The variants that solve problems, as in the paper: without futility pruning, and with the
/// constants in use.
const SOLVERS: [Variant; 2] = [VARIANTS[0], VARIANTS[2]];

/// One search to a fixed depth.
#[derive(Clone, Copy)]
struct Run {
    nodes: u64,
    time: Duration,
    best: BestMove,
    score: Option<Score>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let (size, out) = (args.experiment.size, &args.experiment.out);
    let selection = Selection::First(args.problems);
    if let Some(data) = &args.data {
        problems::check(data, selection)?;
    }
    let positions: Vec<(Phase, &str)> = match size {
        Size::Full => positions().collect(),
        // Every third position, which is four of each phase.
        Size::Small => positions().step_by(3).collect(),
    };
    let evaluation = args.eval.load()?;
    let runs = search_all(&positions, size, &evaluation);
    let mut report = introduction(&args.eval);
    table(&mut report, &positions, &runs, size);
    for (file, svg) in drawings(&positions, &runs) {
        let _ = writeln!(report, "![{file}]({file})\n");
        args.experiment.write(file, &svg)?;
    }
    report += &bounds::table(positions.iter().map(|&(_, sfen)| sfen), &evaluation);
    match (&args.data, size) {
        (Some(data), Size::Full) => {
            let budget = problems::Budget {
                selection,
                time: Duration::from_millis(args.ms),
                threads: args.threads,
            };
            interrupt::watch();
            let solvers = SOLVERS.map(|Variant { params, .. }| {
                let evaluation = evaluation.clone();
                Solver {
                    label: format!("{params:?}"),
                    build: Box::new(move || Box::new(FullWidth::new(params, evaluation.clone()))),
                }
            });
            let solved = problems::solve(data, out, budget, &evaluation, &solvers)?;
            let Some(solved) = solved else { return interrupted(" after the last problem") };
            problems_table(&mut report, &solved, budget);
        }
        _ => report += "The next-move problems need `--size full --data DIR`.\n",
    }
    let code = args.experiment.publish(&report)?;
    problems::forget(out, Duration::from_millis(args.ms));
    Ok(code)
}

/// Search depth, fixed per phase: the paper used 10 in the opening and 6 in the endgame.
fn depth(phase: Phase, size: Size) -> u32 {
    match (phase, size) {
        (Phase::Opening, Size::Full) => 10,
        (Phase::Middle, Size::Full) => 8,
        (Phase::Endgame, Size::Full) => 6,
        (Phase::Opening, Size::Small) => 8,
        (Phase::Middle, Size::Small) => 6,
        (Phase::Endgame, Size::Small) => 4,
    }
}

/// Shape `[positions][variants]`. Runs one search at a time, because times are compared.
fn search_all(positions: &[(Phase, &str)], size: Size, evaluation: &Evaluation) -> Vec<Vec<Run>> {
    let bar = progress_bar(positions.len() * VARIANTS.len());
    let mut engines = VARIANTS.map(|variant| FullWidth::new(variant.params, evaluation.clone()));
    for engine in &mut engines {
        engine.configure(&Settings { hash_mib: 64, ..Settings::default() });
    }
    let search = |engine: &mut FullWidth, sfen: &str, depth| {
        let pos = Position::from_sfen(sfen).expect("bench positions are valid");
        engine.new_game();
        let control = Control::new(Instant::now());
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let outcome = engine.search(Query::new(&pos, &limits, &control), &mut |_| ());
        bar.inc(1);
        Run {
            nodes: outcome.nodes,
            time: control.elapsed(),
            best: outcome.best,
            score: outcome.info.map(|info| info.score),
        }
    };
    let runs = positions
        .iter()
        .map(|&(phase, sfen)| {
            engines.iter_mut().map(|engine| search(engine, sfen, depth(phase, size))).collect()
        })
        .collect();
    bar.finish_and_clear();
    runs
}

fn introduction(eval: &EvalArgs) -> String {
    format!(
        "# Futility pruning in a full-width search\n\n\
         After K. Hoki, IPSJ Magazine 47-8 (2006), table 1: positions searched to a fixed depth \
         with and without futility pruning (equations (4) to (10)). The paper measured one opening \
         position (10.60 M to 5.49 M nodes, -48 %) and one endgame position (11.57 M to 1.27 M, \
         -89 %), and gives averages of 50 and 90 % fewer nodes and 45 and 85 % less time.\n\n\
         Its pawn is the exchange value of a pawn, {PAWN_EXCHANGE} centipawns here. *The paper's \
         constants*: Vmax 4 pawns, 12 for king moves, 15 for material alone, Fmgn 2. *Constants in \
         use*: Vmax {}, {} and {} centipawns at the start of a search, raised whenever the search \
         meets a larger change; Fmgn {}. Evaluation: `{eval}`.\n\n",
        FullWidthParams::DEFAULT.change_bound,
        FullWidthParams::DEFAULT.king_change_bound,
        FullWidthParams::DEFAULT.material_bound,
        FullWidthParams::DEFAULT.futility_margin,
    )
}

/// Sums over the positions of one phase (all if `None`) for one variant.
struct Sum {
    nodes: u64,
    time: Duration,
    same_move: usize,
    same_score: usize,
    positions: usize,
    /// Mean over the positions of the share of nodes left, relative to the first variant.
    mean_nodes_left: f64,
}

fn sum(
    positions: &[(Phase, &str)],
    runs: &[Vec<Run>],
    phase: Option<Phase>,
    variant: usize,
) -> Sum {
    let of_phase = || {
        positions
            .iter()
            .zip(runs)
            .filter(move |((p, _), _)| phase.is_none_or(|phase| *p == phase))
            .map(move |(_, runs)| (&runs[0], &runs[variant]))
    };
    let count = of_phase().count();
    let left = of_phase().map(|(base, run)| run.nodes as f64 / base.nodes.max(1) as f64);
    Sum {
        nodes: of_phase().map(|(_, run)| run.nodes).sum(),
        time: of_phase().map(|(_, run)| run.time).sum(),
        same_move: of_phase().filter(|(base, run)| first_move(base) == first_move(run)).count(),
        same_score: of_phase().filter(|(base, run)| base.score == run.score).count(),
        positions: count,
        mean_nodes_left: left.sum::<f64>() / count.max(1) as f64,
    }
}

fn first_move(run: &Run) -> Option<crate::shogi::Move> {
    match run.best {
        BestMove::Play(mv, _) => Some(mv),
        BestMove::Resign | BestMove::Declare => None,
    }
}

fn table(report: &mut String, positions: &[(Phase, &str)], runs: &[Vec<Run>], size: Size) {
    *report += "| phase | depth | futility pruning | nodes | fewer nodes | mean of positions | time, s | less time | same best move | same score |\n\
                |---|---|---|---|---|---|---|---|---|---|\n";
    for phase in Phase::ALL {
        let base = sum(positions, runs, Some(phase), 0);
        for (n, variant) in VARIANTS.iter().enumerate() {
            let sum = sum(positions, runs, Some(phase), n);
            let saved = |now: f64, before: f64| 100.0 * (1.0 - now / before.max(1e-9));
            let _ = writeln!(
                report,
                "| {} | {} | {} | {:.2} M | {:.0} % | {:.0} % | {:.2} | {:.0} % | {} of {} | {} of {} |",
                phase.name(),
                depth(phase, size),
                variant.name,
                sum.nodes as f64 / 1e6,
                saved(sum.nodes as f64, base.nodes as f64),
                100.0 * (1.0 - sum.mean_nodes_left),
                sum.time.as_secs_f64(),
                saved(sum.time.as_secs_f64(), base.time.as_secs_f64()),
                sum.same_move,
                sum.positions,
                sum.same_score,
                sum.positions,
            );
        }
    }
    *report += "\n\"Fewer nodes\" compares the sums of a phase, \"mean of positions\" averages the saving \
                of each position.\n\n";
}

/// File name and SVG of each drawing.
fn drawings(positions: &[(Phase, &str)], runs: &[Vec<Run>]) -> [(&'static str, String); 2] {
    let bars = VARIANTS.map(|variant| variant.name);
    let groups = |value: fn(&Sum) -> f64| {
        Phase::ALL.map(|phase| {
            let sums = (0..VARIANTS.len()).map(|n| sum(positions, runs, Some(phase), n));
            (phase.name().to_owned(), sums.map(|sum| value(&sum)).collect())
        })
    };
    let draw = |title, height, groups: [(String, Vec<f64>); 3]| {
        BarChart { title, height, bars: &bars, groups: &groups }.to_svg()
    };
    [
        (
            "nodes.svg",
            draw("Nodes at fixed depth", "million nodes", groups(|s| s.nodes as f64 / 1e6)),
        ),
        ("time.svg", draw("Time at fixed depth", "seconds", groups(|s| s.time.as_secs_f64()))),
    ]
}

fn problems_table(report: &mut String, solved: &[Solved], budget: problems::Budget) {
    let _ = writeln!(
        report,
        "## Next-move problems\n\n\
         {} problems at {} ms each. The paper solved 867 of 2,000 without and 928 with futility \
         pruning, at 10 s each.\n\n\
         | futility pruning | solved | of | mean depth | mean nodes |\n|---|---|---|---|---|",
        solved.first().map_or(0, |solved| solved.total),
        budget.time.as_millis(),
    );
    for (variant, solved) in SOLVERS.iter().zip(solved) {
        let _ = writeln!(
            report,
            "| {} | {} | {} | {:.2} | {:.0} |",
            variant.name,
            solved.right,
            solved.total,
            solved.mean_depth(),
            solved.mean_nodes(),
        );
    }
    report.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_experiment_writes_its_report() {
        let folder = tempfile::tempdir().expect("a folder");
        let args = Args {
            eval: EvalArgs::named("material"),
            experiment: ExperimentArgs { size: Size::Small, out: folder.path().to_owned() },
            data: None,
            problems: 1,
            ms: 1,
            threads: 1,
        };
        run(&args).expect("runs");
        let report = std::fs::read_to_string(folder.path().join("report.md")).expect("a report");
        for phase in Phase::ALL {
            assert_eq!(report.matches(&format!("| {} |", phase.name())).count(), VARIANTS.len());
        }
        for file in ["nodes.svg", "time.svg"] {
            assert!(folder.path().join(file).metadata().is_ok_and(|data| data.len() > 1_000));
        }
    }
}
