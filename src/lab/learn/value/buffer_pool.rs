//! Buffers handed from task to task.

use std::sync::Mutex;

/// Buffers of one length. A task takes one and gives it back, so that there are no more than
/// threads.
#[derive(Debug)]
pub(super) struct BufferPool {
    /// Their length.
    pub len: usize,
    free: Mutex<Vec<Vec<f32>>>,
}

impl BufferPool {
    /// No buffers yet; they will have this length.
    pub fn new(len: usize) -> BufferPool {
        BufferPool { len, free: Mutex::new(Vec::new()) }
    }

    /// Runs a task with a buffer: zeros the first time, and what the last task left after that.
    pub fn with<T>(&self, task: impl FnOnce(&mut [f32]) -> T) -> T {
        let free = self.free.lock().ok().and_then(|mut free| free.pop());
        let mut buffer = free.unwrap_or_else(|| vec![0.0; self.len]);
        let result = task(&mut buffer);
        if let Ok(mut free) = self.free.lock() {
            free.push(buffer);
        }
        result
    }
}
