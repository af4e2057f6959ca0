//! Integration tests, one module per subject, linked once.
//!
//! Slow tests and tests with shared data are ignored by default. `cargo test --release --
//! --ignored` runs them; the variable `KANKEI_SHARED` must name the folder of shared data.

mod alpha_beta;
mod analyze_command;
mod bench_signature;
mod binary_book;
mod book;
mod book_inputs;
mod code_rules;
mod command_line;
mod command_support;
mod csa;
mod csa_clock;
mod csa_server;
mod csa_session;
mod cycles;
mod documents;
mod endurance;
mod eval_command;
mod evaluation;
mod full_width;
mod layers;
mod learn_hoki;
mod learn_pairs;
mod learn_policy;
mod learn_ratings;
mod learn_support;
mod learn_td;
mod learn_td_leaf;
mod learn_value;
mod learned_evaluation;
mod match_command;
mod mate_command;
mod mate_solver;
mod mcts;
mod movegen_oracle;
mod nnue;
mod outputs;
mod packed_positions;
mod perft;
mod positions;
mod printing;
mod program;
mod record_prefix;
mod records;
mod records_command;
mod rules;
mod search_support;
mod searchers;
mod selfplay_command;
mod sfen;
#[cfg(unix)]
mod terminal;
mod tune_command;
mod usi_book;
mod usi_bridge;
mod usi_choice;
mod usi_declaration;
mod usi_garbage;
mod usi_play;
mod usi_rules;
mod usi_searchers;
mod usi_session;
mod usi_support;
mod usi_transcripts;
