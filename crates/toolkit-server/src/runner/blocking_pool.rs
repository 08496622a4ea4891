//! Blocking pool: runs expensive work off the server thread, with bounded concurrency.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::Pool;
use crate::clients::{Account, LOOK_INTERVAL};

/// Inputs longer than this, in bytes, are large: they can occupy a core for several milliseconds.
const LARGE_BYTES_MIN: usize = 128 << 10;

/// With this a thread gets a quarter of a core that a thread of the server wants too, and all of one
/// that none wants.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// Bounded access to the blocking pool. Large inputs take at most half of the places, so others do
/// not wait for them.
#[derive(Debug)]
pub(crate) struct BlockingPool {
    pool: Pool,
    places: Arc<Semaphore>,
    /// Permits for the places that large inputs may take.
    large: Arc<Semaphore>,
    wait: Duration,
    threads: Threads,
}

/// Error: the pool did not do the work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PoolError {
    /// No place became free within the maximum wait.
    Busy,
    /// The work panicked.
    Panicked,
}

impl BlockingPool {
    /// Creates a pool for `places` concurrent jobs, at least two, where a call waits at most `wait`
    /// for a place.
    pub(crate) fn new(pool: Pool, places: usize, wait: Duration) -> Self {
        let places = places.max(2);
        Self {
            pool,
            places: Arc::new(Semaphore::new(places)),
            large: Arc::new(Semaphore::new(places / 2)),
            wait,
            threads: Threads::new(places),
        }
    }

    /// Runs `work` on another thread for an input of `bytes` bytes. The work is notified through
    /// [`Cancelled`] when nobody waits for it any more, and keeps its place until it has actually
    /// ended. Its result ends it too, so that the memory of that is counted before the next work of
    /// its client begins.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Option<&Arc<Account>>,
        bytes: usize,
        work: impl FnOnce(Cancelled) -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let place = async {
            let Some(client) = client else {
                return (None, self.place(bytes).await);
            };
            let share = client.place(self.pool).await;
            loop {
                let place = self.place(bytes).await;
                if let Some(work) = client.begin(self.pool, bytes) {
                    return (Some((share, work)), place);
                }
                drop(place);
                sleep(LOOK_INTERVAL).await;
            }
        };
        let Ok((share, place)) = tokio::time::timeout(self.wait, place).await else {
            return Err(PoolError::Busy);
        };
        let gone = Cancelled::default();
        let _told_when_dropped = CancelOnDrop(gone.clone());
        let task = self.threads.spawn(move || {
            let result = work(gone);
            drop(place);
            (result, share)
        });
        let (result, _share) = task.await.map_err(|_| PoolError::Panicked)?;
        Ok(result)
    }

    /// Waits for a place. A large input first waits for another large one to end, then with all
    /// others, so it never delays a small one for longer than one turn.
    async fn place(&self, bytes: usize) -> [Option<OwnedSemaphorePermit>; 2] {
        // The semaphores are never closed, so a permit is always granted.
        let large = if bytes > LARGE_BYTES_MIN {
            Arc::clone(&self.large).acquire_owned().await.ok()
        } else {
            None
        };
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        [large, place]
    }
}

/// Threads of the pool, one for each place.
///
/// tokio has blocking threads per runtime, so per worker thread of the server, and work that starts
/// as other work ends does not find its thread idle yet: there would be several threads for each
/// place, and the allocator keeps memory for each thread.
#[derive(Debug)]
struct Threads(Option<Runtime>);

impl Threads {
    /// Starts no thread yet: threads start with the work, and end after ten idle seconds.
    fn new(threads: usize) -> Self {
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(threads)
            .thread_name("blocking")
            .on_thread_start(give_way)
            .build();
        // Without drivers it asks the system for nothing, so it does not fail.
        Self(runtime.ok())
    }

    fn spawn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
        match &self.0 {
            Some(runtime) => runtime.spawn_blocking(work),
            None => tokio::task::spawn_blocking(work),
        }
    }
}

/// Lets the server's own threads run first. Elsewhere the priority is that of the whole process.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

