//! The two players.

use std::ops::Not;

/// A player. Black (sente) moves first from the start position and plays towards rank a.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// First player (sente), uppercase letters in SFEN.
    Black,
    /// Second player (gote), lowercase letters in SFEN.
    White,
}

impl Color {
    /// Number of players.
    pub const COUNT: usize = 2;

    /// Both players, in index order.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[inline]
    pub const fn flip(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// +1 for Black, -1 for White. Converts a value between this side's view and Black's view.
    #[inline]
    pub const fn sign(self) -> i32 {
        match self {
            Color::Black => 1,
            Color::White => -1,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        self.flip()
    }
}
