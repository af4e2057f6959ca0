//! The connection to a server: TCP, a reader thread, and writes of whole lines.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::event::Event;
use crate::record::decode_line;

/// Default port of servers.
const PORT: u16 = 4081;
/// Timeout to connect.
const CONNECT_TIME: Duration = Duration::from_secs(20);
/// Timeout to send a line. After it, the connection counts as lost.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// Maximum length of a line in bytes; the rest is ignored.
const LONGEST_LINE: u64 = 1 << 16;

/// A server in the form `HOST` or `HOST:PORT`, with the default port if none is given. IPv6
/// addresses are in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Name or address.
    pub host: String,
    /// The port; 4081 by default.
    pub port: u16,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        let bad = || format!("{text:?} is not HOST or HOST:PORT");
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| bad())?),
            _ => (text, PORT),
        };
        let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let host = inside.unwrap_or(host);
        let is_sound = !host.is_empty() && (inside.is_some() || !host.contains(':'));
        is_sound.then(|| Address { host: host.to_owned(), port }).ok_or_else(bad)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Address { host, port } = self;
        if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
    }
}

/// A connection. Dropping it closes the connection and ends its reader.
pub(super) struct Connection(TcpStream);

impl Connection {
    /// Connects. Lines from the server are then sent to `events`.
    ///
    /// # Errors
    /// The I/O error.
    pub fn open(server: &Address, events: Sender<Event>) -> io::Result<Connection> {
        let mut failure = io::Error::from(io::ErrorKind::NotFound);
        for address in (server.host.as_str(), server.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT_TIME) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    stream.set_write_timeout(Some(WRITE_TIME))?;
                    let input = BufReader::new(stream.try_clone()?);
                    thread::Builder::new()
                        .name("reader".to_owned())
                        .spawn(move || read_lines(input, &events))?;
                    return Ok(Connection(stream));
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The I/O error; the connection is then lost.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The connection may already be closed.
        drop(self.0.shutdown(Shutdown::Both));
    }
}

/// Reads lines of any bytes until the input ends. Returns early if the receiver is gone.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    while let Ok(Some(bytes)) = read_line(&mut input) {
        let line = Event::Line(decode_line(&bytes).into_owned(), Instant::now());
        if events.send(line).is_err() {
            return;
        }
    }
    drop(events.send(Event::Closed));
}

/// The next line, cut to [`LONGEST_LINE`]; `None` at the end of the input. Bytes after the last
/// line end are ignored.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(line));
    }
    Ok(line.ends_with(b"\n").then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn addresses_are_parsed_and_printed() {
        for (text, host, port) in [
            ("wdoor.c.u-tokyo.ac.jp", "wdoor.c.u-tokyo.ac.jp", 4081),
            ("localhost:14081", "localhost", 14081),
            ("[::1]", "::1", 4081),
            ("[::1]:5000", "::1", 5000),
        ] {
            let address: Address = text.parse().expect(text);
            assert_eq!((address.host.as_str(), address.port), (host, port));
            assert_eq!(address.to_string().parse(), Ok(address));
        }
        for bad in ["", ":4081", "host:", "host:http", "host:70000", "::1:5000"] {
            assert!(bad.parse::<Address>().is_err_and(|error| error.contains(bad)), "{bad}");
        }
    }

    #[test]
    fn lines_may_contain_any_bytes() {
        let long = vec![b'x'; 3 << 16];
        let input = [b"LOGIN:a OK\r\n\xff\xfe\0\n", long.as_slice(), b"\n\ncut off"].concat();
        let (events, inbox) = mpsc::channel();
        read_lines(input.as_slice(), &events);
        let mut lines = Vec::new();
        while let Ok(Event::Line(text, _)) = inbox.try_recv() {
            lines.push(text);
        }
        assert_eq!(lines.len(), 4);
        assert_eq!((lines[0].as_str(), lines[3].as_str()), ("LOGIN:a OK", ""));
        assert_eq!(lines[2].len(), 1 << 16);
    }
}
