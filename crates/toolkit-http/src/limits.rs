//! Every bound of a connection and a request that is not a setting, with its reason.

use std::time::Duration;

/// From the first byte of a request, or from the connection, to the end of the head: the slowest
/// honest client takes a round trip or two.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// From the head to the end of the body, however it trickles: 1 MiB takes 15 s at 0.6 Mbit/s.
pub const BODY_DEADLINE: Duration = Duration::from_secs(15);

/// From one request to the next: under the 60 s after which common proxies drop a connection, so
/// that it is we who close, and long enough to be worth keeping.
pub const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// From the start of a stop to the end of idle connections: a client that is about to send still
/// gets its answer, and with it that it must leave.
pub const LEAVE_PATIENCE: Duration = Duration::from_secs(1);

/// For a client to take what waits to be written to it: 8 MiB take 60 s at 1.1 Mbit/s. Of an answer
/// that is streamed, for it to take any byte.
pub const WRITE_DEADLINE: Duration = Duration::from_mins(1);

/// For a client to acknowledge what was sent to it, heartbeats too: past it, the client has
/// vanished.
pub const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);

/// The same once a client has stopped taking what it asked for. More than [`WRITE_DEADLINE`], which
/// is to end that.
pub const UNACKNOWLEDGED_STALLED_MAX: Duration = Duration::from_secs(90);

/// Bytes of a streamed answer that the system holds before it sends them.
pub const UNSENT_MAX: u32 = 16 << 10;

/// Before a stop cuts what is left: for streamed answers to say so.
pub const LAST_CALL: Duration = Duration::from_millis(250);

/// For the rest of a body that nobody wants, after the answer: so that a client which sends first
/// and reads then gets to read.
pub const DISCARD_DEADLINE: Duration = Duration::from_secs(2);

/// Bytes of such a rest that are taken when its length was declared.
pub const DISCARD_DECLARED_MAX: u64 = 16 << 20;

/// Bytes of such a rest that are taken when it is chunked, so without an end in sight.
pub const DISCARD_CHUNKED_MAX: u64 = 512 << 10;

/// Bytes of an unread body that are waited for before the answer, so that the connection lives on.
pub const DRAIN_MAX: u64 = 64 << 10;

/// For such a body to arrive.
pub const DRAIN_DEADLINE: Duration = Duration::from_secs(1);

/// Bytes on the wire that a chunked body may take beyond its content: buffers of the HTTP layer,
/// and some framing.
pub const CHUNK_OVERHEAD: u64 = 256 << 10;

/// Bytes on the wire for each byte of a chunked body: one-byte chunks take six.
pub const CHUNK_FACTOR: u64 = 8;

/// Pieces that a chunked body may come in, however small, and bytes that are worth one more: a
/// client that writes a document value by value. Past it, 8 KiB of the body are read four times a
/// second.
pub const PIECES_FREE: u64 = 24_576;

/// See [`PIECES_FREE`].
pub const PIECE_BYTES: u64 = 16;

/// Bytes that are read of a connection before others have their turn, and beyond the current
/// request: a head and a small body.
pub const READ_BURST: usize = 8 << 10;

/// Connections of a process: at 12 KiB each, 192 MiB.
pub const CONNECTIONS_MAX: usize = 16_384;

/// Connections that wait to be accepted.
pub const BACKLOG: i32 = 1_024;

/// Requests of a process that are being worked on, not counting those whose body is still to come.
/// Past it, a request is refused at once rather than queued.
pub const IN_FLIGHT_MAX: usize = 1_024;

/// Bytes of a process in bodies that are still to be completed. Past it, a body is refused.
pub const PARTIAL_BODIES_MAX: usize = 96 << 20;

/// Clients that one limit tells apart; the others share what is left.
pub const LIMITED_CLIENTS_MAX: usize = 100_000;

/// Bytes of the log that wait for a slow reader. Past it, lines are dropped and counted.
pub const LOG_BUFFER_MAX: usize = 4 << 20;

/// Spans that wait for a collector of traces, at about 1 KiB each. Past it, they are dropped and
/// counted.
pub const WAITING_SPANS_MAX: usize = 4_096;

/// For a collector to take spans, with all attempts.
pub const TRACES_DEADLINE: Duration = Duration::from_secs(5);
