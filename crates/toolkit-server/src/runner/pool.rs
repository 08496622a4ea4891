//! Pool: runs expensive work off the server threads. Clients take turns at one queue, and a client
//! that is alone uses all threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::accounts::{Account, JobCharge};

/// Maximum wait for a turn. Many people behind one address may send documents at once.
const WAIT: Duration = Duration::from_secs(10);

/// At this niceness a pool thread gets a third of a core that a server thread also wants, and all
/// of an idle one.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// A number of threads, and the work waiting for them.
#[derive(Debug)]
pub(crate) struct Pool {
    size: usize,
    queue: Mutex<Queue>,
    threads: Threads,
}

#[derive(Debug, Default)]
struct Queue {
    running: usize,
    waiting: Vec<Job>,
}

/// Work waiting for a thread.
#[derive(Debug)]
struct Job {
    client: Option<Arc<Account>>,
    bytes: usize,
    start: oneshot::Sender<Turn>,
}

/// The use of a thread, with the memory for the work.
#[derive(Debug)]
struct Turn {
    pool: Arc<Pool>,
    charge: Option<JobCharge>,
}

/// Error: the pool did not do the work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PoolError {
    /// No thread became free within the maximum wait.
    Busy,
    /// The work panicked.
    Panicked,
}

impl Pool {
    /// Creates a pool with this many threads.
    pub(crate) fn new(size: usize) -> Self {
        Self { size, queue: Mutex::default(), threads: Threads::new(size) }
    }

    /// Runs `work`, which needs this many bytes of memory, on another thread. [`Cancelled`] tells
    /// it when its caller has gone, and it keeps its thread until it returns.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        client: Option<&Arc<Account>>,
        bytes: usize,
        work: impl FnOnce(Cancelled) -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let (start, started) = oneshot::channel();
        self.queue().waiting.push(Job { client: client.cloned(), bytes, start });
        self.start();
        let Ok(Ok(turn)) = timeout(WAIT, started).await else {
            return Err(PoolError::Busy);
        };
        let cancelled = Cancelled::default();
        let _cancels_when_dropped = CancelOnDrop(cancelled.clone());
        let task = self.threads.spawn(move || {
            let result = work(cancelled);
            drop(turn);
            result
        });
        task.await.map_err(|_| PoolError::Panicked)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts as many jobs as possible.
    fn start(self: &Arc<Self>) {
        while let Some((job, turn)) = self.next() {
            // If the caller has gone, the turn comes back.
            let _ = job.start.send(turn);
        }
    }

    /// Picks the next job: the client whose last turn was longest ago, if its memory fits. When
    /// there is no memory at all, jobs still run one by one.
    fn next(self: &Arc<Self>) -> Option<(Job, Turn)> {
        let mut queue = self.queue();
        if queue.running >= self.size {
            return None;
        }
        queue.waiting.retain(|job| !job.start.is_closed());
        let is_idle = queue.running == 0;
        let jobs = queue.waiting.iter().enumerate();
        let fitting = jobs.filter(|(_, job)| {
            let client = job.client.as_ref();
            is_idle || client.is_none_or(|client| client.accounts().fits_process(job.bytes))
        });
        let turn = |job: &Job| job.client.as_ref().map(|client| client.turn());
        let (first, _) = fitting.min_by_key(|(_, job)| turn(job))?;
        let job = queue.waiting.remove(first);
        queue.running += 1;
        let charge = job.client.as_ref().map(|client| {
            client.take_turn();
            JobCharge::new(client, job.bytes)
        });
        let pool = Arc::clone(self);
        Some((job, Turn { pool, charge }))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.charge = None;
        self.pool.queue().running -= 1;
        self.pool.start();
    }
}

/// Threads of the pool.
///
/// tokio's blocking threads belong to a runtime, and so to a server worker. Work that starts as
/// other work ends would not find the thread idle yet, so there would be more threads than needed,
/// and the allocator keeps memory for each.
#[derive(Debug)]
struct Threads(Option<Runtime>);

impl Threads {
    /// Starts no threads yet. They start with the work and end after ten idle seconds.
    fn new(threads: usize) -> Self {
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(threads)
            .thread_name("blocking")
            .on_thread_start(give_way)
            .build();
        // Without drivers it needs nothing from the system, so it cannot fail.
        Self(runtime.ok())
    }

    fn spawn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
        match &self.0 {
            Some(runtime) => runtime.spawn_blocking(work),
            None => tokio::task::spawn_blocking(work),
        }
    }
}

/// Lets the server threads run first. Only on Linux does a thread have its own priority.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