impl Drop for Threads {
    fn drop(&mut self) {
        // This does not wait, so it may run on any thread.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Whether the caller went away, or a tool asked whether its time is over.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cancelled(Arc<AtomicBool>);

impl Cancelled {
    pub(crate) fn is_true(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct CancelOnDrop(Cancelled);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;

    /// Work in progress, until it is cancelled.
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
                pool.run(None, bytes, work).await
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
    const LARGE: usize = (128 << 10) + 1;

    fn pool(places: usize, wait: Duration) -> Arc<BlockingPool> {
        Arc::new(BlockingPool::new(Pool::Bulk, places, wait))
    }

    #[tokio::test]
    async fn a_call_beyond_the_places_is_refused_after_the_wait() {
        let pool = pool(2, Duration::from_millis(20));
        let one = Held::begin(&pool, SMALL).await;
        let other = Held::begin(&pool, SMALL).await;
        assert_eq!(pool.run(None, SMALL, |_| ()).await, Err(PoolError::Busy));
        one.end().await;
        assert_eq!(pool.run(None, SMALL, |_| 7).await, Ok(7));
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
            assert_eq!(pool.run(None, LARGE, |_| ()).await, Err(PoolError::Busy));
            for _ in 0..places.max(2).div_ceil(2) {
                held.push(Held::begin(&pool, SMALL).await);
            }
            assert_eq!(pool.run(None, SMALL, |_| ()).await, Err(PoolError::Busy));
            for held in held {
                held.end().await;
            }
        }
    }

    #[tokio::test]
    async fn an_input_is_large_past_the_bound_and_not_at_it() {
        let pool = pool(2, Duration::from_millis(20));
        let held = Held::begin(&pool, LARGE).await;
        assert_eq!(pool.run(None, LARGE, |_| ()).await, Err(PoolError::Busy));
        assert_eq!(pool.run(None, LARGE - 1, |_| ()).await, Ok(()));
        held.end().await;
    }

    #[tokio::test]
    async fn a_small_input_does_not_wait_for_the_large_ones_before_it() {
        let pool = pool(2, Duration::from_mins(10));
        let first = Held::begin(&pool, LARGE).await;
        let waiting: Vec<_> = (0..5)
            .map(|_| {
                let pool = Arc::clone(&pool);
                tokio::spawn(async move { pool.run(None, LARGE, |_| "large").await })
            })
            .collect();
        // All of them have asked for a place before the small one does.
        tokio::task::yield_now().await;
        assert_eq!(pool.run(None, SMALL, |_| "small").await, Ok("small"));
        assert!(waiting.iter().all(|large| !large.is_finished()));
        first.end().await;
        for large in waiting {
            assert_eq!(large.await.unwrap(), Ok("large"));
        }
    }

    #[tokio::test]
    async fn what_waits_for_a_place_or_for_room_counts_no_memory() {
        let clients = Clients::default();
        let pool = pool(2, Duration::from_mins(1));
        let places = [
            Held::begin(&pool, SMALL).await,
            Held::begin(&pool, SMALL).await,
        ];
        let waiting: Vec<_> = (0..20)
            .map(|last| {
                let client = clients.accept([192, 0, 2, last].into()).unwrap();
                let pool = Arc::clone(&pool);
                tokio::spawn(async move { pool.run(Some(&client), SMALL, |_| ()).await })
            })
            .collect();
        tokio::task::yield_now().await;
        assert_eq!(clients.memory()[0], 0);
        let other = clients.accept([192, 0, 2, 99].into()).unwrap();
        let everything = other.hold(clients.memory()[1] + 1);
        for place in places {
            place.end().await;
        }
        sleep(LOOK_INTERVAL).await;
        assert_eq!(clients.memory()[0], clients.memory()[1] + 1);
        assert!(waiting.iter().all(|work| !work.is_finished()));
        drop(everything);
        for work in waiting {
            assert_eq!(work.await.unwrap(), Ok(()));
        }
    }

    #[tokio::test]
    async fn work_learns_that_its_caller_went_away() {
        let pool = BlockingPool::new(Pool::Bulk, 1, Duration::from_secs(5));
        let (ended, has_ended) = tokio::sync::oneshot::channel();
        let work = pool.run(None, SMALL, move |gone| {
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
    async fn a_panic_frees_its_place() {
        let pool = BlockingPool::new(Pool::Bulk, 1, Duration::from_secs(5));
        for _ in 0..3 {
            let panicked: Result<(), _> = pool.run(None, LARGE, |_| panic!("on purpose")).await;
            assert_eq!(panicked, Err(PoolError::Panicked));
        }
    }
}
