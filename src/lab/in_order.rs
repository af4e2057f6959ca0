//! Parallel work on numbered items, with results in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use rayon::ThreadPool;

/// Processes one item. Arguments: the state of the thread, the number of the item, and a function
/// that returns true when the work should stop. Returns `None` if it stopped.
pub type Work<'a, S, T> = dyn Fn(&mut S, u64, &dyn Fn() -> bool) -> Option<T> + Sync + 'a;

/// Numbered work.
pub struct InOrder<'a, S, T> {
    /// The numbers of the items.
    pub numbers: Range<u64>,
    /// Creates the state of a thread.
    pub start: &'a (dyn Fn() -> S + Sync),
    /// Processes one item.
    pub work: &'a Work<'a, S, T>,
    /// Once it returns true, unfinished work is dropped.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<S, T: Send> InOrder<'_, S, T> {
    /// Works on all threads of the pool. Calls `take` with the results in the order of their
    /// numbers. After a stop, ends before the first missing result. Keeps results that wait for an
    /// earlier one in memory: usually a few for each thread, more behind a slow one.
    ///
    /// # Errors
    /// The first error of `take`; the work in progress is dropped then. A panic also ends the work,
    /// and continues in this thread.
    pub fn run<E>(
        &self,
        pool: &ThreadPool,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let (sender, receiver) = mpsc::channel();
        let next = AtomicU64::new(self.numbers.start);
        let has_failed = AtomicBool::new(false);
        pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads() {
                let sender = sender.clone();
                let (next, has_failed) = (&next, &has_failed);
                scope.spawn(move |_| {
                    let work = AssertUnwindSafe(|| self.work_on(next, has_failed, &sender));
                    if let Err(panic) = catch_unwind(work) {
                        has_failed.store(true, Ordering::Relaxed);
                        resume_unwind(panic);
                    }
                });
            }
            drop(sender);
            let result = hand_over(self.numbers.start, receiver, &mut take);
            has_failed.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Processes items until none is left or the work stops.
    fn work_on(&self, next: &AtomicU64, has_failed: &AtomicBool, sender: &mpsc::Sender<(u64, T)>) {
        let is_over = || has_failed.load(Ordering::Relaxed) || (self.is_stopped)();
        let mut state = (self.start)();
        while !is_over() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.numbers.end {
                return;
            }
            let Some(result) = (self.work)(&mut state, number, &is_over) else { return };
            if sender.send((number, result)).is_err() {
                return;
            }
        }
    }
}

/// Takes results in any order and calls `take` in the order of their numbers, starting with
/// `first`.
fn hand_over<T, E>(
    first: u64,
    finished: mpsc::Receiver<(u64, T)>,
    take: &mut impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let mut expected = first;
    let mut waiting = BTreeMap::new();
    for (number, result) in finished {
        waiting.insert(number, result);
        while let Some(result) = waiting.remove(&expected) {
            take(result)?;
            expected += 1;
        }
    }
    Ok(())
}
