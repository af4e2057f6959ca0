//! Failures of programs in games.

use std::fmt;

/// A failure of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It sent this answer, which is neither a legal move nor a declaration.
    Illegal(String),
    /// It exited or closed its output.
    Crash,
    /// It did not answer.
    Hang,
    /// It exceeded its time.
    Time,
}

impl Failure {
    /// The first words of the failure texts.
    pub const NAMES: [&str; 4] = ["illegal", "crash", "hang", "time"];
}

impl std::error::Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [illegal, crash, hang, time] = Failure::NAMES;
        match self {
            Failure::Illegal(answer) => write!(f, "{illegal} {answer}"),
            Failure::Crash => f.write_str(crash),
            Failure::Hang => f.write_str(hang),
            Failure::Time => f.write_str(time),
        }
    }
}
