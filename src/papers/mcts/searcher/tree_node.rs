//! Nodes of the tree. Threads read and write them without locks.

use std::sync::atomic::{
    AtomicI16, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Relaxed,
    Ordering::Release,
};

use bytemuck::Zeroable;

use crate::shogi::Move;

/// Proved result of a position for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// Wins in this many plies.
    Win(u16),
    /// Loses in this many plies; 0: mated.
    Loss(u16),
}

/// A position and the results of its visits.
#[derive(Default, Zeroable)]
pub(super) struct TreeNode {
    /// Sum of the results for the side that moved here, each from 0 to 1, in units of 1 / [`UNIT`].
    sum: AtomicU64,
    visits: AtomicU32,
    /// 0: none.
    pub(super) first_child: AtomicU32,
    pub(super) next_sibling: AtomicU32,
    pub(super) first_edge: AtomicU32,
    pub(super) edges: AtomicU16,
    /// Number of edges at the front that are children.
    pub(super) children: AtomicU16,
    mv: AtomicU16,
    prior: AtomicU16,
    /// Visits in progress.
    in_flight: AtomicU16,
    /// 0: not proved; n: a win in n plies; -n: a loss in n - 1 plies.
    proof: AtomicI16,
    stage: AtomicU8,
}

/// Fixed-point units of a result of 1.
const UNIT: f64 = (1 << 20) as f64;

/// Stage of a node: its moves have not been generated.
pub(super) const LEAF: u8 = 0;
/// A thread is generating the edges or adding a child.
const BUSY: u8 = 1;
/// The moves have been generated.
pub(super) const EXPANDED: u8 = 2;

impl TreeNode {
    /// The move that leads to this node; `None` at the root.
    pub fn mv(&self) -> Option<Move> {
        Move::from_bits(self.mv.load(Relaxed))
    }

    /// Completed visits.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Visits including those in progress.
    #[inline]
    pub fn all_visits(&self) -> u32 {
        self.visits() + u32::from(self.in_flight.load(Relaxed))
    }

    /// The mean result for the side that moved here. Visits in progress count as losses (virtual
    /// loss). `None` without visits.
    #[inline]
    pub fn mean(&self) -> Option<f32> {
        let visits = self.all_visits();
        (visits > 0).then(|| (self.sum.load(Relaxed) as f64 / UNIT / f64::from(visits)) as f32)
    }

    /// Prior probability that the move is best.
    #[inline]
    pub fn prior(&self) -> f32 {
        unpack_prior(self.prior.load(Relaxed))
    }

    /// The proved result.
    #[inline]
    pub fn proof(&self) -> Option<Proof> {
        match self.proof.load(Relaxed) {
            0 => None,
            plies if plies > 0 => Some(Proof::Win(plies as u16)),
            plies => Some(Proof::Loss((-plies) as u16 - 1)),
        }
    }

    /// Stores a proof. A shorter win replaces a longer one.
    pub fn prove(&self, proof: Proof) {
        let least = |plies: u16| plies.min(i16::MAX as u16 - 1) as i16;
        let code = match proof {
            Proof::Win(plies) => least(plies.max(1)),
            Proof::Loss(plies) => -least(plies) - 1,
        };
        let is_better = |old: i16| old == 0 || (old > code && code > 0);
        let _ = self.proof.fetch_update(Relaxed, Relaxed, |old| is_better(old).then_some(code));
    }

    /// Whether the moves have been generated.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.edge_count() > 0
    }

    /// Starts a visit.
    #[inline]
    pub fn enter(&self) {
        self.in_flight.fetch_add(1, Relaxed);
    }

    /// Ends a visit without a result.
    #[inline]
    pub fn leave(&self) {
        self.in_flight.fetch_sub(1, Relaxed);
    }

    /// Ends a visit with a result for the side that moved here.
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

    /// Number of visited moves.
    #[inline]
    pub fn child_count(&self) -> usize {
        self.children.load(Acquire).into()
    }

    /// Tries to lock the node at this stage. Returns whether this thread now owns it, until it
    /// calls `release`.
    pub fn seize(&self, stage: u8) -> bool {
        self.stage.compare_exchange(stage, BUSY, Acquire, Relaxed).is_ok()
    }

    /// Unlocks the node and sets its stage.
    pub fn release(&self, stage: u8) {
        self.stage.store(stage, Release);
    }

    /// Initializes an unvisited node.
    pub fn start(&self, mv: u16, prior: u16) {
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

    /// Copies results and proof from another node.
    pub fn copy_results(&self, other: &TreeNode) {
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.visits.store(other.visits(), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
    }
}

/// Priors are stored in 16 bits.
const PRIOR_UNIT: f32 = u16::MAX as f32;

pub(super) fn pack_prior(prior: f32) -> u16 {
    (prior.clamp(0.0, 1.0) * PRIOR_UNIT).round() as u16
}

#[inline]
pub(super) fn unpack_prior(prior: u16) -> f32 {
    f32::from(prior) / PRIOR_UNIT
}

/// Visits a node with a result.
#[cfg(test)]
pub(super) fn visit(node: &TreeNode, result: f32) {
    node.enter();
    node.note(result);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_in_progress_count_as_losses() {
        let node = TreeNode::default();
        visit(&node, 1.0);
        visit(&node, 0.5);
        assert_eq!((node.visits(), node.mean()), (2, Some(0.75)));
        node.enter();
        assert_eq!((node.visits(), node.all_visits(), node.mean()), (2, 3, Some(0.5)));
        node.leave();
        assert_eq!(node.mean(), Some(0.75));
    }

    #[test]
    fn shorter_wins_replace_longer_ones_and_losses_are_kept() {
        let node = TreeNode::default();
        assert_eq!(node.proof(), None);
        for (proof, left) in [(Proof::Win(5), 5), (Proof::Win(7), 5), (Proof::Win(3), 3)] {
            node.prove(proof);
            assert_eq!(node.proof(), Some(Proof::Win(left)));
        }
        let node = TreeNode::default();
        node.prove(Proof::Loss(0));
        node.prove(Proof::Win(1));
        assert_eq!(node.proof(), Some(Proof::Loss(0)));
    }
}
