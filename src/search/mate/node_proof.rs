//! What is known of a node: its proof numbers, and what a proof or disproof holds for.

use crate::shogi::Hand;

/// Above every number of leaves.
pub(super) const SOLVED: u32 = 1 << 30;

/// Proof numbers of a node for its side to move, or the thresholds of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// Least number of leaves that must turn out well for the side to move to reach its aim (to
    /// mate, or to escape); 0 = it does.
    pub phi: u32,
    /// The same for its opponent; 0 = the side to move has failed.
    pub delta: u32,
}

impl ProofNumbers {
    /// As thresholds: no end but a proof.
    pub const OPEN: ProofNumbers = ProofNumbers { phi: SOLVED, delta: SOLVED };
    pub const WON: ProofNumbers = ProofNumbers { phi: 0, delta: SOLVED };
    pub const LOST: ProofNumbers = ProofNumbers { phi: SOLVED, delta: 0 };

    pub fn is_won(self) -> bool {
        self.phi == 0
    }

    pub fn is_lost(self) -> bool {
        self.delta == 0
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeProof {
    pub numbers: ProofNumbers,
    /// Plies to the mate by the proof found; 0 without one.
    pub plies: u16,
    /// Proved: what the attacker must hold. Disproved: the most that he may hold. Else without
    /// meaning.
    pub hand: Hand,
    /// Disproved: on what that rests.
    pub basis: Basis,
}

impl NodeProof {
    /// Nothing proved.
    pub fn open(numbers: ProofNumbers) -> NodeProof {
        NodeProof { numbers, plies: 0, hand: Hand::EMPTY, basis: Basis::POSITION }
    }
}

/// On what a disproof rests: the position alone, or also how it was reached. Ordered by how far it
/// holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Basis(pub u16);

impl Basis {
    /// Nothing but the position.
    pub const POSITION: Basis = Basis(u16::MAX);
    /// That the line was followed no further, or on the game before it.
    pub const LIMIT: Basis = Basis(0);

    /// The repetition of the position at this ply of the line.
    pub fn repetition(ply: usize) -> Basis {
        Basis(ply as u16 + 1)
    }

    /// The same for a node at this ply: what repeats it or a position below it is its own affair.
    pub fn at(self, ply: usize) -> Basis {
        if self > Basis(ply as u16) { Basis::POSITION } else { self }
    }
}
