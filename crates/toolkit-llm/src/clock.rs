//! Clock: passed in, so that tests of deadlines do not wait.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tokio::time::Instant;

/// Where a chain takes the time from.
#[async_trait]
pub trait Clock: Send + Sync {
    /// The time since a fixed moment of its own; it never goes back.
    fn elapsed(&self) -> Duration;

    /// The time of day, which a `Retry-After` with a date is held against.
    fn wall(&self) -> SystemTime;

    /// Ends after `duration`.
    async fn sleep(&self, duration: Duration);
}

/// The clock of the tokio runtime: the monotonic one, so that a step of the system's clock
/// neither ends nor prolongs a rest.
#[derive(Debug, Clone, Copy)]
pub struct TokioClock {
    origin: Instant,
}

impl TokioClock {
    /// A clock that starts now.
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
