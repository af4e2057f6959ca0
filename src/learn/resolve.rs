//! From labelled games to quiet samples.
//!
//! A search score belongs to a position whose exchanges may be in full swing; the evaluation is
//! asked only where they are over. So every labelled position is played out by quiescence, and the
//! leaf that gave its value is what one learns from (Tesauro 2001; the resolved leaves of Bonanza's
//! learning, Hoki 2006).

use crate::record::{Game, GameResult, MoveScore};
use crate::search::QuiescenceLeaf;
use crate::shogi::Position;

use super::Sample;
use super::sample::Label;

/// Which positions are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolveConfig {
    /// Positions with a score beyond this are left out, centipawns of the labelling engine.
    pub max_score: i16,
}

impl ResolveConfig {
    /// The teachers' games end soon beyond 3,000 and are hardly played on beyond 2,500.
    pub const DEFAULT: ResolveConfig = ResolveConfig { max_score: 2_500 };
}

/// The samples of one game, in its order. Positions without a centipawn score, with a score beyond
/// the limit, in check, or with a mate at hand give none; nor does a game without a result. Cost: a
/// quiescence search each.
pub fn resolve(game: &Game, config: &ResolveConfig, leaf: &mut QuiescenceLeaf) -> Vec<Sample> {
    let Some(result) = game.result else { return Vec::new() };
    let mut samples = Vec::new();
    let mut ply = 0;
    game.replay(|pos, _| {
        samples.extend(resolve_position(pos, game.score(ply), result, ply, config, leaf));
        ply += 1;
    });
    samples
}

fn resolve_position(
    pos: &Position,
    score: Option<MoveScore>,
    result: GameResult,
    ply: usize,
    config: &ResolveConfig,
    leaf: &mut QuiescenceLeaf,
) -> Option<Sample> {
    let Some(MoveScore::Centipawns(score)) = score else { return None };
    let score = i16::try_from(score).ok().filter(|score| score.abs() <= config.max_score)?;
    if pos.in_check() {
        return None;
    }
    let (value, line) = leaf.search(pos);
    if value.is_mate() {
        return None;
    }
    let mut quiet = pos.clone();
    for &mv in &line {
        quiet.do_move(mv);
    }
    let us = quiet.side_to_move();
    let same_side = us == pos.side_to_move();
    let label = Label {
        score: if same_side { score } else { -score },
        half_points: match result.winner() {
            None => 1,
            Some(winner) if winner == us => 2,
            Some(_) => 0,
        },
        same_side,
        ply: u16::try_from(ply).unwrap_or(u16::MAX),
    };
    Sample::new(&quiet, label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::record::GameReader;
    use crate::search::LeafResources;

    #[test]
    fn exchanges_are_played_out_and_labels_follow_the_side() {
        // Before the fourth move White can take a bishop that Black has not protected; the second
        // has no score, the fifth is a mate.
        let line = "7g7f 3c3d 8h2b+ 3a2b 6i7h | 10 . 40 -60 m3 | b\n";
        let mut games = GameReader::new("x".as_ref(), line.as_bytes()).expect("a format");
        let game = games.next().expect("a line").expect("a game");
        let resources = LeafResources::new(Evaluation::HandMade);
        let mut leaf = QuiescenceLeaf::new(&resources);
        let samples = resolve(&game, &ResolveConfig::DEFAULT, &mut leaf);
        let labels: Vec<_> =
            samples.iter().map(|s| (s.ply, s.score, s.half_points, s.same_side)).collect();
        // In the third position the exchange of bishops is even: quiet or played out, the score
        // turns with the side.
        assert_eq!(labels[0], (0, 10, 2, true));
        assert_eq!((labels[1].0, labels[2].0), (2, 3));
        // White recaptures and Black is to move.
        assert_eq!(labels[2], (3, 60, 2, false));
        assert_eq!(samples[2].material, 0);
        let strict = ResolveConfig { max_score: 50 };
        assert_eq!(resolve(&game, &strict, &mut leaf).len(), 2);
    }
}
