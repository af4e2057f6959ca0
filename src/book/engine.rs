//! A searcher with a book.

use std::mem::take;

use super::{Book, BookRules, Page};
use crate::engine::{Engine, Outcome, Query, Report, Settings};
use crate::rng::Rng;

/// A searcher that plays from a book where it can, for games: all its searches are for moves.
pub struct BookEngine {
    engine: Box<dyn Engine>,
    book: Book,
    rules: BookRules,
    rng: Rng,
}

impl BookEngine {
    /// Puts a book before a searcher; the seed decides among the book's moves.
    pub fn new(engine: Box<dyn Engine>, book: Book, rules: BookRules, seed: u64) -> BookEngine {
        BookEngine { engine, book, rules, rng: Rng::from_seed(seed) }
    }
}

impl Engine for BookEngine {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        self.engine.configure(settings)
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        let Query { pos, limits, control } = query;
        let may_ask = limits.search_moves.is_empty() && pos.move_number() <= self.rules.last_move;
        // A book that can no longer be read is treated as one without the position.
        let page = if may_ask { self.book.look_up(pos, &self.rules) } else { Ok(Page::default()) };
        let mut page = page
            .unwrap_or_else(|error| Page { faults: vec![error.to_string()], ..Page::default() });
        for fault in take(&mut page.faults) {
            report(Report::Remark(format!("book: {fault}")));
        }
        let moves = page.moves;
        match self.rules.choose(pos.side_to_move(), &moves, &mut self.rng) {
            Some(chosen) => chosen.to_outcome(control.elapsed()),
            None => self.engine.search(query, report),
        }
    }
}
