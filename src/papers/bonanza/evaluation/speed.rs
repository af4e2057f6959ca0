//! Speed of a search with the evaluation.

use std::time::Instant;

use crate::engine::{Control, Engine, Limits, Query, Settings};
use crate::engines::bench_positions::positions;
use crate::eval::Evaluation;
use crate::papers::bonanza::searcher::{FullWidth, FullWidthParams};
use crate::search::{AlphaBeta, SearchParams};
use crate::shogi::Position;

/// Speed of a searcher, nodes per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speeds {
    pub searcher: &'static str,
    /// With the hand-made evaluation.
    pub material: f64,
    /// With the evaluation of Hoki (2006).
    pub hoki: f64,
}

/// Number of timings of each evaluation, in turns; the best counts.
const ROUNDS: usize = 3;

/// Searches every bench position, `nodes` each, on one thread.
pub(super) fn measure(hoki: &Evaluation, nodes: u64) -> [Speeds; 2] {
    type Make = fn(Evaluation) -> Box<dyn Engine>;
    let searchers: [(&str, Make); 2] = [
        ("AlphaBeta", |evaluation| Box::new(AlphaBeta::new(SearchParams::DEFAULT, evaluation))),
        ("FullWidth", |evaluation| Box::new(FullWidth::new(FullWidthParams::DEFAULT, evaluation))),
    ];
    searchers.map(|(searcher, make)| {
        let mut speeds = Speeds { searcher, material: 0.0, hoki: 0.0 };
        for _ in 0..ROUNDS {
            let rate = |evaluation| time(&mut *make(evaluation), nodes);
            speeds.material = speeds.material.max(rate(Evaluation::HandMade));
            speeds.hoki = speeds.hoki.max(rate(hoki.clone()));
        }
        speeds
    })
}

/// Nodes per second.
fn time(engine: &mut dyn Engine, nodes: u64) -> f64 {
    engine.configure(&Settings { hash_mib: 16, ..Settings::default() });
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (mut searched, mut seconds) = (0, 0.0);
    for (_, sfen) in positions() {
        let pos = Position::from_sfen(sfen).expect("bench positions are valid");
        engine.new_game();
        let control = Control::new(Instant::now());
        searched += engine.search(Query::new(&pos, &limits, &control), &mut |_| ()).nodes;
        seconds += control.elapsed().as_secs_f64();
    }
    searched as f64 / f64::max(seconds, 1e-9)
}
