//! The tree: nodes and the moves not yet visited, in arenas of a fixed size. Threads visit it without
//! locks; it is moved or shrunk only between their visits.
//!
//! A node that is expanded has all its moves in a row, the most promising first. The first visit of a
//! move makes it a child: a node of its own, linked to its siblings. So the moves already visited are
//! always the first ones of the row.

use std::sync::atomic::{
    AtomicI16, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Relaxed,
    Ordering::Release,
};

use crate::shogi::Move;

/// Place of a node in its arena. Place 0 is the root, of which no node is the parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub const ROOT: NodeId = NodeId(0);
}

/// What is proved of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// It wins in so many plies.
    Win(u16),
    /// It loses in so many plies; 0 = it is mated.
    Loss(u16),
}

/// A move not yet visited, and the probability that it is the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub mv: Move,
    pub prior: f32,
}

/// A position and what visits have said of it.
#[derive(Default)]
pub(super) struct Node {
    /// Sum of the results for the side that moved here, each 0 to 1, in units of 1 / [`UNIT`].
    sum: AtomicU64,
    visits: AtomicU32,
    /// 0: none.
    first_child: AtomicU32,
    next_sibling: AtomicU32,
    first_edge: AtomicU32,
    edges: AtomicU16,
    /// The first so many edges are children.
    children: AtomicU16,
    mv: AtomicU16,
    prior: AtomicU16,
    /// Visits on their way.
    in_flight: AtomicU16,
    /// 0: nothing is proved; n: a win in n plies; -n: a loss in n - 1.
    proof: AtomicI16,
    stage: AtomicU8,
}

/// Units of a result in 1.
const UNIT: f64 = (1 << 20) as f64;

/// Nobody has seen the moves.
const LEAF: u8 = 0;
/// A thread is at work on the edges or on a new child.
const BUSY: u8 = 1;
const EXPANDED: u8 = 2;

impl Node {
    /// The move that leads here; `None` at the root.
    pub fn mv(&self) -> Option<Move> {
        Move::from_bits(self.mv.load(Relaxed))
    }

    /// Finished visits.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Visits, those on their way counted too.
    #[inline]
    pub fn all_visits(&self) -> u32 {
        self.visits() + u32::from(self.in_flight.load(Relaxed))
    }

    /// The mean result for the side that moved here; visits on their way count as lost (virtual
    /// loss). `None` without visits.
    #[inline]
    pub fn mean(&self) -> Option<f32> {
        let visits = self.all_visits();
        (visits > 0).then(|| (self.sum.load(Relaxed) as f64 / UNIT / f64::from(visits)) as f32)
    }

    /// As the node's [`Edge`].
    #[inline]
    pub fn prior(&self) -> f32 {
        unpack_prior(self.prior.load(Relaxed))
    }

    /// What is proved.
    #[inline]
    pub fn proof(&self) -> Option<Proof> {
        match self.proof.load(Relaxed) {
            0 => None,
            plies if plies > 0 => Some(Proof::Win(plies as u16)),
            plies => Some(Proof::Loss((-plies) as u16 - 1)),
        }
    }

    /// Remembers a proof; a shorter win replaces a longer one.
    pub fn prove(&self, proof: Proof) {
        let least = |plies: u16| plies.min(i16::MAX as u16 - 1) as i16;
        let code = match proof {
            Proof::Win(plies) => least(plies.max(1)),
            Proof::Loss(plies) => -least(plies) - 1,
        };
        let is_better = |old: i16| old == 0 || (old > code && code > 0);
        let _ = self.proof.fetch_update(Relaxed, Relaxed, |old| is_better(old).then_some(code));
    }

