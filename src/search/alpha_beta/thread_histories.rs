//! What each thread of a searcher learns in a game, made before it is needed: lack of memory costs
//! threads, not the game.

use super::thread::ThreadHistory;
use crate::search::memory;

/// One for each thread, the main thread's first.
#[derive(Default)]
pub(in crate::search) struct ThreadHistories(Vec<ThreadHistory>);

impl ThreadHistories {
    /// Makes room for so many threads, or for as many as memory allows, at least one; then tells.
    pub fn configure(&mut self, threads: usize) -> Option<String> {
        let wished = threads.max(1);
        self.0.truncate(wished);
        if self.0.is_empty() {
            self.0.push(ThreadHistory::new());
        }
        if self.0.len() < wished {
            self.add(wished - self.0.len(), memory::available());
        }
        let (count, mib) = (self.0.len(), wished.saturating_mul(ThreadHistory::BYTES) >> 20);
        (count < wished)
            .then(|| format!("{mib} MiB for {wished} threads cannot be had, using {count} threads"))
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

    /// Forgets the game.
    pub fn clear(&mut self) {
        let count = self.0.len();
        // The old ones go first: both need not fit.
        self.0.clear();
        self.0.resize_with(count, ThreadHistory::new);
    }

    /// Those of all threads; `threads` of them if there were none yet.
    pub fn get(&mut self, threads: usize) -> &mut [ThreadHistory] {
        if self.0.is_empty() {
            self.configure(threads);
        }
        &mut self.0
    }
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
}
