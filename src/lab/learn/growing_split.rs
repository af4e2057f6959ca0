//! Training samples and held-out samples of a long job that can be continued after an interruption.

use std::fs;
use std::path::{Path, PathBuf};

use super::{GrowingSamples, LearnError, Sample, checkpoint};
use crate::file::with_suffix;
use crate::record::GameHash;

/// Writes groups of samples to a training file or a held-out file. Until both are complete, they
/// have the suffix `.part`, and `FILE.checkpoint` counts their groups.
pub struct GrowingSplit {
    /// Paths of the two complete files.
    paths: [PathBuf; 2],
    files: [GrowingSamples; 2],
    checkpoint: PathBuf,
    /// Name of the job; only the same job continues a checkpoint.
    job: String,
    /// Percentage of the groups to hold out.
    percent: f64,
    groups: [u64; 2],
    samples: [u64; 2],
}

impl GrowingSplit {
    /// All files of a job that writes `path`: the results and those of an unfinished job.
    pub fn files_of(path: &Path) -> [PathBuf; 5] {
        let [out, held] = [path.to_owned(), held_out_path(path)];
        let [part, held_part] = [part_of(&out), part_of(&held)];
        [out, held, part, held_part, checkpoint_of(path)]
    }

    /// Starts a job and removes the remains of an unfinished one. `percent` of the groups are held
    /// out, selected by their hashes.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn create(path: &Path, percent: f64, job: String) -> Result<GrowingSplit, LearnError> {
        let started = GrowingSplit::open(path, percent, job, [0; 2], [0; 2])
            .and_then(|split| split.save().map(|()| split));
        if started.is_err() {
            GrowingSplit::remove_remains(path);
        }
        started
    }

    /// Continues a job after its last checkpoint.
    ///
    /// # Errors
    /// [`LearnError::Read`] without a checkpoint; [`LearnError::OtherRun`] if it is of another job;
    /// [`LearnError::Corrupt`] if the files do not fit it; [`LearnError::Write`].
    pub fn resume(path: &Path, percent: f64, job: String) -> Result<GrowingSplit, LearnError> {
        let (groups, samples) = checkpoint::read(&checkpoint_of(path), &job, |body| {
            let groups = [body.number()?, body.number()?];
            let samples = [body.number()?, body.number()?];
            body.end()?;
            Ok((groups, samples))
        })?;
        GrowingSplit::open(path, percent, job, groups, samples)
    }

    fn open(
        path: &Path,
        percent: f64,
        job: String,
        groups: [u64; 2],
        samples: [u64; 2],
    ) -> Result<GrowingSplit, LearnError> {
        let paths = [path.to_owned(), held_out_path(path)];
        let open = |at: usize| {
            let part = part_of(&paths[at]);
            if groups[at] == 0 && part.exists() {
                fs::remove_file(&part).map_err(LearnError::write(&part))?;
            }
            GrowingSamples::open(&part, groups[at])
        };
        let files = [open(0)?, open(1)?];
        let checkpoint = checkpoint_of(path);
        Ok(GrowingSplit { paths, files, checkpoint, job, percent, groups, samples })
    }

    /// Number of groups written so far.
    pub fn groups(&self) -> u64 {
        self.groups.iter().sum()
    }

    /// Writes a group, also an empty one.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn write(&mut self, game: GameHash, samples: &[Sample]) -> Result<(), LearnError> {
        let at = usize::from(game.is_held_out(self.percent));
        self.files[at].write(samples)?;
        self.groups[at] += 1;
        self.samples[at] += samples.len() as u64;
        Ok(())
    }

    /// Writes a checkpoint of all groups so far.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn save(&self) -> Result<(), LearnError> {
        checkpoint::write(&self.checkpoint, &self.job, |body| {
            self.groups.iter().chain(&self.samples).try_for_each(|&number| body.number(number))
        })
    }

    /// Removes the files of an unfinished job.
    pub fn remove_remains(path: &Path) {
        for remains in &GrowingSplit::files_of(path)[2..] {
            let _ = fs::remove_file(remains);
        }
    }

    /// Moves both files to their paths; returns the paths and numbers of samples.
    ///
    /// # Errors
    /// [`LearnError::NothingToWrite`] without any sample; [`LearnError::Write`].
    pub fn finish(self) -> Result<[(PathBuf, u64); 2], LearnError> {
        let GrowingSplit { paths, files, checkpoint, samples, .. } = self;
        if samples == [0; 2] {
            drop(files);
            GrowingSplit::remove_remains(&paths[0]);
            let [path, _] = paths;
            return Err(LearnError::NothingToWrite(path));
        }
        files.iter().try_for_each(GrowingSamples::sync)?;
        drop(files);
        for path in &paths {
            fs::rename(part_of(path), path).map_err(LearnError::write(path))?;
        }
        // A leftover checkpoint would look like an unfinished job.
        let _ = fs::remove_file(checkpoint);
        let [out, held] = paths;
        Ok([(out, samples[0]), (held, samples[1])])
    }
}

/// Path of the held-out samples of a file: `samples.held.bin` for `samples.bin`.
pub fn held_out_path(path: &Path) -> PathBuf {
    let extension = path.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
    path.with_extension(format!("held{extension}"))
}

fn part_of(path: &Path) -> PathBuf {
    with_suffix(path, ".part")
}

fn checkpoint_of(path: &Path) -> PathBuf {
    with_suffix(path, ".checkpoint")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::learn::SampleSet;
    use crate::shogi::Position;

    #[test]
    fn jobs_continue_after_their_last_checkpoint() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples.bin");
        let even = Sample::even(&Position::startpos());
        let group = |score: i16| [Sample { score, ..even }, Sample { score: -score, ..even }];
        let hash =
            |number: i16| GameHash::from_u64((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let write = |split: &mut GrowingSplit, groups: std::ops::Range<i16>| {
            for number in groups {
                split.write(hash(number), &group(number)).expect("space");
            }
        };
        let job = || "label a".to_owned();
        let start = || GrowingSplit::create(&path, 50.0, job()).expect("files");
        let mut whole = start();
        write(&mut whole, 0..9);
        let written = whole.finish().expect("space");
        assert_eq!(written.iter().map(|(_, samples)| samples).sum::<u64>(), 18);
        assert!(written.iter().all(|(_, samples)| *samples > 0), "{written:?}");
        let read = || {
            let [out, held, ..] = GrowingSplit::files_of(&path);
            [out, held].map(|path| SampleSet::read(&path).expect("samples").samples)
        };
        let expected = read();

        let mut broken = start();
        write(&mut broken, 0..4);
        broken.save().expect("space");
        write(&mut broken, 4..6);
        drop(broken);
        let other = GrowingSplit::resume(&path, 50.0, "label b".to_owned());
        assert!(matches!(other, Err(LearnError::OtherRun(..))));
        let mut resumed = GrowingSplit::resume(&path, 50.0, job()).expect("a checkpoint");
        assert_eq!(resumed.groups(), 4);
        write(&mut resumed, 4..9);
        resumed.finish().expect("space");
        assert_eq!(read(), expected);
        let remains = GrowingSplit::files_of(&path).into_iter().skip(2);
        assert!(remains.into_iter().all(|path| !path.exists()));
        assert!(GrowingSplit::resume(&path, 50.0, job()).is_err(), "no checkpoint is left");
    }
}
