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
    handled: Condvar,
}

#[derive(Default)]
struct Queue {
    events: VecDeque<Event>,
    /// Whether the receiver waits for an event, so that it has handled all earlier ones.
    is_waiting: bool,
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
                queue.is_waiting = false;
                return Some(event);
            }
            queue.is_waiting = true;
            self.handled.notify_all();
            queue = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(left) if left.is_zero() => {
                    queue.is_waiting = false;
                    return None;
                }
                Some(left) => {
                    let waited = self.arrived.wait_timeout(queue, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            }
        }
    }

    /// Waits until the receiver has handled all events; false if the queue is closed.
    pub(super) fn wait_until_handled(&self) -> bool {
        let is_idle = |queue: &Queue| queue.events.is_empty() && queue.is_waiting;
        let mut queue = self.lock();
        while !queue.is_closed && !is_idle(&queue) {
            queue = self.handled.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        !queue.is_closed
    }

    /// Closes the queue.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.handled.notify_all();
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
        assert!(inbox.put(Event::EndOfInput));
        assert!(matches!(inbox.take(Some(Instant::now())), Some(Event::EndOfInput)));
        inbox.close();
        assert!(!inbox.put(Event::Prepared));
    }

    #[test]
    fn a_sender_can_wait_until_its_event_is_handled() {
        let inbox = Arc::new(Inbox::default());
        let sender = Arc::clone(&inbox);
        let handled = Arc::new(Mutex::new(0));
        let count = Arc::clone(&handled);
        let sending = thread::spawn(move || {
            for sent in 1..=20 {
                assert!(sender.put(Event::TaskDone));
                assert!(sender.wait_until_handled());
                assert_eq!(*count.lock().expect("no panic"), sent);
            }
            assert!(sender.put(Event::EndOfInput));
            assert!(!sender.wait_until_handled(), "the queue was closed");
        });
        while let Some(Event::TaskDone) = inbox.take(None) {
            *handled.lock().expect("no panic") += 1;
        }
        inbox.close();
        sending.join().expect("no panic");
    }
}
