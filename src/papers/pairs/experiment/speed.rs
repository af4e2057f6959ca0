//! Table 1: cost of an evaluation, over all positions some plies below an endgame position.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use crate::engines::bench_positions::{Phase, positions};
use crate::eval::{Evaluation, Evaluator};
use crate::papers::pairs::form::{PairWeights, RELATIONS, TABLE_2};
use crate::shogi::{Delta, Position, Scope, movegen};

/// Nanoseconds per position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timings {
    /// Number of positions evaluated.
    pub positions: u64,
    pub none: f64,
    pub material: f64,
    pub relations: f64,
}

/// Number of timings of each evaluation, in turns; the best counts.
const ROUNDS: usize = 5;

/// An evaluation that follows the moves and evaluates the positions at the end of a walk.
trait Follow {
    fn push(&mut self, delta: &Delta);
    fn pop(&mut self);
    fn value(&mut self, pos: &Position) -> i32;
}

struct Nothing;
/// The balance after each move of the line.
struct Material(Vec<i32>);

impl Follow for Nothing {
    fn push(&mut self, _: &Delta) {}
    fn pop(&mut self) {}
    fn value(&mut self, _: &Position) -> i32 {
        0
    }
}

impl Follow for Material {
    fn push(&mut self, delta: &Delta) {
        let balance = self.0.last().copied().unwrap_or(0);
        self.0.push(balance + TABLE_2.of_delta(delta));
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn value(&mut self, pos: &Position) -> i32 {
        pos.side_to_move().sign() * self.0.last().copied().unwrap_or(0)
    }
}

impl Follow for Evaluator {
    fn push(&mut self, delta: &Delta) {
        Evaluator::push(self, delta);
    }

    fn pop(&mut self) {
        Evaluator::pop(self);
    }

    fn value(&mut self, pos: &Position) -> i32 {
        self.evaluate(pos).to_cp()
    }
}

/// Times the walk over all positions `plies` below an endgame position: three million for 3.
pub(super) fn measure(plies: u32) -> Timings {
    let endgame = positions().filter(|(phase, _)| *phase == Phase::Endgame).nth(ENDGAME);
    let (_, sfen) = endgame.expect("there are twelve");
    let mut pos = Position::from_sfen(sfen).expect("bench positions are valid");
    // The time does not depend on the weights, only on the look-ups.
    let weights: Vec<i8> = (0..RELATIONS).map(|at| (at % 31) as i8 - 15).collect();
    let weights = PairWeights::new(&weights).expect("a weight for each relation");
    let mut pairs = Evaluator::new(&Evaluation::Registered(Arc::new(weights)), &pos);
    let mut best = [f64::INFINITY; 3];
    let mut count = 0;
    for _ in 0..ROUNDS {
        let mut round = [0.0; 3];
        (round[0], count) = time(&mut pos, plies, &mut Nothing);
        round[1] = time(&mut pos, plies, &mut Material(Vec::new())).0;
        round[2] = time(&mut pos, plies, &mut pairs).0;
        best.iter_mut().zip(round).for_each(|(best, round)| *best = best.min(round));
    }
    let [none, material, relations] = best;
    Timings { positions: count, none, material, relations }
}

/// The bench position of the endgame that has about three million successors after three plies.
const ENDGAME: usize = 6;

/// Nanoseconds per position, and the number of positions.
fn time(pos: &mut Position, plies: u32, follow: &mut impl Follow) -> (f64, u64) {
    let (begin, mut sum) = (Instant::now(), 0);
    let count = walk(pos, plies, follow, &mut sum);
    black_box(sum);
    (begin.elapsed().as_nanos() as f64 / count.max(1) as f64, count)
}

fn walk(pos: &mut Position, plies: u32, follow: &mut impl Follow, sum: &mut i64) -> u64 {
    if plies == 0 {
        *sum += i64::from(follow.value(pos));
        return 1;
    }
    let mut count = 0;
    for mv in movegen::legal_moves(pos, Scope::LEGAL) {
        follow.push(&pos.do_move(mv));
        count += walk(pos, plies - 1, follow, sum);
        follow.pop();
        pos.undo_move();
    }
    count
}
