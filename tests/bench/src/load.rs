//! Load generator: connections that each send a request, wait for the whole response, and send it
//! again.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::task::LocalSet;
use tokio::time::sleep;

use crate::cases::Case;
use crate::client::{Client, runtime};
use crate::table::float;

/// Placeholder for a number in a body: each request has a different one, of equal length.
pub const NUMBER: &str = "#number#";
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// A request to repeat.
#[derive(Debug, Clone)]
pub struct Load {
    /// The server.
    pub address: SocketAddr,
    /// The bytes of the request.
    pub request: Vec<u8>,
    /// Concurrent requests.
    pub connections: usize,
    /// Pause of each connection before a request.
    pub pause: Duration,
}

/// Results of a load.
#[derive(Debug, Default)]
pub struct Seen {
    /// Latencies of the good responses, sorted.
    pub latencies: Vec<Duration>,
    /// Other results with their counts: a status, or an error.
    pub failures: BTreeMap<String, usize>,
}

impl Load {
    /// A case without pauses.
    pub fn of(case: &Case, address: SocketAddr, connections: usize) -> Self {
        Self {
            address,
            request: case.request(address),
            connections,
            pause: Duration::ZERO,
        }
    }

    /// The same, but fails unless there were responses, and all of them good.
    pub fn run_well(&self, duration: Duration) -> io::Result<Seen> {
        let seen = self.run(duration)?;
        if seen.failures.is_empty() && !seen.latencies.is_empty() {
            return Ok(seen);
        }
        let request = String::from_utf8_lossy(&self.request);
        let line = request.lines().next().unwrap_or_default();
        let text = format!("{line}: {:?}", seen.failures);
        Err(io::Error::other(text))
    }

    /// Runs on this thread until the time is over.
    pub fn run(&self, duration: Duration) -> io::Result<Seen> {
        let mut windows = self.request.windows(NUMBER.len());
        let number_at = windows.position(|window| window == NUMBER.as_bytes());
        let end = Instant::now() + duration;
        let local = LocalSet::new();
        local.block_on(&runtime()?, async {
            let connections = 0..self.connections;
            let tasks: Vec<_> = connections
                .map(|_| tokio::task::spawn_local(self.clone().one_connection(number_at, end)))
                .collect();
            let mut all = Seen::default();
            for task in tasks {
                let seen = task.await.map_err(io::Error::other)?;
                all.latencies.extend(seen.latencies);
                for (what, count) in seen.failures {
                    *all.failures.entry(what).or_default() += count;
                }
            }
            all.latencies.sort_unstable();
            Ok(all)
        })
    }

    async fn one_connection(mut self, number_at: Option<usize>, end: Instant) -> Seen {
        let mut client = Client::new(self.address);
        let mut seen = Seen::default();
        while Instant::now() < end {
            if !self.pause.is_zero() {
                sleep(self.pause).await;
            }
            if let Some(at) = number_at {
                let digits = format!("{:08}", NEXT.fetch_add(1, Ordering::Relaxed)).into_bytes();
                self.request.splice(at..at + NUMBER.len(), digits);
            }
            let what = match client.ask(&self.request).await {
                Ok(answer) if answer.status == 200 => {
                    seen.latencies.push(answer.took);
                    continue;
                }
                Ok(answer) => answer.status.to_string(),
                Err(error) => error.to_string(),
            };
            *seen.failures.entry(what).or_default() += 1;
        }
        seen
    }
}

impl Seen {
    /// The latency at a quantile, in microseconds.
    pub fn micros(&self, share: f64) -> f64 {
        quantile(&self.latencies, share)
    }
}

/// The value at a quantile of sorted latencies, in microseconds; zero when there are none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index into a list"
)]
pub fn quantile(sorted: &[Duration], share: f64) -> f64 {
    let index = (float(sorted.len()) * share) as usize;
    let last = sorted.len().saturating_sub(1);
    let value = sorted.get(index.min(last)).copied().unwrap_or_default();
    value.as_secs_f64() * 1e6
}
