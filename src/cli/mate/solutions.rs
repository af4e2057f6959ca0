//! Other solutions of a mate problem (cooks, yozume).
//!
//! A composed problem has one solution. At each move of the attacker on the main line, every other
//! check is searched for a mate of any length. By the conventions of composers, these do not
//! count:
//!
//! - other last moves, and everything after a mate in effect ([`essential_plies`]);
//! - promotion instead of non-promotion of the same move, and the reverse;
//! - detours that return to an earlier position of the main line;
//! - other attacking moves off the main line, after another reply of the defender.

use crate::engine::{MateVerdict, Pv};
use crate::search::{MateSolver, essential_plies};
use crate::shogi::{Move, Position};

/// Another solution of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSolution {
    /// Index of the first move that differs from the main line, in plies.
    pub ply: usize,
    /// The whole line from the start of the problem, with the moves of the main line first.
    pub line: Pv,
    /// Upper bound of the length of this mate in plies, without useless interpositions.
    pub plies: usize,
}

/// The other solutions of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherSolutions {
    /// The solutions found, by the first move that differs.
    pub found: Vec<OtherSolution>,
    /// Indexes of the attacker's moves at which the limits left it open whether another solution
    /// exists.
    pub open: Vec<usize>,
    /// Whether the search ended because enough solutions were found.
    pub is_cut: bool,
    /// Nodes searched.
    pub nodes: u64,
}

impl OtherSolutions {
    /// Whether the main line is the only solution; `None` if unknown.
    pub fn is_unique(&self) -> Option<bool> {
        if self.found.is_empty() { self.open.is_empty().then_some(true) } else { Some(false) }
    }
}

/// Searches for up to `most` solutions other than the line `main` of the problem `pos`, with at most
/// `nodes` nodes. `main` must be legal and end in mate; the solver uses results of earlier queries.
/// `pos` is unchanged on return.
pub fn other_solutions(
    solver: &mut MateSolver,
    pos: &mut Position,
    main: &[Move],
    (most, nodes): (usize, u64),
    stop: &dyn Fn() -> bool,
) -> OtherSolutions {
    solver.prepare(pos);
    let last = essential_plies(pos, main).saturating_sub(1);
    let others = OtherSolutions::default();
    let mut search = OthersSearch { solver, pos, main, most, nodes, stop, others };
    (0..last).step_by(2).for_each(|ply| search.search_at(ply));
    search.others
}

struct OthersSearch<'a> {
    solver: &'a mut MateSolver,
    pos: &'a mut Position,
    main: &'a [Move],
    most: usize,
    nodes: u64,
    stop: &'a dyn Fn() -> bool,
    others: OtherSolutions,
}

impl OthersSearch<'_> {
    /// Adds the solutions that differ first at `ply`.
    fn search_at(&mut self, ply: usize) {
        let mut except: Vec<Move> = both_forms(self.main[ply]).collect();
        loop {
            if self.others.found.len() >= self.most {
                self.others.is_cut = true;
                return;
            }
            match self.another(ply, &except) {
                MateVerdict::NoMate => return,
                MateVerdict::Unknown => {
                    self.others.open.push(ply);
                    return;
                }
                MateVerdict::Mate(rest) => {
                    except.extend(rest.first().into_iter().flat_map(|&mv| both_forms(mv)));
                    let mut line = Pv::from_slice(&self.main[..ply]);
                    line.extend(rest);
                    let plies = essential_plies(self.pos, &line);
                    self.others.found.push(OtherSolution { ply, line, plies });
                }
            }
        }
    }

    /// A mate after the main line up to `ply`, by another move than `except`.
    fn another(&mut self, ply: usize, except: &[Move]) -> MateVerdict {
        let left = self.nodes.saturating_sub(self.others.nodes);
        if left == 0 || (self.stop)() {
            return MateVerdict::Unknown;
        }
        let line = &self.main[..ply];
        let (verdict, nodes) = self.solver.another(self.pos, line, except, left, self.stop);
        self.others.nodes += nodes;
        verdict
    }
}

/// The move, with and without promotion.
fn both_forms(mv: Move) -> impl Iterator<Item = Move> {
    let other = mv.from().map(|from| match mv.is_promotion() {
        true => Move::board(from, mv.to()),
        false => Move::promotion(from, mv.to()),
    });
    std::iter::once(mv).chain(other)
}
