//! The embedded weights.

use std::sync::{Arc, LazyLock};

use super::learned::{Weights, file};

static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../eval/default.weights");
    Arc::new(file::read(&bytes[..]).expect("the embedded weights should be valid"))
});

/// The weights that the program ships with. `eval/README.md` documents their origin. The first call
/// takes a tenth of a second.
pub(super) fn weights() -> &'static Arc<Weights> {
    &WEIGHTS
}

#[cfg(test)]
mod tests {
    use crate::eval::Evaluation;
    use crate::shogi::Position;

    #[test]
    fn the_embedded_weights_can_be_read() {
        let value = Evaluation::embedded().evaluate(&Position::startpos());
        assert!((-100..=100).contains(&value.to_cp()), "{value}");
        // An extra rook is worth about the value of a rook.
        let sfen = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let pos = Position::from_sfen(sfen).expect("valid");
        let value = Evaluation::embedded().evaluate(&pos);
        assert!((500..=2_500).contains(&value.to_cp()), "{value}");
    }
}
