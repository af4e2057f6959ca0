//! The tree: nodes and unvisited moves in arenas of fixed size. Threads visit it without locks. It
//! is moved or shrunk only between visits.
//!
//! An expanded node stores all its moves in sequence, most promising first. The first visit of a
//! move turns it into a child: a node linked to its siblings. The visited moves are therefore
//! always the first ones of the sequence.

use super::arena::{Arena, Edge, NodeId};
use super::tree_node::{EXPANDED, LEAF, TreeNode};
use crate::shogi::Move;

/// A search tree. It alternates between two arenas: a copy to the other arena drops unneeded
/// subtrees.
pub(super) struct Tree {
    arenas: [Arena; 2],
    /// Index of the arena in use.
    at: usize,
}

impl Tree {
    /// A tree with a root in at most `bytes` bytes. The size is halved until the allocation
    /// succeeds.
    pub fn new(mut bytes: usize) -> Tree {
        loop {
            match (Arena::new(bytes / 2), Arena::new(bytes / 2)) {
                (Some(one), Some(other)) => return Tree { arenas: [one, other], at: 0 },
                _ => bytes /= 2,
            }
        }
    }

    /// Size of both arenas in bytes.
    pub fn bytes(&self) -> usize {
        self.arenas.iter().map(Arena::bytes).sum()
    }

    /// Resets the tree to an unvisited root.
    pub fn clear(&mut self) {
        self.arena().clear();
    }

    fn arena(&self) -> &Arena {
        &self.arenas[self.at]
    }

    /// The node with this index.
    #[inline]
    pub fn node(&self, id: NodeId) -> &TreeNode {
        self.arena().node(id)
    }

    /// The root.
    pub fn root(&self) -> &TreeNode {
        self.node(NodeId::ROOT)
    }

    /// Stores the moves of a node, most promising first, unless another thread does or has done so.
    /// Returns false if there is no room.
    pub fn expand(&self, node: &TreeNode, edges: &[Edge]) -> bool {
        if node.is_expanded() || !node.seize(LEAF) {
            return true;
        }
        let has_room = self.arena().put_edges(node, edges.iter().map(Edge::pack));
        node.release(if has_room { EXPANDED } else { LEAF });
        has_room
    }

    /// The next unvisited move of a node.
    #[inline]
    pub fn next_edge(&self, node: &TreeNode) -> Option<Edge> {
        let number = node.child_count();
        if number < node.edge_count() { self.arena().edge(node, number) } else { None }
    }

    /// Turns the next unvisited move of a node into a child.
    pub fn add_child(&self, node: &TreeNode) -> NewChild {
        if !node.seize(EXPANDED) {
            return NewChild::Busy;
        }
        let is_left = node.child_count() < node.edge_count();
        let child = if is_left { self.arena().push_child(node) } else { None };
        node.release(EXPANDED);
        match child {
            Some(child) => NewChild::At(child),
            None if is_left => NewChild::Full,
            None => NewChild::Busy,
        }
    }

    /// The visited moves of a node, the latest first.
    #[inline]
    pub fn children<'t>(&'t self, node: &'t TreeNode) -> impl Iterator<Item = NodeId> + 't {
        self.arena().children(node)
    }

    /// Used share of the arena, per mille.
    pub fn fill(&self) -> u32 {
        self.arena().fill()
    }

    /// Moves the root along a line. If the tree does not contain the line, clears the tree and
    /// returns false.
    pub fn advance(&mut self, line: &[Move]) -> bool {
        let mut id = NodeId::ROOT;
        for &mv in line {
            let found =
                self.children(self.node(id)).find(|&child| self.node(child).mv() == Some(mv));
            match found {
                Some(child) => id = child,
                None => {
                    self.clear();
                    return false;
                }
            }
        }
        if !line.is_empty() {
            self.rebuild(id, 0);
        }
        true
    }

    /// Drops the subtrees below nodes with fewer visits, except below proved nodes.
    pub fn shrink(&mut self, least_visits: u32) {
        self.rebuild(NodeId::ROOT, least_visits);
    }

    /// Copies the tree below `root` into the other arena.
    fn rebuild(&mut self, root: NodeId, least_visits: u32) {
        let (old, new) = (&self.arenas[self.at], &self.arenas[1 - self.at]);
        new.clear();
        new.copy(NodeId::ROOT, old, root, least_visits);
        self.at = 1 - self.at;
    }
}

/// Result of adding a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NewChild {
    /// The new child.
    At(NodeId),
    /// Another thread is adding a child or has added the last one: select again.
    Busy,
    /// The arena is full.
    Full,
}

