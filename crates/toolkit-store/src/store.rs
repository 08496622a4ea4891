//! Store: opens the database, checks that it works, and closes it.

use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use tokio::sync::{Mutex, Notify};
use tokio::time::{Instant, sleep, timeout};

use crate::database::{self, Access, Backend, Connections, Database, Usage};
use crate::error::{Reason, StoreError};
use crate::limits::{PING_MEMORY, PING_TIMEOUT, REOPEN_PAUSE};
use crate::webhooks::Receivers;

/// A write that changes nothing else.
const HEARTBEAT: &str = "UPDATE heartbeat SET beats = beats + 1 WHERE id = 1";

/// Before the first purge, the newest time in any row is the known time. It is noted before this
/// process writes one, since its clock may be wrong.
const NOTE_NEWEST: &str = "UPDATE clock SET seen_at = (SELECT MAX(at) FROM ( \
    SELECT MAX(created_at) AS at FROM contacts UNION ALL SELECT MAX(requested_at) FROM subscriptions \
    UNION ALL SELECT MAX(created_at) FROM outbox UNION ALL SELECT MAX(at) FROM audit \
    UNION ALL SELECT MAX(spent_at) FROM spent_challenges \
    UNION ALL SELECT MAX(claimed_at) FROM idempotency_keys \
    UNION ALL SELECT MAX(COALESCE(last_used_at, created_at)) FROM api_keys) AS times) \
    WHERE id = 1 AND seen_at IS NULL";

/// The store. Clones share one set of connections.
///
/// A read or write ends within [`OPERATION_TIMEOUT`](crate::limits::OPERATION_TIMEOUT), whatever
/// the database does, and completes even if its future is dropped. [`purge`](Self::purge) and
/// [`erase`](Self::erase) consist of several. No method reads the clock: the time is an argument.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    database: Database,
    queued: Notify,
    receivers: RwLock<Receivers>,
    last_ping: Mutex<Option<(Instant, Result<Duration, StoreError>)>>,
    is_open: AtomicBool,
    is_up: AtomicBool,
}

impl Store {
    /// Checks a database's URL without opening it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Url`].
    pub fn check_url(url: &str) -> Result<(), StoreError> {
        database::check_url(url)
    }

    /// Opens `sqlite://path/to/file.db`, created if missing, or `postgres://…`, and migrates the
    /// tables. Several processes may do so concurrently.
    ///
    /// Operations run on the calling runtime.
    ///
    /// # Errors
    ///
    /// [`StoreError::Url`] for any other URL, [`StoreError::Unavailable`] when the database cannot
    /// be reached or accepts no writes, [`StoreError::Corrupt`] and [`StoreError::Incompatible`]
    /// when it is damaged, newer or not ours. It is left unchanged then.
    pub async fn open(url: &str, connections: impl Into<Connections>) -> Result<Self, StoreError> {
        Self::open_for(Access::Migrate, url, connections).await
    }

    /// Opens a database with only the access that is needed. An empty one gets its tables.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open), and [`StoreError::Incompatible`] for an older database, unless it
    /// may be migrated.
    pub async fn open_for(
        access: Access,
        url: &str,
        connections: impl Into<Connections>,
    ) -> Result<Self, StoreError> {
        let store = Self::new(url, connections.into())?;
        store.prepare(access).await?;
        Ok(store)
    }

    /// Opens a server's database like [`open`](Self::open), but leaves a PostgreSQL failure that
    /// [passes](StoreError::passes) to [`opened`](Self::opened). Until then, operations are
    /// refused.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open) that do not pass.
    pub async fn start(url: &str, connections: impl Into<Connections>) -> Result<Self, StoreError> {
        let store = Self::new(url, connections.into())?;
        match store.prepare(Access::Migrate).await {
            Err(error) if store.backend() == Backend::Postgres && error.passes() => {
                let cause = std::error::Error::source(&error).map(tracing::field::display);
                tracing::warn!(%error, cause, "waiting for the database");
            }
            result => result?,
        }
        Ok(store)
    }

    /// Waits until a database that was unreachable at the [start](Self::start) is open.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open) that do not pass.
    pub async fn opened(&self) -> Result<(), StoreError> {
        if self.shared.is_open.load(Ordering::Relaxed) {
            return Ok(());
        }
        loop {
            sleep(REOPEN_PAUSE).await;
            match self.prepare(Access::Migrate).await {
                Err(error) if error.passes() => {}
                result => {
                    result?;
                    tracing::info!("database open");
                    return Ok(());
                }
            }
        }
    }

