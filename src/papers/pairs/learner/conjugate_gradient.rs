//! The conjugate gradient method with a diagonal preconditioner for A x = b. A is symmetric and
//! positive semidefinite, and given only by its products with vectors.
//!
//! Source: Barrett et al., "Templates for the Solution of Linear Systems" (1994), sections 2.3.1
//! and 3.2.1.

/// The state between two iterations. All vectors have the length of b.
#[derive(Clone, Debug, PartialEq)]
pub struct ConjugateGradient {
    /// The current solution, 0 at first.
    pub solution: Vec<f64>,
    /// b - A x.
    pub residual: Vec<f64>,
    /// Direction of the next iteration.
    pub direction: Vec<f64>,
}

impl ConjugateGradient {
    /// The state before the first iteration. `inverse`: the inverse of the preconditioner's
    /// diagonal; all ones for no preconditioner.
    pub fn new(b: Vec<f64>, inverse: &[f64]) -> ConjugateGradient {
        let direction = b.iter().zip(inverse).map(|(b, inverse)| inverse * b).collect();
        ConjugateGradient { solution: vec![0.0; b.len()], residual: b, direction }
    }

    /// Makes one iteration. `product` multiplies A by a vector; `inverse` is the same as in
    /// [`new`](ConjugateGradient::new). Does nothing once the residual is 0.
    pub fn step(&mut self, product: impl FnOnce(&[f64]) -> Vec<f64>, inverse: &[f64]) {
        let before = weighted_square(&self.residual, inverse);
        if before == 0.0 {
            return;
        }
        let image = product(&self.direction);
        let alpha = before / dot(&self.direction, &image);
        add(&mut self.solution, alpha, &self.direction);
        add(&mut self.residual, -alpha, &image);
        let beta = weighted_square(&self.residual, inverse) / before;
        let next = self.residual.iter().zip(inverse).map(|(residual, inverse)| residual * inverse);
        for (direction, next) in self.direction.iter_mut().zip(next) {
            *direction = next + beta * *direction;
        }
    }
}

/// The inner product, summed in order.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn weighted_square(row: &[f64], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(x, weight)| weight * x * x).sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn small_systems_are_solved_as_by_a_dense_solver() {
        let mut rng = Rng::from_seed(7);
        for size in [1, 2, 5, 12, 30] {
            let mut random = |rows, columns| {
                DMatrix::from_fn(rows, columns, |_, _| rng.below(2001) as f64 / 1000.0 - 1.0)
            };
            // X^t X is positive definite if X has more rows than columns.
            let (x, y) = (random(3 * size, size), random(3 * size, 1));
            let a = x.transpose() * &x;
            let b = x.transpose() * y;
            let solution = a.clone().cholesky().expect("positive definite").solve(&b);
            let diagonal: Vec<f64> = (0..size).map(|at| 1.0 / a[(at, at)]).collect();
            for inverse in [vec![1.0; size], diagonal] {
                let mut found = ConjugateGradient::new(b.as_slice().to_vec(), &inverse);
                let product = |p: &[f64]| (&a * DVector::from_column_slice(p)).as_slice().to_vec();
                // Because of rounding, it takes a few more iterations than unknowns.
                (0..size + 10).for_each(|_| found.step(product, &inverse));
                for (found, exact) in found.solution.iter().zip(&solution) {
                    assert!((found - exact).abs() < 1e-9, "{size}: {found} {exact}");
                }
            }
        }
    }

    #[test]
    fn a_solved_system_stays_solved() {
        let ones = [1.0, 1.0];
        let mut solved = ConjugateGradient::new(vec![0.0, 0.0], &ones);
        solved.step(|p| p.to_vec(), &ones);
        assert_eq!(solved.solution, [0.0, 0.0]);
        let mut one = ConjugateGradient::new(vec![3.0, 4.0], &ones);
        (0..3).for_each(|_| one.step(|p| p.iter().map(|x| 2.0 * x).collect(), &ones));
        assert_eq!(one.solution, [1.5, 2.0]);
    }
}
