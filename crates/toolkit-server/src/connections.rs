//! Connections: HTTP/1 over streams that enforce deadlines, and the resources each connection
//! holds.
//!
//! A `Worker` owns the connections of one thread, which share its `Clock`. A `Connection` is shared
//! by its `GuardedStream`, which counts bytes below the HTTP layer, and its `Exchange`, which
//! assigns them to requests.

mod body_stream;
mod clock;
mod connection;
mod exchange;
mod output;
mod request_state;
mod room;
mod stream;
mod worker;

pub use self::clock::State;
pub(crate) use self::connection::{Connection, End, Shared};
pub(crate) use self::exchange::Exchange;
pub use self::exchange::hold;
pub(crate) use self::stream::GuardedStream;
pub(crate) use self::worker::Worker;