    fn new(url: &str, connections: Connections) -> Result<Self, StoreError> {
        let shared = Shared {
            database: Database::new(url, connections)?,
            queued: Notify::new(),
            receivers: RwLock::default(),
            last_ping: Mutex::default(),
            is_open: AtomicBool::new(false),
            is_up: AtomicBool::new(false),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    async fn prepare(&self, access: Access) -> Result<(), StoreError> {
        self.database().open(access).await?;
        if access != Access::Read {
            first_write(self.database()).await?;
        }
        self.shared.is_up.store(true, Ordering::Relaxed);
        self.shared.is_open.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether the last [`ping`](Self::ping) succeeded.
    pub fn is_up(&self) -> bool {
        self.shared.is_up.load(Ordering::Relaxed)
    }

    /// Whether the file was found damaged, deleted or replaced. It is not written until a restart.
    pub fn is_lost(&self) -> bool {
        self.database().is_lost()
    }

    /// The path of an SQLite database, whether or not the file exists.
    pub fn file(url: &str) -> Option<PathBuf> {
        let options = url.starts_with("sqlite:").then(|| SqliteConnectOptions::from_str(url).ok());
        options.flatten().map(|options| options.get_filename().to_owned())
    }

    /// The path of an SQLite database that is not there yet.
    ///
    /// # Errors
    ///
    /// When this process may not look for it, or make it there.
    pub fn absent(url: &str) -> Result<Option<PathBuf>, StoreError> {
        match Self::file(url) {
            Some(file) if !matches!(file.try_exists(), Ok(true)) => {
                StoreError::denied(&file).map_or(Ok(Some(file)), Err)
            }
            _ => Ok(None),
        }
    }

    /// The kind of database.
    pub fn backend(&self) -> Backend {
        self.database().backend()
    }

    /// Usage of its connections, for metrics.
    pub fn usage(&self) -> Usage {
        self.database().usage()
    }

    /// Writes one row and returns how long that took, so it fails when the database is unreachable,
    /// locked, full or read-only. However often this is called, the database is asked at most five
    /// times a second.
    ///
    /// # Errors
    ///
    /// The cause, within [`PING_TIMEOUT`].
    pub async fn ping(&self) -> Result<Duration, StoreError> {
        let mut last = self.shared.last_ping.lock().await;
        if let Some((at, result)) = &*last
            && at.elapsed() < PING_MEMORY
        {
            return result.clone();
        }
        let started = Instant::now();
        let result = timeout(PING_TIMEOUT, self.database().execute(HEARTBEAT, []))
            .await
            .unwrap_or_else(|_| Err(StoreError::unavailable(Reason::TimedOut)))
            .map(|_| started.elapsed());
        *last = Some((Instant::now(), result.clone()));
        self.shared.is_up.store(result.is_ok(), Ordering::Relaxed);
        result
    }

    /// Waits for running operations and closes all connections. Later operations are unavailable.
    pub async fn close(&self) {
        self.database().close().await;
    }

    pub(crate) fn database(&self) -> &Database {
        &self.shared.database
    }

    /// Wakes this process's waiting worker.
    pub(crate) fn wake_worker(&self) {
        self.shared.queued.notify_one();
    }

    /// Wakes the worker.
    pub(crate) fn queued(&self) -> &Notify {
        &self.shared.queued
    }

    pub(crate) fn receivers(&self) -> &RwLock<Receivers> {
        &self.shared.receivers
    }
}

/// Checks that the database accepts writes. A disk that is busy at boot may need more time than an
/// operation has, so there is a second attempt.
async fn first_write(database: &Database) -> Result<(), StoreError> {
    let first = || {
        database.write(|c| {
            Box::pin(async move {
                c.execute(HEARTBEAT, []).await?;
                c.execute(NOTE_NEWEST, []).await.map(drop)
            })
        })
    };
    match first().await {
        Err(
            StoreError::Unavailable { reason: Reason::TimedOut, .. } | StoreError::Uncertain { .. },
        ) => first().await,
        result => result,
    }
}
