//! A load generator: a number of connections that each ask, wait for the whole answer, and ask again.

use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

/// What a run saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Answers with the status that was expected.
    pub(crate) answers: u64,
    /// Anything else.
    pub(crate) others: u64,
    /// How long each answer took, in microseconds, sorted.
    pub(crate) micros: Vec<u32>,
}

impl Seen {
    /// The latency below which `share` of the answers came, in microseconds.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index into a list of latencies"
    )]
    pub(crate) fn quantile(&self, share: f64) -> u32 {
        let index = (self.micros.len() as f64 * share) as usize;
        let last = self.micros.len().saturating_sub(1);
        self.micros
            .get(index.min(last))
            .copied()
            .unwrap_or_default()
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
                all.micros.extend(seen.micros);
            }
            all.micros.sort_unstable();
            Ok(all)
        })
    }
}

async fn one_connection(load: Load, end: Instant) -> io::Result<Seen> {
    let mut stream = TcpStream::connect(load.address).await?;
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(64 << 10);
    let mut seen = Seen::default();
    loop {
        let start = Instant::now();
        if start >= end {
            return Ok(seen);
        }
        stream.write_all(&load.request).await?;
        let status = read_answer(&mut stream, &mut buffer).await?;
        let micros = u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX);
        if status == load.status {
            seen.answers += 1;
            seen.micros.push(micros);
        } else {
            seen.others += 1;
        }
    }
}

/// Reads one answer that states its length, and returns its status.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<u16> {
    buffer.clear();
    let head = loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let text = String::from_utf8_lossy(buffer.get(..head).unwrap_or_default()).to_ascii_lowercase();
    let status = text
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0);
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .and_then(|length| length.trim().parse::<usize>().ok())
        .unwrap_or(0);
    while buffer.len() < head + length {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(status)
}
