//! Memory that is free goes back to the system.
//!
//! The allocator of glibc keeps free pages between used ones until it is asked: after an attack the
//! process would stay at what it held at most, and end at the limit of its container with the next
//! one. Other allocators are left as they are.

use std::fs;
use std::thread;
use std::time::Duration;

/// Resident memory up to which nothing is asked: a server stays below it under runs of 1 MB.
const KEPT_MAX: usize = 96 << 20;

/// Resident memory above which it is asked more often: much of that was freed within the last second.
const CROWDED: usize = 256 << 20;

/// Between looks. Asking ten times a second takes a fifth of the throughput of large runs.
const INTERVAL: Duration = Duration::from_secs(1);
const CROWDED_INTERVAL: Duration = Duration::from_millis(250);

/// Starts the thread that gives memory back. Without it the server works too.
#[expect(unsafe_code, reason = "the allocator has no other interface")]
pub(crate) fn give_back() {
    let look = || {
        let mut interval = INTERVAL;
        loop {
            thread::sleep(interval);
            let bytes = resident().unwrap_or_default();
            if bytes > KEPT_MAX {
                // SAFETY: it takes an integer alone, and all threads may allocate meanwhile.
                unsafe { libc::malloc_trim(0) };
            }
            interval = if bytes > CROWDED { CROWDED_INTERVAL } else { INTERVAL };
        }
    };
    let _ = thread::Builder::new().name("memory".to_owned()).spawn(look);
}

/// Resident bytes of this process.
fn resident() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: usize = kib.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}
