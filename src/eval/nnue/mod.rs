//! Efficiently updatable networks (NNUE) in the files that players own (`nn.bin`).
//!
//! A side's *accumulator* is a bias plus one row of the first layer for each feature of the side's
//! view ([`FeatureSet`]). A [`Head`] makes one number of both accumulators, the side to move's
//! first. The two families differ in what comes between:
//!
//! | family | inputs of the head | head |
//! |---|---|---|
//! | classic | both accumulators, clipped to 0..=127 | one |
//! | SFNN | products of the halves of each accumulator, both clipped | one of nine, by the kings' ranks |
//!
//! [`NnueForm`] holds the feature set and the sizes, [`mod@file`] recognises and reads a file,
//! [`Nnue`] is what it holds. [`full`] is the value from scratch, [`incremental`] keeps the
//! accumulators along a line, [`calibration`] brings values to Kankei's centipawns, [`export`]
//! writes a network learned here as such a file, [`synthetic`] makes files for tests and benchmarks.
//!
//! All arithmetic is in integers, and all kernels give the same ones.
//!
//! Source: Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi" (2018). The layouts were checked value by value against the lists of a program that
//! plays these files (`tests/suite/nnue/reference.rs`).

mod calibration;
pub mod export;
mod feature_set;
pub mod file;
mod form;
pub mod full;
mod head;
pub(super) mod incremental;
mod layer;
mod network;
mod refresh_cache;
pub mod synthetic;

pub use calibration::Calibration;
pub use feature_set::{FeatureSet, FeatureView, Rows};
pub use form::{Family, NnueForm};
pub use head::Head;
pub use layer::AffineLayer;
pub use network::{FvScale, Nnue};
