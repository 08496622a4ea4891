//! Section `http`: HTTP behaviour common to both servers.

use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{Network, Origin, Origins};

/// What both servers do with connections and requests.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Http {
    /// The largest request body, in bytes. A larger one is answered with 413.
    #[schemars(range(min = 1_024, max = 67_108_864))]
    pub body_limit_bytes: usize,
    /// The proxies in front of the servers. Only they are believed when they say in
    /// `X-Forwarded-For` who is asking.
    #[schemars(example = ["10.0.0.0/8", "2001:db8::7"])]
    pub trusted_proxies: Vec<Network>,
    /// The web pages that may read answers, as origins; `*` means all. Credentials are never allowed.
    #[schemars(example = ["https://example.org"])]
    pub cors_origins: Vec<Origin>,
    /// How long a stop waits for requests under way, in seconds.
    #[schemars(range(min = 1, max = 600))]
    pub shutdown_grace_seconds: u64,
    /// The number of threads that serve requests.
    #[schemars(range(min = 1, max = 512), example = 4, extend("x-default" = "one for each core"))]
    pub workers: Option<u16>,
}

impl Default for Http {
    fn default() -> Self {
        Self {
            body_limit_bytes: 1_048_576,
            trusted_proxies: Vec::new(),
            cors_origins: vec![Origin::any()],
            shutdown_grace_seconds: 10,
            workers: None,
        }
    }
}

impl Http {
    /// The number of threads that serve requests.
    pub fn worker_count(&self) -> usize {
        match self.workers {
            Some(count) => usize::from(count),
            // 512 is the most that actix-server can tell apart.
            None => std::thread::available_parallelism()
                .map_or(1, NonZeroUsize::get)
                .min(512),
        }
    }

    /// How long a stop waits for requests under way.
    pub fn shutdown_grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace_seconds)
    }

    /// Which web pages may read answers.
    pub fn origins(&self) -> Origins {
        Origins::from_list(&self.cors_origins)
    }
}
