//! Free ports that a server can use, and use again after a restart.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Ports below the ephemeral ones: an outgoing connection could occupy one of those while a server
/// restarts.
const PORTS: std::ops::Range<u16> = 10_000..32_000;

/// Where the search goes on. Two tests that choose by chance meet once in twenty runs: each looks, and
/// only later does a server listen.
static NEXT: LazyLock<AtomicU64> =
    LazyLock::new(|| AtomicU64::new(RandomState::new().hash_one(()) >> 1));

/// Finds a free port of this machine, each time another one.
///
/// # Errors
///
/// When there is none.
pub fn free_address() -> io::Result<SocketAddr> {
    let count = u64::from(PORTS.end - PORTS.start);
    for _ in 0..count {
        let step = NEXT.fetch_add(1, Ordering::Relaxed) % count;
        let port = PORTS.start + u16::try_from(step).unwrap_or(0);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(SocketAddr::from(([127, 0, 0, 1], port)));
        }
    }
    Err(io::ErrorKind::AddrInUse.into())
}