    /// Whether the moves are known.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.edge_count() > 0
    }

    /// A visit begins.
    #[inline]
    pub fn enter(&self) {
        self.in_flight.fetch_add(1, Relaxed);
    }

    /// A visit ends without a result.
    #[inline]
    pub fn leave(&self) {
        self.in_flight.fetch_sub(1, Relaxed);
    }

    /// A visit ends with a result for the side that moved here.
    #[inline]
    pub fn note(&self, result: f32) {
        self.sum.fetch_add((f64::from(result) * UNIT) as u64, Relaxed);
        self.visits.fetch_add(1, Relaxed);
        self.leave();
    }

    /// Number of moves.
    #[inline]
    pub fn edge_count(&self) -> usize {
        self.edges.load(Acquire).into()
    }

    /// Number of moves visited.
    #[inline]
    pub fn child_count(&self) -> usize {
        self.children.load(Acquire).into()
    }

    /// A node that nobody has visited.
    fn start(&self, mv: u16, prior: u16) {
        self.sum.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.first_child.store(0, Relaxed);
        self.next_sibling.store(0, Relaxed);
        self.edges.store(0, Relaxed);
        self.children.store(0, Relaxed);
        self.mv.store(mv, Relaxed);
        self.prior.store(prior, Relaxed);
        self.in_flight.store(0, Relaxed);
        self.proof.store(0, Relaxed);
        self.stage.store(LEAF, Relaxed);
    }

    /// The same results and proof as another node.
    fn copy_results(&self, other: &Node) {
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.visits.store(other.visits(), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
    }
}

/// Priors are kept in 16 bits.
const PRIOR_UNIT: f32 = u16::MAX as f32;

fn pack_prior(prior: f32) -> u16 {
    (prior.clamp(0.0, 1.0) * PRIOR_UNIT).round() as u16
}

#[inline]
fn unpack_prior(prior: u16) -> f32 {
    f32::from(prior) / PRIOR_UNIT
}

/// Room for nodes and edges, taken one after the other.
struct Arena {
    nodes: Vec<Node>,
    /// Move in the upper half, prior in the lower.
    edges: Vec<AtomicU32>,
    used_nodes: AtomicU32,
    used_edges: AtomicU32,
}

/// Edges for each node. A node that was visited once has none; one that is expanded has about 80.
const EDGES_PER_NODE: usize = 32;

impl Arena {
    fn new(bytes: usize) -> Option<Arena> {
        let each = size_of::<Node>() + EDGES_PER_NODE * size_of::<AtomicU32>();
        let count = (bytes / each).clamp(64, u32::MAX as usize / EDGES_PER_NODE);
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        nodes.try_reserve_exact(count).ok()?;
        edges.try_reserve_exact(count * EDGES_PER_NODE).ok()?;
        nodes.resize_with(count, Node::default);
        edges.resize_with(count * EDGES_PER_NODE, AtomicU32::default);
        let arena = Arena { nodes, edges, used_nodes: 0.into(), used_edges: 0.into() };
        arena.clear();
        Some(arena)
    }

    /// Nothing but a root that nobody has visited.
    fn clear(&self) {
        self.used_nodes.store(1, Relaxed);
        self.used_edges.store(0, Relaxed);
        self.nodes[0].start(0, 0);
    }

    #[inline]
    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The next `count` places; `None` if there are not so many.
    fn take(used: &AtomicU32, count: usize, len: usize) -> Option<u32> {
        let taken = |first: u32| {
            let end = first as usize + count;
            (end <= len).then_some(end as u32)
        };
        used.fetch_update(Relaxed, Relaxed, taken).ok()
    }

