//! From labelled games to quiet samples.
//!
//! A search score may belong to a position with pending exchanges, but search evaluates only quiet
//! positions. So quiescence search is run from every labelled position, and the leaf that gives its
//! value becomes the sample (Tesauro 2001; the resolved leaves of Bonanza's learning, Hoki 2006).

use crate::lab::QuiescenceLeaf;
use crate::record::{Bound, Game, GameResult, MoveScore, PackedPosition, SearchedScore};
use crate::shogi::{Move, Position};

use super::Sample;

/// Which positions become samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolveConfig {
    /// Largest absolute score, centipawns of the labelling engine. Positions with a larger score
    /// are skipped.
    pub max_score: i16,
    /// Takes only positions that quiescence search leaves as they are and whose move played neither
    /// captures nor promotes. The score then belongs to the sample itself, not to a position above
    /// it.
    pub quiet: bool,
}

impl ResolveConfig {
    /// The teachers' games usually end soon beyond 3,000, and few continue beyond 2,500.
    pub const DEFAULT: ResolveConfig = ResolveConfig { max_score: 2_500, quiet: false };
}

/// The samples of one game, in its order. Skipped are positions without an exact centipawn score,
/// with a score beyond the limit, in check, or with a mate. A game without a result gives no
/// samples. Cost: a quiescence search per position.
pub fn resolve(game: &Game, config: &ResolveConfig, leaf: &mut QuiescenceLeaf) -> Vec<Sample> {
    let Some(result) = game.result else { return Vec::new() };
    let mut samples = Vec::new();
    game.replay(|pos, played| {
        let ply = pos.moves_made();
        if let Some(SearchedScore { score, bound: Bound::Exact, depth }) = game.searched_score(ply)
            && let MoveScore::Centipawns(score) = score
            && let Ok(score) = i16::try_from(score)
            && score.unsigned_abs() <= config.max_score.unsigned_abs()
        {
            let labelled = Labelled { pos, played, score, depth, result };
            samples.extend(if config.quiet {
                labelled.quiet_position(leaf)
            } else {
                labelled.leaf_behind(pos.clone(), leaf)
            });
        }
    });
    samples
}

/// A position with its labels from the game record.
pub(crate) struct Labelled<'a> {
    pub pos: &'a Position,
    pub played: Move,
    /// Centipawns, side to move's view.
    pub score: i16,
    /// Depth in plies of the search that gave the score, 0 = unknown.
    pub depth: u8,
    pub result: GameResult,
}

impl Labelled<'_> {
    /// The sample of the position itself if it is quiet.
    fn quiet_position(&self, leaf: &mut QuiescenceLeaf) -> Option<Sample> {
        if self.pos.in_check() || !self.pos.is_quiet(self.played) {
            return None;
        }
        let (value, line) = leaf.search(self.pos);
        if value.is_mate() || !line.is_empty() { None } else { self.leaf_at(self.pos) }
    }

    /// The sample of the quiet leaf below `pos`, a position reached from this one. `None` if `pos`
    /// or the leaf is in check, or if there is a mate.
    pub fn leaf_behind(&self, pos: Position, leaf: &mut QuiescenceLeaf) -> Option<Sample> {
        self.leaf_at(&quiet_leaf(pos, leaf)?)
    }

    /// The sample of `quiet`, a quiet position reached from this one; `None` if a king is missing.
    pub fn leaf_at(&self, quiet: &Position) -> Option<Sample> {
        quiet.kings()?;
        let us = quiet.side_to_move();
        let same_side = us == self.pos.side_to_move();
        Some(Sample {
            position: PackedPosition::of(quiet),
            score: if same_side { self.score } else { -self.score },
            bound: Bound::Exact,
            depth: self.depth,
            half_points: self.result.half_points(us),
            same_side,
            ply: u16::try_from(self.pos.moves_made()).unwrap_or(u16::MAX),
        })
    }
}

/// The quiet leaf below a position; `None` if the position or the leaf is in check, or if there is
/// a mate.
fn quiet_leaf(mut pos: Position, leaf: &mut QuiescenceLeaf) -> Option<Position> {
    if pos.in_check() {
        return None;
    }
    let (value, line) = leaf.search(&pos);
    if value.is_mate() {
        return None;
    }
    for mv in line {
        pos.do_move(mv);
    }
    // Quiescence search stands pat in check too, so its line can end with a check.
    (!pos.in_check()).then_some(pos)
}

