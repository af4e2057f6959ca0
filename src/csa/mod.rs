//! The CSA server protocol, also used by floodgate: games against other programs over the network.
//!
//! Input: an account, a server, an engine. Output: games, each stored as a CSA record with times,
//! scores and principal variations. [`run`] handles connections one after the other. [`Session`]
//! makes all decisions without sockets or threads: its input is events with their times, its output
//! is [`Action`]s.
//!
//! ```text
//!   server <--lines--> connection --Event--> session --Action--> connection, thinker, archive
//!                                     ^         |
//!             engine <--- thinker ----+       game: board, clocks, record of one game
//! ```
//!
//! `CSA.md` in this folder lists the lines of the protocol and the behavior of this client.
//!
//! Source: "CSA server protocol", version 1.2.1 (Computer Shogi Association); the programmers' page
//! of floodgate (shogi-server) for game names and comments.

mod archive;
mod client;
mod connection;
mod event;
mod game;
mod message;
mod session;
mod summary;
mod thinker;
mod time;

pub use client::{ClientOptions, CsaError, run};
pub use connection::Address;
pub use event::{Action, Event, FinishedGame, Found, Task};
pub use game::PlayOptions;
pub use message::{Account, ClientLine, Password, Reason, ServerLine, Verdict, is_word};
pub use session::{Departure, Session, SessionOptions, Tally};
pub use summary::{GameSummary, SummaryError};
pub use time::{GameClock, TimeSettings};
