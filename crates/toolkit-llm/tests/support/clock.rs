//! The runtime's clock, moved on for tests with real sockets, where it cannot stay paused.

use std::time::Duration;

use tokio::time;

pub(crate) async fn advance(by: Duration) {
    time::pause();
    time::advance(by).await;
    time::resume();
}
