//! The event queue of the session.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::event::Event;

/// A queue of events with one receiver. A channel of the standard library wakes its receiver while
/// it holds a lock. If a busy machine suspends the sender at that moment, the receiver waits for it
/// past its deadline. This queue holds no lock while it wakes the receiver.
#[derive(Default)]
pub(super) struct Inbox {
    queue: Mutex<Queue>,
    arrived: Condvar,
}

#[derive(Default)]
struct Queue {
    events: VecDeque<Event>,
    is_closed: bool,
}

impl Inbox {
    /// Adds an event; false if the queue is closed.
    pub(super) fn put(&self, event: Event) -> bool {
        let mut queue = self.lock();
        if queue.is_closed {
            return false;
        }
        queue.events.push_back(event);
        drop(queue);
        self.arrived.notify_one();
        true
    }

    /// The next event. Waits for one until `until`, if given.
    pub(super) fn take(&self, until: Option<Instant>) -> Option<Event> {
        let mut queue = self.lock();
        loop {
            if let Some(event) = queue.events.pop_front() {
                return Some(event);
            }
            queue = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(left) if left.is_zero() => return None,
                Some(left) => {
                    let waited = self.arrived.wait_timeout(queue, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            }
        }
    }

    /// Closes the queue.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        // No code under the lock can panic halfway.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn events_arrive_in_order_and_waiting_ends_in_time() {
        let inbox = Arc::new(Inbox::default());
        assert!(inbox.take(Some(Instant::now() + Duration::from_millis(1))).is_none());
        let sender = Arc::clone(&inbox);
        let sending = thread::spawn(move || {
            assert!(sender.put(Event::Prepared));
            assert!(sender.put(Event::TaskDone));
        });
        assert!(matches!(inbox.take(None), Some(Event::Prepared)));
        assert!(matches!(inbox.take(None), Some(Event::TaskDone)));
        sending.join().expect("no panic");
        // An available event is returned even after the time limit.
        assert!(inbox.put(Event::EngineGone));
        assert!(matches!(inbox.take(Some(Instant::now())), Some(Event::EngineGone)));
        inbox.close();
        assert!(!inbox.put(Event::Prepared));
    }
}
