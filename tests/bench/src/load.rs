//! A load generator: a number of connections that each ask, wait for the whole answer, and ask again.

use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::task::LocalSet;
use toolkit_bench::client::{Client, quantile};

/// What a run saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Answers with the status that was expected.
    pub(crate) answers: u64,
    /// Anything else.
    pub(crate) others: u64,
    /// How long each answer took.
    latencies: Vec<Duration>,
}

impl Seen {
    /// The latency below which `share` of the answers came, in microseconds.
    pub(crate) fn micros(&mut self, share: f64) -> f64 {
        quantile(&mut self.latencies, share).as_secs_f64() * 1e6
    }
}

/// A request to repeat.
#[derive(Debug, Clone)]
pub(crate) struct Load {
    pub(crate) address: SocketAddr,
    pub(crate) request: Rc<[u8]>,
    pub(crate) status: u16,
    pub(crate) connections: usize,
    pub(crate) duration: Duration,
}

impl Load {
    /// Runs on a thread of its own runtime until the time is over.
    pub(crate) fn run(&self) -> io::Result<Seen> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let local = LocalSet::new();
        local.block_on(&runtime, async {
            let end = Instant::now() + self.duration;
            let tasks: Vec<_> = (0..self.connections)
                .map(|_| tokio::task::spawn_local(one_connection(self.clone(), end)))
                .collect();
            let mut all = Seen::default();
            for task in tasks {
                let seen = task.await.map_err(io::Error::other)??;
                all.answers += seen.answers;
                all.others += seen.others;
                all.latencies.extend(seen.latencies);
            }
            Ok(all)
        })
    }
}

async fn one_connection(load: Load, end: Instant) -> io::Result<Seen> {
    let mut client = Client::connect(load.address).await?;
    let mut seen = Seen::default();
    while Instant::now() < end {
        let answer = client.ask(&load.request).await?;
        if answer.status == load.status {
            seen.answers += 1;
            seen.latencies.push(answer.took);
        } else {
            seen.others += 1;
        }
    }
    Ok(seen)
}
