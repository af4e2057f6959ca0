//! X^t X w = X^t y, eq. (2), without computing X^t X.
//!
//! A row x of X is the relations after the record's move minus those of the position compared with.
//! So x w is the difference of two values, and a multiple of x is added to the relations that
//! differ. The moves of a position share most of this work. The cost grows with the number of moves
//! times 40, not with the square of the number of relations that differ.

use std::ops::Range;

use rayon::prelude::*;

use super::examples::{Comparison, Example, ExampleSet, PairChange, PairMove};
use crate::papers::pairs::form::{PairList, PairPiece, RELATIONS, relations};

/// Number of parts into which the examples are split. The parts are added in order, so the sum does
/// not depend on the number of threads.
const PARTS: usize = 4;

/// Length of a row of a square of relations, padded to a multiple of 64.
const ROW: usize = PairPiece::COUNT.next_multiple_of(64);

/// The linear equations of a set of examples.
pub struct NormalEquations<'a> {
    examples: &'a ExampleSet,
    comparison: Comparison,
    /// Which relations have a weight; shape [`RELATIONS`].
    used: Vec<bool>,
}

/// A number for each relation, shape `[2296][2304]`; the two orders of a pair have separate
/// numbers.
struct Square(Vec<f64>);

impl<'a> NormalEquations<'a> {
    /// Creates the equations. `used`: which relations have a weight; shape [`RELATIONS`].
    pub fn new(
        examples: &'a ExampleSet,
        comparison: Comparison,
        used: Vec<bool>,
    ) -> NormalEquations<'a> {
        NormalEquations { examples, comparison, used }
    }

    /// Number of relations that have a weight.
    pub fn unknowns(&self) -> usize {
        self.used.iter().filter(|&&used| used).count()
    }

    /// X^t y, shape [`RELATIONS`].
    pub fn right_side(&self) -> Vec<f64> {
        self.gather(|example, factors| {
            let target = example.target();
            match self.comparison {
                Comparison::Parent => factors.push(target),
                Comparison::Sibling => {
                    factors.push(target * (example.moves.len() - 1) as f64);
                    factors.resize(example.moves.len(), -target);
                }
            }
        })
    }

    /// X^t X times these weights, shape [`RELATIONS`].
    pub fn product(&self, weights: &[f64]) -> Vec<f64> {
        let square = Square::unfold(weights);
        self.gather(|example, factors| {
            square.changes(example, factors);
            if self.comparison == Comparison::Sibling {
                let record = factors[0];
                factors.iter_mut().for_each(|value| *value -= record);
                factors[0] = -factors.iter().sum::<f64>();
            }
        })
    }

    /// An approximation of the diagonal of X^t X, shape [`RELATIONS`]: the number of comparisons in
    /// which a relation differs. Relations that a capture and its alternatives have in common are
    /// counted too.
    pub fn diagonal(&self) -> Vec<f64> {
        self.accumulate(|example, square, _| square.add_squares(example, self.comparison))
    }

    /// The mean squared difference of x w from y over the comparisons of other examples. NaN if
    /// there are none.
    pub fn squared_error(&self, weights: &[f64], examples: &ExampleSet) -> f64 {
        let square = Square::unfold(weights);
        let of_part = |range: Range<usize>| -> f64 {
            let mut values = Vec::new();
            let of_example = |at| {
                let example = self.compared(examples, at);
                square.changes(&example, &mut values);
                let record = values[0];
                let squared = |value: f64| (value - example.target()).powi(2);
                match self.comparison {
                    Comparison::Parent => squared(record),
                    Comparison::Sibling => {
                        values[1..].iter().map(|value| squared(record - value)).sum()
                    }
                }
            };
            range.map(of_example).sum()
        };
        let sums: Vec<f64> = parts(examples.len()).into_par_iter().map(of_part).collect();
        sums.iter().sum::<f64>() / examples.comparisons(self.comparison) as f64
    }

    /// An example with those of its moves that are compared.
    fn compared<'e>(&self, examples: &'e ExampleSet, at: usize) -> Example<'e> {
        match self.comparison {
            Comparison::Parent => examples.get(at).record_alone(),
            Comparison::Sibling => examples.get(at),
        }
    }

    /// Sums over all examples the relations that each move changes, times the factor that `factors`
    /// writes for the move.
    fn gather(&self, factors: impl Fn(&Example, &mut Vec<f64>) + Sync) -> Vec<f64> {
        self.accumulate(|example, square, of_moves| {
            of_moves.clear();
            factors(example, of_moves);
            square.add_changes(example, of_moves);
        })
    }

    /// Sums what `add` adds for each example. The vector is scratch memory.
    fn accumulate(&self, add: impl Fn(&Example, &mut Square, &mut Vec<f64>) + Sync) -> Vec<f64> {
        let of_part = |range: Range<usize>| {
            let (mut sum, mut row) = (Square::zero(), Vec::new());
            range.for_each(|at| add(&self.compared(self.examples, at), &mut sum, &mut row));
            sum
        };
        let parts: Vec<Square> = parts(self.examples.len()).into_par_iter().map(of_part).collect();
        let at = |(low, high): (PairPiece, PairPiece)| {
            let one = |a: PairPiece, b: PairPiece| -> f64 {
                parts.iter().map(|part| part.0[a.index() * ROW + b.index()]).sum()
            };
            if low == high { one(low, low) } else { one(high, low) + one(low, high) }
        };
        let used = |(pair, &used)| if used { at(pair) } else { 0.0 };
        relations().zip(&self.used).map(used).collect()
    }
}

