//! The Universal Shogi Interface: the text protocol between engine and client.
//!
//! Input: bytes, one command per line. Output: ASCII, one reply per line. [`run`] serves a session
//! on any input and output, so that tests can run in memory. The caller's [`Backend`] provides the
//! engines.
//!
//! ```text
//! bytes --event--> text --command--> UsiCommand --session--> engine: Engine::search
//!                                       |                    |  Report        | Outcome
//!                                    options              reporter          answer
//!                                       |                    |                |
//! bytes <----------- output <------ response <---------------+----------------+
//! ```
//!
//! [`run`] has three threads: one reads lines and stamps them with the time, the session handles
//! them strictly in order, and the engine thread searches. The session waits only for events of the
//! other two, so it always receives a command immediately. [`SessionInTurn`] needs no threads.
//! Commands that must wait for a search to end are queued. The session also checks the clock: a
//! search on a busy machine may not end in time. It is then answered with the best line it has
//! reported. `USI.md` in this folder lists the rules and the tests that check them.
//!
//! Source: the protocol texts "Universal Shogi Interface" (T. Glaeser) and "USI protocol" (the
//! Shogidokoro project).

mod answer;
mod backend;
mod command;
mod console;
mod engine_thread;
mod event;
mod files;
mod go;
mod in_turn;
mod inbox;
mod opening;
mod option_row;
mod options;
mod output;
mod reader;
mod reporter;
mod response;
mod session;
mod setup;
mod threaded;
mod typed_game;

pub use backend::{Backend, Bench, EngineChoice, Evaluate, MateLimits, SolveMate};
pub use command::{ConsoleCommand, Go, MateTime, UsiCommand};
pub use in_turn::SessionInTurn;
pub use options::{OptionError, Options};
pub use response::{info_line, printable};
pub use setup::{PositionError, PositionText};
pub use threaded::{UsiError, run};
