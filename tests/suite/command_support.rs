//! The program in its own folder, for the tests of commands.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kankei::record::{Game, GameReader, TextEncoding};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_kankei");

/// The words of a command line as in a shell; single quotes group words.
pub fn words(line: &str) -> Vec<String> {
    let quoted = line.split('\'').enumerate();
    let mut words = Vec::new();
    for (part, text) in quoted {
        match part % 2 {
            1 => words.push(text.to_owned()),
            _ => words.extend(text.split_whitespace().map(str::to_owned)),
        }
    }
    words
}

/// The result of a command.
pub struct End {
    pub code: Option<i32>,
    pub output: String,
    pub error: String,
}

impl End {
    pub fn of(output: Output) -> End {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        End { code: output.status.code(), output: text(output.stdout), error: text(output.stderr) }
    }
}

/// A temporary folder in which the program runs.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.at(name), content).expect("a written file");
    }

    pub fn copy(&self, from: &str, to: &str) {
        fs::copy(self.at(from), self.at(to)).expect("a copy");
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The text of a file in UTF-8, or in Shift_JIS if its name ends in `.kif` or `.ki2`.
    pub fn text(&self, name: &str) -> String {
        let bytes = self.bytes(name);
        if TextEncoding::from_file_name(Path::new(name)) == TextEncoding::Utf8 {
            return String::from_utf8(bytes).expect("UTF-8");
        }
        let (text, _, failed) = encoding_rs::SHIFT_JIS.decode(&bytes);
        assert!(!failed, "{name} is Shift_JIS");
        text.into_owned()
    }

    /// All games of a file, which must be valid.
    pub fn games(&self, name: &str) -> Vec<Game> {
        let reader = GameReader::open(&self.at(name)).expect("a readable file");
        reader.map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        fs::read_dir(self.0.path()).expect("a folder").count()
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(words(line)).current_dir(self.0.path());
        // The notation of moves depends on the locale.
        command.env("LC_ALL", "C");
        command
    }

    pub fn run(&self, line: &str) -> End {
        End::of(self.command(line).output().expect("the program starts"))
    }

    /// Runs a command that must succeed; returns its output.
    pub fn ok(&self, line: &str) -> String {
        let End { code, output, error } = self.run(line);
        assert_eq!(code, Some(0), "{line}: {error}");
        output
    }

    /// Runs a command that must fail with one error that contains all of these texts.
    pub fn fails(&self, line: &str, named: &[&str]) {
        let End { code, error, .. } = self.run(line);
        assert_eq!(code, Some(2), "{line}: {error}");
        assert_eq!(error.matches("error: ").count(), 1, "{line}: {error}");
        for name in named {
            assert!(error.contains(name), "{line}: {name} is not in {error}");
        }
    }
}

/// Sends a signal, such as `INT`, to a process.
#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let kill = Command::new("kill").args(["-s", name, &process.to_string()]).status();
    assert!(kill.expect("a shell's kill").success());
}