#[cfg(test)]
mod tests {
    use super::super::tree_node::{Proof, visit};
    use super::*;

    fn edges() -> Vec<Edge> {
        let moves = ["7g7f", "2g2f", "G*5e"].map(|mv| mv.parse().expect("a move"));
        moves.into_iter().zip([0.5, 0.25, 0.125]).map(|(mv, prior)| Edge { mv, prior }).collect()
    }

    fn child(tree: &Tree, node: &TreeNode) -> NodeId {
        match tree.add_child(node) {
            NewChild::At(id) => id,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn moves_become_children_in_their_order() {
        let tree = Tree::new(1 << 20);
        assert!(tree.expand(tree.root(), &edges()));
        assert!(tree.expand(tree.root(), &edges()[1..]), "done already");
        for (number, edge) in edges().into_iter().enumerate() {
            assert_eq!(tree.root().child_count(), number);
            let next = tree.next_edge(tree.root()).expect("one is left");
            assert!(next.mv == edge.mv && (next.prior - edge.prior).abs() < 1e-4);
            let id = child(&tree, tree.root());
            assert_eq!(tree.node(id).mv(), Some(edge.mv));
            assert_eq!(tree.node(id).prior(), next.prior);
            assert_eq!(tree.node(id).mean(), None);
        }
        assert_eq!(tree.next_edge(tree.root()), None);
        assert_eq!(tree.add_child(tree.root()), NewChild::Busy);
        assert_eq!(tree.children(tree.root()).count(), 3);
    }

    /// The root, its second move, and the first reply to it; the other moves have no visits.
    fn grown() -> Tree {
        let tree = Tree::new(1 << 20);
        tree.expand(tree.root(), &edges());
        let [first, second] = [(); 2].map(|()| child(&tree, tree.root()));
        visit(tree.node(first), 0.0);
        tree.expand(tree.node(second), &edges());
        let below = child(&tree, tree.node(second));
        (0..3).for_each(|_| visit(tree.node(second), 0.25));
        visit(tree.node(below), 0.75);
        tree
    }

    #[test]
    fn advance_moves_the_root_along_a_line() {
        let mut tree = grown();
        assert!(tree.advance(&[]));
        assert_eq!(tree.root().child_count(), 2);
        assert!(tree.advance(&[edges()[1].mv]));
        assert_eq!((tree.root().visits(), tree.root().mean()), (3, Some(0.25)));
        let below: Vec<NodeId> = tree.children(tree.root()).collect();
        assert_eq!(below.len(), 1);
        assert_eq!(tree.node(below[0]).mv(), Some(edges()[0].mv));
        assert_eq!(tree.node(below[0]).mean(), Some(0.75));
        assert_eq!(tree.next_edge(tree.root()).map(|edge| edge.mv), Some(edges()[1].mv));
        assert!(!tree.advance(&[edges()[2].mv]), "never visited");
        assert_eq!((tree.root().visits(), tree.root().is_expanded()), (0, false));
    }

    #[test]
    fn shrink_drops_rarely_visited_subtrees_except_proofs() {
        let mut tree = grown();
        (0..4).for_each(|_| visit(tree.root(), 0.5));
        tree.shrink(4);
        let children: Vec<NodeId> = tree.children(tree.root()).collect();
        assert_eq!(children.len(), 2);
        let second = tree.node(children[0]);
        assert_eq!((second.visits(), second.is_expanded()), (3, false));

        let mut tree = grown();
        (0..4).for_each(|_| visit(tree.root(), 0.5));
        let second = tree.children(tree.root()).next().expect("two");
        tree.node(second).prove(Proof::Win(3));
        tree.shrink(4);
        let second = tree.children(tree.root()).next().expect("two");
        assert!(tree.node(second).is_expanded());
        assert_eq!(tree.node(second).proof(), Some(Proof::Win(3)));
    }

    #[test]
    fn a_full_tree_reports_it_and_has_room_after_shrinking() {
        let mut tree = Tree::new(0);
        let moves = edges();
        assert!(tree.expand(tree.root(), &moves));
        let mut id = child(&tree, tree.root());
        while tree.expand(tree.node(id), &moves) {
            match tree.add_child(tree.node(id)) {
                NewChild::At(below) => id = below,
                other => {
                    assert_eq!(other, NewChild::Full);
                    break;
                }
            }
        }
        assert!(tree.fill() > 900, "{}", tree.fill());
        tree.shrink(1);
        assert!(tree.fill() < 200, "{}", tree.fill());
    }
}
