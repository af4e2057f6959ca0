//! The amount of available memory.

use std::hint::black_box;

use sysinfo::{Process, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// Bytes that tables may take: seven eighths of what can be allocated without swapping and within the
/// memory limit of this process's cgroup (a container or a service). The rest is for other programs
/// and for allocations that no table counts. Memory of other tables counts only once it was written
/// to. Without a report of the system, the size is unlimited. Limits of parent cgroups are ignored,
/// because the use of their other children is unknown. Cost: some tenths of a millisecond.
pub(super) fn available() -> usize {
    let free = free();
    free - free / 8
}

/// Free memory in bytes; `usize::MAX` if the system does not report it.
fn free() -> usize {
    let Ok(mut system) = System::new() else { return usize::MAX };
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let left = get_current_pid().ok().and_then(|pid| {
        let this = ProcessesToUpdate::Some(&[pid]);
        system.refresh_processes_specifics(this, false, ProcessRefreshKind::nothing());
        let limits = system.process(pid).and_then(Process::cgroup_limits)?;
        // The file cache of the cgroup is reclaimable, so only resident memory counts.
        Some(limits.total_memory.saturating_sub(limits.rss))
    });
    let least = free.into_iter().chain(left).min();
    least.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX)
}

/// Whether an allocation of this size succeeds. The address space may be limited as well.
pub(super) fn can_be_had(bytes: usize) -> bool {
    let mut block = Vec::<u8>::new();
    let is_given = block.try_reserve_exact(bytes).is_ok();
    // Without this, the optimizer removes the unused allocation.
    black_box(&block);
    is_given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_allocations_succeed_and_huge_ones_fail() {
        assert!(available() > 1 << 20);
        assert!(can_be_had(1 << 20));
        assert!(!can_be_had(isize::MAX as usize));
    }
}
