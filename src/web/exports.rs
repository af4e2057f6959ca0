//! The functions that JavaScript calls.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::io::{self, BufReader, Read};

use super::answer;
use crate::engine::{Engine, Settings};
use crate::engines::bench::{BenchLimit, bench};
use crate::engines::{Changes, usi_backend};
use crate::eval::Evaluation;
use crate::eval::learned::file::WeightsError;
use crate::search::AlphaBeta;
use crate::shogi::Position;
use crate::usi::{self, SessionInTurn};

thread_local! {
    static SESSION: RefCell<SessionInTurn> = RefCell::new(SessionInTurn::new(
        io::stdout(),
        usi_backend(&Changes::default(), 0, explain, console_bench),
    ));
}

/// Reads the weights of the evaluation from standard input. Returns whether it could; if not, says
/// why on standard error.
// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn kankei_network() -> bool {
    let mut bytes = Vec::new();
    let read = io::stdin().read_to_end(&mut bytes).map_err(WeightsError::from);
    let provided = read.and_then(|_| Evaluation::provide_embedded(&bytes));
    provided.inspect_err(|error| eprintln!("{error}")).is_ok()
}

/// Handles the lines on standard input as those of a USI session. Returns whether it goes on.
// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn kankei_usi() -> bool {
    let lines = io::stdin().lines().map_while(Result::ok);
    SESSION.with_borrow_mut(|session| lines.fold(true, |_, line| session.handle(&line)))
}

/// Serves a USI session on standard input and output, with threads, until it ends.
// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn kankei_run() {
    let backend = usi_backend(&Changes::default(), 0, explain, console_bench);
    if let Err(error) = usi::run(BufReader::new(io::stdin()), io::stdout(), backend) {
        println!("info string {error}");
    }
}

/// Answers the questions on standard input, each with a line.
// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn kankei_ask() {
    io::stdin().lines().map_while(Result::ok).for_each(|line| println!("{}", answer(&line)));
}

fn explain(evaluation: &Evaluation, pos: &Position) -> String {
    format!("{} centipawns for the side to move", evaluation.evaluate(pos).to_cp())
}

/// The console command `bench`, without arguments.
fn console_bench(
    engine: &mut dyn Engine,
    settings: &Settings,
    _: &[String],
    print: &mut dyn FnMut(&str),
) {
    engine.configure(&Settings { threads: 1, ..settings.clone() });
    bench(engine, BenchLimit::of(&AlphaBeta::SEARCHER), print);
}
