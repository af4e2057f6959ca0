//! The evaluation inside the program.

use std::sync::{Arc, LazyLock};

use super::evaluation::Evaluation;
use super::learned::{Weights, file};

/// The weights that the program ships with; `eval/README.md` tells where they come from.
static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../eval/default.weights");
    Arc::new(file::read(&bytes[..]).expect("a test reads the embedded weights"))
});

impl Evaluation {
    /// The evaluation that the program ships with; it needs no file. Cost: a tenth of a second the
    /// first time.
    pub fn embedded() -> Evaluation {
        Evaluation::Learned(Arc::clone(&WEIGHTS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Position;

    #[test]
    fn the_embedded_weights_can_be_read() {
        let value = Evaluation::embedded().evaluate(&Position::startpos());
        assert!((-100..=100).contains(&value.to_cp()), "{value}");
        // A rook more is worth about a rook.
        let sfen = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let pos = Position::from_sfen(sfen).expect("valid");
        let value = Evaluation::embedded().evaluate(&pos);
        assert!((500..=2_500).contains(&value.to_cp()), "{value}");
    }
}
