//! Evaluation of the moves of a game.

use crate::cli::reading::Reading;
use crate::command::language::Language;
use crate::command::texts;
use crate::record::{Game, MoveScore};
use crate::shogi::{Color, Move};

/// Centipawns that multiply the odds of winning by e, as shogi programs commonly assume.
const SCALE: f64 = 600.0;

/// The winning probability (draws count half), 0 to 1, of the side with this score: a logistic
/// curve.
pub(super) fn chance(score: MoveScore) -> f64 {
    match score {
        MoveScore::Centipawns(value) => 1.0 / (1.0 + (-f64::from(value) / SCALE).exp()),
        MoveScore::MatesIn(_) => 1.0,
        MoveScore::MatedIn(_) => 0.0,
    }
}

/// Severity of a bad move, by its loss of winning probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// At least 5 percentage points, or a missed mate.
    Inaccuracy,
    /// At least 10 percentage points.
    Mistake,
    /// At least 20 percentage points.
    Blunder,
}

impl Mark {
    /// All marks with their minimum losses.
    pub const ALL: [(Mark, f64); 3] =
        [(Mark::Inaccuracy, 0.05), (Mark::Mistake, 0.10), (Mark::Blunder, 0.20)];

    fn of(loss: f64) -> Option<Mark> {
        Mark::ALL.into_iter().rev().find(|&(_, least)| loss >= least).map(|(mark, _)| mark)
    }

    /// The sign that players write.
    pub fn sign(self) -> &'static str {
        ["?!", "?", "??"][self as usize]
    }

    /// The name: `inaccuracy`, `mistake` or `blunder`.
    pub fn name(self, language: Language) -> &'static str {
        [texts::INACCURACY, texts::MISTAKE, texts::BLUNDER][self as usize].get(language)
    }
}

/// The relation of a move to a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MateNote {
    /// A mate in this many plies existed and exists no more.
    Missed(u32),
    /// The move allows the opponent a mate in this many plies that did not exist before.
    Allowed(u32),
}

impl MateNote {
    /// The relation in words.
    pub fn text(self, language: Language) -> String {
        match self {
            MateNote::Missed(plies) => texts::MISSES_MATE.with(language, [&plies]),
            MateNote::Allowed(plies) => texts::ALLOWS_MATE.with(language, [&plies]),
        }
    }
}

/// A move and its evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MoveReview {
    pub mover: Color,
    pub mv: Move,
    /// The score after the move, from the mover's view.
    pub score: MoveScore,
    /// Winning probability before the move (of the best move) and after it, from the mover's view.
    pub before: f64,
    pub after: f64,
    pub mark: Option<Mark>,
    pub mate: Option<MateNote>,
    /// Whether the search would have played this move.
    pub is_best: bool,
}

impl MoveReview {
    fn of(mover: Color, mv: Move, before: &Reading, after: &Reading) -> MoveReview {
        let score = -after.score;
        let is_best = before.line.first() == Some(&mv);
        let [was, is] = [before.score, score].map(chance);
        // If the search would have played the move, no better move is known. A move that is better
        // than expected has no loss.
        let was = if is_best { is } else { was.max(is) };
        let mate = match (before.score, score) {
            _ if is_best => None,
            (MoveScore::MatesIn(_), MoveScore::MatesIn(_))
            | (MoveScore::MatedIn(_), MoveScore::MatedIn(_)) => None,
            // A game that is over by other rules is no mate.
            (MoveScore::MatesIn(plies), _) if plies > 0 => Some(MateNote::Missed(plies)),
            (_, MoveScore::MatedIn(plies)) if plies > 0 => Some(MateNote::Allowed(plies)),
            _ => None,
        };
        let mark = Mark::of(was - is).or(mate.map(|_| Mark::Inaccuracy));
        MoveReview { mover, mv, score, before: was, after: is, mark, mate, is_best }
    }

    /// Loss of winning probability, 0 to 1.
    pub fn loss(&self) -> f64 {
        self.before - self.after
    }