/// Ranges of nearly equal length that cover `0..len`.
fn parts(len: usize) -> Vec<Range<usize>> {
    (0..PARTS).map(|part| len * part / PARTS..len * (part + 1) / PARTS).collect()
}

impl Square {
    fn zero() -> Square {
        Square(vec![0.0; PairPiece::COUNT * ROW])
    }

    /// Writes the number of each pair to both orders.
    fn unfold(triangle: &[f64]) -> Square {
        debug_assert_eq!(triangle.len(), RELATIONS);
        let mut square = Square::zero();
        for ((low, high), &number) in relations().zip(triangle) {
            square.0[low.index() * ROW + high.index()] = number;
            square.0[high.index() * ROW + low.index()] = number;
        }
        square
    }

    fn row(&self, piece: PairPiece) -> &[f64] {
        &self.0[piece.index() * ROW..][..ROW]
    }

    fn row_mut(&mut self, piece: PairPiece) -> &mut [f64] {
        &mut self.0[piece.index() * ROW..][..ROW]
    }

    fn sum(&self, piece: PairPiece, list: &PairList) -> f64 {
        let row = self.row(piece);
        list.pieces().iter().map(|other| row[other.index()]).sum()
    }

    /// Change of the value by each move, Black's view.
    fn changes(&self, example: &Example, values: &mut Vec<f64>) {
        // Many moves remove the same piece, so its sum is computed once.
        let mut lost = [None; PairList::SLOTS];
        values.clear();
        values.extend(example.moves.iter().map(|mv| {
            if mv.captured.is_some() {
                return self.change_by_capture(example.list, mv);
            }
            let PairChange { slot, to } = mv.moved;
            let from = example.list.pieces()[usize::from(slot)];
            let lost = *lost[usize::from(slot)].get_or_insert_with(|| self.sum(from, example.list));
            let row = self.row(to);
            // The new piece relates to itself instead of the piece it was before.
            self.sum(to, example.list) - row[from.index()] + row[to.index()] - lost
        }));
    }

