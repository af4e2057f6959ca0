//! Efficiently updatable neural networks (NNUE) in the files that players use (`nn.bin`).
//!
//! A side's *accumulator* is a bias plus one row of the first layer for each feature of the side's
//! view ([`FeatureSet`]). A [`Head`] computes one number from both accumulators, the side to move's
//! first. The two families differ in the connection between them:
//!
//! | family | inputs of the head | head |
//! |---|---|---|
//! | classic | both accumulators, clipped to 0..=127 | one |
//! | SFNN | products of the halves of each accumulator, both clipped | one of nine, by the kings' ranks |
//!
//! Modules and types:
//! - [`NnueForm`]: the feature set and the sizes;
//! - [`mod@file`]: recognises and reads a file;
//! - [`Nnue`]: the content of a file;
//! - [`full`]: computes the value from scratch;
//! - [`incremental`]: updates the accumulators along a line;
//! - [`calibration`]: converts values to Kankei's centipawns.
//!
//! All arithmetic uses integers, and all kernels give the same values.
//!
//! Source: Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi" (2018). The layouts were verified value by value against the output of a program that
//! plays these files (`tests/suite/nnue/reference.rs`).

mod calibration;
mod feature_set;
pub mod file;
mod form;
pub mod full;
mod head;
pub(super) mod incremental;
mod layer;
mod network;

pub use calibration::Calibration;
pub use feature_set::{FeatureSet, FeatureView};
pub use form::{Family, NnueForm, columns};
pub use head::Head;
pub use layer::AffineLayer;
pub use network::{FvScale, Nnue};
