//! Kankei (関係, "relation"): a USI shogi engine that evaluates a position by the relations between
//! its pieces.
//!
//! ```text
//!   text          usi  -- one session: lines in, lines out     cli, command -- commands
//!                 csa  -- games on a server                    web -- the engine in a page
//!                  |                                                 |
//!   by name        +------------> engines <--------------------------+  searchers chosen by text
//!                                    |
//!   vocabulary                     engine
//!                     Limits, Control  |  Report, Outcome
//!   papers                            papers -- evaluation, learner and experiment of each of five,
//!                                      |        searchers: FullWidth (Hoki 2006), Mcts
//!   laboratory                        lab -- self-play, learning, ablation, matches
//!                                      |
//!   search                          search -- AlphaBeta: selective; MateSolver
//!                      do_move  |          |  push(Delta), evaluate
//!   knowledge                 shogi ----> eval -- material, relations of the pieces
//!                        rules, moves, Delta    learned weights, made by hand, or registered
//!   games                   record -- USI lines, labelled games, CSA, KIF, KI2, JKF, packed
//!                                     positions; above shogi, file and quote
//!   openings                  book -- text and binary books, searched on disk; above engine
//!   files                     file -- read, and written whole or not at all; above nothing
//!   texts                     quote -- in messages and on command lines; above nothing
//!   memory                    large_pages -- the program's allocator; above nothing
//! ```
//!
//! `src/GLOSSARY.md` explains the terms. Imports point downwards only. [`shogi`] does not depend on
//! evaluation: a move returns a [`Delta`](shogi::Delta), which [`eval`] consumes. [`search`] does
//! not print: it reports to a callback. Only [`usi`], [`command`], [`cli`], [`web`], [`papers`] and the
//! commands of [`lab`] print.

// What only the commands use is unused without them.
#![cfg_attr(not(feature = "commands"), allow(dead_code, unused_imports))]

pub mod book;
#[cfg(feature = "commands")]
pub mod cli;
#[cfg(feature = "commands")]
pub mod command;
#[cfg(feature = "commands")]
pub mod csa;
pub mod engine;
pub mod engines;
pub mod eval;
pub mod file;
#[cfg(feature = "commands")]
pub mod lab;
pub mod large_pages;
#[cfg(feature = "commands")]
pub mod papers;
pub mod quote;
pub mod record;
pub mod rng;
pub mod search;
pub mod shogi;
pub mod usi;
pub mod web;
