//! Section `limits`: request rates per client.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::RedisUrl;

/// Rate limits, each for one client address (IPv6: one /64).
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Tool runs in a minute; 0 turns this limit off.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub run_per_minute: u32,
    /// Tool runs at once, before `run_per_minute` counts.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub run_burst: u32,
    /// Chat requests in a minute; 0 turns this limit off.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub chat_per_minute: u32,
    /// Contact messages in a minute; 0 turns this limit off.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub contact_per_minute: u32,
    /// Subscriptions in a minute; 0 turns this limit off.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub subscribe_per_minute: u32,
    /// MCP requests in a minute; 0 turns this limit off.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub mcp_per_minute: u32,
    /// MCP requests at once, before `mcp_per_minute` counts.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub mcp_burst: u32,
    /// A Redis or Valkey server that counts for all replicas. While it is out of reach, each process
    /// counts alone and says so in the log and in a metric. `rediss://` is with TLS: its certificate must
    /// come from an authority that the system trusts or, if that is set, one of the file `SSL_CERT_FILE`.
    #[schemars(example = "redis://127.0.0.1:6379/0")]
    pub redis_url: Option<RedisUrl>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            run_per_minute: 120,
            run_burst: 60,
            chat_per_minute: 10,
            contact_per_minute: 5,
            subscribe_per_minute: 5,
            mcp_per_minute: 240,
            mcp_burst: 120,
            redis_url: None,
        }
    }
}
