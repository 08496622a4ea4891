//! Memory trimming: returns free memory to the system.
//!
//! glibc keeps free pages between used ones until asked. After an attack the process would stay at
//! its peak, and the next attack would hit the container's limit. Other allocators are left alone.

use std::thread;
use std::time::Duration;

use crate::admin::process;

/// Resident memory below which nothing is trimmed. A server under 1 MB runs stays below it.
const KEPT_MAX: u64 = 96 << 20;

/// Resident memory above which trimming is more frequent, since much was freed within the last
/// second.
const CROWDED: u64 = 256 << 20;

/// Interval between checks. Trimming ten times a second costs a fifth of the throughput of large
/// runs.
const INTERVAL: Duration = Duration::from_secs(1);
const CROWDED_INTERVAL: Duration = Duration::from_millis(250);

/// Starts the trimming thread. The server works without it too.
#[expect(unsafe_code, reason = "the allocator has no other interface")]
pub(crate) fn give_back() {
    let look = || {
        let mut interval = INTERVAL;
        loop {
            thread::sleep(interval);
            let bytes = process::resident_bytes().unwrap_or_default();
            if bytes > KEPT_MAX {
                // SAFETY: it takes only an integer, and other threads may allocate meanwhile.
                unsafe { libc::malloc_trim(0) };
            }
            interval = if bytes > CROWDED { CROWDED_INTERVAL } else { INTERVAL };
        }
    };
    let _ = thread::Builder::new().name("memory".to_owned()).spawn(look);
}
