//! The evaluation inside the program.

use super::Evaluation;

impl Evaluation {
    /// The evaluation that the program ships with; it needs no file.
    pub fn embedded() -> Evaluation {
        Evaluation::HandMade
    }
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::embedded()
    }
}
