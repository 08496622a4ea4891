//! Section `http`: HTTP behavior common to both servers.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::schema::section;
use super::value::{HostName, Network, Origin, Origins};

section! {
    /// Connection and request handling of both servers.
    pub struct Http {
        /// Maximum size of a request body, in bytes. Larger ones get 413.
        pub body_limit_bytes: usize = 1_048_576, range(1_024, 67_108_864);
        /// Proxies in front of the servers. `X-Forwarded-For` is trusted only from these.
        pub trusted_proxies: Vec<Network> = Vec::new(), example(vec!["10.0.0.0/8", "2001:db8::7"]);
        /// Origins of web pages that may read responses (CORS); `*` means all. Credentials are
        /// never allowed.
        pub cors_origins: Vec<Origin> = vec![Origin::any()], example(vec!["https://example.org"]);
        /// Host names that the admin port accepts, besides IP addresses and names without a dot.
        /// Any other gets 421, since the request may come from a web page. `*` accepts all.
        pub admin_hosts: Vec<HostName> = Vec::new(), example(vec!["toolkit.monitoring.svc"]);
        /// Seconds that a shutdown waits for requests in progress.
        pub shutdown_grace_seconds: u64 = 10, range(1, 600);
        /// Number of worker threads.
        pub workers: Option<u16> = None, range(1, 512), example(4),
            default_note("one per core");
    }
}

impl Http {
    /// The number of threads that serve requests.
    pub fn worker_count(&self) -> usize {
        match self.workers {
            Some(count) => usize::from(count),
            // actix-server supports at most 512.
            None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(512),
        }
    }

    /// How long a shutdown waits for requests in progress.
    pub fn shutdown_grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace_seconds)
    }

    /// The origins of web pages that may read responses.
    pub fn origins(&self) -> Origins {
        Origins::from_list(&self.cors_origins)
    }
}
