//! Fixed searches of fixed positions.
//!
//! The total of the nodes is the signature of the searcher. With one thread it is the same on every
//! machine, and every functional change changes it. The speed depends on the machine.

use std::time::{Duration, Instant};

use super::bench_positions::{Phase, positions};
use super::searcher::Searcher;
use crate::engine::{BestMove, Control, Engine, Limits, Query};
use crate::shogi::Position;

/// Costs of the searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchTotal {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

/// Limit of each search of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchLimit {
    /// A depth for each phase: opening, middlegame, endgame.
    Phases([u32; 3]),
    /// The same depth for all positions.
    Depth(u32),
    /// The same node limit for all positions.
    Nodes(u64),
}

impl BenchLimit {
    /// The default depths of a searcher.
    pub const fn of(searcher: &Searcher) -> BenchLimit {
        BenchLimit::Phases(searcher.bench_depths)
    }

    fn limits(self, phase: Phase) -> Limits {
        let (depth, nodes) = match self {
            BenchLimit::Phases(depths) => (Some(depths[phase as usize]), None),
            BenchLimit::Depth(depth) => (Some(depth), None),
            BenchLimit::Nodes(nodes) => (None, Some(nodes)),
        };
        Limits { depth, nodes, ..Limits::default() }
    }
}

/// Searches every bench position with an empty table. `print` receives a line for each position and
/// the summary lines. The last line has the format that OpenBench reads.
pub fn bench(
    engine: &mut dyn Engine,
    limit: BenchLimit,
    print: &mut dyn FnMut(&str),
) -> BenchTotal {
    let mut total = BenchTotal::default();
    for (number, (phase, sfen)) in (1..).zip(positions()) {
        let pos = Position::from_sfen(sfen).expect("bench positions are valid");
        engine.new_game();
        let control = Control::new(Instant::now());
        let outcome = engine.search(Query::new(&pos, &limit.limits(phase), &control), &mut |_| ());
        let (nodes, time) = (outcome.nodes, control.elapsed());
        total.nodes += nodes;
        total.time += time;
        let mv = match outcome.best {
            BestMove::Play(mv, _) => mv.to_string(),
            BestMove::Resign => "resign".to_owned(),
            BestMove::Declare => "win".to_owned(),
        };
        let (depth, score) =
            outcome.info.map_or((0, "-".to_owned()), |info| (info.depth, info.score.to_string()));
        let (phase, ms) = (phase.name(), time.as_millis());
        print(&format!(
            "{number:2} {phase:8} depth {depth:2} {mv:6} {score:9} nodes {nodes:9} time {ms:5} ms"
        ));
    }
    let BenchTotal { nodes, time } = total;
    let rate = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    print(&format!("Time (ms) : {}", time.as_millis()));
    print(&format!("Nodes searched : {nodes}"));
    print(&format!("nodes/s : {rate}"));
    print(&format!("{nodes} nodes {rate} nps"));
    total
}
