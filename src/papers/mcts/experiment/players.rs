//! The players of the experiment, the paper's results, and the results of the run.

use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::lab::matches::MatchScore;
use crate::papers::mcts::searcher::{Mcts, MctsParams, Method};
use crate::papers::problems::{Solved, Solver};
use crate::search::{AlphaBeta, SearchParams};

/// A searcher that solves problems and plays games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Player {
    AlphaBeta,
    Mcts(Method),
}

impl Player {
    pub fn name(self) -> &'static str {
        match self {
            Player::AlphaBeta => "AlphaBeta",
            Player::Mcts(method) => method.name,
        }
    }

    /// The method of this name.
    pub fn of(name: &str) -> Player {
        Player::Mcts(name.parse().expect("a method's name"))
    }

    pub fn build(self, evaluation: &Evaluation) -> Box<dyn Engine> {
        let evaluation = evaluation.clone();
        match self {
            Player::AlphaBeta => Box::new(AlphaBeta::new(SearchParams::DEFAULT, evaluation)),
            Player::Mcts(method) => {
                Box::new(Mcts::new(MctsParams::DEFAULT.with(method), evaluation))
            }
        }
    }

    pub fn solver(self, evaluation: &Evaluation) -> Solver {
        let label = match self {
            Player::AlphaBeta => format!("{:?}", SearchParams::DEFAULT),
            Player::Mcts(method) => format!("{:?}", MctsParams::DEFAULT.with(method)),
        };
        let evaluation = evaluation.clone();
        Solver { label, build: Box::new(move || self.build(&evaluation)) }
    }
}

/// The paper's methods in the order of its Table 1, with the problems solved of 432 at 10 s.
pub(super) const TABLE_1: [(&str, usize); 5] = [
    ("playout", 136),
    ("ef-leaf", 186),
    ("ef-cutoff", 223),
    ("qs-leaf-diff", 256),
    ("qs-cutoff-diff", 274),
];

/// The pairings of its Table 2: won, drawn and lost by the first, in 48 games at 10 s a move.
pub(super) const TABLE_2: [(&str, &str, [usize; 3]); 6] = [
    ("ef-leaf", "playout", [26, 5, 17]),
    ("ef-cutoff", "playout", [23, 1, 24]),
    ("ef-cutoff", "ef-leaf", [17, 1, 30]),
    ("qs-leaf-diff", "ef-leaf", [43, 0, 5]),
    ("qs-cutoff-diff", "ef-cutoff", [41, 0, 7]),
    ("qs-cutoff-diff", "qs-leaf-diff", [23, 1, 24]),
];

/// Its Table 4: problems solved by EF alone, and the additional problems with Diff, with QS, and
/// with both.
pub(super) const TABLE_4: [([&str; 4], [i32; 4]); 2] = [
    (["ef-leaf", "ef-leaf-diff", "qs-leaf", "qs-leaf-diff"], [186, 52, 43, 70]),
    (["ef-cutoff", "ef-cutoff-diff", "qs-cutoff", "qs-cutoff-diff"], [223, -5, 17, 52]),
];

/// Kankei's own method, and the paper's best one as its opponent.
pub(super) const OURS: (&str, &str) = ("value", "qs-cutoff-diff");

/// Problems solved by each player.
pub(super) struct SolvedSet {
    pub count: usize,
    pub ms: u64,
    pub solved: Vec<(Player, Solved)>,
}

/// Games of a pairing.
pub(super) struct PlayedPairing {
    pub players: [Player; 2],
    pub score: MatchScore,
    /// Won, drawn, lost.
    pub paper: Option<[usize; 3]>,
}
