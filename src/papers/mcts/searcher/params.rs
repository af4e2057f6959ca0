//! Options of Monte Carlo tree search: the methods of the paper, and all parameters with their
//! units.

use std::str::FromStr;

use bitflags::bitflags;

use crate::engines::SpecError;
use crate::quote::quoted;
use crate::search::numbers::numbers;

bitflags! {
    /// Techniques that can be switched on and off.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MctsTechniques: u32 {
        /// Evaluates positions by quiescence search; otherwise by static evaluation (QS and EF in
        /// the paper).
        const QUIESCENCE = 1;
        /// Uses the difference from the root's value (Diff in the paper).
        const DIFFERENCE = 1 << 1;
        /// Selects moves by PUCT; otherwise by UCT with progressive bias.
        const PUCT = 1 << 2;
        /// Reuses the tree of the last search.
        const TREE_REUSE = 1 << 3;
        /// Runs the mate solver at the root for a small share of the time.
        const ROOT_MATE = 1 << 4;
    }
}

/// How a leaf of the tree gets its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafResult {
    /// A playout to the end of the game; the winner counts.
    Playout,
    /// A playout of a fixed number of plies; the side with the better evaluation wins (Leaf).
    Leaf,
    /// A playout until one side is ahead by a margin (Cutoff).
    Cutoff,
    /// No playout: the value is the winning probability.
    Value,
}

/// A named method of the paper or of this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The name as users type it.
    pub name: &'static str,
    /// How leaves get their results.
    pub leaf: LeafResult,
    /// The techniques in use.
    pub techniques: MctsTechniques,
}

const fn method(name: &'static str, leaf: LeafResult, techniques: MctsTechniques) -> Method {
    Method { name, leaf, techniques }
}

impl Method {
    /// All methods: first the default, which is this project's own. Then the methods of the paper
    /// in the order of its Table 1, and the further variants of its Table 4.
    pub const ALL: [Method; 10] = {
        use LeafResult::{Cutoff, Leaf, Playout, Value};
        type T = MctsTechniques;
        let (ef, qs, diff) = (T::TREE_REUSE, T::QUIESCENCE.union(T::TREE_REUSE), T::DIFFERENCE);
        [
            method("value", Value, T::all().difference(T::DIFFERENCE)),
            method("playout", Playout, ef),
            method("ef-leaf", Leaf, ef),
            method("ef-cutoff", Cutoff, ef),
            method("qs-leaf-diff", Leaf, qs.union(diff)),
            method("qs-cutoff-diff", Cutoff, qs.union(diff)),
            method("ef-leaf-diff", Leaf, ef.union(diff)),
            method("qs-leaf", Leaf, qs),
            method("ef-cutoff-diff", Cutoff, ef.union(diff)),
            method("qs-cutoff", Cutoff, qs),
        ]
    };
}

impl FromStr for Method {
    type Err = SpecError;

    fn from_str(name: &str) -> Result<Method, SpecError> {
        Method::ALL.into_iter().find(|method| method.name == name).ok_or_else(|| {
            let names = Method::ALL.map(|method| method.name);
            SpecError::unknown(format!("method {}", quoted(name)), &names)
        })
    }
}

numbers! {
    /// Method and parameters of the searcher. The defaults of the paper's methods are the values of
    /// the paper where it gives them.
    pub struct MctsParams {
        /// How leaves get their results.
        leaf: LeafResult = Method::ALL[0].leaf,
        /// Techniques in use.
        techniques: MctsTechniques = Method::ALL[0].techniques,
    }

    /// Visits of a node before it is expanded.
    expansion: i32 = 1 in 0..=1_000,
    /// UCT: weight of the term sqrt(ln N / n), hundredths.
    exploration: i32 = 50 in 0..=500,
    /// UCT: weight of the progressive bias, the prior of the move over n + 1.
    bias: i32 = 20 in 0..=200,
    /// UCT: first-play urgency, the value of an unvisited move, hundredths.
    first_play: i32 = 90 in 0..=1_000,
    /// Playouts that choose by rating: number of best moves to choose from.
    best_moves: i32 = 5 in 1..=600,
    /// Playouts: after this many plies a game ends as a draw, or by its value.
    playout_limit: i32 = 512 in 1..=1_000,
    /// Leaf: length of a playout, plies.
    leaf_plies: i32 = 6 in 0..=100,
    /// Cutoff: margin, centipawns.
    cutoff_margin: i32 = 200 in 1..=10_000,
    /// Value: centipawns that multiply the odds of winning by e.
    scale: i32 = 600 in 50..=3_000,
    /// PUCT: weight of the prior of a move, hundredths.
    puct: i32 = 100 in 0..=2_000,
    /// Temperature of the move ratings, hundredths.
    temperature: i32 = 100 in 10..=1_000,
}

impl MctsParams {
    /// These parameters with another method. Leaf plays 6 plies, or 2 before quiescence search, as
    /// in the paper.
    pub fn with(self, method: Method) -> MctsParams {
        let Method { leaf, techniques, .. } = method;
        let is_quiet = techniques.contains(MctsTechniques::QUIESCENCE);
        let leaf_plies = if leaf == LeafResult::Leaf && is_quiet { 2 } else { 6 };
        MctsParams { leaf, techniques, leaf_plies, ..self }
    }

    /// Whether a technique is in use.
    #[inline]
    pub const fn uses(&self, technique: MctsTechniques) -> bool {
        self.techniques.contains(technique)
    }
}
