//! The protocol of the CSA's servers, floodgate among them: games against other programs over the
//! network.
//!
//! Comes in: an account, a server, an engine. Goes out: games, each kept as a CSA record with times,
//! scores and expected lines. [`run`] holds connections one after the other; all that is decided is
//! decided in [`Session`], which knows neither sockets nor threads: events and the moments at which
//! they come go in, [`Action`]s come out.
//!
//! ```text
//!   server <--lines--> connection --Event--> session --Action--> connection, thinker, archive
//!                                     ^         |
//!             engine <--- thinker ----+       game: board, clocks, record of one game
//! ```
//!
//! `CSA.md` in this folder lists what the protocol says, and what this client does.
//!
//! Source: "CSA server protocol", version 1.2.1 (Computer Shogi Association); the programmers' page of
//! floodgate (shogi-server) for game names and comments.

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
pub use thinker::BuildEngine;
pub use time::{GameClock, TimeSettings};
