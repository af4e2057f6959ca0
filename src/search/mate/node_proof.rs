//! The state of a node: its proof numbers, and the hands for which a proof or disproof holds.

use crate::shogi::Hand;

/// Larger than every number of leaves.
pub(super) const SOLVED: u32 = 1 << 30;

/// Proof numbers of a node for its side to move, or the thresholds of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// Minimum number of leaves that must be proved for the side to move to reach its goal (to mate
    /// or to escape); 0: proved.
    pub phi: u32,
    /// The same for the opponent; 0: the side to move has failed.
    pub delta: u32,
}

impl ProofNumbers {
    /// As thresholds: search until solved.
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

/// The state of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeProof {
    pub numbers: ProofNumbers,
    /// Length of the proved mate in plies; 0 without a proof.
    pub plies: u16,
    /// If proved, the minimum hand of the attacker; if disproved, the maximum hand. Otherwise
    /// meaningless.
    pub hand: Hand,
    /// If disproved, the basis of the disproof.
    pub basis: Basis,
}

impl NodeProof {
    /// An unsolved node.
    pub fn open(numbers: ProofNumbers) -> NodeProof {
        NodeProof { numbers, plies: 0, hand: Hand::EMPTY, basis: Basis::POSITION }
    }
}

/// Validity of a disproof: for the position alone, or only for the line that led to it. Larger
/// values are valid more widely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Basis(pub u16);

impl Basis {
    /// Valid for the position.
    pub const POSITION: Basis = Basis(u16::MAX);
    /// Depends on the length limit of the line, or on the game before the root.
    pub const LIMIT: Basis = Basis(0);

    /// Depends on a repetition of the position at this ply of the line.
    pub fn repetition(ply: usize) -> Basis {
        Basis(ply as u16 + 1)
    }

    /// The basis as seen from the node at this ply. A repetition of this node, or of a position
    /// after it, does not depend on the line before the node.
    pub fn at(self, ply: usize) -> Basis {
        if self > Basis(ply as u16) { Basis::POSITION } else { self }
    }
}
