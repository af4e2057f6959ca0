//! Fixed searches of fixed positions.
//!
//! The node total is the signature of the searcher: the same on every machine with one thread, and
//! changed by every functional change. The speed is this machine's.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::bench_positions::{POSITIONS, Phase};
use crate::engine::{BestMove, Control, Engine, Limits};
use crate::shogi::Position;

/// What the searches cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchTotal {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

/// Limits of each search of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchLimit {
    /// A depth for each phase: opening, middle, endgame.
    Phases([u32; 3]),
    /// This depth everywhere.
    Depth(u32),
    /// So many nodes everywhere.
    Nodes(u64),
}

impl BenchLimit {
    /// Depths at which [`AlphaBeta`](crate::search::AlphaBeta) takes about the same time in each
    /// phase.
    pub const ALPHA_BETA: BenchLimit = BenchLimit::Phases([13, 12, 11]);
    /// The same for [`FullWidth`](crate::search::FullWidth).
    pub const FULL_WIDTH: BenchLimit = BenchLimit::Phases([8, 6, 5]);

    fn limits(self, phase: Phase) -> Limits {
        match self {
            BenchLimit::Phases(depths) => {
                Limits { depth: Some(depths[phase as usize]), ..Limits::default() }
            }
            BenchLimit::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
            BenchLimit::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        }
    }
}

/// Searches every bench position with an empty table and prints a line for each.
///
/// # Errors
/// Whatever writing to `out` returns.
pub fn bench(
    engine: &mut dyn Engine,
    limit: BenchLimit,
    out: &mut dyn Write,
) -> io::Result<BenchTotal> {
    let mut total = BenchTotal::default();
    for (number, &(phase, sfen)) in POSITIONS.iter().enumerate() {
        let pos = Position::from_sfen(sfen).expect("bench positions are valid");
        engine.new_game();
        let start = Instant::now();
        let control = Control::new(start);
        let outcome = engine.search(&pos, &limit.limits(phase), &control, &mut |_| ());
        let time = start.elapsed();
        total.nodes += outcome.nodes;
        total.time += time;
        let mv = match outcome.best {
            BestMove::Play(mv, _) => mv.to_string(),
            BestMove::Resign => "resign".to_owned(),
            BestMove::Declare => "win".to_owned(),
        };
        let (depth, score) =
            outcome.info.map_or((0, "-".to_owned()), |info| (info.depth, info.score.to_string()));
        writeln!(
            out,
            "{:2} {:8} depth {depth:2} {mv:6} {score:9} nodes {:9} time {:5} ms",
            number + 1,
            phase.name(),
            outcome.nodes,
            time.as_millis(),
        )?;
    }
    Ok(total)
}

/// Prints the closing lines; the last one is the form that OpenBench reads.
///
/// # Errors
/// Whatever writing to `out` returns.
pub fn print_total(total: BenchTotal, out: &mut dyn Write) -> io::Result<()> {
    let rate = (total.nodes as f64 / total.time.as_secs_f64().max(1e-9)) as u64;
    writeln!(out, "Time (ms) : {}", total.time.as_millis())?;
    writeln!(out, "Nodes searched : {}", total.nodes)?;
    writeln!(out, "nodes/s : {rate}")?;
    writeln!(out, "{} nodes {rate} nps", total.nodes)
}
