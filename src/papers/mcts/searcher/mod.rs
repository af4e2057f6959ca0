//! Monte Carlo tree search: a tree of the most promising moves grows with each visit. Each new leaf
//! yields a result, and all nodes above it keep the mean.
//!
//! [`search`] runs the workers, reports, and decides when to stop. A [`worker`] visits the
//! [`tree`], which has one [`tree_node`] for each position in an [`arena`]. A visit descends by
//! [`selection`], evaluates the leaf ([`playout`], [`leaf_value`]), and updates the nodes on its path. [`rating`]
//! computes move priors; [`win_rate`] converts scores into winning probabilities; [`answer`] reads
//! the result from the tree. [`params`] holds all options: the methods of the paper, the
//! ablations of its Table 4, and this project's own method. That method makes no playouts and uses
//! the value of the leaf as the winning probability.
//!
//! One iteration doubles the visits: depth n is reached after 2^n visits. Node counts are visits.
//!
//! Source: "Monte-Carlo tree search in shogi with an evaluation function" (EF-Leaf, EF-Cutoff,
//! QS-Leaf-Diff, QS-Cutoff-Diff); Kocsis, Szepesvari 2006 (UCT); Chaslot et al. 2008 (progressive
//! bias); Winands, Bjornsson, Saito 2008 (MCTS-Solver); Rosin 2011 (PUCT).

mod answer;
mod arena;
mod leaf_value;
mod params;
mod playout;
mod rating;
mod search;
mod selection;
mod tree;
mod tree_node;
mod tuning;
mod win_rate;
mod worker;

pub use params::{LeafResult, MctsParams, MctsTechniques, Method};

use crate::engine::{BestMove, Engine, Limits, Outcome, Query, Report, Settings};
use crate::eval::Evaluation;
use crate::search::alpha_beta::{Reductions, SearchParams, ThreadHistories};
use crate::search::configured_table::ConfiguredTable;
use crate::search::memory;
use crate::search::root_moves::root_moves;
use crate::shogi::{Move, Position};
use search::Search;
use tree::Tree;

/// The Monte Carlo tree searcher.
pub struct Mcts {
    params: MctsParams,
    /// Parameters of the quiescence search.
    leaf_params: SearchParams,
    reductions: Reductions,
    evaluation: Evaluation,
    settings: Settings,
    /// Transposition table of the quiescence search.
    table: ConfiguredTable,
    tree: Option<Tree>,
    /// Root position of the tree.
    root: Option<Position>,
    histories: ThreadHistories,
}

/// Divisor of the memory: one share is the table of quiescence search, one share is left for other
/// data (evaluation, tables of the threads). The rest is for the tree.
const TABLE_SHARE: usize = 16;
const MIB: usize = 1 << 20;

impl Mcts {
    /// A searcher with these parameters and this evaluation. Its memory is allocated by the first
    /// [`configure`](Engine::configure) or search.
    pub fn new(params: MctsParams, evaluation: Evaluation) -> Mcts {
        let leaf_params = SearchParams::DEFAULT;
        Mcts {
            params,
            reductions: Reductions::new(&leaf_params),
            leaf_params,
            evaluation,
            settings: Settings::default(),
            table: ConfiguredTable::default(),
            tree: None,
            root: None,
            histories: ThreadHistories::default(),
        }
    }

    /// Memory for the tree and for the table in MiB.
    fn shares(hash_mib: usize) -> [usize; 2] {
        let table = (hash_mib / TABLE_SHARE).max(1);
        [hash_mib.saturating_sub(2 * table).max(1), table]
    }

    /// Moves the root of the tree to a position if the tree contains it and may be reused.
    /// Otherwise clears the tree.
    fn go_to(&mut self, pos: &Position, limits: &Limits) {
        let [tree_mib, _] = Mcts::shares(self.settings.hash_mib);
        let tree = self.tree.get_or_insert_with(|| new_tree(tree_mib));
        // With Diff, the results in the tree are relative to the value of the old root.
        let may_reuse = self.params.uses(MctsTechniques::TREE_REUSE)
            && !self.params.uses(MctsTechniques::DIFFERENCE)
            && limits.search_moves.is_empty();
        let line =
            self.root.as_ref().filter(|_| may_reuse).and_then(|root| moves_between(root, pos));
        match line {
            Some(line) => {
                tree.advance(&line);
            }
            None => tree.clear(),
        }
        self.root = limits.search_moves.is_empty().then(|| pos.clone());
    }
}

fn new_tree(mib: usize) -> Tree {
    Tree::new(mib.saturating_mul(MIB).min(memory::available()))
}

/// The moves from one position of a game to a later one; `None` if `later` does not continue
/// `earlier`.
fn moves_between(earlier: &Position, later: &Position) -> Option<Vec<Move>> {
    let count = later.moves_made().checked_sub(earlier.moves_made())?;
    let mut pos = later.clone();
    let mut line = Vec::new();
    for _ in 0..count {
        line.push(pos.last_move()?);
        pos.undo_move();
    }
    line.reverse();
    (pos.key() == earlier.key() && pos.move_number() == earlier.move_number()).then_some(line)
}

impl Default for Mcts {
    fn default() -> Mcts {
        Mcts::new(MctsParams::DEFAULT, Evaluation::embedded())
    }
}

impl Engine for Mcts {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        let (wished, mut remarks) = (settings.hash_mib, Vec::new());
        let given = wished.min(memory::available() / MIB);
        if given < wished {
            remarks.push(format!("cannot allocate {wished} MiB for the tree; using {given} MiB"));
        }
        let [tree_mib, table_mib] = Mcts::shares(given);
        remarks.extend(self.table.configure(&Settings { hash_mib: table_mib, ..settings.clone() }));
        if self.tree.is_none() || settings.hash_mib != self.settings.hash_mib {
            // Free the old tree first: both may not fit in memory.
            self.tree = None;
            let tree = new_tree(tree_mib);
            if tree.bytes() < tree_mib / 2 * MIB {
                let bytes = tree.bytes() / MIB;
                remarks
                    .push(format!("cannot allocate a tree of {tree_mib} MiB; using {bytes} MiB"));
            }
            self.tree = Some(tree);
        }
        remarks.extend(self.histories.configure(settings.threads));
        // The tree does not depend on MultiPV and threads, but its results depend on the draw
        // settings.
        let Settings { multi_pv, threads, .. } = self.settings;
        if (Settings { multi_pv, threads, ..settings.clone() }) != self.settings {
            self.root = None;
        }
        self.settings = settings.clone();
        remarks
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.histories.clear();
        self.root = None;
    }

    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        let Query { pos, limits, control } = query;
        let moves = root_moves(pos, &self.settings, limits);
        if moves.is_empty() {
            return Outcome { best: BestMove::Resign, info: None, nodes: 0 };
        }
        self.go_to(pos, limits);
        let (_, table) = self.table.begin();
        let Some(tree) = &mut self.tree else { unreachable!("made when the root was set") };
        let (shared, threads) = self.histories.begin(self.settings.threads);
        let search = Search {
            pos,
            moves: &moves,
            evaluation: &self.evaluation,
            table,
            params: &self.params,
            leaf_params: &self.leaf_params,
            reductions: &self.reductions,
            shared,
            settings: &self.settings,
            limits,
            control,
        };
        search.run(tree, threads, report)
    }
}
