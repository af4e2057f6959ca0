//! The kinds of evaluation, and the evaluator that follows a line of moves.

use std::any::Any;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;
use std::sync::Arc;

use super::embedded;
use super::hand_made::{self, incremental::HandMadeStack};
use super::kernel::Kernel;
use super::learned::file::WeightsError;
use super::learned::incremental::AccumulatorStack;
use super::learned::{self, Weights};
use super::nnue::{self, Nnue, incremental::NnueStack};
use super::registered::{RegisteredForm, RegisteredLine, START, reader_of};
use super::score::Score;
use crate::file;
use crate::shogi::{Color, Delta, Position};

fn read_start(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(START as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// An evaluation of positions. Cloning is cheap.
///
/// ```
/// use kankei::eval::{Evaluation, Score};
/// use kankei::shogi::Position;
/// let rook_ahead = Position::from_sfen("4k4/9/9/9/9/9/9/7R1/4K4 b - 1").expect("a position");
/// assert!(Evaluation::HandMade.evaluate(&rook_ahead) > Score::ZERO);
/// ```
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// Material and hand-made king relations.
    HandMade,
    /// Material and learned relations.
    Learned(Arc<Weights>),
    /// A network from an NNUE file.
    Nnue(Arc<Nnue>),
    /// A form from outside this module.
    Registered(Arc<dyn RegisteredForm>),
}

impl Evaluation {
    /// The evaluation that the program ships with. It needs no file. The first call takes a tenth
    /// of a second.
    pub fn embedded() -> Evaluation {
        Evaluation::Learned(Arc::clone(embedded::weights()))
    }

    /// The content of the file of [`embedded`](Evaluation::embedded).
    pub fn embedded_file() -> &'static [u8] {
        embedded::FILE
    }

    /// Provides the content of the file of [`embedded`](Evaluation::embedded), for a program that is
    /// built without it. Has no effect if that evaluation has been used.
    ///
    /// # Errors
    /// Returns [`WeightsError`] if the content is not that of a weights file.
    pub fn provide_embedded(bytes: &[u8]) -> Result<(), WeightsError> {
        embedded::provide(bytes)
    }

    /// Reads a weights file, an NNUE file, or a file of a [registered form](super::register_forms).
    ///
    /// # Errors
    /// Returns [`WeightsError`] if the file cannot be read or has none of the formats.
    pub fn from_file(path: &Path) -> Result<Evaluation, WeightsError> {
        let mut file = file::open(path)?;
        let start = read_start(&mut file)?;
        match file::other_kind(path, &start) {
            Some(kind) => Err(WeightsError::OtherKind(kind)),
            None => Evaluation::read(&start, file),
        }
    }

    /// Reads the content of a file as [`from_file`](Evaluation::from_file).
    ///
    /// # Errors
    /// Returns [`WeightsError`] if the content has none of the formats.
    pub fn from_bytes(bytes: &[u8]) -> Result<Evaluation, WeightsError> {
        let mut file = Cursor::new(bytes);
        let start = read_start(&mut file)?;
        Evaluation::read(&start, file)
    }

    /// Reads a file that begins with `start`, from the byte after it. Reads no more than the format
    /// needs: a file of any other kind may be large.
    fn read(start: &[u8], mut file: impl Read + Seek) -> Result<Evaluation, WeightsError> {
        if nnue::file::is_nnue(start) {
            file.rewind()?;
            return Ok(Evaluation::Nnue(Arc::new(nnue::file::read(file)?)));
        }
        if let Some((form, start)) = reader_of(start) {
            return Ok(Evaluation::Registered((form.read)(&mut start.chain(file))?));
        }
        Ok(Evaluation::Learned(Arc::new(learned::file::read(start.chain(file))?)))
    }

    /// The weights of a registered form. `None` if the evaluation is none, or has another type.
    pub fn registered<T: RegisteredForm>(&self) -> Option<&T> {
        let Evaluation::Registered(form) = self else { return None };
        let form: &dyn Any = &**form;
        form.downcast_ref()
    }

    /// The form of the evaluation in a few words.
    pub fn form(&self) -> String {
        match self {
            Evaluation::HandMade => "hand-made".to_owned(),
            Evaluation::Learned(weights) => weights.form(),
            Evaluation::Nnue(network) => network.form().to_string(),
            Evaluation::Registered(form) => form.name().to_owned(),
        }
    }

    /// Computes the value of a position from scratch, from the side to move's view.
    pub fn evaluate(&self, pos: &Position) -> Score {
        match self {
            Evaluation::HandMade => hand_made::evaluate(pos),
            Evaluation::Learned(weights) => learned::full::evaluate(weights, pos),
            Evaluation::Nnue(network) => nnue::full::evaluate(network, pos),
            Evaluation::Registered(form) => form.evaluate(pos),
        }
    }
}

