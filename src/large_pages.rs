//! The allocator of the program: the system allocator, with large blocks on large pages.
//!
//! The transposition table, the weights and the histories are read at random. They span far more
//! pages than the processor has page translations for. On Linux a block can request pages of 2 MiB
//! instead of 4 KiB (`madvise(2)`, `MADV_HUGEPAGE`), which makes `kankei bench` 7 % faster. On
//! other systems, or if no large pages are available, nothing changes.
//!
//! If no memory is left, the program ends with one line of text, unless the caller handles that
//! itself ([`may_fail`]).

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Write};
use std::process;

/// Minimum size in bytes of a block that requests large pages: one large page.
#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 2 << 20;
/// Size of a normal page in bytes. If the system's pages are larger, it refuses the request.
#[cfg(target_os = "linux")]
const PAGE: usize = 4 << 10;

/// Exit code of a program without memory.
const NO_MEMORY: i32 = 2;

thread_local! {
    /// Whether the running code handles failed allocations. It has no destructor and needs no
    /// allocation, so that the allocator can read it at any time.
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Runs work whose allocations may fail, because it handles that itself (`try_reserve`).
pub fn may_fail<T>(work: impl FnOnce() -> T) -> T {
    let before = MAY_FAIL.replace(true);
    let result = work();
    MAY_FAIL.set(before);
    result
}

/// The system allocator with requests for large pages.
pub struct LargePages;

// SAFETY: every block comes from `System` and is returned to it with the same layout. The request
// changes neither the address nor the contents of a block.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        provided(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        provided(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        provided(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The block after a request for large pages. Ends the program if the system has refused the block
/// and the caller does not handle that: Rust would print a backtrace and dump core.
fn provided(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() && !MAY_FAIL.get() {
        // Standard error has no buffer, so this needs no memory.
        drop(writeln!(io::stderr(), "error: out of memory: cannot allocate {size} bytes"));
        process::exit(NO_MEMORY);
    }
    advised(block, size)
}

/// Requests large pages for the block and returns it.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advised(block: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE_PAGE && !block.is_null() {
        // The range starts at the first page of the block, which starts a few bytes after it.
        let inset = block.addr() % PAGE;
        // SAFETY: the request changes no contents, neither of these pages nor of other data in the
        // first page.
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
