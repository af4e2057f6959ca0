//! Labels for positions from a network someone owns: distillation.
//!
//! Main type: [`LabelNetwork`]. Comes in: a network file in the usual shogi NNUE format, then
//! positions as lists of [`PieceIndex`](crate::eval::PieceIndex). Goes out: one value a position,
//! in the network's own units. A labeller only: the engine never plays by it.
//!
//! Source: Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi (2018).

mod file;
mod network;
#[cfg(test)]
mod tests;

pub use network::{LabelFeatures, LabelNetwork};