/// Evaluates the positions of a line. The caller pairs each move of the position with
/// [`push`](Evaluator::push) (or [`push_null`](Evaluator::push_null)) and each undo with
/// [`pop`](Evaluator::pop).
#[derive(Debug)]
pub struct Evaluator {
    stack: Stack,
}

#[derive(Debug)]
enum Stack {
    HandMade(HandMadeStack),
    Learned(Box<AccumulatorStack>),
    Nnue(Box<NnueStack>),
    Registered(Box<dyn RegisteredLine>),
}

impl Evaluator {
    /// Creates an evaluator for the position `pos`, with the fastest kernel of this CPU.
    pub fn new(evaluation: &Evaluation, pos: &Position) -> Evaluator {
        Evaluator::with_kernel(evaluation, Kernel::detect(), pos)
    }

    /// Creates an evaluator with the given kernel. All kernels give the same values.
    pub fn with_kernel(evaluation: &Evaluation, kernel: Kernel, pos: &Position) -> Evaluator {
        let stack = match evaluation {
            Evaluation::HandMade => Stack::HandMade(HandMadeStack::new(pos)),
            Evaluation::Learned(weights) => {
                let stack = AccumulatorStack::new(Arc::clone(weights), kernel, pos);
                Stack::Learned(Box::new(stack))
            }
            Evaluation::Nnue(network) => {
                Stack::Nnue(Box::new(NnueStack::new(Arc::clone(network), kernel, pos)))
            }
            Evaluation::Registered(form) => Stack::Registered(Arc::clone(form).line(pos)),
        };
        Evaluator { stack }
    }

    /// Pushes the position after a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        match &mut self.stack {
            Stack::HandMade(stack) => stack.push(delta),
            Stack::Learned(stack) => stack.line.push(delta),
            Stack::Nnue(stack) => stack.line.push(delta),
            Stack::Registered(stack) => stack.push(delta),
        }
    }

    /// Pushes the position after a null move.
    #[inline]
    pub fn push_null(&mut self) {
        match &mut self.stack {
            Stack::HandMade(stack) => stack.push_null(),
            Stack::Learned(stack) => stack.line.push_null(),
            Stack::Nnue(stack) => stack.line.push_null(),
            Stack::Registered(stack) => stack.push_null(),
        }
    }

    /// Pops the last position. Panics if no move was pushed.
    #[inline]
    pub fn pop(&mut self) {
        match &mut self.stack {
            Stack::HandMade(stack) => stack.pop(),
            Stack::Learned(stack) => stack.line.pop(),
            Stack::Nnue(stack) => stack.line.pop(),
            Stack::Registered(stack) => stack.pop(),
        }
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Equal to
    /// [`Evaluation::evaluate`], but computes only the changes since the last call.
    #[inline]
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        match &mut self.stack {
            Stack::HandMade(stack) => stack.evaluate(pos),
            Stack::Learned(stack) => stack.evaluate(pos),
            Stack::Nnue(stack) => stack.evaluate(pos),
            Stack::Registered(stack) => stack.evaluate(pos),
        }
    }

    /// Material balance of the current position from `side`'s view: M(P) of Hoki (2006). Includes
    /// the tempo if the evaluation has a single number for it.
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        match &self.stack {
            Stack::HandMade(stack) => stack.material(side),
            Stack::Learned(stack) => stack.line.material(side),
            Stack::Nnue(stack) => stack.line.material(side),
            Stack::Registered(stack) => stack.material(side),
        }
    }
}
