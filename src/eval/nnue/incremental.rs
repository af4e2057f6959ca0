//! The value updated incrementally along a line of moves. Equal to [`full`] in every position.

use std::sync::Arc;

use super::full;
use super::network::Nnue;
use crate::eval::accumulators::{Accumulators, FirstLayer};
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::material::PieceValues;
use crate::eval::recorded_line::RecordedLine;
use crate::eval::score::Score;
use crate::shogi::{Color, Position};

/// Evaluates the positions of a line; see [`Evaluator`](crate::eval::Evaluator).
#[derive(Clone, Debug)]
pub struct NnueStack {
    network: Arc<Nnue>,
    kernel: Kernel,
    /// The line, which the caller updates.
    pub line: RecordedLine<()>,
    accumulators: Accumulators,
    /// The input of the head. Every evaluation overwrites it.
    input: Aligned<u8>,
}

impl NnueStack {
    /// Creates a line that starts at `pos`.
    pub fn new(network: Arc<Nnue>, kernel: Kernel, pos: &Position) -> NnueStack {
        NnueStack {
            kernel,
            line: RecordedLine::new(PieceValues::ENGINE, pos),
            accumulators: Accumulators::new(kernel, network.stride()),
            input: network.input_buffer(),
            network,
        }
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Costs the
    /// head, and two rows per view for each piece that moved since the last known accumulator.
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let score = Score::cp(match self.raw() {
            Some(raw) => self.network.calibration().to_centipawns(raw),
            None => self.line.material(self.line.top().side),
        });
        debug_assert_eq!(score, full::evaluate(&self.network, pos), "{pos}");
        score
    }

    /// The raw value of the current position from the side to move's view. `None` if the network
    /// needs a king that is missing.
    fn raw(&mut self) -> Option<i32> {
        let NnueStack { network, kernel, line, accumulators, input } = self;
        let (kings, side) = (line.top().kings, line.top().side);
        let king = |of: Color, view: Color| kings[of.index()].map(|sq| sq.relative(view));
        let sides = [side, !side];
        let view = |side: Color| network.view(king(side, side), king(!side, side));
        let views = [view(sides[0])?, view(sides[1])?];
        let known_at = sides.map(|side| accumulators.catch_up(&**network, line, side));
        let [own, other] = [0, 1].map(|n| accumulators.get(known_at[n], sides[n]));
        Some(network.raw(*kernel, views, [own, other], input))
    }
}