impl Sample {
    /// The same labels for the quiet leaf below `pos`, the position of this sample; `None` if the
    /// position or the leaf is in check, or if there is a mate.
    pub(crate) fn at_leaf(&self, pos: &Position, leaf: &mut QuiescenceLeaf) -> Option<Sample> {
        let quiet = quiet_leaf(pos.clone(), leaf)?;
        let position = PackedPosition::of(&quiet);
        Some(if quiet.side_to_move() == pos.side_to_move() {
            Sample { position, ..*self }
        } else {
            let (score, half_points) = (-self.score, 2 - self.half_points);
            let (bound, same_side) = (-self.bound, !self.same_side);
            Sample { position, score, bound, half_points, same_side, ..*self }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::record::GameReader;

    /// The samples of a game by each configuration in turn, with the hand-made evaluation.
    fn resolved(line: &'static str, configs: [ResolveConfig; 2]) -> [Vec<Sample>; 2] {
        let mut games = GameReader::new("x".as_ref(), line.as_bytes()).expect("a format");
        let game = games.next().expect("a line").expect("a game");
        let mut leaf = QuiescenceLeaf::new(&Evaluation::HandMade);
        configs.map(|config| resolve(&game, &config, &mut leaf))
    }

    #[test]
    fn exchanges_are_resolved_and_labels_follow_the_side() {
        // Before the fourth move White can capture an unprotected bishop. The second move has no
        // score, the fifth is a mate.
        let line = "7g7f 3c3d 8h2b+ 3a2b 6i7h | 10 . 40 -60 m3 | b\n";
        let strict = ResolveConfig { max_score: 50, ..ResolveConfig::DEFAULT };
        let [samples, fewer] = resolved(line, [ResolveConfig::DEFAULT, strict]);
        let labels: Vec<_> =
            samples.iter().map(|s| (s.ply, s.score, s.half_points, s.same_side)).collect();
        // In the third position the exchange of bishops is even. The score changes sign with the
        // side to move.
        assert_eq!(labels[0], (0, 10, 2, true));
        assert_eq!((labels[1].0, labels[2].0), (2, 3));
        // White recaptures and Black is to move.
        assert_eq!(labels[2], (3, 60, 2, false));
        assert_eq!(samples[2].view().map(|view| view.material()), Some(0));
        assert_eq!(fewer.len(), 2);
    }

    #[test]
    fn quiet_positions_keep_their_own_score() {
        // The third move captures and promotes. Before the fourth, quiescence recaptures.
        let line = "7g7f 3c3d 8h2b+ 3a2b 6i7h | 10 20 40 -60 70 | b\n";
        let quiet = ResolveConfig { quiet: true, ..ResolveConfig::DEFAULT };
        let [all, samples] = resolved(line, [ResolveConfig::DEFAULT, quiet]);
        assert_eq!(all.len(), 5);
        let labels: Vec<_> = samples.iter().map(|s| (s.ply, s.score, s.same_side)).collect();
        assert_eq!(labels, [(0, 10, true), (1, 20, true), (4, 70, true)]);
        // White plays a quiet move, but could recapture.
        let line = "7g7f 3c3d 8h2b+ 4a3b | 10 20 40 -60 | b\n";
        let [all, samples] = resolved(line, [ResolveConfig::DEFAULT, quiet]);
        assert_eq!(all.last().map(|s| s.ply), Some(3));
        assert_eq!(samples.iter().map(|s| s.ply).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn bounds_are_skipped_and_depths_are_kept() {
        let line = "7g7f 3c3d 2g2f 8c8d | 10/7 >20/7 <30 40 | b\n";
        let [samples, _] = resolved(line, [ResolveConfig::DEFAULT; 2]);
        let labels: Vec<_> = samples.iter().map(|s| (s.ply, s.score, s.bound, s.depth)).collect();
        assert_eq!(labels, [(0, 10, Bound::Exact, 7), (3, 40, Bound::Exact, 0)]);
    }

    #[test]
    fn a_sample_moves_to_its_leaf() {
        let mut leaf = QuiescenceLeaf::new(&Evaluation::HandMade);
        // The pawn captures the silver, and nothing recaptures.
        let taking = Position::from_sfen("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1").expect("a position");
        let mut quiet = taking.clone();
        quiet.do_move("5e5d".parse().expect("a move"));
        let sample = |pos: &Position| Sample {
            score: 300,
            bound: Bound::Lower,
            depth: 9,
            half_points: 2,
            ply: 7,
            ..Sample::even(pos)
        };
        let moved = sample(&taking).at_leaf(&taking, &mut leaf).expect("a leaf");
        let black_wins = Sample {
            score: -300,
            bound: Bound::Upper,
            half_points: 0,
            same_side: false,
            ..sample(&quiet)
        };
        assert_eq!(moved, black_wins);
        // A quiet position remains, and a position in check has no leaf.
        assert_eq!(sample(&quiet).at_leaf(&quiet, &mut leaf), Some(sample(&quiet)));
        let check = Position::from_sfen("4k4/9/9/9/9/9/9/4r4/4K4 b - 1").expect("a position");
        assert_eq!(sample(&check).at_leaf(&check, &mut leaf), None);
    }
}
