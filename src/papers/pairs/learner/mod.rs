//! Learning the weights of pairs of pieces by discriminant analysis of game records.
//!
//! The parent model assumes that the position after the record's move is better for the mover than
//! the position before it. The sibling model assumes that it is better than the positions after
//! other moves. Each such comparison is a row of a matrix X, the difference of the relations of the
//! two positions, with 1 or -1 in y. X^t X w = X^t y is solved for the weights w. Only moves that
//! neither win nor lose material are compared ([`CaptureSearch`]).
//!
//! Input: [`Game`](crate::record::Game)s, as an [`ExampleSet`]. Output:
//! [`PairWeights`](crate::papers::pairs::form::PairWeights), by a [`PairsObjective`] in a
//! [`Trainer`](crate::lab::learn::Trainer) whose batches are iterations of the
//! [`ConjugateGradient`].
//!
//! Source: Kaneko, Tanaka, Yamaguchi, Kawai, "Learning of evaluation functions based on pairs of
//! pieces" (2007), section 4.

mod capture_search;
mod conjugate_gradient;
mod examples;
mod normal_equations;
mod objective;
mod quantized;

pub use capture_search::CaptureSearch;
pub use conjugate_gradient::ConjugateGradient;
pub use examples::{Comparison, Example, ExampleSet, PairChange, PairMove, each_choice};
pub use normal_equations::NormalEquations;
pub use objective::{PairsConfig, PairsMeasure, PairsObjective};
pub use quantized::QuantizedPairs;
