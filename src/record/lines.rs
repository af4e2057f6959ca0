//! The lines of a file, and where one of them went wrong.

use std::io::{self, BufRead};

use super::{Fault, decode_line};

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextLine {
    /// 1 = first of the file.
    pub number: usize,
    pub text: String,
}

impl TextLine {
    /// What is wrong with this line.
    pub fn broken(&self, fault: Fault) -> Broken {
        Broken { line: self.number, fault }
    }
}

/// Why a game was given up, and at which line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub line: usize,
    pub fault: Fault,
}

/// Reads and decodes a file line by line.
pub(super) struct LineReader {
    input: Box<dyn BufRead + Send>,
    bytes: Vec<u8>,
    number: usize,
}

impl LineReader {
    pub fn new(input: Box<dyn BufRead + Send>) -> LineReader {
        LineReader { input, bytes: Vec::new(), number: 0 }
    }

    /// The next line; `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<TextLine>> {
        self.bytes.clear();
        if self.input.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(TextLine { number: self.number, text: decode_line(&self.bytes).into_owned() }))
    }
}
