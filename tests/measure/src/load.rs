//! Load generator: connections that each send a request, wait for the whole response, and send it
//! again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::task::LocalSet;
use tokio::time::sleep;

use crate::Result;
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
        Self { address, request: case.request(address), connections, pause: Duration::ZERO }
    }

    /// The same, but fails unless there were responses, and all of them good.
    pub fn run_well(&self, duration: Duration) -> Result<Seen> {
        let seen = self.run(duration)?;
        if seen.failures.is_empty() && !seen.latencies.is_empty() {
            return Ok(seen);
        }
        let request = String::from_utf8_lossy(&self.request);
        let line = request.lines().next().unwrap_or_default();
        Err(format!("{line}: {:?}", seen.failures).into())
    }

    /// Runs on this thread until the time is over.
    pub fn run(&self, duration: Duration) -> Result<Seen> {
        let mut windows = self.request.windows(NUMBER.len());
        let number_at = windows.position(|window| window == NUMBER.as_bytes());
        let end = Instant::now() + duration;
        let (seen, tasks) = (Rc::new(RefCell::new(Seen::default())), LocalSet::new());
        for _ in 0..self.connections {
            let connection = self.clone().connection(number_at, end, Rc::clone(&seen));
            tasks.spawn_local(connection);
        }
        runtime()?.block_on(tasks);
        let mut seen = seen.take();
        seen.latencies.sort_unstable();
        Ok(seen)
    }

    async fn connection(mut self, number_at: Option<usize>, end: Instant, seen: Rc<RefCell<Seen>>) {
        let mut client = Client::new(self.address);
        while Instant::now() < end {
            if !self.pause.is_zero() {
                sleep(self.pause).await;
            }
            if let Some(at) = number_at {
                let digits = format!("{:08}", NEXT.fetch_add(1, Ordering::Relaxed)).into_bytes();
                self.request.splice(at..at + NUMBER.len(), digits);
            }
            let answer = client.ask(&self.request).await;
            let mut seen = seen.borrow_mut();
            match answer {
                Ok(took) => seen.latencies.push(took),
                Err(error) => *seen.failures.entry(error.to_string()).or_default() += 1,
            }
        }
    }
}

impl Seen {
    /// The latency at a quantile, in microseconds; zero when there are none.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index into a list"
    )]
    pub fn micros(&self, share: f64) -> f64 {
        let index = (float(self.latencies.len()) * share) as usize;
        let value = self.latencies.get(index).or(self.latencies.last());
        value.copied().unwrap_or_default().as_secs_f64() * 1e6
    }
}
