//! What the tree says: the moves of the root in the order of its belief, their scores and lines.

use std::cmp::Reverse;

use super::arena::NodeId;
use super::node::{Node, Proof};
use super::tree::Tree;
use super::win_rate::score_of;
use crate::engine::Pv;
use crate::eval::Score;
use crate::search::depth::MAX_PLY;
use crate::shogi::Position;

/// A move of the root.
pub(super) struct RootLine {
    pub id: NodeId,
    /// Side to move's view.
    pub score: Score,
}

/// How much is to be said for a child: a proved win first, the shortest before others; then visits;
/// proved losses last, the longest first.
fn rank(node: &Node) -> impl Ord + use<> {
    let visits = node.visits();
    let mean = (node.mean().unwrap_or(0.0) * 1e6) as u32;
    match node.proof() {
        Some(Proof::Loss(plies)) => (2, u32::from(u16::MAX - plies), mean),
        None => (1, visits, mean),
        Some(Proof::Win(plies)) => (0, u32::from(plies), mean),
    }
}

/// The moves of the root that were visited, best first. `scale`: centipawns that multiply the odds of
/// winning by e.
pub(super) fn root_lines(tree: &Tree, scale: i32) -> Vec<RootLine> {
    let mut children: Vec<NodeId> = tree.children(tree.root()).collect();
    // The first visited of equal ones.
    children.reverse();
    children.sort_by_key(|&id| Reverse(rank(tree.node(id))));
    let line = |id: NodeId| {
        let node = tree.node(id);
        let score = match node.proof() {
            Some(Proof::Loss(plies)) => Score::mate_in(u32::from(plies) + 1),
            Some(Proof::Win(plies)) => Score::mated_in(u32::from(plies) + 1),
            None => score_of(node.mean().unwrap_or(0.5), scale),
        };
        RootLine { id, score }
    };
    children.into_iter().map(line).collect()
}

/// The line from the root that begins with a child and goes on with what is best for either side. It
/// ends where a position recurs. `mate`: finds the mate that the solver has proved of a position.
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
        let best = tree.children(node).max_by_key(|&id| rank(tree.node(id)));
        let best = best.filter(|&id| tree.node(id).visits() > 0 || tree.node(id).proof().is_some());
        // The tree does not know the way to all that is proved.
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
