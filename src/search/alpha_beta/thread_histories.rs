//! The helper threads, and the histories of all threads, allocated before a search. If memory runs
//! out, start fewer threads instead of failing.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use super::thread::{SharedHistories, ThreadHistory};
use crate::search::helpers::{Helpers, Running};
use crate::search::memory;

/// The helper threads, the histories that all threads share, and one history for each thread.
#[derive(Default)]
pub(crate) struct ThreadHistories {
    shared: Arc<SharedHistories>,
    /// The main thread's first. A helper that works has its history.
    threads: Vec<ThreadHistory>,
    /// The number of threads requested when they were allocated.
    wished: usize,
    helpers: Helpers,
}

impl ThreadHistories {
    /// Allocates histories for `threads` threads, limited by the number of CPUs and the available
    /// memory; at least one. Another number of threads clears the data of the game. Returns a
    /// message if there are fewer than requested.
    pub fn configure(&mut self, threads: usize) -> Option<String> {
        let cpus = thread::available_parallelism().map_or(1, NonZero::get);
        let wished = threads.clamp(1, most_threads(cpus));
        if self.wished != wished {
            self.allocate(wished, memory::available());
        }
        let (count, mib) = (self.threads.len(), bytes(wished) >> 20);
        if count < wished {
            return Some(format!(
                "cannot start {wished} threads with {mib} MiB of tables; using {count}"
            ));
        }
        let waits = || format!("{threads} threads are too many for {cpus} CPUs; using {count}");
        (count < threads).then(waits)
    }

    /// Allocates histories for up to `wished` threads that fit into `available` bytes.
    pub(super) fn allocate(&mut self, wished: usize, available: usize) {
        // Free the old tables first: both may not fit in memory.
        (self.shared, self.threads, self.wished) = (Arc::default(), Vec::new(), wished);
        let fits = |&count: &usize| bytes(count) <= available && memory::can_be_had(bytes(count));
        let most = (1..=wished).rev().find(fits).unwrap_or(1);
        let count = 1 + self.helpers.configure(most - 1);
        self.shared = Arc::new(SharedHistories::new(count));
        self.threads.resize_with(count, ThreadHistory::new);
    }

    /// Clears the data of the game. The first time, this writes to all the memory, so that the
    /// system provides it before a clock runs. Each thread clears its own tables, so that the
    /// system can place them near it.
    pub fn clear(&mut self) {
        let helpers = self.start_helpers(|_, history| history.clear());
        Arc::get_mut(&mut self.shared).expect("no helper runs").clear();
        self.threads.iter_mut().for_each(ThreadHistory::clear);
        self.join(helpers);
    }

    /// Starts a new search of the game. Returns the shared histories, and those of all threads.
    /// Allocates histories for `threads` threads if none exist.
    pub fn begin(&mut self, threads: usize) -> (&Arc<SharedHistories>, &mut [ThreadHistory]) {
        if self.threads.is_empty() {
            self.configure(threads);
        }
        self.threads.iter_mut().for_each(ThreadHistory::begin);
        (&self.shared, &mut self.threads)
    }

    /// The history of the main thread, after [`begin`](ThreadHistories::begin).
    pub fn main(&mut self) -> &mut ThreadHistory {
        &mut self.threads[0]
    }

    /// Starts all helpers. `work` gets the number of the helper, from 1, and its history.
    pub(super) fn start_helpers<T: Send + 'static>(
        &mut self,
        work: impl Fn(usize, &mut ThreadHistory) -> T + Clone + Send + 'static,
    ) -> Vec<Running<(T, ThreadHistory)>> {
        let main = self.threads.len().min(1);
        let jobs = self.threads.drain(main..).enumerate().map(|(at, mut history)| {
            let work = work.clone();
            move || (work(1 + at, &mut history), history)
        });
        self.helpers.run(jobs)
    }

    /// Waits for all helpers and returns their results.
    pub(super) fn join<T>(&mut self, helpers: Vec<Running<(T, ThreadHistory)>>) -> Vec<T> {
        let join = |helper: Running<(T, ThreadHistory)>| {
            let (result, history) = helper.join();
            self.threads.push(history);
            result
        };
        helpers.into_iter().map(join).collect()
    }
}

/// Memory of the histories of this number of threads in bytes.
fn bytes(threads: usize) -> usize {
    SharedHistories::bytes(threads) + threads * ThreadHistory::BYTES
}

/// Maximum number of threads. Threads that wait for a CPU do not search, and a stop must wait for
/// all of them.
fn most_threads(cpus: usize) -> usize {
    cpus.saturating_mul(2).max(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configure_changes_the_number_of_threads() {
        let mut histories = ThreadHistories::default();
        assert_eq!(histories.begin(2).1.len(), 2);
        assert_eq!((histories.configure(3), histories.begin(1).1.len()), (None, 3));
        histories.clear();
        assert_eq!(histories.begin(1).1.len(), 3);
        assert_eq!((histories.configure(1), histories.begin(3).1.len()), (None, 1));
    }

    #[test]
    fn a_shortage_of_memory_does_not_clear_the_data_at_each_change_of_settings() {
        let mut histories = ThreadHistories::default();
        histories.allocate(4, bytes(3));
        let allocated = Arc::as_ptr(histories.begin(1).0);
        assert_eq!(histories.threads.len(), 3, "no more fit");
        let message = histories.configure(4).expect("a remark");
        assert!(message.starts_with("cannot start 4 threads"), "{message}");
        assert_eq!(Arc::as_ptr(&histories.shared), allocated);
    }

    #[test]
    fn threads_are_limited_by_the_number_of_cpus() {
        assert_eq!([1, 2, 16, 64].map(most_threads), [8, 8, 32, 128]);
        let cpus = thread::available_parallelism().map_or(1, NonZero::get);
        let mut histories = ThreadHistories::default();
        let message = histories.configure(most_threads(cpus) + 1).expect("a remark");
        assert!(
            message.starts_with(&format!("{} threads are too many", most_threads(cpus) + 1)),
            "{message}"
        );
        assert_eq!(histories.begin(1).1.len(), most_threads(cpus));
    }
}
