//! Times, comments and expected lines of moves.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;

use crate::shogi::Move;

/// Times, comments and expected lines of a game. Empty notes have the size of a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(Option<Box<Kept>>);

/// Normalized, so that equal notes compare equal: the last time is present, lines are not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Kept {
    times: Vec<Option<Duration>>,
    comments: BTreeMap<usize, String>,
    lines: BTreeMap<usize, Box<[Move]>>,
}

impl Notes {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The time spent on move `ply` (0 = first). The time after the last move is that of the side
    /// that ended the game without a move, for example by resigning.
    pub fn time(&self, ply: usize) -> Option<Duration> {
        self.0.as_ref()?.times.get(ply).copied().flatten()
    }

    /// Sets the time of move `ply`.
    pub fn set_time(&mut self, ply: usize, time: Duration) {
        let times = &mut self.kept().times;
        times.resize(times.len().max(ply + 1), None);
        times[ply] = Some(time);
    }

    /// The comment after `moves` moves; 0 = before the first. `\n` separates lines.
    pub fn comment(&self, moves: usize) -> Option<&str> {
        self.0.as_ref()?.comments.get(&moves).map(String::as_str)
    }

    /// Removes and returns the comment after `moves` moves.
    pub(super) fn take_comment(&mut self, moves: usize) -> Option<String> {
        let comment = self.0.as_mut()?.comments.remove(&moves);
        self.drop_if_empty();
        comment
    }

    fn drop_if_empty(&mut self) {
        self.0.take_if(|kept| **kept == Kept::default());
    }

    /// Adds one or more lines to the comment after `moves` moves.
    pub fn add_comment(&mut self, moves: usize, text: &str) {
        match self.kept().comments.entry(moves) {
            Entry::Vacant(place) => drop(place.insert(text.to_owned())),
            Entry::Occupied(mut place) => *place.get_mut() += &format!("\n{text}"),
        }
    }

    /// The line that the player of move `ply` expected after it. The moves need not be legal.
    pub fn line(&self, ply: usize) -> &[Move] {
        let kept = self.0.as_ref().and_then(|kept| kept.lines.get(&ply));
        kept.map_or(&[], |line| line)
    }

    /// Sets the line expected after move `ply`; an empty one removes it.
    pub fn set_line(&mut self, ply: usize, line: &[Move]) {
        if !line.is_empty() {
            self.kept().lines.insert(ply, line.into());
        } else if let Some(kept) = &mut self.0 {
            kept.lines.remove(&ply);
            self.drop_if_empty();
        }
    }

    /// All times with the plies of their moves, in order.
    pub fn times(&self) -> impl Iterator<Item = (usize, Duration)> {
        let times = self.0.iter().flat_map(|kept| kept.times.iter().enumerate());
        times.filter_map(|(ply, &time)| Some((ply, time?)))
    }

    /// All comments with the number of moves before them, in order.
    pub fn comments(&self) -> impl Iterator<Item = (usize, &str)> {
        let comments = self.0.iter().flat_map(|kept| &kept.comments);
        comments.map(|(&moves, text)| (moves, text.as_str()))
    }

    /// All expected lines with the plies of the moves before them, in order.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &[Move])> {
        self.0.iter().flat_map(|kept| &kept.lines).map(|(&ply, line)| (ply, &**line))
    }

    fn kept(&mut self) -> &mut Kept {
        self.0.get_or_insert_default()
    }
}

/// The time that each side has spent before each ply of a line, whole seconds. Variations are
/// counted with the moves before them.
#[derive(Debug)]
pub(super) struct Spent(Vec<[Duration; 2]>);

impl Spent {
    pub fn new() -> Spent {
        Spent(vec![[Duration::ZERO; 2]])
    }

    /// Adds the time of move `ply` and returns the sum of its side. The moves before it were added.
    pub fn add(&mut self, ply: usize, time: Option<Duration>) -> Duration {
        self.0.truncate(ply + 1);
        let mut sums = self.0[ply];
        let sum = &mut sums[ply % 2];
        *sum += Duration::from_secs(time.unwrap_or_default().as_secs());
        let sum = *sum;
        self.0.push(sums);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_notes_pay_nothing() {
        assert_eq!(size_of::<Notes>(), size_of::<usize>());
        let mut notes = Notes::default();
        notes.set_line(3, &[]);
        assert!(notes.is_empty() && notes.line(3).is_empty());
        assert_eq!((notes.time(0), notes.comment(0), notes.times().count()), (None, None, 0));
    }

    #[test]
    fn notes_are_kept_by_move() {
        let mut notes = Notes::default();
        let line = ["3c3d", "2g2f"].map(|text| text.parse::<Move>().expect("a move"));
        notes.set_time(2, Duration::from_secs(12));
        notes.add_comment(0, "first");
        notes.add_comment(0, "");
        notes.add_comment(0, "third");
        notes.set_line(0, &line);
        assert_eq!(notes.times().collect::<Vec<_>>(), [(2, Duration::from_secs(12))]);
        assert_eq!((notes.time(1), notes.time(3)), (None, None));
        assert_eq!(notes.comment(0), Some("first\n\nthird"));
        assert_eq!((notes.line(0), notes.line(1)), (&line[..], &[][..]));
        notes.set_line(0, &[]);
        assert_eq!(notes.lines().count(), 0);
        let mut only = Notes::default();
        only.set_line(0, &line);
        only.set_line(0, &[]);
        assert!(only.is_empty());
    }
}