    /// Gives a node its moves; whether there was room.
    fn put_edges(&self, node: &Node, edges: impl ExactSizeIterator<Item = u32>) -> bool {
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

    /// Makes the next move of a node a child of it. Only one thread may do so at a time. `None` if there
    /// is no room.
    fn push_child(&self, node: &Node) -> Option<NodeId> {
        let number = node.child_count();
        let edge = self.edges[node.first_edge.load(Relaxed) as usize + number].load(Relaxed);
        let id = Arena::take(&self.used_nodes, 1, self.nodes.len())?;
        let child = &self.nodes[id as usize];
        child.start((edge >> 16) as u16, edge as u16);
        child.next_sibling.store(node.first_child.load(Relaxed), Relaxed);
        node.first_child.store(id, Release);
        node.children.store(number as u16 + 1, Release);
        Some(NodeId(id))
    }

    fn children(&self, node: &Node) -> impl Iterator<Item = NodeId> {
        let some = |id: u32| (id > 0).then_some(NodeId(id));
        let next = move |id: &NodeId| some(self.node(*id).next_sibling.load(Relaxed));
        std::iter::successors(some(node.first_child.load(Acquire)), next)
    }
}

/// A search tree. Two arenas take turns: the tree is moved from one to the other without what is no
/// longer wanted.
pub(super) struct Tree {
    arenas: [Arena; 2],
    /// Which of them the tree is in.
    at: usize,
}

impl Tree {
    /// A tree with a root, in at most so many bytes, fewer if they cannot be had.
    pub fn new(mut bytes: usize) -> Tree {
        loop {
            match (Arena::new(bytes / 2), Arena::new(bytes / 2)) {
                (Some(one), Some(other)) => return Tree { arenas: [one, other], at: 0 },
                _ => bytes /= 2,
            }
        }
    }

    /// Bytes of both arenas.
    pub fn bytes(&self) -> usize {
        let of = |arena: &Arena| size_of_val(&arena.nodes[..]) + size_of_val(&arena.edges[..]);
        self.arenas.iter().map(of).sum()
    }

    /// Only the root is left, and nothing known of it.
    pub fn clear(&mut self) {
        self.arena().clear();
    }

    fn arena(&self) -> &Arena {
        &self.arenas[self.at]
    }

    /// The node in a place.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        self.arena().node(id)
    }

    /// The root.
    pub fn root(&self) -> &Node {
        self.node(NodeId::ROOT)
    }

    /// Gives a node its moves, most promising first, unless another thread does or has done so. False
    /// if there is no room.
    pub fn expand(&self, node: &Node, edges: &[Edge]) -> bool {
        if node.is_expanded() || !node.seize(LEAF) {
            return true;
        }
        let packed =
            |edge: &Edge| u32::from(edge.mv.to_bits()) << 16 | u32::from(pack_prior(edge.prior));
        let has_room = self.arena().put_edges(node, edges.iter().map(packed));
        node.release(if has_room { EXPANDED } else { LEAF });
        has_room
    }

    /// The next move of a node that was not visited yet.
    #[inline]
    pub fn next_edge(&self, node: &Node) -> Option<Edge> {
        let number = node.child_count();
        if number >= node.edge_count() {
            return None;
        }
        let place = node.first_edge.load(Relaxed) as usize + number;
        let edge = self.arena().edges[place].load(Relaxed);
        let prior = unpack_prior(edge as u16);
        Move::from_bits((edge >> 16) as u16).map(|mv| Edge { mv, prior })
    }

    /// Makes the next move of a node a child.
    pub fn add_child(&self, node: &Node) -> NewChild {
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

    /// The moves of a node that were visited, the latest first.
    #[inline]
    pub fn children<'t>(&'t self, node: &'t Node) -> impl Iterator<Item = NodeId> + 't {
        self.arena().children(node)
    }

    /// Filled part, per mille.
    pub fn fill(&self) -> u32 {
        let Arena { nodes, edges, used_nodes, used_edges } = self.arena();
        let share =
            |used: &AtomicU32, len: usize| 1000.0 * f64::from(used.load(Relaxed)) / len as f64;
        share(used_nodes, nodes.len()).max(share(used_edges, edges.len())) as u32
    }

    /// Moves the root along a line. False if the tree does not know the line: then nothing is left.
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

    /// Forgets what is below nodes of fewer visits than this, but for proofs.
    pub fn shrink(&mut self, least_visits: u32) {
        self.rebuild(NodeId::ROOT, least_visits);
    }

    /// Copies the tree below `root` into the other arena.
    fn rebuild(&mut self, root: NodeId, least_visits: u32) {
        let (old, new) = (&self.arenas[self.at], &self.arenas[1 - self.at]);
        new.clear();
        copy(old, new, old.node(root), new.node(NodeId::ROOT), least_visits);
        self.at = 1 - self.at;
    }
}

/// What comes of adding a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NewChild {
    /// It is here.
    At(NodeId),
    /// Another thread is adding one, or has added the last: choose again.
    Busy,
    /// There is no room.
    Full,
}

