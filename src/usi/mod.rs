//! The Universal Shogi Interface: an engine's conversation with its user, in lines of text.
//!
//! Comes in: bytes, one command per line. Goes out: ASCII, one reply per line. [`run`] holds the
//! whole conversation over any input and output, so that tests hold it in memory; the caller's
//! [`Backend`] says which engines there are.
//!
//! ```text
//! bytes --event--> text --command--> UsiCommand --session--> engine: Engine::search
//!                                       |                    |  Report        | Outcome
//!                                    options              reporter          answer
//!                                       |                    |                |
//! bytes <----------- output <------ response <---------------+----------------+
//! ```
//!
//! Three threads: one reads lines and stamps them with the time, the session handles them strictly
//! in order, the engine thread searches. The session waits for either of the others and for nothing
//! else, so a command always finds it listening; what must wait for a search to end waits in a
//! queue. It also watches the clock: a search that does not end in time, as its threads have to wait
//! for a busy machine, is answered with the best line it has reported. `USI.md` in this folder lists
//! the rules and the tests that hold them.
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
mod inbox;
mod lateness;
mod opening;
mod options;
mod output;
mod reader;
mod reporter;
mod response;
mod saying;
mod session;
mod setup;

pub use backend::{Backend, Bench, BuildEngine, EngineChoice, Evaluate, SolveMate};
pub use command::{ConsoleCommand, Go, MateTime, UsiCommand};
pub use options::{OptionError, Options};
pub use response::{info_line, printable};
pub use session::{UsiError, run};
pub use setup::{PositionError, PositionText};
