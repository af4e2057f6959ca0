//! Input and output of a person at a terminal: line editing, and output that does not disturb it.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use rustyline::error::ReadlineError;
use rustyline::{DefaultEditor, ExternalPrinter};

/// The lines that a person types. Ctrl-C discards a line, Ctrl-D ends the input.
pub(super) struct TypedLines {
    editor: DefaultEditor,
    /// The current line, with its line end.
    line: Vec<u8>,
    /// Number of bytes of the line that were read.
    read: usize,
}

/// Output above the line that is being typed.
pub(super) struct TerminalOutput {
    printer: Box<dyn ExternalPrinter + Send>,
    /// Bytes that were not flushed yet.
    pending: Vec<u8>,
}

/// Input and output of the terminal. `None` if standard input or output is not a terminal, or if
/// the terminal cannot edit lines.
pub(super) fn open() -> Option<(TypedLines, TerminalOutput)> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return None;
    }
    let mut editor = DefaultEditor::new().ok()?;
    let printer = Box::new(editor.create_external_printer().ok()?);
    let lines = TypedLines { editor, line: Vec::new(), read: 0 };
    Some((lines, TerminalOutput { printer, pending: Vec::new() }))
}

impl BufRead for TypedLines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.line.len() {
            let text = match self.editor.readline("") {
                Ok(text) => {
                    // A history that cannot be extended only lacks the line.
                    let _ = self.editor.add_history_entry(text.as_str());
                    text + "\n"
                }
                Err(ReadlineError::Interrupted) => "\n".to_owned(),
                Err(ReadlineError::Io(error)) => return Err(error),
                Err(_) => String::new(),
            };
            (self.line, self.read) = (text.into_bytes(), 0);
        }
        Ok(&self.line[self.read..])
    }

    fn consume(&mut self, amount: usize) {
        self.read = self.line.len().min(self.read + amount);
    }
}

impl Read for TypedLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl Write for TerminalOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.pending).into_owned();
        self.pending.clear();
        self.printer.print(text).map_err(io::Error::other)
    }
}
