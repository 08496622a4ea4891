//! Clock: passed in, so that tests of deadlines do not wait.

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
