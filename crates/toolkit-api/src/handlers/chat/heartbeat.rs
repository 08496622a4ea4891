//! Heartbeat of an event stream: a comment after each period of silence.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::rt::time::{Sleep, sleep};
use tokio::time::Instant;

/// Silence after which a heartbeat is sent: less than common proxy timeouts.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// A comment. A blank line after it would be an empty event to some clients.
pub(super) const COMMENT: &[u8] = b":\n";

/// Timer for heartbeats.
pub(super) struct Heartbeat {
    /// Not reset with each event: that would take the lock of the runtime's timers.
    timer: Pin<Box<Sleep>>,
    /// Time when the last bytes were handed over.
    written_at: Instant,
}

impl Heartbeat {
    pub(super) fn start() -> Self {
        Self {
            timer: Box::pin(sleep(HEARTBEAT)),
            written_at: Instant::now(),
        }
    }

    /// Restarts the period: bytes were handed over, a heartbeat or others.
    pub(super) fn restart(&mut self) {
        self.written_at = Instant::now();
    }

    /// Whether the timer has ended, so that it has to be polled again.
    pub(super) fn has_elapsed(&self) -> bool {
        self.timer.is_elapsed()
    }

    /// Ready when nothing was written for the whole period.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.timer.as_mut().poll(cx));
            let now = Instant::now();
            let due = self.written_at + HEARTBEAT;
            if now >= due {
                self.timer.as_mut().reset(now + HEARTBEAT);
                return Poll::Ready(());
            }
            self.timer.as_mut().reset(due);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// Whole seconds until the next heartbeat; the clock is paused.
    async fn next(heartbeat: &mut Heartbeat) -> u64 {
        let before = Instant::now();
        poll_fn(|cx| heartbeat.poll(cx)).await;
        heartbeat.restart();
        before.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn ten_seconds_of_silence_are_a_heartbeat_again_and_again() {
        let mut heartbeat = Heartbeat::start();
        for _ in 0..3 {
            assert_eq!(next(&mut heartbeat).await, 10);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_event_postpones_the_next_heartbeat() {
        let mut heartbeat = Heartbeat::start();
        for seconds in [4, 9] {
            tokio::time::advance(Duration::from_secs(seconds)).await;
            heartbeat.restart();
        }
        assert_eq!(next(&mut heartbeat).await, 10);
        // The timer ran out in the meantime, and was not polled.
        tokio::time::advance(Duration::from_secs(9)).await;
        heartbeat.restart();
        tokio::time::advance(Duration::from_secs(3)).await;
        assert!(heartbeat.has_elapsed());
        assert_eq!(next(&mut heartbeat).await, 7);
    }
}
