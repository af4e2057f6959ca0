//! Opening books: opened, read completely, and queried for the first positions of a game.

#![no_main]

use std::fs;
use std::path::Path;

use kankei::book::{self, Book, BookRules};
use kankei::rng::Rng;
use kankei::shogi::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("kankei-fuzz-{}.db", std::process::id()));
    fs::write(&path, bytes).expect("a folder for files");
    check(&path);
    drop(fs::remove_file(path));
});

fn check(path: &Path) {
    if let Ok(content) = book::read_valid(path) {
        book::write(&mut Vec::new(), content.entries).expect("writing to a Vec cannot fail");
    }
    let Ok(mut book) = Book::open(path) else { return };
    let mut pos = Position::startpos();
    for _ in 0..4 {
        let rules = BookRules { any_number: true, ..BookRules::default() };
        let Ok(page) = book.look_up(&pos, &rules) else { return };
        let chosen = rules.choose(pos.side_to_move(), &page.moves, &mut Rng::from_seed(1));
        let Some(chosen) = chosen else { return };
        assert!(pos.is_legal(chosen.mv));
        pos.do_move(chosen.mv);
    }
}
