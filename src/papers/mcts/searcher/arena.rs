//! Arenas of fixed size for the tree.

use std::sync::atomic::{AtomicU32, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

use super::tree_node::{EXPANDED, TreeNode, pack_prior, unpack_prior};
use crate::large_pages::may_fail;
use crate::search::memory::Claim;
use crate::shogi::Move;

/// Index of a node in its arena. Index 0 is the root, which has no parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub const ROOT: NodeId = NodeId(0);
}

/// A move not yet visited, and its prior probability of being best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub mv: Move,
    pub prior: f32,
}

impl Edge {
    /// Packs the move into the upper half and the prior into the lower half.
    pub fn pack(&self) -> u32 {
        u32::from(self.mv.to_bits()) << 16 | u32::from(pack_prior(self.prior))
    }
}

/// Memory for nodes and edges, allocated in sequence.
pub(super) struct Arena {
    nodes: Vec<TreeNode>,
    /// Packed edges.
    edges: Vec<AtomicU32>,
    used_nodes: AtomicU32,
    used_edges: AtomicU32,
    _claim: Claim,
}

/// Edges per node. A node visited once has none; an expanded node has about 80.
const EDGES_PER_NODE: usize = 32;

impl Arena {
    /// An arena of at most `bytes` bytes that contains only a root; `None` if the allocation fails.
    /// The operating system provides its memory on first access.
    pub fn new(bytes: usize) -> Option<Arena> {
        let each = size_of::<TreeNode>() + EDGES_PER_NODE * size_of::<AtomicU32>();
        let count = (bytes / each).clamp(64, u32::MAX as usize / EDGES_PER_NODE);
        let nodes = may_fail(|| bytemuck::try_zeroed_vec(count)).ok()?;
        let edges = may_fail(|| bytemuck::try_zeroed_vec(count * EDGES_PER_NODE)).ok()?;
        let (used_nodes, used_edges) = (0.into(), 0.into());
        let arena =
            Arena { nodes, edges, used_nodes, used_edges, _claim: Claim::new(count * each) };
        arena.clear();
        Some(arena)
    }

    /// Resets the arena to an unvisited root.
    pub fn clear(&self) {
        self.used_nodes.store(1, Relaxed);
        self.used_edges.store(0, Relaxed);
        self.nodes[0].start(0, 0);
    }

    /// The node with this index.
    #[inline]
    pub fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id.0 as usize]
    }

    /// Allocates the next `count` indices; `None` if there is not enough room.
    fn take(used: &AtomicU32, count: usize, len: usize) -> Option<u32> {
        let taken = |first: u32| {
            let end = first as usize + count;
            (end <= len).then_some(end as u32)
        };
        used.fetch_update(Relaxed, Relaxed, taken).ok()
    }

    /// Size in bytes, used or not.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.edges[..])
    }

    /// Used share, per mille.
    pub fn fill(&self) -> u32 {
        let share =
            |used: &AtomicU32, len: usize| 1000.0 * f64::from(used.load(Relaxed)) / len as f64;
        let nodes = share(&self.used_nodes, self.nodes.len());
        nodes.max(share(&self.used_edges, self.edges.len())) as u32
    }

    fn packed_edge(&self, node: &TreeNode, number: usize) -> u32 {
        self.edges[node.first_edge.load(Relaxed) as usize + number].load(Relaxed)
    }

    /// The edge of an expanded node with this index.
    #[inline]
    pub fn edge(&self, node: &TreeNode, number: usize) -> Option<Edge> {
        let packed = self.packed_edge(node, number);
        let prior = unpack_prior(packed as u16);
        Move::from_bits((packed >> 16) as u16).map(|mv| Edge { mv, prior })
    }

    /// Stores the packed edges of a node. Returns whether there was room.
    pub fn put_edges(&self, node: &TreeNode, edges: impl ExactSizeIterator<Item = u32>) -> bool {
        let count = edges.len();
        let Some(first) = Arena::take(&self.used_edges, count, self.edges.len()) else {
            return false;
        };
        for (place, edge) in self.edges[first as usize..].iter().zip(edges) {
            place.store(edge, Relaxed);
        }
        node.first_edge.store(first, Relaxed);
        node.edges.store(count as u16, Release);
        true
    }

    /// Turns the next edge of a node into a child. Only one thread may do so at a time. `None` if
    /// there is no room.
    pub fn push_child(&self, node: &TreeNode) -> Option<NodeId> {
        let number = node.child_count();
        let edge = self.packed_edge(node, number);
        let id = Arena::take(&self.used_nodes, 1, self.nodes.len())?;
        let child = &self.nodes[id as usize];
        child.start((edge >> 16) as u16, edge as u16);
        child.next_sibling.store(node.first_child.load(Relaxed), Relaxed);
        node.first_child.store(id, Release);
        node.children.store(number as u16 + 1, Release);
        Some(NodeId(id))
    }

    /// The children of a node, the latest first.
    pub fn children(&self, node: &TreeNode) -> impl Iterator<Item = NodeId> {
        let some = |id: u32| (id > 0).then_some(NodeId(id));
        let next = move |id: &NodeId| some(self.node(*id).next_sibling.load(Relaxed));
        std::iter::successors(some(node.first_child.load(Acquire)), next)
    }

    /// Copies the results of a node of another arena. If the node has enough visits, also copies
    /// its subtree as far as there is room.
    pub fn copy(&self, to: NodeId, other: &Arena, from: NodeId, least_visits: u32) {
        let (new, old) = (self.node(to), other.node(from));
        new.copy_results(old);
        let is_wanted = old.visits() >= least_visits || old.proof().is_some();
        if !old.is_expanded() || !is_wanted {
            return;
        }
        let edges = (0..old.edge_count()).map(|number| other.packed_edge(old, number));
        if !self.put_edges(new, edges) {
            return;
        }
        new.release(EXPANDED);
        // Restore the order of the edges.
        let children: Vec<NodeId> = other.children(old).collect();
        for child in children.into_iter().rev() {
            let Some(id) = self.push_child(new) else { return };
            self.copy(id, other, child, least_visits);
        }
    }
}
