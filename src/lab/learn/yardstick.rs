//! Positions that judge evaluations: one leaf of each game, scored by deep searches with several
//! evaluations. Unlike the samples for learning, they are not filtered by their scores.

use std::path::PathBuf;

use super::logistic::{logit, probability};
use super::resolve::Labelled;
use super::{LearnError, Sample, checkpoint};
use crate::lab::QuiescenceLeaf;
use crate::record::Game;
use crate::rng::Rng;

/// Positions are taken from this ply on: many games share the earlier ones.
const FIRST_PLY: usize = 8;
/// Centipawns of the stored scores that multiply the odds of winning by e: that of Kankei's own
/// search scores.
const SCORE_SCALE: f64 = 900.0;
/// Number of positions between two checkpoints.
const CHECKPOINT: usize = 64;

/// The quiet leaf below a random position of a game, without a score. Positions in check and those
/// without a leaf are not drawn. `None` if no position is left, or without a result.
pub(crate) fn random_leaf(game: &Game, rng: &mut Rng, leaf: &mut QuiescenceLeaf) -> Option<Sample> {
    let result = game.result?;
    let mut plies: Vec<usize> = (FIRST_PLY..game.moves().len()).collect();
    rng.shuffle(&mut plies);
    let sample = plies.into_iter().find_map(|ply| {
        let mut pos = game.start_position();
        for &mv in &game.moves()[..ply] {
            pos.do_move(mv);
        }
        let labelled =
            Labelled { pos: &pos, played: game.moves()[ply], score: 0, depth: 0, result };
        labelled.leaf_behind(pos.clone(), leaf)
    })?;
    // The score will be that of the leaf itself.
    Some(Sample { same_side: true, ..sample })
}

/// Splits `count` among sources with these numbers of items. The shares are equal, except that a
/// source with fewer items gives all of them.
pub(crate) fn shares(available: &[usize], count: usize) -> Vec<usize> {
    let mut smallest_first: Vec<usize> = (0..available.len()).collect();
    smallest_first.sort_by_key(|&at| available[at]);
    let (mut shares, mut left) = (vec![0; available.len()], count);
    for (done, at) in smallest_first.into_iter().enumerate() {
        shares[at] = available[at].min(left / (available.len() - done));
        left -= shares[at];
    }
    shares
}

/// The score with the mean of the expected points of several scores. Each score comes with the
/// centipawns that multiply its odds of winning by e.
pub(crate) fn mean_score(scores: impl ExactSizeIterator<Item = (i16, f32)>) -> i16 {
    let count = scores.len() as f64;
    let points = scores.map(|(score, scale)| probability(f64::from(score) / f64::from(scale)));
    Sample::clamp_score((logit(points.sum::<f64>() / count) * SCORE_SCALE).round() as i32)
}

/// The scores of the first positions, in a checkpoint of the job.
pub(crate) struct Scores {
    checkpoint: PathBuf,
    /// Name of the job; only the same job continues a checkpoint.
    job: String,
    scores: Vec<i16>,
}

impl Scores {
    /// Starts a job, with a checkpoint of no scores.
    pub fn start(checkpoint: PathBuf, job: String) -> Result<Scores, LearnError> {
        let scores = Scores { checkpoint, job, scores: Vec::new() };
        scores.save()?;
        Ok(scores)
    }

    /// Reads the checkpoint of this job.
    pub fn resume(path: PathBuf, job: String) -> Result<Scores, LearnError> {
        let scores = checkpoint::read(&path, &job, |body| {
            let count = body.number()?;
            let scores = (0..count).map(|_| Ok(body.number()? as i16)).collect();
            body.end()?;
            scores
        })?;
        Ok(Scores { checkpoint: path, job, scores })
    }

    /// The scores so far.
    pub fn as_slice(&self) -> &[i16] {
        &self.scores
    }

    /// Adds the score of the next position; writes a checkpoint now and then.
    pub fn add(&mut self, score: i16) -> Result<(), LearnError> {
        self.scores.push(score);
        if self.scores.len().is_multiple_of(CHECKPOINT) { self.save() } else { Ok(()) }
    }

    /// Writes a checkpoint.
    pub fn save(&self) -> Result<(), LearnError> {
        checkpoint::write(&self.checkpoint, &self.job, |body| {
            body.number(self.scores.len() as u64)?;
            self.scores.iter().try_for_each(|&score| body.number(score as u64))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::record::GameReader;

    fn leaves(line: &'static str, seeds: std::ops::Range<u64>) -> Vec<Option<Sample>> {
        let mut games = GameReader::new("x".as_ref(), line.as_bytes()).expect("a format");
        let game = games.next().expect("a line").expect("a game");
        let mut leaf = QuiescenceLeaf::new(&Evaluation::HandMade);
        seeds.map(|seed| random_leaf(&game, &mut Rng::from_seed(seed), &mut leaf)).collect()
    }

    #[test]
    fn one_late_position_of_a_game_is_drawn() {
        let line =
            "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i4h 7a6b 4i5h | . . . . . . . . . . . | b\n";
        let leaves: Vec<Sample> = leaves(line, 0..20).into_iter().flatten().collect();
        assert_eq!(leaves.len(), 20);
        for ply in 8..11 {
            assert!(leaves.iter().any(|leaf| leaf.ply == ply), "ply {ply} was never drawn");
        }
        // Black wins, and White is to move at odd plies.
        let labels = leaves.iter().map(|leaf| (leaf.half_points, leaf.ply % 2, leaf.same_side));
        assert!(labels.into_iter().all(|label| [(2, 0, true), (0, 1, true)].contains(&label)));
    }

    #[test]
    fn short_games_and_games_without_a_result_give_nothing() {
        let short = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b | . . . . . . . . | b\n";
        let unknown = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i4h | . . . . . . . . . | ?\n";
        assert_eq!([leaves(short, 0..1), leaves(unknown, 0..1)], [vec![None], vec![None]]);
    }

    #[test]
    fn shares_are_equal_as_far_as_there_are_items() {
        assert_eq!(shares(&[100, 100], 60), [30, 30]);
        assert_eq!(shares(&[100, 4, 100], 64), [30, 4, 30]);
        assert_eq!(shares(&[5, 0, 3], 20), [5, 0, 3]);
        assert_eq!(shares(&[9, 9, 9], 10).iter().sum::<usize>(), 10);
        assert!(shares(&[], 10).is_empty());
    }

    #[test]
    fn expected_points_are_averaged_not_scores() {
        let mean = |scores: &[(i16, f32)]| mean_score(scores.iter().copied());
        assert_eq!(mean(&[(450, 900.0), (-450, 900.0)]), 0);
        // Other scales are converted to that of the stored scores.
        assert_eq!(mean(&[(740, 740.0)]), 900);
        // Half the points of a certain win and of an even position are 3/4: odds of 3.
        let odds_of_3 = (900.0 * 3.0_f64.ln()).round() as i16;
        assert_eq!(mean(&[(10_000, 100.0), (0, 900.0)]), odds_of_3);
        assert_eq!([mean(&[(10_000, 100.0); 2]), mean(&[(-10_000, 100.0)])], [10_000, -10_000]);
    }
}
