//! Section `limits`: what one client may use.

use super::schema::section;
use super::value::RedisUrl;

/// Maximum rate and burst.
const RATE_MAX: i64 = 1_000_000_000;

section! {
    /// Limits per client. A client is one address (IPv6: one /64; a /56 and a /48 have twice and
    /// four times its share of memory and connections).
    pub struct Limits {
        /// Memory for connections, request bodies, work and responses, in MiB. While more than half
        /// is in use, one client may hold a sixteenth. Its further large requests wait for memory
        /// and get 503 if none becomes free in time.
        pub memory_mib: u16 = 160, range(32, 65_535);
        /// Maximum concurrent connections per client. A new one closes the client's longest-idle
        /// one on the same worker thread, or is closed itself if none is idle there. Connections
        /// from `http.trusted_proxies` do not count.
        pub client_connections: u16 = 512, range(1, 65_535);
        /// Tool runs per minute; 0 turns this limit off.
        pub run_per_minute: u32 = 120, range(0, RATE_MAX);
        /// Tool runs that a client may send at once before `run_per_minute` applies.
        pub run_burst: u32 = 60, range(1, RATE_MAX);
        /// Chat requests per minute; 0 turns this limit off.
        pub chat_per_minute: u32 = 10, range(0, RATE_MAX);
        /// Contact messages per minute; 0 turns this limit off.
        pub contact_per_minute: u32 = 5, range(0, RATE_MAX);
        /// Subscriptions per minute; 0 turns this limit off.
        pub subscribe_per_minute: u32 = 5, range(0, RATE_MAX);
        /// Subscriptions per day, which may all come at once; 0 turns this limit off.
        pub subscribe_per_day: u32 = 200, range(0, RATE_MAX);
        /// MCP requests per minute; 0 turns this limit off.
        pub mcp_per_minute: u32 = 240, range(0, RATE_MAX);
        /// MCP requests that a client may send at once before `mcp_per_minute` applies.
        pub mcp_burst: u32 = 120, range(1, RATE_MAX);
        /// Redis or Valkey server that counts requests across all replicas. While it is
        /// unreachable, each process counts alone and says so in the log and in a metric.
        /// `rediss://` uses TLS: the server's certificate must come from an authority that the
        /// system trusts or, if `SSL_CERT_FILE` is set, from one in that file.
        pub redis_url: Option<RedisUrl> = None, example("redis://127.0.0.1:6379/0");
    }
}
