//! The hand-made evaluation, `<material>`: material plus the relations of every piece to either
//! king, a sum of terms of one king and one piece.
//!
//! [`king_relation`] defines the relations, [`full`] sums the value from scratch, [`incremental`]
//! keeps it along a line. It needs no file and explains itself; learned evaluations are measured
//! against it.
//!
//! Source: the split into material and king relations follows Hoki, "Optimal control of minimax
//! search results to learn positional evaluation" (2006).

pub mod full;
pub(super) mod incremental;
pub mod king_relation;
