//! The amount of available memory.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sysinfo::{Process, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

use crate::large_pages::may_fail;

/// Bytes of all claims of this process.
static CLAIMED: AtomicUsize = AtomicUsize::new(0);

/// The memory of a table, which counts as taken until this value is dropped. The system provides
/// memory on first access, and counts it only then.
pub(crate) struct Claim(usize);

impl Claim {
    pub fn new(bytes: usize) -> Claim {
        CLAIMED.fetch_add(bytes, Relaxed);
        Claim(bytes)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        CLAIMED.fetch_sub(self.0, Relaxed);
    }
}

/// Bytes that a table may take: seven eighths of what can be allocated without swapping and within
/// the memory limit of this process's cgroup (a container or a service), less what other tables
/// have claimed and not yet got. The rest is for other programs and for allocations that nobody
/// claims. Without a report of the system, the size is unlimited. Limits of parent cgroups are
/// ignored, because the use of their other children is unknown. Cost: some tenths of a millisecond.
pub(crate) fn available() -> usize {
    let bytes = |number| usize::try_from(number).unwrap_or(usize::MAX);
    let Ok(mut system) = System::new() else { return usize::MAX };
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let pid = get_current_pid().ok();
    let kind = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(pid.as_slice()), false, kind);
    let process = pid.and_then(|pid| system.process(pid));
    let limits = process.and_then(Process::cgroup_limits);
    // The file cache of the cgroup is reclaimable, so only resident memory counts.
    let left = limits.map(|limits| limits.total_memory.saturating_sub(limits.rss));
    let free = free.into_iter().chain(left).min().map_or(usize::MAX, bytes);
    let resident = process.map_or(0, |process| bytes(process.memory()));
    unclaimed(free, CLAIMED.load(Relaxed), resident)
}

/// Seven eighths of the free memory, less the claimed memory beyond the resident one.
fn unclaimed(free: usize, claimed: usize, resident: usize) -> usize {
    (free - free / 8).saturating_sub(claimed.saturating_sub(resident))
}

/// Whether an allocation of this size succeeds. The address space may be limited as well.
pub(crate) fn can_be_had(bytes: usize) -> bool {
    let mut block = Vec::<u8>::new();
    let is_given = may_fail(|| block.try_reserve_exact(bytes).is_ok());
    // Without this, the optimizer removes the unused allocation.
    black_box(&block);
    is_given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_counts_until_its_memory_is_resident() {
        assert_eq!(unclaimed(800, 0, 50), 700);
        assert_eq!(unclaimed(800, 300, 50), 450);
        assert_eq!(unclaimed(800, 300, 400), 700);
        assert_eq!(unclaimed(800, 900, 0), 0);
        assert!(unclaimed(usize::MAX, 900, 0) > usize::MAX / 2);
        let mib = Claim::new(1 << 20);
        assert!(CLAIMED.load(Relaxed) >= 1 << 20);
        drop(mib);
    }

    #[test]
    fn small_allocations_succeed_and_huge_ones_fail() {
        assert!(available() > 1 << 20);
        assert!(can_be_had(1 << 20));
        assert!(!can_be_had(isize::MAX as usize));
    }
}
