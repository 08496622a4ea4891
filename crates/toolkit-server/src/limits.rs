//! Limits on connections and requests that are not settings, each with its reason.

use std::time::Duration;

/// From the first byte of a request, or from connecting, to the end of the head. The slowest honest
/// client takes a round trip or two.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// From the head to the end of the body. 1 MiB takes 15 s at 0.6 Mbit/s.
pub const BODY_DEADLINE: Duration = Duration::from_secs(15);

/// Between two requests. Below the 60 s after which common proxies drop a connection, so that the
/// server closes first, and long enough to be worth keeping.
pub const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// From the start of a stop, when the readiness check begins to fail, to closing the listener. Load
/// balancers need this time to send new clients elsewhere.
pub const LISTENER_CLOSE_DELAY: Duration = Duration::from_secs(1);

/// After that, for handshakes in progress to finish and their connections to reach a worker: a
/// round trip or two.
pub const HANDSHAKE_MAX: Duration = Duration::from_millis(500);

/// After that, until idle connections are closed. A client about to send still gets a response,
/// with `Connection: close`.
pub const IDLE_CLOSE_DELAY: Duration = Duration::from_secs(1);

/// Maximum time in which a client reads nothing of its response.
pub const STALL_MAX: Duration = Duration::from_mins(1);

/// Time within which a client must read a whole response or send a whole body, or else keep the
/// minimum rate.
pub const TAKEN_WITHIN: Duration = Duration::from_secs(30);

/// The minimum rate in bytes per second.
pub const TAKEN_PER_SECOND_MIN: u64 = 16 << 10;

/// Time before a client's rate is measured: a few round trips.
pub const RATE_GRACE: Duration = Duration::from_secs(3);

/// Time for a client to acknowledge sent bytes, including heartbeats. After it, the client has
/// vanished.
pub const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);

/// The same for a client that has stopped reading. Longer than [`STALL_MAX`], which ends that case.
pub const UNACKNOWLEDGED_STALLED_MAX: Duration = Duration::from_secs(90);

/// Unsent bytes that the system buffers. More would hide that a client reads nothing.
pub const UNSENT_MAX: u32 = 64 << 10;

/// Time for streamed responses to announce that they are about to be cut.
pub const STREAM_END_NOTICE: Duration = Duration::from_millis(250);

/// Time to read the rest of an unread body after the response. A client that sends everything
/// before it reads can then read the response.
pub const DISCARD_DEADLINE: Duration = Duration::from_secs(2);

/// Maximum bytes of that rest if the length was declared.
pub const DISCARD_DECLARED_MAX: u64 = 16 << 20;

/// Maximum bytes of that rest if it is chunked, so of unknown length.
pub const DISCARD_CHUNKED_MAX: u64 = 512 << 10;

/// Maximum bytes of an unread body to wait for before the response, to keep the connection.
pub const DRAIN_MAX: u64 = 64 << 10;

/// Time for them to arrive.
pub const DRAIN_DEADLINE: Duration = Duration::from_secs(1);

/// Bytes on the wire that a chunked body may use beyond its content.
pub const CHUNK_OVERHEAD: u64 = 64 << 10;

/// Bytes on the wire per byte of a chunked body. One-byte chunks take six.
pub const CHUNK_FACTOR: u64 = 8;

/// Bytes read from a connection before others get a turn. actix-http's read buffer is a little
/// larger and is kept.
pub const READ_BURST: usize = 16 << 10;

/// Bytes read ahead of the current request: a head and a small body.
pub const READ_AHEAD_MAX: usize = 8 << 10;

/// Buffers of each connection.
pub const SMALL_BUFFER: usize = 8 << 10;

/// Write buffer size at which actix-http writes to the socket before taking the next piece.
pub const WRITE_BURST: usize = 32 << 10;

/// Memory of a connection, without pending output.
pub const CONNECTION_BYTES: usize = 12 << 10;

/// Measured memory of a request waiting for its body, on top of the connection's.
pub const REQUEST_BYTES: usize = 10 << 10;

/// Connections that the descriptors suffice for, after those the process needs for sockets,
/// database and log.
pub(crate) fn connections_max() -> usize {
    let descriptors = crate::descriptors::count();
    descriptors.saturating_sub(descriptors / 16 + 40).max(8)
}

/// Connections waiting to be accepted.
pub const BACKLOG: i32 = 1_024;

/// Clients that one limit counts separately. Others share buckets.
pub const LIMITED_CLIENTS_MAX: usize = 100_000;

/// Log lines queued for a slow reader, about 300 bytes each. Beyond it, lines are dropped and
/// counted.
pub const LOG_LINES_MAX: usize = 8_192;

/// Spans queued for a trace collector, about 1 KiB each. Beyond it, spans are dropped and counted.
pub const WAITING_SPANS_MAX: usize = 4_096;

/// Time for a collector to accept spans, including retries.
pub const TRACES_DEADLINE: Duration = Duration::from_secs(5);

/// `Retry-After` when a client or the process has too much in progress.
pub const BUSY_RETRY: Duration = Duration::from_secs(2);
