//! The hand-made evaluation, `<material>`: material plus the relations of every piece to both
//! kings. Each relation is a term of one king and one piece.
//!
//! [`king_relation`] defines the relations, [`full`] sums the value from scratch, and
//! [`incremental`] updates it along a line. The evaluation needs no file and can explain its value.
//! It is the baseline for learned evaluations.
//!
//! Source: the split into material and king relations follows Hoki, "Optimal control of minimax
//! search results to learn positional evaluation" (2006).

pub mod full;
pub(super) mod incremental;
pub mod king_relation;
