//! Remaining depth, and the limits of the search depth.

use std::fmt;
use std::ops::{Add, Sub};

/// Maximum distance from the root in plies, including quiescence search.
pub const MAX_PLY: usize = 192;
/// Maximum iteration of iterative deepening.
pub const MAX_DEPTH: u32 = 100;

/// Remaining depth in half plies, so that the half-ply extensions of the paper are exact. A node
/// with less than one ply left is searched by quiescence search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    /// Zero.
    pub const ZERO: Depth = Depth(0);
    /// Half a ply.
    pub const HALF: Depth = Depth(1);
    /// One ply.
    pub const ONE: Depth = Depth(2);

    /// A depth of `n` plies.
    #[inline]
    pub const fn plies(n: i32) -> Depth {
        Depth(2 * n)
    }

    /// Whole plies, rounded down.
    #[inline]
    pub const fn to_plies(self) -> i32 {
        self.0.div_euclid(2)
    }

    /// The depth in half plies.
    #[inline]
    pub const fn to_half_plies(self) -> i32 {
        self.0
    }

    /// A depth of `n` half plies.
    #[inline]
    pub const fn half_plies(n: i32) -> Depth {
        Depth(n)
    }
}

impl Add for Depth {
    type Output = Depth;

    #[inline]
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;

    #[inline]
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.to_plies(), if self.0 % 2 == 0 { "" } else { ".5" })
    }
}