    fn change_by_capture(&self, list: &PairList, mv: &PairMove) -> f64 {
        let (mut list, mut value) = (*list, 0.0);
        for PairChange { slot, to } in mv.changes() {
            value -= self.sum(list.pieces()[usize::from(slot)], &list);
            list.set(slot.into(), to);
            value += self.sum(to, &list);
        }
        value
    }

    /// Adds a factor to all relations of a piece.
    fn add(&mut self, piece: PairPiece, list: &PairList, factor: f64) {
        let row = self.row_mut(piece);
        list.pieces().iter().for_each(|other| row[other.index()] += factor);
    }

    /// Adds a factor for each move to all relations that it changes: the transpose of
    /// [`changes`](Square::changes).
    fn add_changes(&mut self, example: &Example, factors: &[f64]) {
        let mut lost = [0.0; PairList::SLOTS];
        for (mv, &factor) in example.moves.iter().zip(factors) {
            if mv.captured.is_some() {
                self.add_capture(example.list, mv, factor);
                continue;
            }
            let PairChange { slot, to } = mv.moved;
            lost[usize::from(slot)] += factor;
            self.add(to, example.list, factor);
            let from = example.list.pieces()[usize::from(slot)];
            let row = self.row_mut(to);
            row[from.index()] -= factor;
            row[to.index()] += factor;
        }
        let pieces = example.list.pieces().iter();
        for (&piece, factor) in pieces.zip(lost).filter(|(_, factor)| *factor != 0.0) {
            self.add(piece, example.list, -factor);
        }
    }

    /// Adds the number of comparisons to each relation that differs in them.
    fn add_squares(&mut self, example: &Example, comparison: Comparison) {
        let mut add = |mv: &PairMove, added: f64, lost: f64| {
            for PairChange { slot, to } in mv.changes() {
                self.add(to, example.list, added);
                self.add(example.list.pieces()[usize::from(slot)], example.list, lost);
            }
        };
        let (record, others) = (&example.moves[0], &example.moves[1..]);
        match comparison {
            Comparison::Parent => add(record, 1.0, 1.0),
            Comparison::Sibling => {
                // Moves of the same piece remove the same relations.
                let is_same = |other: &PairMove| other.moved.slot == record.moved.slot;
                let same = others.iter().filter(|other| is_same(other)).count();
                add(record, others.len() as f64, (others.len() - same) as f64);
                others
                    .iter()
                    .for_each(|other| add(other, 1.0, f64::from(u8::from(!is_same(other)))));
            }
        }
    }

