//! Remaining depth in half plies.

use std::ops::{Add, Sub};

use crate::search::Depth;

/// Remaining depth in half plies, so that the half-ply extensions of the paper are exact. A node
/// with less than one ply left is searched by quiescence search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct HalfPlies(i32);

impl HalfPlies {
    /// Half plies in a ply.
    pub(super) const PER_PLY: i32 = 2;
    /// Zero.
    pub const ZERO: HalfPlies = HalfPlies(0);
    /// Half a ply.
    pub const HALF_PLY: HalfPlies = HalfPlies(1);
    /// One ply.
    pub const ONE_PLY: HalfPlies = HalfPlies::plies(1);

    /// A depth of `n` plies.
    #[inline]
    pub const fn plies(n: i32) -> HalfPlies {
        HalfPlies(HalfPlies::PER_PLY * n)
    }

    /// Whole plies, rounded down.
    #[inline]
    pub const fn to_plies(self) -> i32 {
        self.0.div_euclid(HalfPlies::PER_PLY)
    }

    /// The depth in a table entry, which counts half plies for this searcher. Entries of earlier
    /// searches therefore lose their places sooner than those of the main searcher.
    #[inline]
    pub(super) const fn in_table(self) -> Depth {
        Depth::plies(self.0)
    }
}

impl Add for HalfPlies {
    type Output = HalfPlies;

    #[inline]
    fn add(self, other: HalfPlies) -> HalfPlies {
        HalfPlies(self.0 + other.0)
    }
}

impl Sub for HalfPlies {
    type Output = HalfPlies;

    #[inline]
    fn sub(self, other: HalfPlies) -> HalfPlies {
        HalfPlies(self.0 - other.0)
    }
}
