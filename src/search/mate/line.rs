//! The principal variation of a mate.

use super::node_proof::ProofNumbers;
use super::proof::{MateChild, ProofSearch};
use crate::engine::Pv;
use crate::search::depth::MAX_PLY;
use crate::shogi::{MAX_MOVES, Move};

impl ProofSearch<'_> {
    /// The line of the proved mate at the current node: the attacker's shortest known mate against
    /// the longest known defense. Proofs missing from the table are searched again. `None` if the
    /// node limit does not suffice.
    pub fn line(&mut self) -> Option<Pv> {
        let mut line = Pv::new();
        self.follow(&mut line).then_some(line)
    }

    /// Appends the rest of the line.
    fn follow(&mut self, line: &mut Pv) -> bool {
        if line.len() >= MAX_PLY {
            return false;
        }
        if self.is_attacking()
            && let Some(mv) = self.pos.mate_in_one()
        {
            line.push(mv);
            return true;
        }
        let next = if self.is_attacking() { self.attack() } else { self.defence() };
        next.is_some_and(|mv| {
            line.push(mv);
            self.after(mv, |search| search.follow(line))
        })
    }

    fn attack(&mut self) -> Option<Move> {
        self.choose(shortest).or_else(|| {
            self.prove_again();
            self.choose(shortest)
        })
    }

    fn defence(&mut self) -> Option<Move> {
        // A new proof may replace another proof in the table, so the number of attempts is limited.
        let mut last = None;
        for _ in 0..MAX_MOVES {
            let open = self.choose(first_open);
            let Some(mv) = open else { break };
            if open == last || !self.after(mv, Self::prove_again) {
                return None;
            }
            last = open;
        }
        self.choose(longest)
    }

    fn prove_again(&mut self) -> bool {
        !self.must_stop() && self.prove(ProofNumbers::OPEN).numbers.is_won()
    }
}

fn shortest(children: &[MateChild]) -> Option<Move> {
    let proved = children.iter().filter(|child| child.known.numbers.is_lost());
    proved.min_by_key(|child| child.known.plies).map(|child| child.mv)
}

fn first_open(children: &[MateChild]) -> Option<Move> {
    children.iter().find(|child| !child.known.numbers.is_won()).map(|child| child.mv)
}

fn longest(children: &[MateChild]) -> Option<Move> {
    let all = children.iter().all(|child| child.known.numbers.is_won());
    let held = children.iter().max_by_key(|child| child.known.plies).filter(|_| all);
    held.map(|child| child.mv)
}
