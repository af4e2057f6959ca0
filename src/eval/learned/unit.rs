//! The unit of the weights.

/// Number of fraction bits: weights are in 2^-5 of a centipawn.
pub const UNIT_BITS: u32 = 5;
/// Weight units per centipawn.
pub const UNIT: i32 = 1 << UNIT_BITS;
