//! The embedded weights.

use std::sync::{Arc, OnceLock};

use super::learned::Weights;
use super::learned::file::{self, WeightsError};

static WEIGHTS: OnceLock<Arc<Weights>> = OnceLock::new();

/// The content of the file. A program that is built without the feature `network` has to
/// [`provide`] it.
#[cfg(feature = "network")]
pub(super) const FILE: &[u8] = include_bytes!("../../eval/default.weights");
#[cfg(not(feature = "network"))]
pub(super) const FILE: &[u8] = &[];

/// The weights that the program ships with. `eval/README.md` documents their origin. The first call
/// takes a tenth of a second.
pub(super) fn weights() -> &'static Arc<Weights> {
    let read = || file::read(FILE).expect("the embedded weights should be there and valid");
    WEIGHTS.get_or_init(|| Arc::new(read()))
}

/// Reads the weights from elsewhere. Has no effect if they have been read.
pub(super) fn provide(bytes: &[u8]) -> Result<(), WeightsError> {
    let weights = file::read(bytes)?;
    let _ = WEIGHTS.set(Arc::new(weights));
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::eval::Evaluation;
    use crate::shogi::Position;

    #[test]
    fn weights_are_provided_by_the_content_of_a_file() {
        assert!(Evaluation::provide_embedded(b"no weights").is_err());
        Evaluation::provide_embedded(Evaluation::embedded_file()).expect("the same weights");
    }

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
