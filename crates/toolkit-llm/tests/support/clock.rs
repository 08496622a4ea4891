//! A clock moved by hand, for tests with real sockets, where the runtime's own clock cannot be
//! paused.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tokio::sync::watch;
use toolkit_llm::Clock;

/// Shorter sleeps end at once: the pause before a retry is not what these tests are about.
const SHORT: Duration = Duration::from_secs(1);

pub(crate) struct HandClock {
    now: watch::Sender<Duration>,
}

impl HandClock {
    pub(crate) fn new() -> Self {
        Self {
            now: watch::Sender::new(Duration::ZERO),
        }
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.now.send_modify(|now| *now += by);
    }
}

#[async_trait]
impl Clock for HandClock {
    fn elapsed(&self) -> Duration {
        *self.now.borrow()
    }

    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777) + self.elapsed()
    }

    async fn sleep(&self, duration: Duration) {
        if duration < SHORT {
            return self.advance(duration);
        }
        let end = self.elapsed() + duration;
        let mut now = self.now.subscribe();
        // The sender lives as long as the clock, so waiting cannot fail.
        let _ = now.wait_for(|now| *now >= end).await;
    }
}
