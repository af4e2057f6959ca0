//! Scores backed up from the leaves of a book to its root.

use std::collections::HashMap;

use super::entry::{BookEntry, BookMove};
use super::line::key_text;
use crate::shogi::{Move, Position};

/// Maximum number of passes over the book, for lines that repeat a position.
const MOST_PASSES: usize = 1_000;

/// A move whose position after it is in the book.
struct Link {
    entry: usize,
    mv: usize,
    /// The number of the position after the move.
    after: usize,
    /// Whether the book has that position rotated by 180 degrees.
    is_turned: bool,
}

/// The positions of a book, each with its entries: one for each of its move numbers.
type Positions = Vec<Vec<usize>>;

/// Replaces the score of every move that leads to another position of the book by the negated best
/// score of that position: minimax over the book. Depth and reply become those of the line. The
/// best move of each position comes first. Returns the number of moves with a new score.
///
/// Positions are matched without their move numbers, rotated or not. In lines that repeat a
/// position, scores are those of a line of 1,000 plies. Entries with invalid positions stay as they
/// are.
///
/// Other programs call this a "peta-shock" book.
pub fn back_up(entries: &mut [BookEntry]) -> usize {
    let (positions, links) = links(entries);
    let before: Vec<Vec<(Move, i32)>> = entries.iter().map(scores).collect();
    for _ in 0..MOST_PASSES {
        let best = |of: &Vec<usize>| BookMove::best(of.iter().flat_map(|&at| &entries[at].moves));
        let best: Vec<Option<BookMove>> = positions.iter().map(best).collect();
        let mut has_changed = false;
        for link in &links {
            let Some(reply) = best[link.after] else { continue };
            let reply = if link.is_turned { reply.flip() } else { reply };
            let known = &mut entries[link.entry].moves[link.mv];
            let score = -reply.score;
            let depth = reply.depth.saturating_add(1).min(u32::from(u16::MAX));
            let new = BookMove { reply: Some(reply.mv), score, depth, ..*known };
            has_changed |= new.score != known.score || new.reply != known.reply;
            *known = new;
        }
        if !has_changed {
            break;
        }
    }
    let mut changed = 0;
    for (entry, before) in entries.iter_mut().zip(before) {
        let after = scores(entry);
        changed += before.iter().zip(&after).filter(|(before, after)| before != after).count();
        entry.moves.sort_by_key(|known| std::cmp::Reverse((known.score, known.count)));
    }
    changed
}

fn scores(entry: &BookEntry) -> Vec<(Move, i32)> {
    entry.moves.iter().map(|known| (known.mv, known.score)).collect()
}

/// The positions of the book, and all moves between them.
fn links(entries: &[BookEntry]) -> (Positions, Vec<Link>) {
    let boards: Vec<Option<Position>> =
        entries.iter().map(|entry| Position::from_sfen(&entry.sfen).ok()).collect();
    let (mut positions, mut keys) = (Positions::new(), HashMap::new());
    for (entry, pos) in boards.iter().enumerate() {
        let Some(pos) = pos else { continue };
        let number = *keys.entry(key_text(pos)).or_insert(positions.len());
        positions.resize(positions.len().max(number + 1), Vec::new());
        positions[number].push(entry);
    }
    let mut links = Vec::new();
    for (entry, pos) in boards.iter().enumerate() {
        let Some(pos) = pos else { continue };
        for (mv, known) in entries[entry].moves.iter().enumerate() {
            if !pos.is_legal(known.mv) {
                continue;
            }
            let mut after = pos.clone();
            after.do_move(known.mv);
            let as_it_is = keys.get(&key_text(&after)).map(|&after| (after, false));
            let found = as_it_is
                .or_else(|| keys.get(&key_text(&after.turned())).map(|&after| (after, true)));
            if let Some((after, is_turned)) = found {
                links.push(Link { entry, mv, after, is_turned });
            }
        }
    }
    (positions, links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::STARTPOS;

    fn entry(moves: &[&str], known: &[&str]) -> BookEntry {
        let mut pos = Position::startpos();
        for mv in moves {
            pos.do_move(mv.parse().expect("a move"));
        }
        let known = known.iter().map(|text| text.parse().expect("a move of a book")).collect();
        BookEntry { sfen: pos.to_sfen(), moves: known }
    }

    #[test]
    fn scores_come_from_the_leaves() {
        let mut entries = vec![
            entry(&[], &["7g7f none 0 5 10", "2g2f none 20 5 4"]),
            entry(&["7g7f"], &["3c3d none 0 5 1", "8c8d none -50 7 1"]),
            entry(&["7g7f", "3c3d"], &["2g2f none 90 8 1", "6g6f none 10 8 1"]),
        ];
        assert_eq!(back_up(&mut entries), 2);
        let text = |entry: &BookEntry| -> Vec<String> {
            entry.moves.iter().map(BookMove::to_string).collect()
        };
        assert_eq!(text(&entries[1]), ["8c8d none -50 7 1", "3c3d 2g2f -90 9 1"]);
        assert_eq!(text(&entries[0]), ["7g7f 8c8d 50 8 10", "2g2f none 20 5 4"]);
        assert_eq!(back_up(&mut entries), 0);
    }

    #[test]
    fn all_entries_of_a_position_count() {
        // One position under three move numbers, one of them without moves.
        let reply = |number: &str, moves: &[&str]| {
            let entry = entry(&["7g7f"], moves);
            let (position, _) = entry.sfen.rsplit_once(' ').expect("a number");
            BookEntry { sfen: format!("{position} {number}"), ..entry }
        };
        let mut entries = vec![
            entry(&[], &["7g7f none 0 5 1"]),
            reply("2", &[]),
            reply("4", &["3c3d none 5 5 1"]),
            reply("6", &["8c8d none 300 5 1"]),
        ];
        assert_eq!(back_up(&mut entries), 1);
        assert_eq!(entries[0].moves[0].to_string(), "7g7f 8c8d -300 6 1");
    }

    #[test]
    fn rotated_positions_and_repetitions_are_linked() {
        // After 7g7f and 3c3d, rotated, Black moves in the same position.
        let turned = {
            let mut pos = Position::startpos();
            pos.do_move("7g7f".parse().expect("a move"));
            pos.turned()
        };
        let known = "2g2f none 33 4 1".parse().expect("a move of a book");
        let mut entries = vec![
            entry(&[], &["7g7f none 0 1 1"]),
            BookEntry { sfen: turned.to_sfen(), moves: vec![known] },
        ];
        assert_eq!(back_up(&mut entries), 1);
        assert_eq!(entries[0].moves[0].to_string(), "7g7f 8c8d -33 5 1");
        // A line that repeats the position ends.
        let mut entries = vec![
            entry(&[], &["2h3h none 1 1 1"]),
            entry(&["2h3h"], &["8b7b none 2 1 1"]),
            entry(&["2h3h", "8b7b"], &["3h2h none 3 1 1"]),
            entry(&["2h3h", "8b7b", "3h2h"], &["7b8b none 4 1 1"]),
        ];
        back_up(&mut entries);
        assert_eq!(entries[0].sfen, STARTPOS);
    }
}