    /// Black's winning probability after the move.
    pub fn black_chance(&self) -> f64 {
        if self.mover == Color::Black { self.after } else { 1.0 - self.after }
    }

    /// Whether the move is a turning point: a blunder, or a mistake that lost the lead.
    pub fn is_turning_point(&self) -> bool {
        let loses_lead = self.before >= 0.5 && self.after < 0.5;
        match self.mark {
            Some(Mark::Blunder) => true,
            Some(Mark::Mistake) => loses_lead,
            Some(Mark::Inaccuracy) | None => false,
        }
    }

    /// Accuracy of 100, as lichess.org defines it ("Lichess accuracy metric"): 100 for no loss, 64
    /// for a loss of 10 points, 40 for 20.
    fn accuracy(&self) -> f64 {
        (103.1668 * (-0.04354 * 100.0 * self.loss()).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// Evaluation of one side's play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SideReview {
    pub moves: usize,
    /// Number of moves that the search would have played as well.
    pub best: usize,
    /// Mean accuracy of the moves, of 100; `None` without moves.
    pub accuracy: Option<f64>,
    /// Mean loss of winning probability, 0 to 1.
    pub loss: f64,
    /// Number of moves with each [`Mark`].
    pub marks: [usize; 3],
    /// Number of moves by loss, from each limit of [`SideReview::LIMITS`] up to the next.
    pub losses: [usize; 5],
}

impl SideReview {
    /// Limits of losses of winning probability. The last three are those of the marks.
    pub const LIMITS: [f64; 5] = [0.0, 0.02, 0.05, 0.10, 0.20];

    fn of<'a>(moves: impl Iterator<Item = &'a MoveReview>) -> SideReview {
        let (mut side, mut accuracy) = (SideReview::default(), 0.0);
        for review in moves {
            side.moves += 1;
            side.best += usize::from(review.is_best);
            accuracy += review.accuracy();
            side.loss += review.loss();
            let above = SideReview::LIMITS.into_iter().rposition(|limit| review.loss() >= limit);
            side.losses[above.unwrap_or_default()] += 1;
            if let Some(mark) = review.mark {
                side.marks[mark as usize] += 1;
            }
        }
        let count = side.moves.max(1) as f64;
        let accuracy = (side.moves > 0).then_some(accuracy / count);
        SideReview { accuracy, loss: side.loss / count, ..side }
    }
}

/// A game or a variation, and the readings of its positions.
pub(super) struct Review<'a> {
    pub game: &'a Game,
    /// The ply of its first move, 0 for a game.
    pub first: usize,
    /// The reviews of the variations of a game, if they are analyzed.
    pub variations: Vec<Review<'a>>,
    /// Before each move and at the end: one more than the moves.
    pub readings: Vec<Reading>,
    /// One per move.
    pub moves: Vec<MoveReview>,
}

impl<'a> Review<'a> {
    /// Evaluates the moves of a game by the readings of its positions (one more than the moves).
    pub fn of(game: &'a Game, readings: Vec<Reading>) -> Review<'a> {
        let pairs = game.moves().iter().zip(readings.windows(2)).enumerate();
        let moves = pairs.map(|(ply, (&mv, around))| {
            MoveReview::of(game.mover(ply), mv, &around[0], &around[1])
        });
        Review { game, first: 0, variations: Vec::new(), moves: moves.collect(), readings }
    }

    pub fn side(&self, color: Color) -> SideReview {
        SideReview::of(self.moves.iter().filter(|review| review.mover == color))
    }

    /// Plies of the turning points.
    pub fn turning_points(&self) -> impl Iterator<Item = usize> {
        self.moves.iter().enumerate().filter(|(_, mv)| mv.is_turning_point()).map(|(ply, _)| ply)
    }

    /// Black's winning probability before each move and at the end.
    pub fn black_chances(&self) -> Vec<f64> {
        let of = |(ply, reading): (usize, &Reading)| match self.game.mover(ply) {
            Color::Black => chance(reading.score),
            Color::White => chance(-reading.score),
        };
        self.readings.iter().enumerate().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameBuilder;

    fn review<'a>(game: &'a Game, readings: [&str; 4]) -> Review<'a> {
        Review::of(game, readings.map(|text| text.parse().expect(text)).into())
    }

