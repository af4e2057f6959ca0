//! What each thread of a searcher learns in a game, made before it is needed: lack of memory costs
//! threads, not the game.

use std::num::NonZero;
use std::thread;

use rayon::prelude::*;

use super::thread::ThreadHistory;
use crate::search::memory;

/// One for each thread, the main thread's first.
#[derive(Default)]
pub(in crate::search) struct ThreadHistories(Vec<ThreadHistory>);

impl ThreadHistories {
    /// Makes room for so many threads, or for as many as are of use and memory allows, at least one;
    /// then tells.
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
                "{mib} MiB for {wished} threads cannot be had, using {count} threads"
            ));
        }
        let waits = || format!("{threads} threads wait for {cpus} CPUs, using {count} threads");
        (count < threads).then(waits)
    }

    /// Adds so many, as far as they fit into so many bytes.
    fn add(&mut self, count: usize, available: usize) {
        for _ in 0..count.min(available / ThreadHistory::BYTES) {
            if !memory::can_be_had(ThreadHistory::BYTES) {
                break;
            }
            self.0.push(ThreadHistory::new());
        }
    }

    /// Forgets the game. All the memory is written to, so that the system provides it now and not
    /// while a clock runs.
    pub fn clear(&mut self) {
        self.0.par_iter_mut().for_each(ThreadHistory::clear);
    }

    /// Those of all threads; `threads` of them if there were none yet.
    pub fn get(&mut self, threads: usize) -> &mut [ThreadHistory] {
        if self.0.is_empty() {
            self.configure(threads);
        }
        &mut self.0
    }
}

/// Threads that wait for each other find no more, and what has to answer in time waits for all of
/// them.
fn most_threads(cpus: usize) -> usize {
    cpus.saturating_mul(2).max(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_come_and_go() {
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
    fn no_more_threads_than_are_of_use() {
        assert_eq!([1, 2, 16, 64].map(most_threads), [8, 8, 32, 128]);
        let cpus = thread::available_parallelism().map_or(1, NonZero::get);
        let mut histories = ThreadHistories::default();
        let told = histories.configure(most_threads(cpus) + 1).expect("a remark");
        assert!(told.starts_with(&format!("{} threads wait", most_threads(cpus) + 1)), "{told}");
        assert_eq!(histories.get(1).len(), most_threads(cpus));
    }
}
