//! Writing of NNUE files: [networks learned here](export()), and [random networks](synthetic::file)
//! for tests and benchmarks.

mod export;
pub mod synthetic;
mod write;

pub use export::{Exported, export};