    fn game() -> Game {
        let mut builder = GameBuilder::new();
        for mv in ["7g7f", "3c3d", "2g2f"] {
            builder.push(mv.parse().expect("a move")).expect("legal");
        }
        builder.finish()
    }

    #[test]
    fn marks_depend_on_the_loss_of_a_move() {
        for (loss, sign) in
            [(0.0, ""), (0.049, ""), (0.05, "?!"), (0.1, "?"), (0.2, "??"), (1.0, "??")]
        {
            assert_eq!(Mark::of(loss).map_or("", Mark::sign), sign, "{loss}");
        }
        assert_eq!(chance(MoveScore::Centipawns(0)), 0.5);
        assert!((chance(MoveScore::Centipawns(600)) - 0.731).abs() < 0.001);
    }

    #[test]
    fn moves_are_judged_by_the_positions_around_them() {
        let game = game();
        // Black plays the best move. White's move loses 500. Black's next move is better than
        // expected.
        let review =
            review(&game, ["30 1 1 7g7f", "-30 1 1 8c8d", "530 1 1 2h5h", "-700 1 1 8c8d"]);
        let losses: Vec<i32> =
            review.moves.iter().map(|mv| (100.0_f64 * mv.loss()).round() as i32).collect();
        assert_eq!(losses, [0, 20, 0]);
        assert_eq!(review.moves[1].mark, Some(Mark::Mistake));
        assert!(review.moves[0].is_best && !review.moves[1].is_best);
        // White was already behind, and the move was no blunder, so it is no turning point.
        assert_eq!(review.turning_points().count(), 0);
        let lost =
            self::review(&game, ["0 1 1 7g7f", "20 1 1 8c8d", "300 1 1 2h5h", "700 1 1 8c8d"]);
        assert_eq!(lost.turning_points().collect::<Vec<_>>(), [1, 2]);
        let black = review.side(Color::Black);
        assert_eq!((black.moves, black.best, black.marks), (2, 1, [0; 3]));
        assert_eq!((black.accuracy.map(f64::round), black.loss), (Some(100.0), 0.0));
        let white = review.side(Color::White);
        assert_eq!((white.marks, white.losses), ([0, 1, 0], [0, 0, 0, 1, 0]));
        assert_eq!(black.losses, [2, 0, 0, 0, 0]);
        assert_eq!(SideReview::of([].iter()).accuracy, None);
        let accuracy = white.accuracy.expect("a move");
        assert!((39.0..45.0).contains(&accuracy), "{accuracy}");
        let chances: Vec<i32> = review.black_chances().iter().map(|c| (100.0 * c) as i32).collect();
        assert_eq!(chances, [51, 51, 70, 76]);
    }

    #[test]
    fn missed_and_allowed_mates_are_noted() {
        let game = game();
        let review =
            review(&game, ["m1 1 1 2g2f", "-2500 1 1 8c8d", "m3 1 1 2h5h", "-m4 1 1 8c8d"]);
        let notes: Vec<_> = review.moves.iter().map(|mv| (mv.mate, mv.mark)).collect();
        // Black is still winning but missed a mate.
        assert_eq!(notes[0], (Some(MateNote::Missed(1)), Some(Mark::Inaccuracy)));
        assert_eq!(notes[1].0, Some(MateNote::Allowed(3)));
        // Perpetual check loses at once, and a declaration wins at once.
        let other = self::review(&game, ["m0 1 1 2g2f", "0 1 1 8c8d", "m0 1 1 2h5h", "0 1 1 8c8d"]);
        let others = other.moves[..2].iter().map(|mv| (mv.mate, mv.mark));
        assert_eq!(others.collect::<Vec<_>>(), [(None, Some(Mark::Blunder)); 2]);
        // A longer mate is still a mate.
        assert_eq!(notes[2], (None, None));
        assert_eq!(review.moves[2].score, MoveScore::MatesIn(4));
    }
}
