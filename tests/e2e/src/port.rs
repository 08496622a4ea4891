//! Free ports that a server can use, and use again after a restart.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::io;
use std::net::{SocketAddr, TcpListener};

/// Ports below the ephemeral ones: an outgoing connection could occupy one of those while a server
/// restarts.
const PORTS: std::ops::Range<u16> = 10_000..32_000;

/// Finds a free port of this machine.
///
/// # Errors
///
/// When there is none.
pub fn free_address() -> io::Result<SocketAddr> {
    let count = u64::from(PORTS.end - PORTS.start);
    let start = RandomState::new().hash_one(()) % count;
    let mut ports =
        (0..count).map(|step| PORTS.start + u16::try_from((start + step) % count).unwrap_or(0));
    let port = ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
    port.map(|port| SocketAddr::from(([127, 0, 0, 1], port)))
        .ok_or_else(|| io::ErrorKind::AddrInUse.into())
}
