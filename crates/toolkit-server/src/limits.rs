//! Limits of connections and requests that are not settings, each with its reason.

use std::time::Duration;

/// From the first byte of a request, or from the connection, to the end of the head: the slowest
/// honest client takes a round trip or two.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// From the head to the end of the body, however slowly it arrives: 1 MiB takes 15 s at 0.6 Mbit/s.
pub const BODY_DEADLINE: Duration = Duration::from_secs(15);

/// From one request to the next: under the 60 s after which common proxies drop a connection, so
/// that the server closes first, and long enough to be worth keeping.
pub const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// From the start of a stop, which the readiness check tells, to the end of the listening socket: for
/// balancers to send newcomers elsewhere.
pub const LISTENER_CLOSE_DELAY: Duration = Duration::from_secs(1);

/// From then to the end of idle connections: a client that is about to send still gets a response,
/// which tells it to disconnect.
pub const IDLE_CLOSE_DELAY: Duration = Duration::from_secs(1);

/// For a client to take any byte of a response.
pub const STALL_MAX: Duration = Duration::from_mins(1);

/// For a client to take a response whole, or to send a body, at the least rate that is never cut.
pub const TAKEN_WITHIN: Duration = Duration::from_secs(30);

/// Bytes a second that are always such a rate.
pub const TAKEN_PER_SECOND_MIN: u64 = 16 << 10;

/// Before a client's rate is measured: a few round trips.
pub const RATE_GRACE: Duration = Duration::from_secs(3);

/// For a client to acknowledge sent bytes, heartbeats included: past it, the client has vanished.
pub const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);

/// The same once a client has stopped reading. More than [`STALL_MAX`], which ends that case.
pub const UNACKNOWLEDGED_STALLED_MAX: Duration = Duration::from_secs(90);

/// Bytes that the system buffers before it sends them: more would hide that a client takes none.
pub const UNSENT_MAX: u32 = 64 << 10;

/// For streamed responses to announce that a stop is about to cut them.
pub const STREAM_END_NOTICE: Duration = Duration::from_millis(250);

/// For the rest of an unread body after the response, so that a client that sends everything before
/// it reads gets to read.
pub const DISCARD_DEADLINE: Duration = Duration::from_secs(2);

/// Bytes of such a rest that are read when its length was declared.
pub const DISCARD_DECLARED_MAX: u64 = 16 << 20;

/// Bytes of such a rest that are read when it is chunked, so of unknown length.
pub const DISCARD_CHUNKED_MAX: u64 = 512 << 10;

/// Bytes of an unread body that are waited for before the response, so that the connection is kept.
pub const DRAIN_MAX: u64 = 64 << 10;

/// For such a body to arrive.
pub const DRAIN_DEADLINE: Duration = Duration::from_secs(1);

/// Bytes on the wire that a chunked body may use beyond its content.
pub const CHUNK_OVERHEAD: u64 = 64 << 10;

/// Bytes on the wire for each byte of a chunked body: one-byte chunks take six.
pub const CHUNK_FACTOR: u64 = 8;

/// Bytes read from a connection before others may read. The read buffer of actix-http is little
/// larger, and is kept.
pub const READ_BURST: usize = 16 << 10;

/// Bytes read beyond the current request: a head and a small body.
pub const READ_AHEAD_MAX: usize = 8 << 10;

/// Buffers that each connection has.
pub const SMALL_BUFFER: usize = 8 << 10;

/// Bytes in the write buffer at which actix-http writes to the socket before it takes the next piece
/// of a response.
pub const WRITE_BURST: usize = 32 << 10;

/// Memory of a connection without what it has to send.
pub const CONNECTION_BYTES: usize = 12 << 10;

/// Memory of a request that waits for its body, beside that of the connection, as measured.
pub const REQUEST_BYTES: usize = 10 << 10;

/// Connections of a process, whatever its memory and its descriptors.
pub const CONNECTIONS_MAX: usize = 16_384;

/// Connections for which this process has descriptors, without those that it needs itself: sockets,
/// database, log.
pub(crate) fn connections_max() -> usize {
    let descriptors = crate::descriptors::count();
    descriptors.saturating_sub(descriptors / 16 + 40).clamp(8, CONNECTIONS_MAX)
}

/// Connections waiting to be accepted.
pub const BACKLOG: i32 = 1_024;

/// Clients counted separately by one limit; the others share buckets.
pub const LIMITED_CLIENTS_MAX: usize = 100_000;

/// Lines of the log waiting for a slow reader, at some 300 bytes each. Past it, lines are dropped and
/// counted.
pub const LOG_LINES_MAX: usize = 8_192;

/// Spans waiting for a trace collector, at about 1 KiB each. Past it, they are dropped and counted.
pub const WAITING_SPANS_MAX: usize = 4_096;

/// For a collector to accept spans, including retries.
pub const TRACES_DEADLINE: Duration = Duration::from_secs(5);

/// `Retry-After` where a client, or the process, has too much in progress.
pub const BUSY_RETRY: Duration = Duration::from_secs(2);
