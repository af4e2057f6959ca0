//! Training positions of other programs (PackedSfenValue, hcpe) as samples.
//!
//! The positions are not resolved: `learn resolve` finds their quiet leaves. Skipped are positions
//! with a mate score, positions in check, and positions without a move. Scores keep the unit of the
//! program that made them.

use std::path::Path;

use super::resolve::Labelled;
use super::{LearnError, Sample};
use crate::record::{Format, Game, GameReader, MoveScore};

/// Whether the name of a file is that of training positions.
pub(super) fn is_promised(path: &Path) -> bool {
    matches!(Format::from_file_name(path), Some(Format::Psv | Format::Hcpe))
}

/// Reads up to `count` positions and appends their samples; returns the number of positions read.
///
/// # Errors
/// [`LearnError::Records`].
pub(super) fn read(
    positions: &mut GameReader,
    count: usize,
    samples: &mut Vec<Sample>,
) -> Result<usize, LearnError> {
    let mut read = 0;
    for game in positions.take(count) {
        samples.extend(sample(&game?));
        read += 1;
    }
    Ok(read)
}

fn sample(game: &Game) -> Option<Sample> {
    let pos = game.start_position();
    let (Some(MoveScore::Centipawns(score)), Some(result)) = (game.score(0), game.result) else {
        return None;
    };
    if pos.in_check() {
        return None;
    }
    let played = *game.moves().first()?;
    let score = Sample::clamp_score(score);
    let labelled = Labelled { pos: &pos, played, score, depth: 0, result };
    let ply = u16::try_from(pos.move_number().saturating_sub(1)).unwrap_or(u16::MAX);
    labelled.leaf_at(&pos).map(|sample| Sample { ply, ..sample })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::learn::SampleSet;
    use crate::record::GameWriter;

    #[test]
    fn training_positions_become_samples() {
        let line = "startpos moves 7g7f 3c3d 8h2b+ 3a2b | winner=w | scores=5 -6 m3 .\n";
        let games: Vec<Game> = GameReader::new("x.usi".as_ref(), line.as_bytes())
            .expect("a format")
            .collect::<Result<_, _>>()
            .expect("a game");
        let folder = tempfile::tempdir().expect("a folder");
        for (format, plies) in [(Format::Psv, [0, 1]), (Format::Hcpe, [0, 0])] {
            let path = folder.path().join(format!("x.{}", format.name()));
            let mut writer = GameWriter::new(Vec::new(), format);
            writer.write(&games[0]).expect("memory");
            std::fs::write(&path, writer.into_inner()).expect("space");
            let samples = SampleSet::read_some(&path).expect("samples").samples;
            // The position with a mate score gives no sample.
            let labels: Vec<_> = samples.iter().map(|s| (s.score, s.half_points, s.ply)).collect();
            assert_eq!(labels, [(5, 0, plies[0]), (-6, 2, plies[1])], "{format:?}");
            let position = samples[0].position.unpack().expect("a position");
            assert_eq!(position.to_sfen(), crate::shogi::STARTPOS);
        }
    }
}
