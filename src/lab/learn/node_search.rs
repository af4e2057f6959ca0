//! Scores of positions by searches of a fixed number of nodes.

use std::time::Instant;

use super::Sample;
use crate::engine::{Control, Engine, Limits, Query, Settings};
use crate::engines::EngineSpec;
use crate::eval::Evaluation;
use crate::shogi::Position;

/// The default searcher with an evaluation and a node limit. It forgets one position before the
/// next, so the scores do not depend on the order of the positions.
pub(crate) struct NodeSearch<'a> {
    engine: Box<dyn Engine>,
    evaluation: &'a Evaluation,
    limits: Limits,
}

impl<'a> NodeSearch<'a> {
    pub fn new(evaluation: &'a Evaluation, nodes: u64) -> NodeSearch<'a> {
        let mut engine = EngineSpec::default().build(evaluation);
        // Clearing a larger table takes longer than a short search.
        engine.configure(&Settings { hash_mib: 1, ..Settings::default() });
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        NodeSearch { engine, evaluation, limits }
    }

    /// The score of `pos` for the side to move in centipawns, clamped as in samples; mates too. If
    /// the search ends before its first iteration, it is the static value.
    pub fn score(&mut self, pos: &Position) -> i16 {
        self.engine.new_game();
        let control = Control::new(Instant::now());
        let outcome = self.engine.search(Query::new(pos, &self.limits, &control), &mut |_| ());
        let score = outcome.info.map_or_else(|| self.evaluation.evaluate(pos), |info| info.score);
        Sample::clamp_score(score.to_cp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_nodes_give_the_static_value_and_mates_are_clamped() {
        let start = Position::startpos();
        let evaluation = Evaluation::HandMade;
        let static_value = evaluation.evaluate(&start).to_cp();
        assert_eq!(i32::from(NodeSearch::new(&evaluation, 1).score(&start)), static_value);
        let mate = Position::from_sfen("4k4/9/4G4/9/9/9/9/9/4K4 b G 1").expect("a position");
        let mut search = NodeSearch::new(&evaluation, 1_000);
        let scores = [&mate, &start, &mate].map(|pos| search.score(pos));
        assert_eq!([scores[0], scores[2]], [10_000; 2]);
        assert_eq!(scores[1], NodeSearch::new(&evaluation, 1_000).score(&start));
    }
}
