//! Section `limits`: request rates per client.

use super::schema::section;
use super::value::RedisUrl;

/// The greatest rate and burst.
const RATE_MAX: i64 = 1_000_000_000;

section! {
    /// Rate limits, each for one client address (IPv6: one /64).
    pub struct Limits {
        /// Tool runs in a minute; 0 turns this limit off.
        pub run_per_minute: u32 = 120, range(0, RATE_MAX);
        /// Tool runs at once, before `run_per_minute` counts.
        pub run_burst: u32 = 60, range(1, RATE_MAX);
        /// Chat requests in a minute; 0 turns this limit off.
        pub chat_per_minute: u32 = 10, range(0, RATE_MAX);
        /// Contact messages in a minute; 0 turns this limit off.
        pub contact_per_minute: u32 = 5, range(0, RATE_MAX);
        /// Subscriptions in a minute; 0 turns this limit off.
        pub subscribe_per_minute: u32 = 5, range(0, RATE_MAX);
        /// MCP requests in a minute; 0 turns this limit off.
        pub mcp_per_minute: u32 = 240, range(0, RATE_MAX);
        /// MCP requests at once, before `mcp_per_minute` counts.
        pub mcp_burst: u32 = 120, range(1, RATE_MAX);
        /// A Redis or Valkey server that counts for all replicas. While it is out of reach, each
        /// process counts alone and says so in the log and in a metric. `rediss://` is with TLS:
        /// its certificate must come from an authority that the system trusts or, if that is set,
        /// one of the file `SSL_CERT_FILE`.
        pub redis_url: Option<RedisUrl> = None, example("redis://127.0.0.1:6379/0");
    }
}
