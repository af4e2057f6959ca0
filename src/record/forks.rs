//! Reads the variations of a record: one after the other, in the order of
//! [`Game::variations`](super::Game::variations).
//!
//! In this order, the reader only takes back moves and plays others, so that no depth of variations
//! needs a stack or a copy of the moves before it.

use super::lines::{Broken, Reading};
use super::transcript::Transcript;
use super::{Fault, Header, Variation};
use crate::shogi::Position;

/// Takes moves back, to the position before ply `ply`.
pub(super) fn take_back(pos: &mut Position, ply: usize) {
    while pos.moves_made() > ply {
        pos.undo_move();
    }
}

/// A variation of a record that is not read yet.
pub(super) struct Fork<T> {
    /// The ply that it replaces.
    pub ply: usize,
    /// Its line in the file, 1 = first.
    pub line: usize,
    pub content: T,
}

/// Reads the variations of a game, `forks` of its main line. `read` reads the moves of one
/// variation and returns the variations that leave it, with the error that ends it.
///
/// A variation is kept up to its first move that cannot be read or played, with a warning.
pub(super) fn read_variations<T>(
    reading: &mut Reading,
    forks: Vec<Fork<T>>,
    mut read: impl FnMut(&mut Transcript, T) -> (Vec<Fork<T>>, Result<(), Broken>),
) {
    if forks.is_empty() {
        return;
    }
    let Reading { game, warnings } = reading;
    let mut pos = game.replay(|_, _| {});
    let mut open = Vec::new();
    // The last one is read next: the one of the latest move that is first in the record.
    let add = |open: &mut Vec<_>, forks: Vec<Fork<T>>, parent: &dyn Fn(usize) -> Option<usize>| {
        let from = open.len();
        open.extend(forks.into_iter().rev().map(|fork| (parent(fork.ply), fork)));
        open[from..].sort_by_key(|(_, fork)| fork.ply);
    };
    add(&mut open, forks, &|_| None);
    while let Some((parent, Fork { ply, line, content })) = open.pop() {
        if !game.has_entry(parent, ply) {
            warnings.push(Broken { line, fault: Fault::NothingToReplace(ply + 1) });
            continue;
        }
        take_back(&mut pos, ply);
        let mut transcript = Transcript::of_variation(pos);
        let (mut forks, end) = read(&mut transcript, content);
        if let Err(broken) = end {
            transcript.restore(broken);
        }
        let (Reading { game: line, warnings: others }, last) = transcript.end(Header::default());
        pos = last;
        warnings.extend(others);
        let index = game.variations.len();
        if line.is_empty() {
            forks.retain(|fork| fork.ply == ply);
        } else {
            game.insert_variation(index, Variation { parent, ply, line });
        }
        // What replaces the first move of a variation leaves the parent as well.
        add(&mut open, forks, &|other| if other == ply { parent } else { Some(index) });
    }
    warnings.sort_by_key(|warning| warning.line);
}
