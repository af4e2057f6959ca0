//! Remaining depth, and the limits of the search depth.

/// Maximum distance from the root in plies, including quiescence search.
pub const MAX_PLY: usize = 192;
/// Maximum iteration of iterative deepening.
pub const MAX_DEPTH: u32 = 100;

/// Remaining depth in plies. A node with less than one ply left is searched by quiescence search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    /// Zero.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const ONE: Depth = Depth(1);

    /// A depth of `n` plies.
    #[inline]
    pub const fn plies(n: i32) -> Depth {
        Depth(n)
    }

    /// The number of plies.
    #[inline]
    pub const fn to_plies(self) -> i32 {
        self.0
    }
}
