//! Builds books from games.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::line::key_text;
use super::{BookEntry, BookMove};
use crate::record::PackedPosition;
use crate::record::{Game, MoveScore};
use crate::shogi::{Color, Move, Position};

/// Centipawns that multiply the odds of winning by e; the usual scale of shogi programs.
const SCALE: f64 = 600.0;
/// Games, half of them won, that are added to those of every move. Openings that people play differ
/// by about 5 % of the points; a beta distribution with that deviation around one half has the
/// weight of 0.25 / 0.05^2 = 100 games. So seven games won do not outweigh fifty good ones.
const PRIOR_GAMES: f64 = 100.0;
/// Value of a mate, centipawns. Mates of 1,000 plies and more have the same score.
const MATE: i32 = 30_000;

/// A book that is built from the moves and results of games.
#[derive(Clone, Debug)]
pub struct GameBook {
    last_move: u32,
    depth: u32,
    positions: HashMap<PackedPosition, Known>,
}

/// The moves that were played in a position.
#[derive(Clone, Debug)]
struct Known {
    /// The smallest move number of the position.
    number: u32,
    moves: Vec<(Move, Tally)>,
}

/// Statistics of a move.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    count: u32,
    /// Games with a known result, and twice the points of the mover in them.
    decided: u32,
    half_points: u32,
    /// Games with a score of the move, and the sum of these scores.
    scored: u32,
    scores: i64,
}

impl Tally {
    fn add(&mut self, game: &Game, ply: usize, mover: Color) {
        self.count += 1;
        if let Some(result) = game.result {
            self.decided += 1;
            self.half_points += u32::from(result.half_points(mover));
        }
        if let Some(score) = game.score(ply) {
            self.scored += 1;
            self.scores += i64::from(centipawns(score));
        }
    }

    /// The mean score in the records. Without scores, the score that corresponds to the mover's
    /// share of the points.
    fn score(&self) -> i32 {
        if self.scored > 0 {
            return (self.scores / i64::from(self.scored)) as i32;
        }
        let points = f64::from(self.half_points) / 2.0 + PRIOR_GAMES / 2.0;
        let share = points / (f64::from(self.decided) + PRIOR_GAMES);
        (SCALE * (share / (1.0 - share)).ln()).round() as i32
    }
}

/// A score in the unit of books.
fn centipawns(score: MoveScore) -> i32 {
    let plies = |plies: u32| MATE - plies.min(1_000) as i32;
    match score {
        MoveScore::Centipawns(value) => value.clamp(-MATE, MATE),
        MoveScore::MatesIn(n) => plies(n),
        MoveScore::MatedIn(n) => -plies(n),
    }
}

impl BookMove {
    /// The same with this score.
    pub fn with_score(self, score: MoveScore) -> BookMove {
        BookMove { score: centipawns(score), ..self }
    }
}

impl GameBook {
    /// An empty book for moves up to number `last_move`. `depth` is written as the depth of all
    /// moves, which no search has judged.
    pub fn new(last_move: u32, depth: u32) -> GameBook {
        GameBook { last_move, depth, positions: HashMap::new() }
    }

    /// Adds the moves of a game that their players [chose](Game::is_choice).
    pub fn add(&mut self, game: &Game) {
        let mut plies = 0..;
        game.replay(|pos, mv| {
            let ply = plies.next().unwrap_or_default();
            if pos.move_number() > self.last_move || !game.is_choice(ply) {
                return;
            }
            let number = pos.move_number();
            let first = Known { number, moves: Vec::new() };
            let known = self.positions.entry(PackedPosition::of(pos)).or_insert(first);
            known.number = known.number.min(number);
            let at = known.moves.iter().position(|(other, _)| *other == mv);
            let at = at.unwrap_or_else(|| {
                known.moves.push((mv, Tally::default()));
                known.moves.len() - 1
            });
            known.moves[at].1.add(game, ply, pos.side_to_move());
        });
    }

    /// The positions with the moves that were played at least `least_count` times, most frequent
    /// first. The expected reply is the most frequent one.
    pub fn entries(&self, least_count: u32) -> Vec<BookEntry> {
        let mut entries = Vec::new();
        for (packed, known) in &self.positions {
            let mut moves: Vec<&(Move, Tally)> =
                known.moves.iter().filter(|(_, tally)| tally.count >= least_count).collect();
            if moves.is_empty() {
                continue;
            }
            moves.sort_by_key(|(mv, tally)| (Reverse(tally.count), mv.to_bits()));
            let mut pos = packed.unpack().expect("packed from a position");
            let sfen = format!("{} {}", key_text(&pos), known.number);
            let moves = moves.into_iter().map(|(mv, tally)| BookMove {
                mv: *mv,
                reply: self.reply(&mut pos, *mv),
                score: tally.score(),
                depth: self.depth,
                count: tally.count.into(),
            });
            entries.push(BookEntry { sfen, moves: moves.collect() });
        }
        entries
    }

    /// The most frequent reply.
    fn reply(&self, pos: &mut Position, mv: Move) -> Option<Move> {
        pos.do_move(mv);
        let known = self.positions.get(&PackedPosition::of(pos));
        pos.undo_move();
        let moves = known?.moves.iter();
        moves.max_by_key(|(mv, tally)| (tally.count, Reverse(mv.to_bits()))).map(|(mv, _)| *mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_follow_results_or_records() {
        let tally = |decided, half_points| Tally { decided, half_points, ..Tally::default() };
        assert_eq!(tally(0, 0).score(), 0);
        assert_eq!(tally(10, 10).score(), 0);
        // 7.5 points and 50 more, of 10 games and 100 more.
        assert_eq!(tally(10, 15).score(), (600.0 * (57.5_f64 / 52.5).ln()).round() as i32);
        assert_eq!(tally(10, 5).score(), -tally(10, 15).score());
        // Few games do not drive out the move of many: both are within 30 centipawns, the usual
        // limit.
        let (few, many) = (tally(7, 13), tally(53, 58));
        assert!(
            (0..30).contains(&(few.score() - many.score())),
            "{} {}",
            few.score(),
            many.score()
        );
        let lost = tally(53, 40);
        assert!(few.score() - lost.score() > 60, "{}", lost.score());
        let scored = Tally { scored: 2, scores: 70, ..tally(10, 0) };
        assert_eq!(scored.score(), 35);
        assert_eq!(centipawns(MoveScore::MatesIn(3)), 29_997);
        assert_eq!(centipawns(MoveScore::MatedIn(4)), -29_996);
    }
}
