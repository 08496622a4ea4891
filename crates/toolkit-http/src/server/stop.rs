//! Graceful shutdown: from the signal to the exit.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};

use super::Server;
use super::signal::Stop;
use crate::limits;

/// Between two looks at what is still open.
const LOOK: Duration = Duration::from_millis(20);

/// The share of a grace that is left for what comes after the last request.
const LAST_WORDS: f32 = 0.05;

/// For the listening socket to be closed.
const SETTLE: Duration = Duration::from_millis(50);

/// What is left of a grace after the last request, for logs and traces.
pub fn last_words(grace: Duration) -> Duration {
    grace.mul_f32(LAST_WORDS)
}

/// How a server came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything under way was answered.
    Drained,
    /// The grace was over, and the rest was cut.
    Cut,
    /// A second signal asked not to wait.
    Forced,
}

/// Serves until a signal asks to stop, then stops within the grace. The admin server goes last, so
/// that it says that the other one is stopping.
///
/// `finish` is what the process must bring to an end beside its requests, if anything. It begins
/// when the stop does, is told by when it has to be done, and is waited for, whether or not a
/// connection is open.
pub async fn run(
    mut stop: Stop,
    server: Server,
    admin: Option<Server>,
    grace: Duration,
    finish: impl AsyncFnOnce(Instant),
) -> Ended {
    let signal = stop.next().await;
    tracing::info!(signal, "stopping: finishing what is under way");
    let finishing = finish(end_of(grace));
    let ended = tokio::select! {
        (ended, ()) = async { tokio::join!(server.stop(grace), finishing) } => ended,
        signal = stop.next() => {
            tracing::warn!(signal, "stopping at once: asked a second time");
            Ended::Forced
        }
    };
    match ended {
        Ended::Drained => tracing::info!("stopped"),
        Ended::Cut => tracing::warn!("stopped: some connections were still open and were cut"),
        Ended::Forced => return ended,
    }
    if let Some(admin) = admin {
        admin.cut();
    }
    ended
}

impl Server {
    /// Stops: accepts no more, answers what is under way, and cuts what is left after the grace.
    pub async fn stop(self, grace: Duration) -> Ended {
        let end = end_of(grace);
        // Closes the listening socket; the connections go on by themselves.
        drop(self.handle.stop(true));
        // A client that is told to leave too early would come back, and be cut off.
        sleep(SETTLE.min(grace / 4)).await;
        self.process.drain(limits::LEAVE_PATIENCE.min(grace / 2));
        let last_call = end - limits::LAST_CALL.min(grace / 4);
        let closed = async {
            while self.process.open() > 0 {
                if Instant::now() >= last_call {
                    self.process.call_last();
                }
                sleep(LOOK).await;
            }
        };
        if timeout_at(end, closed).await.is_ok() {
            return Ended::Drained;
        }
        self.cut();
        Ended::Cut
    }

    /// Stops at once: connections are dropped as they are.
    pub(super) fn cut(&self) {
        self.task.abort();
    }
}

/// A little before a grace that begins now is over, so that the process ends within it.
fn end_of(grace: Duration) -> Instant {
    Instant::now() + grace - last_words(grace)
}