impl Drop for Threads {
    fn drop(&mut self) {
        // This does not block, so it may run on any thread.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Whether the caller has gone, or the tool has checked its deadline.
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
    use crate::accounts::Accounts;

    /// Work in progress until told to end.
    struct Running {
        end: std::sync::mpsc::Sender<()>,
        ended: JoinHandle<Result<(), PoolError>>,
    }

    impl Running {
        async fn begin(pool: &Arc<Pool>, client: Option<&Arc<Account>>, bytes: usize) -> Self {
            let (end, ends) = std::sync::mpsc::channel::<()>();
            let (begun, has_begun) = oneshot::channel();
            let (pool, client) = (Arc::clone(pool), client.cloned());
            let ended = tokio::spawn(async move {
                let work = move |_| {
                    begun.send(()).unwrap();
                    let _ = ends.recv();
                };
                pool.run(client.as_ref(), bytes, work).await
            });
            has_begun.await.unwrap();
            Self { end, ended }
        }

        async fn end(self) {
            self.end.send(()).unwrap();
            assert_eq!(self.ended.await.unwrap(), Ok(()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_beyond_the_threads_is_refused_after_a_while() {
        let pool = Arc::new(Pool::new(1));
        let running = Running::begin(&pool, None, 0).await;
        assert_eq!(pool.run(None, 0, |_| ()).await, Err(PoolError::Busy));
        running.end().await;
        assert_eq!(pool.run(None, 0, |_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn a_client_alone_uses_all_threads_and_another_one_has_the_next_turn() {
        let accounts = Accounts::for_test(160, 1);
        let [greedy, other] = ["192.0.2.1", "192.0.2.2"].map(|it| accounts.client(it));
        let pool = Arc::new(Pool::new(4));
        let mut running = Vec::new();
        for _ in 0..4 {
            running.push(Running::begin(&pool, Some(&greedy), 0).await);
        }
        let order = Arc::new(Mutex::new(Vec::new()));
        let clients = [("greedy", &greedy); 5].into_iter().chain([("other", &other); 2]);
        let waiting: Vec<_> = clients
            .map(|(name, client)| {
                let (pool, order) = (Arc::clone(&pool), Arc::clone(&order));
                let client = Arc::clone(client);
                tokio::spawn(async move {
                    let work = move |_| order.lock().unwrap().push(name);
                    pool.run(Some(&client), 0, work).await
                })
            })
            .collect();
        while pool.queue().waiting.len() < waiting.len() {
            tokio::task::yield_now().await;
        }
        // With one thread, turns follow the order of the work.
        running.pop().unwrap().end().await;
        for work in waiting {
            assert_eq!(work.await.unwrap(), Ok(()));
        }
        let order = order.lock().unwrap().clone();
        assert_eq!(order[..4], ["other", "greedy", "other", "greedy"]);
        for work in running {
            work.end().await;
        }
    }

    #[tokio::test]
    async fn work_waits_for_its_memory_but_one_always_runs() {
        let accounts = Accounts::for_test(160, 1);
        let client = accounts.client("192.0.2.1");
        let pool = Arc::new(Pool::new(2));
        let _everything = client.charge(160 << 20);
        let first = Running::begin(&pool, Some(&client), 16 << 20).await;
        assert_eq!(accounts.memory()[0], 176 << 20);
        let second = tokio::spawn({
            let (pool, client) = (Arc::clone(&pool), Arc::clone(&client));
            async move { pool.run(Some(&client), 16 << 20, |_| ()).await }
        });
        while pool.queue().waiting.is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(accounts.memory()[0], 176 << 20, "waiting work holds nothing");
        first.end().await;
        assert_eq!(second.await.unwrap(), Ok(()));
    }

    #[tokio::test]
    async fn work_learns_that_its_caller_went_away() {
        let pool = Arc::new(Pool::new(1));
        let (ended, has_ended) = oneshot::channel();
        let work = pool.run(None, 0, move |gone| {
            while !gone.is_true() {
                std::thread::yield_now();
            }
            ended.send(()).unwrap();
        });
        assert!(timeout(Duration::from_millis(20), work).await.is_err());
        has_ended.await.unwrap();
    }

    #[tokio::test]
    async fn a_panic_frees_its_thread() {
        let pool = Arc::new(Pool::new(1));
        for _ in 0..3 {
            let panicked: Result<(), _> = pool.run(None, 0, |_| panic!("on purpose")).await;
            assert_eq!(panicked, Err(PoolError::Panicked));
        }
    }
}
