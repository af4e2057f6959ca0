//! Training positions of other programs (PackedSfenValue, hcpe) as samples.
//!
//! The positions are not resolved: `learn resolve` finds their quiet leaves. Left out are positions
//! with a mate score, positions in check, and positions without a move. Records that cannot be read
//! are skipped and counted. Scores keep the unit of the program that made them.

use std::fmt;
use std::path::Path;

use super::resolve::Labelled;
use super::{LearnError, Sample};
use crate::record::{Format, Game, GameReader, MoveScore, RecordError};

/// Whether the name of a file is that of training positions.
pub(super) fn is_promised(path: &Path) -> bool {
    matches!(Format::from_file_name(path), Some(Format::Psv | Format::Hcpe))
}

/// Records of a file that cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkippedRecords {
    /// Number of these records.
    pub count: usize,
    /// The error of the first one.
    pub first: Option<String>,
}

impl fmt::Display for SkippedRecords {
    /// `3 training positions skipped; the first: x.psv:1: ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.first.as_deref().unwrap_or_default();
        let plural = if self.count == 1 { "" } else { "s" };
        write!(f, "{} training position{plural} skipped; the first: {first}", self.count)
    }
}

/// Reads up to `count` records and appends their samples; returns the number of records read.
///
/// # Errors
/// [`LearnError::Records`] if the file cannot be read further.
pub(super) fn read(
    positions: &mut GameReader,
    count: usize,
    samples: &mut Vec<Sample>,
    skipped: &mut SkippedRecords,
) -> Result<usize, LearnError> {
    let mut read = 0;
    for game in positions.take(count) {
        read += 1;
        match game {
            Ok(game) => samples.extend(sample(&game)),
            Err(error @ RecordError::Broken { .. }) => {
                skipped.count += 1;
                skipped.first.get_or_insert_with(|| error.to_string());
            }
            Err(error) => return Err(error.into()),
        }
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
    use std::fs;

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
            fs::write(&path, writer.into_inner()).expect("space");
            let samples = SampleSet::read_some(&path).expect("samples").samples;
            // The position with a mate score gives no sample.
            let labels: Vec<_> = samples.iter().map(|s| (s.score, s.half_points, s.ply)).collect();
            assert_eq!(labels, [(5, 0, plies[0]), (-6, 2, plies[1])], "{format:?}");
            let position = samples[0].position.unpack().expect("a position");
            assert_eq!(position.to_sfen(), crate::shogi::STARTPOS);
            // Records that cannot be read do not lose the others: null, and cut short.
            let record = fs::metadata(&path).expect("a file").len() as usize / 3;
            let mut bytes = vec![0; record];
            bytes.extend(fs::read(&path).expect("a file"));
            bytes.extend([0; 5]);
            fs::write(&path, bytes).expect("space");
            let set = SampleSet::read_some(&path).expect("samples");
            assert_eq!((set.samples, set.skipped.count), (samples, 2), "{format:?}");
            let text = set.skipped.to_string();
            assert!(text.starts_with("2 training positions skipped; the first: "), "{text}");
            fs::write(&path, vec![0; 10 * record]).expect("space");
            assert!(SampleSet::read_some(&path).is_err());
        }
    }
}
