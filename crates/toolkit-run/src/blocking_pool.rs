//! Blocking pool: runs expensive work off the server thread, with a bound on how much at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Input of more bytes than this is large: it can keep a core for several milliseconds.
const LARGE_BYTES_MIN: usize = 128 << 10;

/// A bounded way to the blocking pool, of which large inputs take at most half: others do not wait
/// for them.
#[derive(Debug)]
pub(crate) struct BlockingPool {
    places: Arc<Semaphore>,
    /// A permit for each of the places that large inputs may take.
    large: Arc<Semaphore>,
    wait: Duration,
}

/// Why the pool did not do the work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PoolError {
    /// All places stayed taken for as long as a call waits.
    Busy,
    /// The work panicked.
    Panicked,
}

impl BlockingPool {
    /// A pool for `places` pieces of work at once, two at least, for each of which a call waits for
    /// `wait`.
    pub(crate) fn new(places: usize, wait: Duration) -> Self {
        let places = places.max(2);
        Self {
            places: Arc::new(Semaphore::new(places)),
            large: Arc::new(Semaphore::new(places / 2)),
            wait,
        }
    }

    /// Does the work on an input of so many bytes on another thread. It is told through
    /// [`Cancelled`] when nobody waits for it any more, and holds its place until it has really
    /// ended.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(Cancelled) -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let Ok(place) = tokio::time::timeout(self.wait, self.place(bytes)).await else {
            return Err(PoolError::Busy);
        };
        let gone = Cancelled::default();
        let _told_when_dropped = CancelOnDrop(gone.clone());
        let task = tokio::task::spawn_blocking(move || {
            let result = work(gone);
            drop(place);
            result
        });
        task.await.map_err(|_| PoolError::Panicked)
    }

    /// Waits for a place. A large input waits for one of its own kind to end before it waits with
    /// all others, so that it never stands before a small one for longer than that one's turn
    /// takes.
    async fn place(&self, bytes: usize) -> [Option<OwnedSemaphorePermit>; 2] {
        // The semaphores are never closed, so there is always a permit.
        let large = if bytes > LARGE_BYTES_MIN {
            Arc::clone(&self.large).acquire_owned().await.ok()
        } else {
            None
        };
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        [large, place]
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

    /// Work that is under way until it is told to end.
    struct Held {
        end: std::sync::mpsc::Sender<()>,
        ended: tokio::task::JoinHandle<Result<(), PoolError>>,
    }

    impl Held {
        async fn begin(pool: &Arc<BlockingPool>, bytes: usize) -> Self {
            let (end, ends) = std::sync::mpsc::channel::<()>();
            let (begun, has_begun) = tokio::sync::oneshot::channel();
            let pool = Arc::clone(pool);
            let ended = tokio::spawn(async move {
                let work = move |_| {
                    begun.send(()).unwrap();
                    ends.recv().unwrap();
                };
                pool.run(bytes, work).await
            });
            has_begun.await.unwrap();
            Self { end, ended }
        }

        async fn end(self) {
            self.end.send(()).unwrap();
            assert_eq!(self.ended.await.unwrap(), Ok(()));
        }
    }

    const SMALL: usize = 1_000;
    const LARGE: usize = LARGE_BYTES_MIN + 1;

    fn pool(places: usize, wait: Duration) -> Arc<BlockingPool> {
        Arc::new(BlockingPool::new(places, wait))
    }

    #[tokio::test]
    async fn a_call_beyond_the_places_is_refused_after_the_wait() {
        let pool = pool(2, Duration::from_millis(20));
        let one = Held::begin(&pool, SMALL).await;
        let other = Held::begin(&pool, SMALL).await;
        assert_eq!(pool.run(SMALL, |_| ()).await, Err(PoolError::Busy));
        one.end().await;
        assert_eq!(pool.run(SMALL, |_| 7).await, Ok(7));
        other.end().await;
    }

    #[tokio::test]
    async fn large_inputs_leave_half_of_the_places_to_others() {
        for places in [1, 2, 3, 4, 8] {
            let pool = pool(places, Duration::from_millis(20));
            let mut held = Vec::new();
            for _ in 0..places.max(2) / 2 {
                held.push(Held::begin(&pool, LARGE).await);
            }
            assert_eq!(pool.run(LARGE, |_| ()).await, Err(PoolError::Busy));
            for _ in 0..places.max(2).div_ceil(2) {
                held.push(Held::begin(&pool, SMALL).await);
            }
            assert_eq!(pool.run(SMALL, |_| ()).await, Err(PoolError::Busy));
            for held in held {
                held.end().await;
            }
        }
    }

    #[tokio::test]
    async fn a_small_input_does_not_wait_for_the_large_ones_before_it() {
        let pool = pool(2, Duration::from_mins(10));
        let first = Held::begin(&pool, LARGE).await;
        let waiting: Vec<_> = (0..5)
            .map(|_| {
                let pool = Arc::clone(&pool);
                tokio::spawn(async move { pool.run(LARGE, |_| "large").await })
            })
            .collect();
        // All of them have asked for a place before the small one does.
        tokio::task::yield_now().await;
        assert_eq!(pool.run(SMALL, |_| "small").await, Ok("small"));
        assert!(waiting.iter().all(|large| !large.is_finished()));
        first.end().await;
        for large in waiting {
            assert_eq!(large.await.unwrap(), Ok("large"));
        }
    }

    #[tokio::test]
    async fn work_learns_that_its_caller_went_away() {
        let pool = BlockingPool::new(1, Duration::from_secs(5));
        let (ended, has_ended) = tokio::sync::oneshot::channel();
        let work = pool.run(SMALL, move |gone| {
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
        let pool = BlockingPool::new(1, Duration::from_secs(5));
        for _ in 0..3 {
            let panicked: Result<(), _> = pool.run(LARGE, |_| panic!("on purpose")).await;
            assert_eq!(panicked, Err(PoolError::Panicked));
        }
    }
}
