//! Clock: passed in, so that tests of deadlines do not wait.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tokio::time::Instant;

/// Source of time for a chain.
#[async_trait]
pub trait Clock: Send + Sync {
    /// Time since a fixed moment chosen by the clock; never decreases.
    fn elapsed(&self) -> Duration;

    /// Time of day, against which a `Retry-After` with a date is measured.
    fn wall(&self) -> SystemTime;

    /// Completes after `duration`.
    async fn sleep(&self, duration: Duration);
}

/// Clock of the tokio runtime: monotonic, so a change of the system time neither ends nor prolongs
/// a rest.
#[derive(Debug, Clone, Copy)]
pub struct TokioClock {
    origin: Instant,
}

impl TokioClock {
    /// Creates a clock that starts now.
    pub fn new() -> Self {
        Self {
            origin: Instant::now(),
        }
    }
}

impl Default for TokioClock {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Clock for TokioClock {
    fn elapsed(&self) -> Duration {
        self.origin.elapsed()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

/// Timer for many waits in a row, each ending later than the one before: a new timer for each would
/// cost more than reading what is waited for. If it fires too early, it is reset.
pub(crate) struct Alarm<'a> {
    clock: &'a dyn Clock,
    sleep: Option<Pin<Box<dyn Future<Output = ()> + Send + 'a>>>,
}

impl<'a> Alarm<'a> {
    pub(crate) fn new(clock: &'a dyn Clock) -> Self {
        Self { clock, sleep: None }
    }

    /// Waits until `due` on the clock, which must not be earlier than in any call before.
    pub(crate) fn poll(&mut self, due: Duration, cx: &mut Context<'_>) -> Poll<()> {
        // Another implementation's sleep may end at once every time; then treat the wait as over.
        for _ in 0..2 {
            let sleep = self.sleep.get_or_insert_with(|| {
                let left = due.saturating_sub(self.clock.elapsed());
                self.clock.sleep(left)
            });
            ready!(sleep.as_mut().poll(cx));
            self.sleep = None;
            if self.clock.elapsed() >= due {
                break;
            }
        }
        Poll::Ready(())
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    async fn is_due(alarm: &mut Alarm<'_>, due: Duration) -> bool {
        poll_fn(|cx| Poll::Ready(alarm.poll(due, cx).is_ready())).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_timer_that_fires_too_early_is_reset() {
        let clock = TokioClock::new();
        let mut alarm = Alarm::new(&clock);
        assert!(!is_due(&mut alarm, seconds(30)).await);
        tokio::time::advance(seconds(29)).await;
        // Something arrived, so the wait starts again.
        assert!(!is_due(&mut alarm, seconds(59)).await);
        tokio::time::advance(seconds(2)).await;
        assert!(!is_due(&mut alarm, seconds(59)).await);
        tokio::time::advance(seconds(27)).await;
        assert!(!is_due(&mut alarm, seconds(59)).await);
        tokio::time::advance(seconds(2)).await;
        assert!(is_due(&mut alarm, seconds(59)).await);
    }

    /// A clock that does not advance and whose waits end immediately.
    struct Stopped;

    #[async_trait]
    impl Clock for Stopped {
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        fn wall(&self) -> SystemTime {
            SystemTime::UNIX_EPOCH
        }

        async fn sleep(&self, _: Duration) {}
    }

    #[tokio::test]
    async fn a_clock_that_waits_for_nothing_ends_a_wait() {
        assert!(is_due(&mut Alarm::new(&Stopped), seconds(30)).await);
    }
}
