//! The one line that asks the memory for data in advance.

/// Asks for the cache line of `item` without waiting for it.
#[inline]
#[allow(unsafe_code)]
pub(super) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch changes nothing but the cache, whatever the address; SSE belongs to every
    // x86-64 CPU.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::from_ref(item).cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
