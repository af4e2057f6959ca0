//! Forms of evaluation that are defined outside this module, and registered to be read from files.

use std::any::Any;
use std::fmt::Debug;
use std::io::Read;
use std::sync::{Arc, OnceLock};

use super::learned::file::WeightsError;
use super::score::Score;
use crate::shogi::{Change, Color, Delta, Position, Square};

/// The weights of a form of evaluation. [`Evaluation::registered`](super::Evaluation::registered)
/// returns them with their own type.
pub trait RegisteredForm: Any + Debug + Send + Sync {
    /// The form in a few words.
    fn name(&self) -> &'static str;

    /// The value of a position, computed from scratch, from the side to move's view.
    fn evaluate(&self, pos: &Position) -> Score;

    /// Splits the value of [`evaluate`](RegisteredForm::evaluate) into named parts, in centipawns
    /// from the side to move's view.
    fn explain(&self, pos: &Position) -> Vec<(String, i32)>;

    /// The form, its unit, and its weights or their distribution, as lines of text.
    fn describe(&self) -> String;

    /// Change of the relations between a moved piece and the kings, from Black's view. `pos` is
    /// the position before the move. `kings`: their squares. `moved`: of a piece that is no king.
    fn piece_king_change(&self, pos: &Position, kings: [Square; 2], moved: &Change) -> i32;

    /// Starts a line of moves at `pos`.
    fn line(self: Arc<Self>, pos: &Position) -> Box<dyn RegisteredLine>;
}

/// Evaluates the positions of a line of moves, as [`Evaluator`](super::Evaluator) does.
pub trait RegisteredLine: Debug + Send + Sync {
    /// Pushes the position after a move.
    fn push(&mut self, delta: &Delta);

    /// Pushes the position after a null move.
    fn push_null(&mut self);

    /// Pops the last position. Panics if no move was pushed.
    fn pop(&mut self);

    /// Value of the current position, which must be `pos`, from the side to move's view.
    fn evaluate(&mut self, pos: &Position) -> Score;

    /// Material balance of the current position from `side`'s view.
    fn material(&self, side: Color) -> i32;
}

/// The weights of a file of a registered form.
pub type ReadForm = Result<Arc<dyn RegisteredForm>, WeightsError>;

/// How the files of a form are recognized and read.
#[derive(Debug)]
pub struct FormReader {
    /// The first bytes of a file, at most 16.
    pub magic: &'static [u8],
    /// Reads the weights after the magic bytes.
    pub read: fn(&mut dyn Read) -> ReadForm,
}

/// Number of bytes that show the kind of a file.
pub(super) const START: usize = 16;

static READERS: OnceLock<&[FormReader]> = OnceLock::new();

/// Registers the forms whose files [`Evaluation::from_file`](super::Evaluation::from_file) reads in
/// addition to weights and NNUE files. Only the first call has an effect. Panics if the magic bytes
/// of a form are too long.
pub fn register_forms(readers: &'static [FormReader]) {
    assert!(readers.iter().all(|reader| reader.magic.len() <= START), "magic bytes are too long");
    READERS.get_or_init(|| readers);
}

/// The reader of the file that begins with `start`, and the bytes of `start` after the magic bytes.
/// `None` if no registered form has such files.
pub(super) fn reader_of(start: &[u8]) -> Option<(&'static FormReader, &[u8])> {
    let mut readers = READERS.get()?.iter();
    readers.find_map(|reader| Some((reader, start.strip_prefix(reader.magic)?)))
}
