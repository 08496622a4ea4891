//! Graceful shutdown: from the signal to the exit.

mod newcomers;

use std::net::TcpListener;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::Server;
use super::signal::Stop;
use crate::limits;

/// Interval between checks of open connections.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Share of the grace period reserved for work after the last request.
const EXIT_SHARE: f32 = 0.05;

/// Time reserved after the last request, for logs and traces.
pub fn exit_reserve(grace: Duration) -> Duration {
    grace.mul_f32(EXIT_SHARE)
}

/// Outcome of a shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All requests in progress were answered.
    Drained,
    /// The grace period ended, and the remaining connections were closed.
    TimedOut,
    /// A second signal asked for an immediate stop.
    Forced,
}

/// Serves until a signal, then stops within the grace period. The admin server stops last, so that
/// it can report the stop.
///
/// `finish` is other work that must complete, if any. It starts with the stop and receives its
/// deadline. The process waits for it, whether or not connections are open.
pub async fn run(
    mut stop: Stop,
    server: Server,
    admin: Option<Server>,
    grace: Duration,
    finish: impl AsyncFnOnce(Instant),
) -> Ended {
    let signal = stop.next().await;
    tracing::info!(signal, "stopping: finishing requests in progress");
    let finishing = finish(end_of(grace));
    let ended = tokio::select! {
        (ended, ()) = async { tokio::join!(server.stop(grace), finishing) } => ended,
        signal = stop.next() => {
            tracing::warn!(signal, "received a second signal: stopping immediately");
            Ended::Forced
        }
    };
    match ended {
        Ended::Drained => tracing::info!("stopped"),
        Ended::TimedOut => {
            tracing::warn!("stopped: the grace period is over and open connections were closed");
        }
        Ended::Forced => return ended,
    }
    if let Some(admin) = admin {
        admin.cut();
    }
    ended
}

impl Server {
    /// Stops the server: serves on while load balancers notice, then accepts no more connections,
    /// answers requests in progress, and cuts the rest after the grace period.
    pub async fn stop(self, grace: Duration) -> Ended {
        let end = end_of(grace);
        self.state.begin_stop();
        sleep(limits::LISTENER_CLOSE_DELAY.min(grace / 4)).await;
        refuse_newcomers(&self.socket);
        let _ = timeout(limits::HANDSHAKE_MAX.min(grace / 8), self.newcomers_accepted()).await;
        drop(self.socket);
        drop(self.handle.stop(true));
        self.state.drain(limits::IDLE_CLOSE_DELAY.min(grace / 2));
        let end_notice = end - limits::STREAM_END_NOTICE.min(grace / 4);
        let closed = async {
            while self.state.connections() > 0 {
                if Instant::now() >= end_notice {
                    self.state.announce_end();
                }
                sleep(POLL_INTERVAL).await;
            }
        };
        if timeout_at(end, closed).await.is_ok() {
            return Ended::Drained;
        }
        self.task.abort();
        Ended::TimedOut
    }

    /// Waits until every accepted connection has reached a worker. Looks twice, since a connection
    /// may be between the system's queue and a worker's.
    async fn newcomers_accepted(&self) {
        let mut quiet_looks = 0;
        while quiet_looks < 2 {
            sleep(POLL_INTERVAL).await;
            let are_there = newcomers::are_there(self.address.port(), self.state.connections());
            quiet_looks = if are_there { 0 } else { quiet_looks + 1 };
        }
    }

    /// Stops immediately and drops all connections.
    pub(super) fn cut(&self) {
        self.task.abort();
    }
}

/// Prevents new connections: when a listening socket closes, the system resets connections that no
/// worker has taken. Handshakes in progress complete. A client that gets no answer retries, and
/// then learns that the port is closed.
fn refuse_newcomers(socket: &TcpListener) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // Berkeley packet filter: keep a segment unless its TCP header has the SYN bit (byte 13).
        // Accepted connections inherit the filter, but none of their segments has that bit.
        let no_opening = [
            socket2::SockFilter::new(0x30, 0, 0, 13),   // load the byte
            socket2::SockFilter::new(0x45, 0, 1, 0x02), // without the bit, skip one
            socket2::SockFilter::new(0x06, 0, 0, 0),    // drop
            socket2::SockFilter::new(0x06, 0, 0, u32::MAX), // keep
        ];
        // Without it a few clients are reset.
        let _ = socket2::SockRef::from(socket).attach_filter(&no_opening);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = socket;
}

/// Slightly before the end of a grace period that starts now, so that the process exits in time.
fn end_of(grace: Duration) -> Instant {
    Instant::now() + grace - exit_reserve(grace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grace_period_ends_a_little_early_so_that_the_process_exits_within_it() {
        let grace = Duration::from_secs(10);
        let before = Instant::now();
        let end = end_of(grace);
        assert!(end < before + grace, "{:?}", end - before);
        assert!(end > before + grace * 9 / 10, "{:?}", end - before);
    }
}
