//! Results of the tree: the root moves in order, their scores and lines.

use std::cmp::Reverse;

use super::arena::NodeId;
use super::tree::Tree;
use super::tree_node::{Proof, TreeNode};
use super::win_rate::score_of;
use crate::engine::Pv;
use crate::eval::Score;
use crate::search::depth::MAX_PLY;
use crate::shogi::Position;

/// A root move.
pub(super) struct RootLine {
    pub id: NodeId,
    /// Score for the side to move at the root.
    pub score: Score,
}

/// Snapshot of a child; other threads continue to visit it.
struct Seen {
    visits: u32,
    /// Mean result for the side that made the move.
    mean: f32,
    proof: Option<Proof>,
}

impl Seen {
    fn of(node: &TreeNode) -> Seen {
        Seen { visits: node.visits(), mean: node.mean().unwrap_or(0.5), proof: node.proof() }
    }

    /// Ranking: proved wins first, shortest first; then by visits; proved losses last, longest
    /// first.
    fn rank(&self) -> impl Ord + use<> {
        let mean = (self.mean * 1e6) as u32;
        match self.proof {
            Some(Proof::Loss(plies)) => (2, u32::from(u16::MAX - plies), mean),
            None => (1, self.visits, mean),
            Some(Proof::Win(plies)) => (0, u32::from(plies), mean),
        }
    }

    /// The score for the side that made the move. `scale`: centipawns that multiply the odds of
    /// winning by e.
    fn score(&self, scale: i32) -> Score {
        match self.proof {
            Some(Proof::Loss(plies)) => Score::mate_in(u32::from(plies) + 1),
            Some(Proof::Win(plies)) => Score::mated_in(u32::from(plies) + 1),
            None => score_of(self.mean, scale),
        }
    }
}

/// The visited root moves, best first. `scale`: centipawns that multiply the odds of winning by e.
pub(super) fn root_lines(tree: &Tree, scale: i32) -> Vec<RootLine> {
    let seen = |id: NodeId| (id, Seen::of(tree.node(id)));
    let mut children: Vec<(NodeId, Seen)> = tree.children(tree.root()).map(seen).collect();
    // Among equal moves, the one visited first comes first.
    children.reverse();
    children.sort_by_key(|(_, seen)| Reverse(seen.rank()));
    children.into_iter().map(|(id, seen)| RootLine { id, score: seen.score(scale) }).collect()
}

/// The line from the root that starts with a child and continues with the best moves of both sides.
/// It ends at a repetition. `mate`: returns the line of a mate that the solver finds in a position.
pub(super) fn line(
    tree: &Tree,
    root: &Position,
    first: NodeId,
    mate: &mut dyn FnMut(&mut Position) -> Option<Pv>,
) -> Pv {
    let mut pos = root.clone();
    let mut line = Pv::new();
    let mut next = Some(first);
    while let Some(id) = next {
        let node = tree.node(id);
        let Some(mv) = node.mv() else { break };
        pos.do_move(mv);
        line.push(mv);
        if line.len() >= MAX_PLY || pos.repetition().is_some() {
            break;
        }
        let best = tree.children(node).max_by_key(|&id| Seen::of(tree.node(id)).rank());
        let best = best.filter(|&id| tree.node(id).visits() > 0 || tree.node(id).proof().is_some());
        // The tree does not contain the line of every proof.
        if let Some(Proof::Win(_)) = node.proof()
            && !best.is_some_and(|id| matches!(tree.node(id).proof(), Some(Proof::Loss(_))))
        {
            line.extend(
                pos.mate_in_one()
                    .map(|mv| Pv::from_slice(&[mv]))
                    .or_else(|| mate(&mut pos))
                    .unwrap_or_default(),
            );
            break;
        }
        next = best;
    }
    line
}
