//! Reusable buffers of tasks.

use std::sync::Mutex;

/// Buffers of one length. A task takes a buffer and returns it, so there are at most as many
/// buffers as threads.
#[derive(Debug)]
pub(super) struct BufferPool {
    /// Their length.
    pub len: usize,
    free: Mutex<Vec<Vec<f32>>>,
}

impl BufferPool {
    /// Creates an empty pool of buffers of this length.
    pub fn new(len: usize) -> BufferPool {
        BufferPool { len, free: Mutex::new(Vec::new()) }
    }

    /// Runs a task with a buffer. A new buffer has zeros; a used one has the content that the
    /// previous task left.
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
