//! Integration tests, one module per subject, linked once.

mod command_line;
mod evaluation;
mod movegen_oracle;
mod perft;
mod random;
mod rules;
mod sfen;
mod shared_suites;
