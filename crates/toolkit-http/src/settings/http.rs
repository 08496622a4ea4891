//! Section `http`: HTTP behaviour common to both servers.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::schema::section;
use super::value::{Network, Origin, Origins};

section! {
    /// What both servers do with connections and requests.
    pub struct Http {
        /// The largest request body, in bytes. A larger one is answered with 413.
        pub body_limit_bytes: usize = 1_048_576, range(1_024, 67_108_864);
        /// The proxies in front of the servers. Only they are believed when they say in
        /// `X-Forwarded-For` who is asking.
        pub trusted_proxies: Vec<Network> = Vec::new(), example(vec!["10.0.0.0/8", "2001:db8::7"]);
        /// The web pages that may read answers, as origins; `*` means all. Credentials are never
        /// allowed.
        pub cors_origins: Vec<Origin> = vec![Origin::any()], example(vec!["https://example.org"]);
        /// How long a stop waits for requests under way, in seconds.
        pub shutdown_grace_seconds: u64 = 10, range(1, 600);
        /// The number of threads that serve requests.
        pub workers: Option<u16> = None, range(1, 512), example(4),
            default_note("one for each core");
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
