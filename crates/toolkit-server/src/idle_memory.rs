//! Idle memory: what large requests used is returned to the system while the server is idle.
//!
//! mimalloc returns freed memory after one second, so that memory needed again at once costs no page
//! faults; returning it at once makes large requests twice as slow. But mimalloc checks only when it
//! allocates or frees a page of blocks, which an idle process does not do: tens of megabytes would
//! stay resident after the last large request. So every few seconds a block large enough for a page
//! of its own is allocated and freed. It is never written to, so it takes no memory.

use std::hint::black_box;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

/// Period of the allocation: several times the second for which mimalloc keeps memory.
const PERIOD: Duration = Duration::from_secs(5);

/// Size of the block. A block over half a megabyte has a page of its own.
const BLOCK: usize = 2 << 20;

/// Returns memory periodically until it is dropped.
pub(crate) async fn return_periodically() {
    let mut ticks = interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        drop(black_box(Vec::<u8>::with_capacity(BLOCK)));
    }
}
