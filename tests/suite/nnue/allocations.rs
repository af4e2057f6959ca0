//! Counts the memory of a thread with the allocator of the tests.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator with a count of the allocated bytes per thread.
struct Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

thread_local! {
    /// Number of allocated bytes, and its maximum so far.
    static BYTES: Cell<[isize; 2]> = const { Cell::new([0; 2]) };
}

fn count(change: isize) {
    // A thread that is ending no longer has a counter.
    let _ = BYTES.try_with(|bytes| {
        let [now, peak] = bytes.get();
        bytes.set([now + change, peak.max(now + change)]);
    });
}

// SAFETY: every block comes from `System` and is returned to it with the same layout. Counting does
// not allocate.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's guarantee is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's guarantee is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller's guarantee is passed on.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's guarantee is passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Returns the result of `work` and the maximum number of bytes that this thread allocated for it
/// at any time.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = BYTES.with(|bytes| {
        let [now, _] = bytes.get();
        bytes.set([now; 2]);
        now
    });
    let result = work();
    let [_, peak] = BYTES.with(Cell::get);
    (result, (peak - before) as usize)
}

#[test]
fn peak_memory_is_counted() {
    let (kept, peak) = peak_of(|| {
        drop(vec![0_u8; 5_000]);
        vec![0_u8; 1_000]
    });
    assert_eq!((kept.len(), peak), (1_000, 5_000));
}
