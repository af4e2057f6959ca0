//! How moves, pieces, squares and sides are written: in Japanese, and in CSA.

pub(super) mod csa;
pub(super) mod japanese;
pub(super) mod words;
