//! How much memory there is to take.

use std::hint::black_box;

use sysinfo::{Process, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// Bytes that can be taken without swapping, and without passing the limit of the group of processes
/// that this one belongs to (the cgroup of a container or a service). `usize::MAX` where the system
/// does not tell; of a limit further up, what other groups below it use is not known. Costs some
/// tenths of a millisecond.
pub(super) fn available() -> usize {
    let Ok(mut system) = System::new() else { return usize::MAX };
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let left = get_current_pid().ok().and_then(|pid| {
        let this = ProcessesToUpdate::Some(&[pid]);
        system.refresh_processes_specifics(this, false, ProcessRefreshKind::nothing());
        let limits = system.process(pid).and_then(Process::cgroup_limits)?;
        // What the group has cached of files gives way.
        Some(limits.total_memory.saturating_sub(limits.rss))
    });
    let least = free.into_iter().chain(left).min();
    least.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX)
}

/// Whether the process is given so many bytes: its address space may be limited, too.
pub(super) fn can_be_had(bytes: usize) -> bool {
    let mut block = Vec::<u8>::new();
    let is_given = block.try_reserve_exact(bytes).is_ok();
    // Memory that nobody looks at is not even asked for.
    black_box(&block);
    is_given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_some_memory_and_not_all() {
        assert!(available() > 1 << 20);
        assert!(can_be_had(1 << 20));
        assert!(!can_be_had(isize::MAX as usize));
    }
}
