//! The helper threads of a searcher.

use std::iter::repeat_with;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread;

/// Stack of a helper in bytes. The deepest search takes less than 2 MiB.
const STACK: usize = 4 << 20;

/// What a helper shows to the main thread while it searches, on cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Progress {
    /// Number of nodes.
    pub nodes: AtomicU64,
    /// Changes of the best move since the main thread last read them.
    pub changes: AtomicU32,
}

/// The number of nodes of all helpers.
pub(super) fn all_nodes(helpers: &[Progress]) -> u64 {
    helpers.iter().map(|helper| helper.nodes.load(Relaxed)).sum()
}

/// Mean number of changes of the best move of all threads. `own`: those of the main thread.
pub(super) fn mean_changes(own: u32, helpers: &[Progress]) -> f64 {
    let others: u32 = helpers.iter().map(|helper| helper.changes.swap(0, Relaxed)).sum();
    f64::from(own + others) / (1 + helpers.len()) as f64
}

type Job = Box<dyn FnOnce() + Send>;

/// Threads that persist from search to search, so that no search waits for their creation. They end
/// when this value is dropped and their jobs are done.
#[derive(Default)]
pub(super) struct Helpers(Vec<Sender<Job>>);

/// A job that a helper runs, or has run.
pub(super) struct Running<T>(Receiver<thread::Result<T>>);

impl Helpers {
    /// Starts or ends threads until `wished` threads run, or as many as the system allows. Returns
    /// their number.
    pub fn configure(&mut self, wished: usize) -> usize {
        self.0.truncate(wished);
        let missing = wished - self.0.len();
        self.0.extend(repeat_with(start).take(missing).map_while(|helper| helper));
        self.0.len()
    }

    /// Gives one job to each helper. Jobs without a helper are dropped.
    pub fn run<T: Send + 'static>(
        &self,
        jobs: impl Iterator<Item = impl FnOnce() -> T + Send + 'static>,
    ) -> Vec<Running<T>> {
        let run = |(helper, job): (&Sender<Job>, _)| {
            let (sender, result) = sync_channel(1);
            // The receiver may have been dropped by a panic of the main thread.
            let job = move || drop(sender.send(catch_unwind(AssertUnwindSafe(job))));
            helper.send(Box::new(job)).expect("helpers run until their sender is dropped");
            Running(result)
        };
        self.0.iter().zip(jobs).map(run).collect()
    }
}

fn start() -> Option<Sender<Job>> {
    let (sender, jobs) = channel::<Job>();
    let builder = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
    builder.spawn(|| jobs.into_iter().for_each(|job| job())).ok().map(|_| sender)
}

impl<T> Running<T> {
    /// Waits for the result. A panic of the job continues in the caller.
    pub fn join(self) -> T {
        let result = self.0.recv().expect("every job sends its result");
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_persist_and_survive_a_panic() {
        let mut helpers = Helpers::default();
        for wished in [0, 3, 1, 64] {
            assert_eq!(helpers.configure(wished), wished);
            let ids = || -> Vec<_> {
                let running = helpers.run((0..100).map(|_| || thread::current().id()));
                running.into_iter().map(Running::join).collect()
            };
            let first = ids();
            assert_eq!(first.len(), wished);
            for running in helpers.run((0..wished.min(2)).map(|_| || panic!("a test of a panic"))) {
                assert!(catch_unwind(AssertUnwindSafe(|| running.join())).is_err());
            }
            assert_eq!(first, ids());
        }
    }
}
