//! One visit of the tree by one thread: descent to a leaf, its result, and the backup.

use super::arena::NodeId;
use super::params::MctsParams;
use super::rating;
use super::selection::select;
use super::tree::{NewChild, Tree};
use super::tree_node::{Proof, TreeNode};
use super::win_rate::win_rate;
use crate::papers::mcts::ratings::MoveRatings;
use crate::rng::Rng;
use crate::search::alpha_beta::AlphaBetaThread;
use crate::search::depth::MAX_PLY;
use crate::shogi::{Move, MoveList, Scope, movegen};

/// The search must end; the interrupted result is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Why a visit ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// The search must end.
    Stopped,
    /// The tree is full.
    Full,
}

impl From<Stopped> for Broken {
    fn from(_: Stopped) -> Broken {
        Broken::Stopped
    }
}

/// One search thread.
pub(super) struct Worker<'a> {
    pub thread: AlphaBetaThread<'a>,
    pub tree: &'a Tree,
    pub params: &'a MctsParams,
    pub rng: Rng,
    /// The root's value for its side with Diff, in centipawns; otherwise 0.
    pub reference: i32,
    /// Number of root moves to visit once before any is visited twice.
    pub least_lines: usize,
    /// The path from the root to the current node.
    path: Vec<NodeId>,
}

/// The next step of a visit at a node.
enum Step {
    /// The result for the side to move.
    Result(f32),
    /// Descend to a child.
    Child(NodeId),
}

impl<'a> Worker<'a> {
    pub fn new(
        thread: AlphaBetaThread<'a>,
        tree: &'a Tree,
        params: &'a MctsParams,
        rng: Rng,
    ) -> Worker<'a> {
        Worker { thread, tree, params, rng, reference: 0, least_lines: 0, path: Vec::new() }
    }

    /// Visits the tree once. If the visit fails, the tree changes only by new nodes.
    pub fn visit(&mut self) -> Result<(), Broken> {
        self.path.clear();
        self.path.push(NodeId::ROOT);
        self.tree.root().enter();
        let result = loop {
            match self.step() {
                Ok(Step::Result(result)) => break Ok(result),
                Ok(Step::Child(child)) => self.follow(child),
                Err(broken) => break Err(broken),
            }
        };
        (1..self.path.len()).for_each(|_| self.thread.unmake());
        match result {
            Ok(result) => self.back_up(result),
            Err(_) => self.path.iter().for_each(|&id| self.tree.node(id).leave()),
        }
        result.map(|_| ())
    }

    fn node(&self) -> &'a TreeNode {
        let last = self.path.last().copied().unwrap_or(NodeId::ROOT);
        self.tree.node(last)
    }

    fn follow(&mut self, child: NodeId) {
        let node = self.tree.node(child);
        node.enter();
        self.path.push(child);
        let mv = node.mv().expect("a child has a move");
        self.thread.make(mv);
        self.thread.seldepth = self.thread.seldepth.max(self.thread.ply);
    }

    fn step(&mut self) -> Result<Step, Broken> {
        let node = self.node();
        if self.path.len() > 1 {
            // Mate takes precedence over all other rules. The rules are checked only before
            // expansion: a node is always reached by the same moves, so their result does not
            // change.
            let pos = &self.thread.pos;
            if node.visits() == 0 && pos.in_check() && !movegen::has_legal_move(pos) {
                node.prove(Proof::Loss(0));
            } else if !node.is_expanded()
                && let Some(result) = self.result_by_rules(true)
            {
                return Ok(Step::Result(result));
            }
            self.look_for_win(node);
            match node.proof() {
                Some(Proof::Win(_)) => return Ok(Step::Result(1.0)),
                Some(Proof::Loss(_)) => return Ok(Step::Result(0.0)),
                None => {}
            }
            let is_young = node.visits() < self.params.expansion as u32;
            if is_young && !node.is_expanded() || self.thread.ply + 2 >= MAX_PLY {
                return Ok(Step::Result(self.result()?));
            }
        }
        if !node.is_expanded() {
            self.expand(node, None)?;
            if node.proof().is_some() {
                return Ok(Step::Result(0.0));
            }
        }
        let mut wants_new = self.path.len() == 1 && node.child_count() < self.least_lines;
        loop {
            let child = if wants_new { None } else { select(self.tree, node, self.params) };
            if let Some(child) = child {
                return Ok(Step::Child(child));
            }
            match self.tree.add_child(node) {
                NewChild::At(child) => return Ok(Step::Child(child)),
                NewChild::Full => return Err(Broken::Full),
                NewChild::Busy => wants_new = false,
            }
        }
    }

    /// Stores an immediate win at the first visit of a node.
    fn look_for_win(&mut self, node: &TreeNode) {
        if node.visits() == 0 && node.proof().is_none() {
            let checks = self.thread.pos.check_squares();
            if self.thread.win_at_once(Some(&checks)).is_some() {
                node.prove(Proof::Win(1));
            }
        }
    }

    /// Expands the current node with the given moves, or with all legal moves.
    pub fn expand(&mut self, node: &TreeNode, moves: Option<&[Move]>) -> Result<(), Broken> {
        let pos = &self.thread.pos;
        let moves: MoveList = match moves {
            Some(moves) => moves.iter().copied().collect(),
            None => movegen::legal_moves(pos, Scope::USEFUL),
        };
        if moves.is_empty() {
            node.prove(Proof::Loss(0));
            return Ok(());
        }
        let temperature = self.params.temperature as f32 / 100.0;
        let edges = rating::priors(MoveRatings::embedded().rate(pos, &moves), temperature);
        if self.tree.expand(node, &edges) { Ok(()) } else { Err(Broken::Full) }
    }

    /// The result for the side to move if the rules end the game here. `superior_repetition`: as in
    /// [`decided`](AlphaBetaThread::decided).
    pub(super) fn result_by_rules(&self, superior_repetition: bool) -> Option<f32> {
        let score = self.thread.decided(superior_repetition)?;
        Some(match score {
            score if score.is_win() => 1.0,
            score if score.is_loss() => 0.0,
            drawn => win_rate(drawn, self.params.scale),
        })
    }

    /// Updates all nodes of the path with the result for the side to move at its end. Also
    /// propagates proofs from children to parents (MCTS-Solver: Winands, Bjornsson, Saito 2008).
    fn back_up(&self, result: f32) {
        let mut result = 1.0 - result;
        let mut child: Option<&TreeNode> = None;
        for &id in self.path.iter().rev() {
            let node = self.tree.node(id);
            if let Some(proof) = child.and_then(TreeNode::proof)
                && let Some(proof) = self.proof_of_parent(node, proof)
            {
                node.prove(proof);
            }
            node.note(result);
            result = 1.0 - result;
            child = Some(node);
        }
    }

    /// The proof of a node that follows from the proof of a child. A child lost for the opponent
    /// proves a win; if all children are won for the opponent, the node is lost.
    fn proof_of_parent(&self, node: &TreeNode, child: Proof) -> Option<Proof> {
        match child {
            Proof::Loss(plies) => Some(Proof::Win(plies + 1)),
            Proof::Win(_) if node.child_count() < node.edge_count() => None,
            Proof::Win(_) => {
                let plies = self.tree.children(node).map(|id| match self.tree.node(id).proof() {
                    Some(Proof::Win(plies)) => Some(plies),
                    _ => None,
                });
                let longest = plies.collect::<Option<Vec<u16>>>()?.into_iter().max()?;
                Some(Proof::Loss(longest + 1))
            }
        }
    }
}
