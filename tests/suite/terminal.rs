//! The console of a person at a terminal, on a pseudo-terminal.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Instant;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use crate::command_support::Folder;
use crate::usi_support::PATIENCE;

/// Sent by the line editor when it is ready.
const READY: &str = "\x1b[?2004h";

/// The program on a terminal.
struct Terminal {
    keys: File,
    screen: Receiver<Vec<u8>>,
    /// What the screen has shown since the last expected text.
    shown: Vec<u8>,
    process: Child,
}

impl Terminal {
    fn start(folder: &Folder) -> Terminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&ours).expect("it is ours");
        unlockpt(&ours).expect("it can be opened");
        let name = ptsname(&ours, Vec::new()).expect("it has a name");
        let path = Path::new(OsStr::from_bytes(name.as_bytes()));
        let theirs = || File::options().read(true).write(true).open(path).expect("a terminal");
        let mut command = folder.command("");
        command.env("TERM", "xterm").env("HOME", folder.at(""));
        command.stdin(theirs()).stdout(theirs()).stderr(theirs());
        let process = command.spawn().expect("the program starts");
        let keys = File::from(ours);
        let mut output = keys.try_clone().expect("a second handle");
        let (send, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The terminal reports an error when the program has ended.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if send.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { keys, screen, shown: Vec::new(), process }
    }

    /// Sends whole lines at once, as when they are pasted.
    fn paste(&mut self, lines: &str) {
        self.keys.write_all(lines.as_bytes()).expect("the terminal is open");
    }

    /// Waits until this text is shown.
    #[track_caller]
    fn expect(&mut self, text: &str) {
        let start = Instant::now();
        loop {
            let at = self.shown.windows(text.len()).position(|part| part == text.as_bytes());
            if let Some(at) = at {
                self.shown.drain(..at + text.len());
                return;
            }
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.screen.recv_timeout(left) {
                Ok(mut bytes) => self.shown.append(&mut bytes),
                Err(_) => panic!("{text:?} is not in {:?}", String::from_utf8_lossy(&self.shown)),
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After a failure, the program would run on.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_console_greets_and_answers_unknown_words_and_typed_moves() {
    let folder = Folder::new();
    let mut terminal = Terminal::start(&folder);
    terminal.expect("`help` lists the commands");
    terminal.expect(READY);
    terminal.paste("nonsense\rmoves\r");
    terminal.expect("\"nonsense\" is not a command; `help` lists the commands");
    terminal.expect("7g7f");
    terminal.paste("new\r７六歩\rundo\r");
    for end in [" b - 1", " w - 2", " b - 1"] {
        terminal.expect("sfen ");
        terminal.expect(end);
    }
    terminal.paste("quit\r");
    assert!(terminal.process.wait().expect("the program ends").success());
    let modes = tcgetattr(&terminal.keys).expect("a terminal").local_modes;
    assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO), "the editor is still on");
    assert_eq!(folder.files(), 0, "no history is stored");
}
