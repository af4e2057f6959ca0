//! The program's allocator: the system's, with large blocks on large pages.
//!
//! The transposition table, the weights and the histories are read at random, far more of them than
//! the processor has page translations for. On Linux a block can ask for pages of 2 MiB instead of
//! 4 KiB (`madvise(2)`, `MADV_HUGEPAGE`), which makes `kankei bench` 7 % faster; elsewhere, or where
//! the system has none to give, nothing changes.

use std::alloc::{GlobalAlloc, Layout, System};

/// Bytes from which a block asks for large pages: what one of them holds.
#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 2 << 20;
/// Bytes of a usual page. Where they are more, the advice is refused.
#[cfg(target_os = "linux")]
const PAGE: usize = 4 << 10;

/// The system's allocator, asking for large pages.
pub struct LargePages;

// SAFETY: every block comes from `System` and goes back to it with the same layout; the advice in
// between changes neither its place nor what it holds.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise, handed on.
        advised(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise, handed on.
        advised(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise, handed on.
        advised(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, handed on.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The block, after asking for large pages under it.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advised(block: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE_PAGE && !block.is_null() {
        // From the start of its first page: the block lies a few bytes behind it.
        let inset = block.addr() % PAGE;
        // SAFETY: the advice changes nothing in these pages, nor in what else lies in the first.
        unsafe {
            libc::madvise(block.wrapping_sub(inset).cast(), size + inset, libc::MADV_HUGEPAGE);
        }
    }
    block
}

#[cfg(not(target_os = "linux"))]
fn advised(block: *mut u8, _: usize) -> *mut u8 {
    block
}
