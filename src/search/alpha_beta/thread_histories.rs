//! Thread histories, allocated before a search. If memory runs out, start fewer threads instead of
//! failing.

use std::num::NonZero;
use std::thread;

use super::alpha_beta_thread::{SharedHistories, ThreadHistory};
use super::search_params::Forgets;
use crate::search::memory;

/// The histories that the threads share, and one history for each thread, the main thread's first.
#[derive(Default)]
pub(in crate::search) struct ThreadHistories {
    shared: SharedHistories,
    threads: Vec<ThreadHistory>,
}

impl ThreadHistories {
    /// Allocates histories for `threads` threads, limited by the number of CPUs and the available
    /// memory; at least one. Another number of threads clears the data of the game. Returns a message
    /// if there are fewer than requested.
    pub fn configure(&mut self, threads: usize) -> Option<String> {
        let cpus = thread::available_parallelism().map_or(1, NonZero::get);
        let wished = threads.clamp(1, most_threads(cpus));
        if self.threads.len() != wished {
            self.allocate(wished, memory::available());
        }
        let (count, mib) = (self.threads.len(), bytes(wished) >> 20);
        if count < wished {
            return Some(format!(
                "cannot allocate {mib} MiB for {wished} threads; using {count} threads"
            ));
        }
        let waits = || format!("{threads} threads are too many for {cpus} CPUs; using {count}");
        (count < threads).then(waits)
    }

    /// Allocates histories for up to `wished` threads that fit into `available` bytes.
    fn allocate(&mut self, wished: usize, available: usize) {
        // Free the old tables first: both may not fit in memory.
        *self = ThreadHistories::default();
        let fits = |&count: &usize| bytes(count) <= available && memory::can_be_had(bytes(count));
        let count = (1..=wished).rev().find(fits).unwrap_or(1);
        self.shared = SharedHistories::new(count);
        self.threads.resize_with(count, ThreadHistory::new);
    }

    /// Clears the data of the game. The first time, this writes to all the memory, so that the
    /// system provides it before a clock runs.
    pub fn clear(&mut self) {
        self.shared.clear();
        self.threads.iter_mut().for_each(ThreadHistory::clear);
    }

    /// The shared histories, and those of all threads. Allocates `threads` of them if none exist.
    pub fn get(&mut self, threads: usize) -> (&SharedHistories, &mut [ThreadHistory]) {
        if self.threads.is_empty() {
            self.configure(threads);
        }
        (&self.shared, &mut self.threads)
    }

    /// Starts a new search of the game.
    pub fn begin(&mut self, forgets: Forgets) {
        self.shared.begin(forgets);
        self.threads.iter_mut().for_each(|history| history.begin(forgets));
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
        assert_eq!(histories.get(2).1.len(), 2);
        assert_eq!((histories.configure(3), histories.get(1).1.len()), (None, 3));
        histories.clear();
        assert_eq!(histories.get(1).1.len(), 3);
        assert_eq!((histories.configure(1), histories.get(3).1.len()), (None, 1));
        histories.allocate(4, bytes(3));
        assert_eq!(histories.get(1).1.len(), 3, "no more fit");
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
        assert_eq!(histories.get(1).1.len(), most_threads(cpus));
    }
}
