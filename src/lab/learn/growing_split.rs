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
    done: Done,
    /// Groups of the input that a resumed job has found again, and their hash.
    found: (u64, GameHash),
}

/// What a job has written.
#[derive(Clone, Copy, Default)]
struct Done {
    /// Groups of both files.
    groups: [u64; 2],
    /// Samples of both files.
    samples: [u64; 2],
    /// Hash of the groups in their order.
    hash: GameHash,
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
        let started = GrowingSplit::open(path, percent, job, Done::default())
            .and_then(|split| split.save().map(|()| split));
        if started.is_err() {
            GrowingSplit::remove_remains(path);
        }
        started
    }

    /// Continues a job after its last checkpoint: the groups before it must be
    /// [skipped](GrowingSplit::skips).
    ///
    /// # Errors
    /// [`LearnError::Read`] without a checkpoint; [`LearnError::OtherRun`] if it is of another job;
    /// [`LearnError::Corrupt`] if the files do not fit it; [`LearnError::Write`].
    pub fn resume(path: &Path, percent: f64, job: String) -> Result<GrowingSplit, LearnError> {
        let done = checkpoint::read(&checkpoint_of(path), &job, |body| {
            let groups = [body.number()?, body.number()?];
            let samples = [body.number()?, body.number()?];
            let hash = GameHash::from_u64(body.number()?);
            body.end()?;
            Ok(Done { groups, samples, hash })
        })?;
        GrowingSplit::open(path, percent, job, done)
    }

    fn open(
        path: &Path,
        percent: f64,
        job: String,
        done: Done,
    ) -> Result<GrowingSplit, LearnError> {
        let paths = [path.to_owned(), held_out_path(path)];
        let open = |at: usize| {
            let part = part_of(&paths[at]);
            if done.groups[at] == 0 && part.exists() {
                fs::remove_file(&part).map_err(LearnError::write(&part))?;
            }
            GrowingSamples::open(&part, done.groups[at])
        };
        let files = [open(0)?, open(1)?];
        let checkpoint = checkpoint_of(path);
        let found = (0, GameHash::default());
        Ok(GrowingSplit { paths, files, checkpoint, job, percent, done, found })
    }

    /// Whether the next group of the input was written before the job was interrupted.
    ///
    /// # Errors
    /// [`LearnError::OtherRun`] if those groups were others.
    pub fn skips(&mut self, game: GameHash) -> Result<bool, LearnError> {
        let groups: u64 = self.done.groups.iter().sum();
        let (number, hash) = self.found;
        if number == groups {
            return Ok(false);
        }
        self.found = (number + 1, hash.then(game));
        if number + 1 == groups && self.found.1 != self.done.hash {
            return Err(self.other_input());
        }
        Ok(true)
    }

    /// The error of a job whose input has changed since it was interrupted.
    fn other_input(&self) -> LearnError {
        LearnError::OtherRun(
            self.checkpoint.clone(),
            "the input has changed or has a smaller limit".to_owned(),
        )
    }

    /// Writes a group that is not [skipped](GrowingSplit::skips), also an empty one.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn write(&mut self, game: GameHash, samples: &[Sample]) -> Result<(), LearnError> {
        let at = usize::from(game.is_held_out(self.percent));
        self.files[at].write(samples)?;
        self.done.groups[at] += 1;
        self.done.samples[at] += samples.len() as u64;
        self.done.hash = self.done.hash.then(game);
        self.found = (self.found.0 + 1, self.done.hash);
        Ok(())
    }

    /// Writes a checkpoint of all groups so far.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn save(&self) -> Result<(), LearnError> {
        checkpoint::write(&self.checkpoint, &self.job, |body| {
            let Done { groups, samples, hash } = self.done;
            let numbers = groups.into_iter().chain(samples).chain([hash.to_u64()]);
            numbers.into_iter().try_for_each(|number| body.number(number))
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
    /// [`LearnError::NothingToWrite`] without any sample; [`LearnError::OtherRun`] if the input lacks
    /// groups written before an interruption; [`LearnError::Write`].
    pub fn finish(self) -> Result<[(PathBuf, u64); 2], LearnError> {
        if self.found.0 < self.done.groups.iter().sum() {
            return Err(self.other_input());
        }
        let GrowingSplit { paths, files, checkpoint, done: Done { samples, .. }, .. } = self;
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
        let resume = || GrowingSplit::resume(&path, 50.0, job()).expect("a checkpoint");
        let found = |split: &mut GrowingSplit, numbers: &[i16]| -> Result<Vec<bool>, LearnError> {
            numbers.iter().map(|&number| split.skips(hash(number))).collect()
        };
        let refused = |groups: &[i16]| {
            let mut changed = resume();
            let result = found(&mut changed, groups).and_then(|_| changed.finish());
            matches!(result, Err(LearnError::OtherRun(..)))
        };
        assert!(refused(&[0, 1, 3, 2]) && refused(&[0, 1, 2, 4]) && refused(&[0, 1, 2]));
        let mut resumed = resume();
        let skipped = found(&mut resumed, &[0, 1, 2, 3, 4]).expect("the same groups");
        assert_eq!(skipped, [true, true, true, true, false]);
        write(&mut resumed, 4..9);
        resumed.finish().expect("space");
        assert_eq!(read(), expected);
        let remains = GrowingSplit::files_of(&path).into_iter().skip(2);
        assert!(remains.into_iter().all(|path| !path.exists()));
        assert!(GrowingSplit::resume(&path, 50.0, job()).is_err(), "no checkpoint is left");
    }
}
