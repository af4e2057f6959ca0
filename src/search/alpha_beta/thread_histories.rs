//! Thread histories, allocated before a search. If memory runs out, start fewer threads instead of
//! failing.

use std::num::NonZero;
use std::thread;

use rayon::prelude::*;

use super::alpha_beta_thread::ThreadHistory;
use crate::search::memory;

/// One history for each thread, the main thread's first.
#[derive(Default)]
pub(in crate::search) struct ThreadHistories(Vec<ThreadHistory>);

impl ThreadHistories {
    /// Allocates histories for `threads` threads, limited by the number of CPUs and the available
    /// memory; at least one. Returns a message if there are fewer than requested.
    pub fn configure(&mut self, threads: usize) -> Option<String> {
        let cpus = thread::available_parallelism().map_or(1, NonZero::get);
        let wished = threads.clamp(1, most_threads(cpus));
        self.0.truncate(wished);
        if self.0.is_empty() {
            self.0.push(ThreadHistory::new());
        }
        if self.0.len() < wished {
            self.add(wished - self.0.len(), memory::available());
        }
        let (count, mib) = (self.0.len(), wished.saturating_mul(ThreadHistory::BYTES) >> 20);
        if count < wished {
            return Some(format!(
                "cannot allocate {mib} MiB for {wished} threads; using {count} threads"
            ));
        }
        let waits = || format!("{threads} threads are too many for {cpus} CPUs; using {count}");
        (count < threads).then(waits)
    }

    /// Adds up to `count` histories that fit into `available` bytes.
    fn add(&mut self, count: usize, available: usize) {
        for _ in 0..count.min(available / ThreadHistory::BYTES) {
            if !memory::can_be_had(ThreadHistory::BYTES) {
                break;
            }
            self.0.push(ThreadHistory::new());
        }
    }

    /// Clears the data of the game. The first time, this writes to all the memory, so that the
    /// system provides it before a clock runs.
    pub fn clear(&mut self) {
        self.0.par_iter_mut().for_each(ThreadHistory::clear);
    }

    /// The histories of all threads. Allocates `threads` of them if none exist.
    pub fn get(&mut self, threads: usize) -> &mut [ThreadHistory] {
        if self.0.is_empty() {
            self.configure(threads);
        }
        &mut self.0
    }
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
        assert_eq!(histories.get(2).len(), 2);
        assert_eq!((histories.configure(3), histories.get(1).len()), (None, 3));
        histories.clear();
        assert_eq!(histories.get(1).len(), 3);
        assert_eq!((histories.configure(1), histories.get(3).len()), (None, 1));
        histories.add(3, 2 * ThreadHistory::BYTES);
        assert_eq!(histories.get(1).len(), 3, "no more fit");
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
        assert_eq!(histories.get(1).len(), most_threads(cpus));
    }
}
