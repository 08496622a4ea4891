//! Blocking pool: runs expensive work off the server thread, with a bound on how much at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

/// A bounded way to the blocking pool.
#[derive(Debug)]
pub(crate) struct BlockingPool {
    permits: Arc<Semaphore>,
    wait: Duration,
}

/// Why a lane did not do the work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PoolError {
    /// All places stayed taken for as long as a call waits.
    Busy,
    /// The work panicked.
    Panicked,
}

impl BlockingPool {
    /// A lane for `places` pieces of work at once, for each of which a call waits for `wait`.
    pub(crate) fn new(places: usize, wait: Duration) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(places)),
            wait,
        }
    }

    /// Does the work on another thread. It is told through [`Cancelled`] when nobody waits for it any
    /// more, and holds its place until it has really ended.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Cancelled) -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let permit = tokio::time::timeout(self.wait, Arc::clone(&self.permits).acquire_owned());
        // The semaphore is never closed, so the inner error does not happen.
        let Ok(Ok(permit)) = permit.await else {
            return Err(PoolError::Busy);
        };
        let gone = Cancelled::default();
        let _told_when_dropped = CancelOnDrop(gone.clone());
        let task = tokio::task::spawn_blocking(move || {
            let result = work(gone);
            drop(permit);
            result
        });
        task.await.map_err(|_| PoolError::Panicked)
    }
}

/// Whether the caller went away.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cancelled(Arc<AtomicBool>);

impl Cancelled {
    pub(crate) fn is_true(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

struct CancelOnDrop(Cancelled);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_beyond_the_places_is_refused_after_the_wait() {
        let lane = Arc::new(BlockingPool::new(1, Duration::from_millis(20)));
        let (free, blocked) = std::sync::mpsc::channel::<()>();
        let (started, has_started) = tokio::sync::oneshot::channel();
        let first = tokio::spawn({
            let lane = Arc::clone(&lane);
            async move {
                lane.run(move |_| {
                    started.send(()).unwrap();
                    blocked.recv()
                })
                .await
            }
        });
        has_started.await.unwrap();
        assert_eq!(lane.run(|_| ()).await, Err(PoolError::Busy));
        free.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Ok(Ok(())));
        assert_eq!(lane.run(|_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_learns_that_its_caller_went_away() {
        let lane = BlockingPool::new(1, Duration::from_secs(5));
        let (ended, has_ended) = tokio::sync::oneshot::channel();
        let work = lane.run(move |gone| {
            while !gone.is_true() {
                std::thread::yield_now();
            }
            ended.send(()).unwrap();
        });
        assert!(
            tokio::time::timeout(Duration::from_millis(20), work)
                .await
                .is_err()
        );
        has_ended.await.unwrap();
    }

    #[tokio::test]
    async fn a_panic_gives_its_place_back() {
        let lane = BlockingPool::new(1, Duration::from_secs(5));
        for _ in 0..3 {
            let panicked: Result<(), _> = lane.run(|_| panic!("on purpose")).await;
            assert_eq!(panicked, Err(PoolError::Panicked));
        }
    }
}
