//! Section `limits`: what a client may use.

use super::schema::section;
use super::value::RedisUrl;

/// The greatest rate and burst.
const RATE_MAX: i64 = 1_000_000_000;

section! {
    /// Limits for clients; a client is one address (IPv6: one /64; a /56 and a /48
    /// have twice and four times its share of memory and connections).
    pub struct Limits {
        /// Memory for connections, request bodies, work and responses, in MiB. While less than half of
        /// it is free, one client may hold a sixteenth; its further large requests wait for room, and
        /// get 503 if none is free in time.
        pub memory_mib: u16 = 160, range(32, 65_535);
        /// Connections that a client may have at the same time; more are closed. Those of
        /// `http.trusted_proxies` do not count.
        pub client_connections: u16 = 512, range(1, 65_535);
        /// Tool runs per minute; 0 turns this limit off.
        pub run_per_minute: u32 = 120, range(0, RATE_MAX);
        /// Tool runs that a client may send at once, before `run_per_minute` applies.
        pub run_burst: u32 = 60, range(1, RATE_MAX);
        /// Chat requests per minute; 0 turns this limit off.
        pub chat_per_minute: u32 = 10, range(0, RATE_MAX);
        /// Contact messages per minute; 0 turns this limit off.
        pub contact_per_minute: u32 = 5, range(0, RATE_MAX);
        /// Subscriptions per minute; 0 turns this limit off.
        pub subscribe_per_minute: u32 = 5, range(0, RATE_MAX);
        /// Subscriptions per day, of which any number may come at once; 0 turns this limit off.
        pub subscribe_per_day: u32 = 200, range(0, RATE_MAX);
        /// MCP requests per minute; 0 turns this limit off.
        pub mcp_per_minute: u32 = 240, range(0, RATE_MAX);
        /// MCP requests that a client may send at once, before `mcp_per_minute` applies.
        pub mcp_burst: u32 = 120, range(1, RATE_MAX);
        /// Redis or Valkey server in which all replicas count. While it is unreachable, each
        /// process counts alone, and reports it in the log and in a metric. `rediss://` uses TLS:
        /// the server's certificate must come from an authority that the system trusts or, if
        /// `SSL_CERT_FILE` is set, from one in that file.
        pub redis_url: Option<RedisUrl> = None, example("redis://127.0.0.1:6379/0");
    }
}
