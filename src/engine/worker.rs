//! A thread that runs jobs on data of its own: the engine thread of a USI session and of a CSA
//! client.

use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::SEARCH_STACK;

/// A job. Returns whether the state is still valid.
type Job<S> = Box<dyn FnOnce(&mut S) -> bool + Send>;

/// A thread that owns a state `S` and runs jobs on it in the order sent. A panic in a job does not
/// end the thread. The state is then unknown, so a new one replaces it. Dropping the worker waits
/// until all jobs and the thread have ended.
pub struct Worker<S> {
    jobs: Sender<Job<S>>,
    /// Closed at the end of the thread.
    end: Receiver<()>,
    patience: Duration,
}

/// The jobs of a worker that has no thread, and their state.
pub struct WaitingJobs<S> {
    jobs: Receiver<Job<S>>,
    state: S,
    new: Box<dyn Fn() -> S + Send>,
}

impl<S> WaitingJobs<S> {
    /// Runs jobs until none waits.
    pub fn run(&mut self) {
        while let Ok(job) = self.jobs.try_recv() {
            self.run_one(job);
        }
    }

    fn run_one(&mut self, job: Job<S>) {
        if !job(&mut self.state) {
            let old = mem::replace(&mut self.state, (self.new)());
            // If dropping the old state panics as well, ignore it.
            let _ = guarded(|| drop(old));
        }
    }
}

impl<S: 'static> Worker<S> {
    /// `new`: creates the state, on the thread. `patience`: the longest wait for the end of the
    /// thread.
    ///
    /// # Errors
    /// The I/O error if the system cannot start a thread.
    pub fn start(
        patience: Duration,
        new: impl Fn() -> S + Send + 'static,
    ) -> io::Result<Worker<S>> {
        let (jobs, to_do) = mpsc::channel();
        let (alive, end) = mpsc::channel::<()>();
        let thread = thread::Builder::new().name("engine".to_owned()).stack_size(SEARCH_STACK);
        thread.spawn(move || {
            let _alive = alive;
            let mut waiting = WaitingJobs { jobs: to_do, state: new(), new: Box::new(new) };
            while let Ok(job) = waiting.jobs.recv() {
                waiting.run_one(job);
            }
        })?;
        Ok(Worker { jobs, end, patience })
    }

    /// A worker for a platform without threads: the caller runs the jobs.
    pub fn without_thread(new: impl Fn() -> S + Send + 'static) -> (Worker<S>, WaitingJobs<S>) {
        let (jobs, to_do) = mpsc::channel();
        let worker = Worker { jobs, end: mpsc::channel().1, patience: Duration::ZERO };
        (worker, WaitingJobs { jobs: to_do, state: new(), new: Box::new(new) })
    }

    /// Sends a job. `then` receives its result after the job, where it ran: the text of the panic
    /// if `work` panics.
    pub fn send<T: 'static>(
        &self,
        work: impl FnOnce(&mut S) -> T + Send + 'static,
        then: impl FnOnce(Result<T, String>) + Send + 'static,
    ) {
        let job = move |state: &mut S| {
            let result = guarded(|| work(state));
            let is_valid = result.is_ok();
            then(result);
            is_valid
        };
        self.jobs.send(Box::new(job)).expect("the jobs are received as long as the worker lives");
    }
}

impl<S> Drop for Worker<S> {
    fn drop(&mut self) {
        // Closes the channel of the jobs.
        self.jobs = mpsc::channel().0;
        let _ = self.end.recv_timeout(self.patience);
    }
}

/// Runs `work`, which may panic.
///
/// # Errors
/// The text of the panic.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        text.or_else(|| payload.downcast_ref().cloned()).unwrap_or("unknown".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of jobs that run `act` with their numbers, collected after dropping the worker. Each
    /// job adds its number to the state and returns the state.
    fn results(patience: Duration, jobs: u32, act: fn(u32)) -> Vec<Result<Vec<u32>, String>> {
        let worker = Worker::start(patience, Vec::new).expect("a thread");
        let (results, received) = mpsc::channel();
        for n in 0..jobs {
            let results = results.clone();
            let work = move |state: &mut Vec<u32>| {
                act(n);
                state.push(n);
                state.clone()
            };
            worker.send(work, move |result| drop(results.send(result)));
        }
        drop(worker);
        received.try_iter().collect()
    }

    #[test]
    fn jobs_run_in_order_and_dropping_waits_for_them() {
        let found = results(Duration::MAX, 3, |_| thread::sleep(Duration::from_millis(5)));
        assert_eq!(found, [Ok(vec![0]), Ok(vec![0, 1]), Ok(vec![0, 1, 2])]);
    }

    #[test]
    fn a_panic_renews_the_state_and_does_not_end_the_thread() {
        let found = results(Duration::MAX, 4, |n| match n {
            1 => panic!("on purpose"),
            2 => panic!("number {n}"),
            _ => {}
        });
        let [first, second] = ["on purpose", "number 2"].map(|text| Err(text.to_owned()));
        assert_eq!(found, [Ok(vec![0]), first, second, Ok(vec![3])]);
    }

    #[test]
    fn without_a_thread_the_caller_runs_the_jobs() {
        let (worker, mut waiting) = Worker::without_thread(Vec::new);
        let (results, received) = mpsc::channel();
        let send = |n: u32| {
            let results = results.clone();
            let work = move |state: &mut Vec<u32>| {
                assert!(n < 3, "number {n}");
                state.push(n);
                state.clone()
            };
            worker.send(work, move |result| drop(results.send(result)));
        };
        [1, 2, 3, 1].into_iter().for_each(send);
        assert_eq!(received.try_iter().count(), 0);
        waiting.run();
        let expected = [Ok(vec![1]), Ok(vec![1, 2]), Err("number 3".to_owned()), Ok(vec![1])];
        assert_eq!(received.try_iter().collect::<Vec<_>>(), expected);
        drop(worker);
    }

    #[test]
    fn dropping_waits_no_longer_than_allowed() {
        let found =
            results(Duration::from_millis(1), 1, |_| thread::sleep(Duration::from_secs(60)));
        assert_eq!(found, []);
    }
}