    fn add_capture(&mut self, list: &PairList, mv: &PairMove, factor: f64) {
        let mut list = *list;
        for PairChange { slot, to } in mv.changes() {
            self.add(list.pieces()[usize::from(slot)], &list, -factor);
            list.set(slot.into(), to);
            self.add(to, &list, factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::pairs::form::relation_index;
    use crate::papers::pairs::learner::ConjugateGradient;
    use crate::papers::pairs::learner::examples::tests::{examples, random_games};
    use crate::rng::Rng;

    /// The rows of X by definition: (relation, number) of the non-zero elements.
    fn rows(set: &ExampleSet, comparison: Comparison) -> Vec<(Vec<(usize, f64)>, f64)> {
        let relations_of = |pieces: &[PairPiece]| {
            let mut all = std::collections::BTreeMap::<usize, f64>::new();
            for (n, &p) in pieces.iter().enumerate() {
                for &q in &pieces[..=n] {
                    *all.entry(relation_index(p, q)).or_default() += 1.0;
                }
            }
            all
        };
        let mut rows = Vec::new();
        for at in 0..set.len() {
            let example = set.get(at);
            let after = |mv: &PairMove| {
                let mut pieces = *example.list.pieces();
                mv.changes().for_each(|change| pieces[usize::from(change.slot)] = change.to);
                relations_of(&pieces)
            };
            let after: Vec<_> = example.moves.iter().map(after).collect();
            let before = [relations_of(example.list.pieces())];
            let others = if comparison == Comparison::Parent { &before[..] } else { &after[1..] };
            for other in others {
                let mut row = after[0].clone();
                for (&relation, number) in other {
                    *row.entry(relation).or_default() -= number;
                }
                row.retain(|_, number| *number != 0.0);
                rows.push((row.into_iter().collect(), example.target()));
            }
        }
        rows
    }

    /// The relations that are in at least `least` positions.
    fn used(set: &ExampleSet, least: u32) -> Vec<bool> {
        set.occurrences().into_iter().map(|count| count >= least).collect()
    }

    #[test]
    fn products_are_those_of_the_matrix() {
        for comparison in [Comparison::Parent, Comparison::Sibling] {
            let set = examples(&random_games(3, 4, 60), comparison);
            let equations = NormalEquations::new(&set, comparison, used(&set, 2));
            let counts = set.occurrences();
            let rows = rows(&set, comparison);
            assert_eq!(rows.len(), set.comparisons(comparison));
            let mut rng = Rng::from_seed(5);
            let mut weights = vec![0.0; RELATIONS];
            for (weight, &count) in weights.iter_mut().zip(&counts) {
                *weight = if count >= 2 { rng.below(1000) as f64 / 500.0 - 1.0 } else { 0.0 };
            }
            let (mut product, mut right, mut error) =
                (vec![0.0; RELATIONS], vec![0.0; RELATIONS], 0.0);
            let mut squares = vec![0.0; RELATIONS];
            for (row, target) in &rows {
                let value: f64 = row.iter().map(|&(at, x)| x * weights[at]).sum();
                error += (value - target).powi(2);
                for &(at, x) in row.iter().filter(|&&(at, _)| counts[at] >= 2) {
                    product[at] += x * value;
                    squares[at] += x * x;
                    right[at] += x * target;
                }
            }
            let near = |found: &[f64], exact: &[f64]| {
                found.iter().zip(exact).all(|(a, b)| (a - b).abs() < 1e-6 * (1.0 + b.abs()))
            };
            assert!(near(&equations.right_side(), &right), "{comparison:?}");
            assert!(near(&equations.product(&weights), &product), "{comparison:?}");
            let sum = |row: &[f64]| row.iter().sum::<f64>();
            let (found, exact) = (sum(&equations.diagonal()), sum(&squares));
            assert!((found / exact - 1.0).abs() < 0.1, "{comparison:?}: {found} {exact}");
            let found = equations.squared_error(&weights, &set);
            assert!((found - error / rows.len() as f64).abs() < 1e-9 * error, "{comparison:?}");
        }
    }

    #[test]
    fn the_parent_model_ignores_siblings() {
        let games = random_games(4, 3, 60);
        let [alone, all] = [Comparison::Parent, Comparison::Sibling]
            .map(|comparison| examples(&games, comparison));
        assert!(all.comparisons(Comparison::Sibling) > alone.len());
        let [alone, all] =
            [&alone, &all].map(|set| NormalEquations::new(set, Comparison::Parent, used(set, 1)));
        let right = alone.right_side();
        assert_eq!(right, all.right_side());
        assert_eq!(alone.product(&right), all.product(&right));
    }

    #[test]
    fn conjugate_gradient_makes_the_error_smaller() {
        let set = examples(&random_games(9, 6, 80), Comparison::Sibling);
        let equations = NormalEquations::new(&set, Comparison::Sibling, used(&set, 1));
        let inverse: Vec<f64> =
            equations.diagonal().iter().map(|squares| 1.0 / squares.max(1.0)).collect();
        let mut state = ConjugateGradient::new(equations.right_side(), &inverse);
        let mut error = 1.0;
        for _ in 0..5 {
            state.step(|direction| equations.product(direction), &inverse);
            let next = equations.squared_error(&state.solution, &set);
            assert!(next < error, "{next} {error}");
            error = next;
        }
        assert!(error < 0.5, "{error}");
    }
}
