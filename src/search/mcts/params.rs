//! What decides how Monte-Carlo tree search goes: the paper's methods, and every number with its unit.

use std::str::FromStr;

use bitflags::bitflags;

use crate::search::numbers::numbers;

bitflags! {
    /// What can be switched on and off.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MctsTechniques: u32 {
        /// Positions are valued after quiescence, else by the evaluation as they stand (the paper's
        /// QS, else EF).
        const QUIESCENCE = 1;
        /// Values count by their difference from the root's (the paper's Diff).
        const DIFFERENCE = 1 << 1;
        /// Moves are chosen by PUCT, else by UCT with progressive bias.
        const PUCT = 1 << 2;
        /// The tree of the last search is used again.
        const TREE_REUSE = 1 << 3;
        /// The mate solver looks at the root, for a small part of the time.
        const ROOT_MATE = 1 << 4;
    }
}

/// How a leaf of the tree comes to its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafResult {
    /// The game is played to its end; whoever wins.
    Playout,
    /// It is played for some plies; whoever stands better then (Leaf).
    Leaf,
    /// It is played until one side stands better by a margin (Cutoff).
    Cutoff,
    /// It is not played: the value is the probability of winning.
    Value,
}

/// A method of the paper, or ours, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// As users type it.
    pub name: &'static str,
    /// How leaves come to their results.
    pub leaf: LeafResult,
    /// What is used.
    pub techniques: MctsTechniques,
}

const fn method(name: &'static str, leaf: LeafResult, techniques: MctsTechniques) -> Method {
    Method { name, leaf, techniques }
}

impl Method {
    /// All methods: ours, which is the default, then those of the paper in the order of its Table 1,
    /// then what its Table 4 has beside.
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
    type Err = ();

    fn from_str(name: &str) -> Result<Method, ()> {
        Method::ALL.into_iter().find(|method| method.name == name).ok_or(())
    }
}

numbers! {
    /// Methods and numbers of the searcher. Those of the paper's methods are the paper's where it has
    /// them.
    pub struct MctsParams {
        /// How leaves come to their results.
        leaf: LeafResult = Method::ALL[0].leaf,
        /// Techniques in use.
        techniques: MctsTechniques = Method::ALL[0].techniques,
    }

    /// A node is expanded when it has been visited so often.
    expansion: i32 = 1 in 0..=1_000,
    /// UCT: weight of the term sqrt(ln N / n), hundredths.
    exploration: i32 = 50 in 0..=500,
    /// UCT: weight of the progressive bias, the probability of the move over n + 1.
    bias: i32 = 20 in 0..=200,
    /// UCT: first-play urgency, the value of a move not yet visited, hundredths.
    first_play: i32 = 90 in 0..=1_000,
    /// Playouts that choose by rating: so many of the best moves take part.
    best_moves: i32 = 5 in 1..=600,
    /// Playouts: a game of so many plies ends undecided, or by its value.
    playout_limit: i32 = 512 in 1..=1_000,
    /// Leaf: plies.
    leaf_plies: i32 = 6 in 0..=100,
    /// Cutoff: margin, centipawns.
    cutoff_margin: i32 = 200 in 1..=10_000,
    /// Value: centipawns that multiply the odds of winning by e.
    scale: i32 = 600 in 50..=3_000,
    /// Value: plies of the search that values a leaf; 0 = quiescence.
    value_plies: i32 = 0 in 0..=10,
    /// PUCT: weight of the probability of a move, hundredths.
    puct: i32 = 100 in 0..=2_000,
    /// PUCT: how far below its parent a move not yet visited is thought to be, hundredths of the square
    /// root of the probability of those visited.
    first_play_reduction: i32 = 0 in 0..=200,
    /// Temperature of the move ratings, hundredths.
    temperature: i32 = 100 in 10..=1_000,
    /// Mate solver: a node is looked at when it has been visited so often.
    mate_visits: i32 = 16 in 1..=100_000,
    /// Mate solver: positions that it may look at; 0 = it is not asked at nodes.
    mate_nodes: i32 = 0 in 0..=100_000,
}

impl MctsParams {
    /// The same with another method. Leaf plays 6 plies, or 2 before quiescence: the paper's depths.
    pub fn with(self, method: Method) -> MctsParams {
        let Method { leaf, techniques, .. } = method;
        let is_quiet = techniques.contains(MctsTechniques::QUIESCENCE);
        let leaf_plies = if leaf == LeafResult::Leaf && is_quiet { 2 } else { 6 };
        MctsParams { leaf, techniques, leaf_plies, ..self }
    }

    /// The method, if these are one's techniques.
    pub fn method(&self) -> Option<Method> {
        Method::ALL.into_iter().find(|m| (m.leaf, m.techniques) == (self.leaf, self.techniques))
    }

    /// Whether a technique is in use.
    #[inline]
    pub const fn uses(&self, technique: MctsTechniques) -> bool {
        self.techniques.contains(technique)
    }
}
