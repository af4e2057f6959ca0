//! The mate solver as an engine of its own, for suites of mates.

use std::time::Duration;

use crate::engine::{
    BestMove, Control, Engine, Info, Limits, MateOutcome, MateVerdict, Outcome, Pv, Report,
};
use crate::search::MateSolver;
use crate::shogi::Position;

/// Positions remembered, 32 bytes each.
const ENTRIES: usize = 1 << 19;

/// A solver that knows nothing yet.
pub(super) fn new() -> Box<dyn Engine> {
    Box::new(MateFinder(MateSolver::new(ENTRIES)))
}

/// Announces mates and nothing else; without one it resigns.
struct MateFinder(MateSolver);

impl Engine for MateFinder {
    fn new_game(&mut self) {
        self.0.clear();
    }

    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        _: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        let must_stop = || control.must_stop(Duration::ZERO);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let MateOutcome { verdict, nodes, .. } = self.0.solve(&mut pos.clone(), nodes, &must_stop);
        let pv = if let MateVerdict::Mate(pv) = verdict { pv } else { Pv::new() };
        let Some(&mv) = pv.first() else {
            return Outcome { best: BestMove::Resign, info: None, nodes };
        };
        let info = Info::of_mate(pv, nodes, control.elapsed());
        Outcome { best: BestMove::Play(mv, info.pv.get(1).copied()), info: Some(info), nodes }
    }
}
