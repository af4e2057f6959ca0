//! What a proof table stores about a position, and the key of the position.

use crate::shogi::{Color, Hand};

/// Proof state of a position from the attacker's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProofState {
    /// Minimum number of leaves to prove for a mate; 0: proved.
    pub proof: u32,
    /// Minimum number of leaves to disprove; 0: disproved.
    pub disproof: u32,
    /// Length of the proved mate in plies; 0 without a proof.
    pub plies: u16,
    /// Whether the position is open but disproved on some lines ([`ProofKey::on_line`]).
    pub has_lines: bool,
}

impl ProofState {
    pub fn is_open(&self) -> bool {
        self.proof > 0 && self.disproof > 0
    }
}

/// [`ProofKey::left`] of a search for mates of any length.
pub(super) const ANY_LENGTH: u16 = u16::MAX;

/// Key of a position in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofKey {
    /// Board and side to move.
    pub board_key: u64,
    pub attacker: Color,
    /// The attacker's hand.
    pub hand: Hand,
    /// Maximum length of a mate from here in plies, or [`ANY_LENGTH`].
    pub left: u16,
}

impl ProofKey {
    /// The key of this position at the end of this line only.
    pub fn on_line(self, line_key: u64) -> ProofKey {
        ProofKey { board_key: self.board_key ^ line_key, ..self }
    }

    /// The same position has another key if the other side attacks. Never 0.
    pub fn key(&self) -> u64 {
        let role = if self.attacker == Color::White { 0x9e37_79b9_7f4a_7c15 } else { 0 };
        (self.board_key ^ role).max(1)
    }
}