impl Node {
    /// Whether the node is this thread's alone from now on, until it is released.
    fn seize(&self, stage: u8) -> bool {
        self.stage.compare_exchange(stage, BUSY, Acquire, Relaxed).is_ok()
    }

    fn release(&self, stage: u8) {
        self.stage.store(stage, Release);
    }
}

/// Copies the results of a node, and, if there were enough visits, what is below it.
fn copy(from: &Arena, to: &Arena, old: &Node, new: &Node, least_visits: u32) {
    new.copy_results(old);
    let is_wanted = old.visits() >= least_visits || old.proof().is_some();
    if !old.is_expanded() || !is_wanted {
        return;
    }
    let first = old.first_edge.load(Relaxed) as usize;
    let edges = from.edges[first..][..old.edge_count()].iter().map(|edge| edge.load(Relaxed));
    if !to.put_edges(new, edges) {
        return;
    }
    new.release(EXPANDED);
    // The first moves first again.
    let children: Vec<NodeId> = from.children(old).collect();
    for child in children.into_iter().rev() {
        let Some(id) = to.push_child(new) else { return };
        copy(from, to, from.node(child), to.node(id), least_visits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges() -> Vec<Edge> {
        let moves = ["7g7f", "2g2f", "G*5e"].map(|mv| mv.parse().expect("a move"));
        moves.into_iter().zip([0.5, 0.25, 0.125]).map(|(mv, prior)| Edge { mv, prior }).collect()
    }

    fn child(tree: &Tree, node: &Node) -> NodeId {
        match tree.add_child(node) {
            NewChild::At(id) => id,
            other => panic!("{other:?}"),
        }
    }

    /// Visits a node with a result.
    fn visit(node: &Node, result: f32) {
        node.enter();
        node.note(result);
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

    #[test]
    fn visits_on_their_way_count_as_lost() {
        let node = Node::default();
        visit(&node, 1.0);
        visit(&node, 0.5);
        assert_eq!((node.visits(), node.mean()), (2, Some(0.75)));
        node.enter();
        assert_eq!((node.visits(), node.all_visits(), node.mean()), (2, 3, Some(0.5)));
        node.leave();
        assert_eq!(node.mean(), Some(0.75));
    }

    #[test]
    fn shorter_wins_replace_longer_ones_and_losses_stay() {
        let node = Node::default();
        assert_eq!(node.proof(), None);
        for (proof, left) in [(Proof::Win(5), 5), (Proof::Win(7), 5), (Proof::Win(3), 3)] {
            node.prove(proof);
            assert_eq!(node.proof(), Some(Proof::Win(left)));
        }
        let node = Node::default();
        node.prove(Proof::Loss(0));
        node.prove(Proof::Win(1));
        assert_eq!(node.proof(), Some(Proof::Loss(0)));
    }

    /// Root, its second move, and that one's first; the others were not visited.
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
    fn the_root_goes_along_a_line() {
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
    fn what_few_have_visited_is_forgotten_but_proofs_stay() {
        let mut tree = grown();
        tree.root().note_many(4);
        tree.shrink(4);
        let children: Vec<NodeId> = tree.children(tree.root()).collect();
        assert_eq!(children.len(), 2);
        let second = tree.node(children[0]);
        assert_eq!((second.visits(), second.is_expanded()), (3, false));

        let mut tree = grown();
        tree.root().note_many(4);
        let second = tree.children(tree.root()).next().expect("two");
        tree.node(second).prove(Proof::Win(3));
        tree.shrink(4);
        let second = tree.children(tree.root()).next().expect("two");
        assert!(tree.node(second).is_expanded());
        assert_eq!(tree.node(second).proof(), Some(Proof::Win(3)));
    }

    #[test]
    fn a_full_tree_says_so_and_has_room_once_it_is_shrunk() {
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

    impl Node {
        fn note_many(&self, count: usize) {
            (0..count).for_each(|_| visit(self, 0.5));
        }
    }
}
