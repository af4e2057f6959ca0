//! Writing of JKF.

use std::collections::HashMap;
use std::io::{self, Write};
use std::mem;

use serde_json::{Map, Value};

use super::WINNER;
use super::objects::{Clock, Entry, Step, Times};
use super::start::Initial;
use crate::record::forks::take_back;
use crate::record::notation::words::side_names;
use crate::record::notes::Spent;
use crate::record::{Game, csa, preamble, search_comment};
use crate::shogi::Position;

/// Writes one game as one line.
pub fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let mut header = Map::new();
    for (key, value) in preamble::fields(game, super::keeps) {
        header.entry(key).or_insert(value.into());
    }
    if let Some(winner) = game.bare_winner() {
        header.insert(WINNER.to_owned(), side_names(false)[winner.index()].into());
    }
    let (header, initial) = (Value::from(header), serde_json::to_string(&Initial::of(game))?);
    write!(out, "{{\"header\":{header},\"initial\":{initial},\"moves\":[")?;
    let (mut pos, mut spent) = (game.start_position(), Spent::new());
    let mut lines = Vec::new();
    for (ply, line) in game.lines() {
        take_back(&mut pos, ply);
        let entries = entries(line, ply, &mut pos, &mut spent);
        let texts = entries.iter().map(serde_json::to_string);
        lines.push(texts.collect::<Result<Vec<String>, _>>()?);
    }
    let comments = search_comment::comments(game).swap_remove(0);
    lines[0].insert(0, serde_json::to_string(&Entry { comments, ..Entry::default() })?);
    let mut forks: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
    for (at, variation) in game.variations().iter().enumerate() {
        let place = match variation.parent() {
            None => (0, variation.ply() + 1),
            Some(parent) => (parent + 1, variation.ply() - game.variations()[parent].ply()),
        };
        // A variation can replace an end that has no word.
        let entries = &mut lines[place.0];
        entries.resize(entries.len().max(place.1 + 1), "{}".to_owned());
        forks.entry(place).or_default().push(at + 1);
    }
    write_lines(&lines, &forks, out)?;
    writeln!(out, "]}}")
}

/// The entries of the moves of a line that starts at `pos` before move `ply`, and of the word that
/// closes it. Plays the moves.
fn entries(line: &Game, ply: usize, pos: &mut Position, spent: &mut Spent) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(line.moves().len() + 1);
    let mut comments = search_comment::comments(line);
    let mut times = |at: usize| {
        let time = line.notes.time(at);
        let total = Some(Clock::of(spent.add(ply + at, time), true));
        time.map(|time| Times { now: Clock::of(time, false), total })
    };
    for (at, &mv) in line.moves().iter().enumerate() {
        entries.push(Entry {
            comments: mem::take(&mut comments[at + 1]),
            mv: Some(Step::of(pos, mv)),
            time: times(at),
            ..Entry::default()
        });
        pos.do_move(mv);
    }
    if let Some((word, _)) = csa::closing(line, pos.side_to_move()) {
        let time = times(line.moves().len());
        entries.push(Entry { special: Some(word), time, ..Entry::default() });
    }
    entries
}

/// Writes the entries of lines, the main line first. `forks` has the lines that replace an entry of
/// a line.
fn write_lines(
    lines: &[Vec<String>],
    forks: &HashMap<(usize, usize), Vec<usize>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    enum Part {
        Text(&'static str),
        /// The entries of a line from this one on.
        Entries(usize, usize),
    }
    // What is left to write, in reverse order. Nested variations need no deeper stack.
    let mut parts = vec![Part::Entries(0, 0)];
    while let Some(part) = parts.pop() {
        let (line, from) = match part {
            Part::Text(text) => {
                write!(out, "{text}")?;
                continue;
            }
            Part::Entries(line, from) => (line, from),
        };
        for (at, entry) in lines[line].iter().enumerate().skip(from) {
            let comma = if at > 0 { "," } else { "" };
            let Some(forks) = forks.get(&(line, at)) else {
                write!(out, "{comma}{entry}")?;
                continue;
            };
            let entry = entry.strip_suffix('}').expect("an object");
            let second = if entry == "{" { "" } else { "," };
            write!(out, "{comma}{entry}{second}\"forks\":[")?;
            parts.extend([Part::Entries(line, at + 1), Part::Text("]}")]);
            for (number, &fork) in forks.iter().enumerate().rev() {
                let start = if number > 0 { ",[" } else { "[" };
                parts.extend([Part::Text("]"), Part::Entries(fork, 0), Part::Text(start)]);
            }
            break;
        }
    }
    Ok(())
}
