//! Quality of an evaluation: its loss and calibration against the results of games, and how it
//! ranks the moves played.

use super::logistic::{cross_entropy, probability};
use crate::eval::Score;
use crate::lab::QuiescenceLeaf;
use crate::record::{Game, MoveScore};
use crate::shogi::{Move, Position, Scope, movegen};

/// First plies of the phases of a game.
pub const PHASES: [usize; 4] = [0, 40, 80, 120];

/// One position with the values that an evaluation gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Index into [`PHASES`], 0..4.
    pub phase: usize,
    /// Value of the quiescence leaf, side to move's view, centipawns; `None` in check, or if it is
    /// a mate.
    pub value: Option<i32>,
    /// Points of the side to move at the end of the game: 0, 1/2 or 1; `None` if the game has no
    /// result.
    pub result: Option<f32>,
    /// Rank of the move played among all legal moves by the value after it, without and with
    /// quiescence.
    pub moves: [MoveRank; 2],
}

/// Rank of the move played among all legal moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveRank {
    /// 1 if it alone has the best value, 1/n if n moves share the best value and it is one of them,
    /// else 0.
    pub top: f64,
    /// 1 + number of better moves + half the number of equal moves.
    pub rank: f64,
}

impl MoveRank {
    fn of(played: Score, others: impl Iterator<Item = Score>) -> MoveRank {
        let (mut better, mut equal) = (0, 0);
        for value in others {
            better += u32::from(value > played);
            equal += u32::from(value == played);
        }
        MoveRank {
            top: if better == 0 { 1.0 / f64::from(1 + equal) } else { 0.0 },
            rank: 1.0 + f64::from(better) + f64::from(equal) / 2.0,
        }
    }
}

/// Observes the scored positions of a game, which are those whose move was searched for its
/// strength. In a game without scores, such as a human game, observes all positions. Cost: a
/// quiescence search for every legal move.
pub fn observe(game: &Game, leaf: &mut QuiescenceLeaf) -> Vec<Observation> {
    let mut observations = Vec::new();
    let has_scores = (0..game.moves().len()).any(|ply| game.score(ply).is_some());
    game.replay(|pos, played| {
        let ply = pos.moves_made();
        if !has_scores || matches!(game.score(ply), Some(MoveScore::Centipawns(_))) {
            let us = pos.side_to_move();
            observations.push(Observation {
                phase: PHASES.iter().rposition(|&first| first <= ply).unwrap_or(0),
                value: quiet_value(pos, leaf),
                result: game.result.map(|result| f32::from(result.half_points(us)) / 2.0),
                moves: move_ranks(pos, played, leaf),
            });
        }
    });
    observations
}

fn quiet_value(pos: &Position, leaf: &mut QuiescenceLeaf) -> Option<i32> {
    if pos.in_check() {
        return None;
    }
    let (value, _) = leaf.search(pos);
    (!value.is_mate()).then(|| value.to_cp())
}

fn move_ranks(pos: &Position, played: Move, leaf: &mut QuiescenceLeaf) -> [MoveRank; 2] {
    let moves = movegen::legal_moves(pos, Scope::LEGAL);
    let others = || moves.iter().copied().filter(|&mv| mv != played);
    leaf.go_to(pos);
    let raw = leaf.evaluate_after(played);
    let raw = MoveRank::of(raw, others().map(|mv| leaf.evaluate_after(mv)));
    let (quiet, _) = leaf.search_after(played);
    let quiet = MoveRank::of(-quiet, others().map(|mv| -leaf.search_after(mv).0));
    [raw, quiet]
}

/// One of ten bins of the expected points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// Number of positions.
    pub count: usize,
    /// Mean expected points.
    pub expected: f64,
    /// Mean points scored.
    pub scored: f64,
}

/// Summary of observations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservationSummary {
    /// Number of positions.
    pub positions: usize,
    /// Number of positions with a value and a result.
    pub valued: usize,
    /// Mean cross-entropy of sigmoid(value / scale) against the results, nats.
    pub loss: f64,
    /// By expected points, ten bins of equal width.
    pub calibration: [Bin; 10],
    /// Means over the positions, without and with quiescence.
    pub moves: [MoveRank; 2],
}

impl ObservationSummary {
    /// Summarizes observations. `scale`: centipawns that multiply the odds of winning by e.
    pub fn of<'a>(
        observations: impl Iterator<Item = &'a Observation>,
        scale: f32,
    ) -> ObservationSummary {
        let mut sum = ObservationSummary::default();
        for observation in observations {
            sum.positions += 1;
            for (mean, one) in sum.moves.iter_mut().zip(observation.moves) {
                mean.top += one.top;
                mean.rank += one.rank;
            }
            let (Some(value), Some(result)) = (observation.value, observation.result) else {
                continue;
            };
            let logit = value as f32 / scale;
            let expected = probability(f64::from(logit));
            let scored = f64::from(result);
            sum.valued += 1;
            sum.loss += f64::from(cross_entropy(logit, result));
            let bin = &mut sum.calibration[((10.0 * expected) as usize).min(9)];
            bin.count += 1;
            bin.expected += expected;
            bin.scored += scored;
        }
        let share = |sum: &mut f64, count: usize| *sum /= count.max(1) as f64;
        share(&mut sum.loss, sum.valued);
        for mean in &mut sum.moves {
            share(&mut mean.top, sum.positions);
            share(&mut mean.rank, sum.positions);
        }
        for bin in &mut sum.calibration {
            share(&mut bin.expected, bin.count);
            share(&mut bin.scored, bin.count);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::record::GameReader;

    #[test]
    fn ranks_count_ties() {
        let cp = |values: &[i32]| values.iter().map(|&v| Score::cp(v)).collect::<Vec<_>>();
        let of = |played, others: &[i32]| MoveRank::of(Score::cp(played), cp(others).into_iter());
        assert_eq!(of(5, &[1, 2]), MoveRank { top: 1.0, rank: 1.0 });
        assert_eq!(of(5, &[5, 2, 5]), MoveRank { top: 1.0 / 3.0, rank: 2.0 });
        assert_eq!(of(5, &[6, 5, 4]), MoveRank { top: 0.0, rank: 2.5 });
    }

    /// Observations of a game by the hand-made evaluation.
    fn observations(line: &'static str) -> Vec<Observation> {
        let mut games = GameReader::new("x".as_ref(), line.as_bytes()).expect("a format");
        let game = games.next().expect("a line").expect("a game");
        observe(&game, &mut QuiescenceLeaf::new(&Evaluation::HandMade))
    }

    #[test]
    fn a_capture_for_nothing_is_the_best_move() {
        // The third move captures a bishop; the second has no score.
        let observations = observations("7g7f 3c3d 8h2b+ 3a2b | 10 . 400 -60 | b\n");
        assert_eq!(observations.len(), 3);
        let capture = observations[1];
        assert_eq!((capture.phase, capture.result), (0, Some(1.0)));
        // Without the recapture it is the best move.
        assert_eq!(capture.moves[0].top, 1.0);
        let summary = ObservationSummary::of(observations.iter(), 600.0);
        assert_eq!((summary.positions, summary.valued), (3, 3));
        assert_eq!(summary.calibration.iter().map(|bin| bin.count).sum::<usize>(), 3);
        assert!(summary.loss > 0.0 && summary.loss < 1.0, "{summary:?}");
        // The captured bishop is worth more than a probability can tell from 1.
        let certain = ObservationSummary::of(observations.iter(), 1.0);
        assert!(certain.loss.is_finite(), "{certain:?}");
    }

    #[test]
    fn games_of_people_are_observed_at_every_position() {
        let line = "startpos moves 7g7f 3c3d 8h2b+ 3a2b | winner=b\n";
        assert_eq!(observations(line).len(), 4);
    }

    #[test]
    fn games_without_a_result_have_move_ranks_only() {
        let observations = observations("startpos moves 7g7f 3c3d 8h2b+ 3a2b\n");
        let summary = ObservationSummary::of(observations.iter(), f32::INFINITY);
        assert_eq!((summary.positions, summary.valued, summary.loss), (4, 0, 0.0));
        assert_eq!(observations[2].moves[0].top, 1.0);
    }
}
